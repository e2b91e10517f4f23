"""What must be recorded of Ticket Gagnant: kinds of races, ways to end, options, seats."""

from collections.abc import Iterator
from random import Random

import pytest

from domain.games.ticket_gagnant import events as e
from domain.kernel.message import Event
from domain.racing.events import MeetingAbandoned, MeetingOpened
from domain.verification import lines_of, verify
from tests.domain.games.ticket_gagnant.turf import GAME
from tests.kit.forging import MUTATIONS
from tests.kit.recordings import Recordings

RECORDED = Recordings(GAME)
NAMES = RECORDED.names
WORDS = ("first_player", "flat_only")
MUTATIONS_EACH = 12
LINE = 5
"""The line of the course on which it is crossed here."""


@pytest.mark.parametrize("name", ["flat__line_crossed_by_a_move", "harness__all_disqualified"])
def test_every_mutation_of_the_bytes_of_a_log_is_found(name: str) -> None:
    """Whatever is changed, added, dropped, swapped, doubled or cut."""
    data = b"".join(RECORDED.lines(name))
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
        events = RECORDED.events(name)
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
    first = [RECORDED.events(name)[0] for name in NAMES]
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
    assert any(isinstance(RECORDED.events(name)[-1], MeetingAbandoned) for name in NAMES)
