"""Recorded meetings: folded they give the board they gave, decided anew the events they hold."""

from collections.abc import Iterator
from functools import cache
from random import Random

import pytest

from domain.games.ticket_gagnant import events as e
from domain.kernel.lines import redact, split
from domain.kernel.message import Event, type_of
from domain.racing.events import MeetingAbandoned, MeetingOpened
from domain.racing.evolve import fold
from domain.racing.meeting import FULL, PUBLIC_VIEW, Meeting
from domain.registry import GAMES, event_decoder
from domain.verification import decide_anew, lines_of, recorded_chance, verify
from tests.domain.games.ticket_gagnant.playthroughs import BY_BOTS, FOLDER, MEETINGS, board_file
from tests.domain.games.ticket_gagnant.turf import GAME
from tests.kit.forging import MUTATIONS

NAMES = sorted(MEETINGS)
WORDS = ("first_player", "flat_only")
MUTATIONS_EACH = 12
LINE = 5
"""The line of the course on which it is crossed here."""


@cache
def recorded(name: str) -> list[bytes]:
    """The log as it was recorded."""
    return (FOLDER / f"{name}.ndjson").read_bytes().splitlines(keepends=True)


@cache
def events_of(name: str) -> list[Event]:
    """Its events."""
    decode = event_decoder(GAME).decode
    return [decode(split(line[:-1])[0]) for line in recorded(name)]


def seen_by(name: str, viewer: int) -> Meeting:
    """The meeting folded from what a viewer may know of it."""
    known = (redact(event, viewer) for event in events_of(name))
    return fold((event for event in known if event is not None), GAMES[GAME], viewer)


@pytest.mark.parametrize("name", NAMES)
def test_folding_a_recorded_meeting_gives_its_recorded_board(name: str) -> None:
    """The lock on the stored format."""
    board = (FOLDER / f"{name}.json").read_bytes()
    assert board_file(seen_by(name, PUBLIC_VIEW)) == board


@pytest.mark.parametrize("name", NAMES)
def test_deciding_anew_from_the_recorded_draws_gives_the_recorded_events(name: str) -> None:
    """The lock on the rules, whatever chance said."""
    events = events_of(name)
    meeting = decide_anew(events, GAMES[GAME], recorded_chance(events))
    assert meeting == fold(events, GAMES[GAME], FULL)


@pytest.mark.parametrize("name", NAMES)
def test_a_recorded_meeting_is_verified(name: str) -> None:
    """Hashes, chance, rules and scores."""
    report = verify(recorded(name))
    assert report.problems == []
    assert report.rules_checked
    assert report.draws_checked
    assert report.complete


@pytest.mark.parametrize("name", sorted(set(NAMES) - BY_BOTS))
def test_a_scripted_meeting_played_again_is_the_same_log(name: str) -> None:
    """Rules, lists and the recorder give the same bytes; what bots think may change."""
    assert MEETINGS[name]().lines() == recorded(name)


def test_every_file_is_a_known_meeting_and_every_meeting_has_its_files() -> None:
    """Nothing is left behind when a meeting gets another name."""
    files = {path.name for path in FOLDER.iterdir()}
    assert files == {f"{name}.{end}" for name in NAMES for end in ("ndjson", "json")}


@pytest.mark.parametrize("name", ["flat__line_crossed_by_a_move", "harness__all_disqualified"])
def test_every_mutation_of_the_bytes_of_a_log_is_found(name: str) -> None:
    """Whatever is changed, added, dropped, swapped, doubled or cut."""
    data = b"".join(recorded(name))
    source = Random(name)
    count = 0
    for mutation in MUTATIONS:
        for _ in range(MUTATIONS_EACH):
            mutated = mutation(data, source)
            if mutated != data:
                count += 1
                assert not verify(lines_of(mutated)).ok, mutation.__name__
    assert count > 100


def races(events: list[Event]) -> Iterator[tuple[e.RaceChosen, Event, e.RaceScored]]:
    """(as chosen, the play that ended it, as scored) of every race of a log that was finished."""
    chosen: e.RaceChosen | None = None
    play: Event | None = None
    for event in events:
        if isinstance(event, e.RaceChosen):
            chosen = event
        elif isinstance(event, e.CardPlayed | e.CardDiscarded):
            play = event
        elif isinstance(event, e.RaceScored):
            assert chosen is not None
            assert play is not None
            yield chosen, play, event


def end_of(play: Event, scored: e.RaceScored) -> Iterator[str]:
    """How a race of the short course ended."""
    if isinstance(play, e.CardDiscarded):
        yield "last card discarded"
    else:
        assert isinstance(play, e.CardPlayed)
        moved, displaced = play.moved, play.displaced
        if moved is not None and moved.space >= LINE:
            yield "crossed by a pair" if "+" in play.card else "crossed by a move"
            if moved.horse in scored.disqualified:
                yield "crossed and disqualified"
        elif displaced is not None and displaced.space >= LINE:
            yield "crossed by a displacement"
        else:
            yield "hands empty"
    if not scored.ranking:
        yield "all disqualified"


def test_every_race_kind_and_every_way_a_race_can_end_is_recorded() -> None:
    """TG-S4, TG-M9, TG-M11, TG-R1"""
    kinds: set[tuple[str, bool]] = set()
    rivers: set[tuple[int, str]] = set()
    ends: set[str] = set()
    for name in NAMES:
        events = events_of(name)
        for chosen, play, scored in races(events):
            kinds.add((chosen.kind, chosen.hidden))
            if chosen.river is not None:
                rivers.add((chosen.river.hedge, chosen.river.side))
            if "line_crossed" in name or "crossed_and" in name or "all_" in name:
                ends.update(end_of(play, scored))
            elif name.endswith(("hands_empty", "discarded")):
                ends.update(set(end_of(play, scored)) & {"hands empty", "last card discarded"})
    every = ("flat", "obstacle", "steeplechase", "harness")
    assert {kind for kind, _ in kinds} == set(every)
    assert {hidden for _, hidden in kinds} == {True, False}
    assert rivers == {(hedge, side) for hedge in (1, 2) for side in ("front", "behind")}
    assert ends == {
        "hands empty",
        "last card discarded",
        "crossed by a move",
        "crossed by a pair",
        "crossed by a displacement",
        "crossed and disqualified",
        "all disqualified",
    }


def test_every_option_seat_count_and_ending_is_recorded() -> None:
    """Options; finished and abandoned, arranged and drawn."""
    first = [events_of(name)[0] for name in NAMES]
    opened = [event for event in first if isinstance(event, MeetingOpened)]
    assert len(opened) == len(NAMES)
    assert {event.seats for event in opened} == {2, 3, 4, 5, 6}
    for option, values in {
        "dashed_line": {"wins", "no_return"},
        "photo_finish": {"draw", "rail"},
        "wild": {"free", "printed"},
        "last_place": {-2, -1},
    }.items():
        assert {event.options[option] for event in opened} == values
    choices = [event.options["choice"] for event in opened]
    assert {"first_player", "flat_only"} == {choice for choice in choices if choice in WORDS}
    assert any(isinstance(choice, list) for choice in choices)
    assert {isinstance(event.options["course"], dict) for event in opened} == {True, False}
    assert {True, False} == {event.arranged for event in opened}
    assert any(isinstance(events_of(name)[-1], MeetingAbandoned) for name in NAMES)


def test_every_event_type_of_the_game_is_recorded() -> None:
    """So the format of each is locked."""
    found = {type_of(event) for name in NAMES for event in events_of(name)}
    assert {type_of(kind) for kind in e.EVENTS} <= found
