"""Recorded meetings: folded they give the board they gave, decided anew the events they hold."""

from functools import cache
from itertools import pairwise

import pytest

from domain.games.change_horses import commands as c
from domain.games.change_horses import events as e
from domain.kernel.lines import redact, split
from domain.kernel.message import SERVER, Event, type_of
from domain.racing.events import MeetingAbandoned, MeetingFinished, MeetingOpened
from domain.racing.evolve import fold
from domain.racing.meeting import FULL, PUBLIC_VIEW, Meeting
from domain.registry import GAMES, event_decoder, event_types
from domain.verification import decide_anew, recorded_chance, verify
from tests.domain.games.change_horses.playthroughs import BY_BOTS, FOLDER, MEETINGS, board_file

GAME = GAMES["change-horses"]
NAMES = sorted(MEETINGS)


@cache
def lines_of(name: str) -> list[bytes]:
    """The log as it was recorded."""
    return (FOLDER / f"{name}.ndjson").read_bytes().splitlines(keepends=True)


@cache
def events_of(name: str) -> list[Event]:
    """Its events."""
    decode = event_decoder(GAME.id).decode
    return [decode(split(line[:-1])[0]) for line in lines_of(name)]


def seen_by(name: str, viewer: int) -> Meeting:
    """The meeting folded from what a viewer may know of it."""
    known = (redact(made, viewer) for made in events_of(name))
    return fold((made for made in known if made is not None), GAME, viewer)


@pytest.mark.parametrize("name", NAMES)
def test_folding_a_recorded_meeting_gives_its_recorded_board(name: str) -> None:
    """The lock on the stored format."""
    recorded = (FOLDER / f"{name}.json").read_bytes()
    assert board_file(seen_by(name, PUBLIC_VIEW)) == recorded


@pytest.mark.parametrize("name", NAMES)
def test_deciding_anew_from_the_recorded_draws_gives_the_recorded_events(name: str) -> None:
    """The lock on the rules, whatever chance said."""
    events = events_of(name)
    meeting = decide_anew(events, GAME, recorded_chance(events))
    assert meeting == fold(events, GAME, FULL)


@pytest.mark.parametrize("name", NAMES)
def test_a_recorded_meeting_is_verified(name: str) -> None:
    """Hashes, chance, rules, certificates and points."""
    report = verify(lines_of(name))
    assert report.problems == []
    assert report.rules_checked
    assert report.complete


@pytest.mark.parametrize("name", sorted(set(NAMES) - BY_BOTS))
def test_a_scripted_meeting_played_again_is_the_same_log(name: str) -> None:
    """Rules, defaults and the scripts give the same bytes; what a careful bot thinks may change."""
    assert MEETINGS[name]().lines() == lines_of(name)


def test_every_file_is_a_known_meeting_and_every_meeting_has_its_files() -> None:
    """Nothing is left behind when a meeting gets another name."""
    files = {path.name for path in FOLDER.iterdir()}
    assert files == {f"{name}.{end}" for name in NAMES for end in ("ndjson", "json")}


def test_every_way_to_end_option_and_seat_count_is_recorded() -> None:
    """CH-E1, CH-W3, CH-T1, CH-D1, CH-E6, CH-S1"""
    opened = [made for name in NAMES if isinstance(made := events_of(name)[0], MeetingOpened)]
    assert {made.seats for made in opened} == {2, 3, 4, 5}
    assert {made.options["turn_order"] for made in opened} == {"basic", "derby"}
    assert len({made.options["races"] for made in opened}) >= 3
    assert {8, 12, 24} <= {made.options["finish"] for made in opened}
    assert {made.arranged for made in opened} == {True, False}
    ways = set()
    for name in NAMES:
        events = events_of(name)
        for before, made in pairwise(events):
            if isinstance(made, e.RaceEnded):
                ways.add((made.how, type(before).__name__))
    assert ways == {
        ("crossed", "HorsesMoved"),
        ("crossed", "FastPlayed"),
        ("rounds", "HorsesMoved"),
    }
    endings = {type(events_of(name)[-1]) for name in NAMES}
    assert endings == {MeetingFinished, MeetingAbandoned}


def test_a_name_tells_how_its_meeting_ends() -> None:
    """Nobody looks for an ending in vain."""
    for name in NAMES:
        ended = [made.how for made in events_of(name) if isinstance(made, e.RaceEnded)]
        if "__crossed" in name:
            assert ended == ["crossed"]
        if "__all_rounds" in name:
            assert ended == ["rounds"]
        if "__abandoned" in name:
            assert isinstance(events_of(name)[-1], MeetingAbandoned)


def test_every_event_and_command_type_is_recorded() -> None:
    """So the format of each is locked."""
    recorded = [made for name in NAMES for made in events_of(name)]
    wanted = set(event_types(GAME.id)) - {"seat_reserved", "rules_changed"}
    assert wanted <= {type_of(made) for made in recorded}
    bodies = [made.command for made in recorded if made.command]
    for made in recorded:
        for key, secret in (made.private or {}).items():
            if key != SERVER and "command" in secret:
                bodies.append(secret["command"])
    assert {type_of(kind) for kind in GAME.commands} <= {body["type"] for body in bodies}
    options = {body["option"] for body in bodies if body["type"] == type_of(c.PlayWild)}
    assert options == {"stumble", "slippery", "fast", "change"}


def test_photo_finishes_blocked_horses_and_races_without_a_winner_are_recorded() -> None:
    """CH-E2, CH-E5, CH-M2"""
    ended = [m for name in NAMES for m in events_of(name) if isinstance(m, e.RaceEnded)]
    ranks = [[place.rank for place in made.ranking] for made in ended]
    assert any(len(set(found)) < 6 for found in ranks), "a rank is shared"
    assert any(made.ranking[0].seat is None for made in ended), "nobody owned the last horse"
    assert any(max(made.points) == 3 for made in ended)
