"""Recorded meetings: folded they give the board they gave, decided anew the events they hold.

None of the games is named here; what must be recorded of one stands beside its own tests.
"""

from typing import Any

import pytest

from domain.kernel.lines import redact
from domain.kernel.message import SERVER, Event, type_of
from domain.racing.events import SHARED_EVENTS, MeetingAbandoned, MeetingFinished, RulesChanged
from domain.racing.folding import fold, follow
from domain.racing.meeting import FULL, PUBLIC_VIEW, RUNNING, Meeting
from domain.registry import GAMES
from domain.verification import decide_anew, recorded_chance, verify
from tests.kit.recordings import Recordings, board_file

RECORDED = {game: Recordings(game) for game in sorted(GAMES)}
games = pytest.mark.parametrize("game", RECORDED)


def named(names: dict[str, list[str]]) -> Any:
    """A test of each of these meetings."""
    pairs = [(game, name) for game, some in names.items() for name in some]
    return pytest.mark.parametrize(
        ("game", "name"), pairs, ids=[f"{game}-{name}" for game, name in pairs]
    )


every = named({game: sorted(r.played.MEETINGS) for game, r in RECORDED.items()})
scripted = named(
    {game: sorted(set(r.played.MEETINGS) - r.played.BY_BOTS) for game, r in RECORDED.items()}
)


@games
def test_every_file_is_a_known_meeting_and_every_meeting_has_its_files(game: str) -> None:
    """Nothing is left behind when a meeting gets another name."""
    recorded = RECORDED[game]
    files = {path.name for path in recorded.folder.iterdir()}
    wanted = recorded.played.MEETINGS
    assert files == {f"{name}.{end}" for name in wanted for end in ("ndjson", "json")}


@every
def test_folding_a_recorded_meeting_gives_its_recorded_board(game: str, name: str) -> None:
    """The lock on the stored format."""
    recorded = RECORDED[game]
    known = (redact(event, PUBLIC_VIEW) for event in recorded.events(name))
    seen = fold((event for event in known if event is not None), recorded.game, PUBLIC_VIEW)
    assert board_file(seen) == recorded.board(name)


@every
def test_everybody_knows_the_phase_at_every_event(game: str, name: str) -> None:
    """So a refusal may name it: whoever folds the public events has it too."""
    recorded = RECORDED[game]
    full, seen = Meeting(viewer=FULL), Meeting(viewer=PUBLIC_VIEW)
    told: set[str | None] = set()
    for event in recorded.events(name):
        follow(full, (event,), recorded.game)
        follow(seen, (event,), recorded.game)
        if full.status == RUNNING:
            told.add(full.table.phase)
            assert seen.table.phase == full.table.phase, f"after event {event.seq}"
    assert told or name == "open__abandoned_before_the_start"


@every
def test_deciding_anew_from_the_recorded_draws_gives_the_recorded_events(
    game: str, name: str
) -> None:
    """The lock on the rules, whatever chance said."""
    events = RECORDED[game].events(name)
    meeting = decide_anew(events, GAMES[game], recorded_chance(events))
    assert meeting == fold(events, GAMES[game], FULL)


@every
def test_a_recorded_meeting_is_verified(game: str, name: str) -> None:
    """Hashes, chance, rules, and what the game audits."""
    report = verify(RECORDED[game].lines(name))
    assert report.problems == []
    assert report.rules_checked
    assert report.draws_checked
    assert report.complete


@scripted
def test_a_scripted_meeting_played_again_is_the_same_log(game: str, name: str) -> None:
    """Rules, defaults and the recorder give the same bytes; what bots think may change."""
    recorded = RECORDED[game]
    assert recorded.played.MEETINGS[name]().lines() == recorded.lines(name)


@games
def test_a_meeting_of_bots_played_twice_is_the_same_log(game: str) -> None:
    """A bot chooses by the source that it is given, and by nothing else."""
    recorded = RECORDED[game]
    name = min(recorded.played.BY_BOTS, key=lambda name: len(recorded.lines(name)))
    play = recorded.played.MEETINGS[name]
    assert play().lines() == play().lines()


@games
def test_every_event_and_command_type_of_a_game_is_recorded(game: str) -> None:
    """So the format of each is locked."""
    events = RECORDED[game].all_events()
    assert {type_of(kind) for kind in GAMES[game].events} <= {type_of(event) for event in events}
    bodies = {body["type"] for event in events for body in commands_of(event)}
    assert {type_of(kind) for kind in GAMES[game].commands} <= bodies
    assert {type(RECORDED[game].events(name)[-1]) for name in RECORDED[game].names} == {
        MeetingFinished,
        MeetingAbandoned,
    }


def commands_of(event: Event) -> list[dict[str, Any]]:
    """The command that an event carries, for all or for its seat alone."""
    found = [event.command] if event.command else []
    for key, secret in (event.private or {}).items():
        if key != SERVER and "command" in secret:
            found.append(secret["command"])
    return found


def test_every_shared_event_type_is_recorded() -> None:
    """But the going over to other rules: these are the first."""
    recorded = {type(event) for r in RECORDED.values() for event in r.all_events()}
    assert set(SHARED_EVENTS) - {RulesChanged} <= recorded
