"""What must be recorded of Change Horses: ways to end, options, seats, photo finishes."""

from itertools import pairwise

from domain.games.change_horses import commands as c
from domain.games.change_horses import events as e
from domain.kernel.message import type_of
from domain.racing.events import MeetingAbandoned, MeetingOpened
from tests.kit.recordings import Recordings

RECORDED = Recordings("change-horses")
NAMES = RECORDED.names


def test_every_way_to_end_option_and_seat_count_is_recorded() -> None:
    """CH-E1, CH-W3, CH-T1, CH-D1, CH-E6, CH-S1"""
    opened = [made for name in NAMES if isinstance(made := RECORDED.events(name)[0], MeetingOpened)]
    assert {made.seats for made in opened} == {2, 3, 4, 5}
    assert {made.options["turn_order"] for made in opened} == {"basic", "derby"}
    assert len({made.options["races"] for made in opened}) >= 3
    assert {8, 12, 24} <= {made.options["finish"] for made in opened}
    assert {made.arranged for made in opened} == {True, False}
    ways = set()
    for name in NAMES:
        events = RECORDED.events(name)
        for before, made in pairwise(events):
            if isinstance(made, e.RaceEnded):
                ways.add((made.how, type(before).__name__))
    assert ways == {
        ("crossed", "HorsesMoved"),
        ("crossed", "FastPlayed"),
        ("rounds", "HorsesMoved"),
    }


def test_a_name_tells_how_its_meeting_ends() -> None:
    """Nobody looks for an ending in vain."""
    for name in NAMES:
        ended = [made.how for made in RECORDED.events(name) if isinstance(made, e.RaceEnded)]
        if "__crossed" in name:
            assert ended == ["crossed"]
        if "__all_rounds" in name:
            assert ended == ["rounds"]
        if "__abandoned" in name:
            assert isinstance(RECORDED.events(name)[-1], MeetingAbandoned)


def test_every_option_of_a_wild_horse_is_recorded() -> None:
    """CH-W1 to CH-W4; one with two seats is told to its seat alone."""
    kind, options = type_of(c.PlayWild), set()
    for made in RECORDED.all_events():
        secrets = [secret.get("command") for secret in (made.private or {}).values()]
        for body in (made.command, *secrets):
            if body and body["type"] == kind:
                options.add(body["option"])
    assert options == {"stumble", "slippery", "fast", "change"}


def test_photo_finishes_blocked_horses_and_races_without_a_winner_are_recorded() -> None:
    """CH-E2, CH-E5, CH-M2"""
    ended = [m for name in NAMES for m in RECORDED.events(name) if isinstance(m, e.RaceEnded)]
    ranks = [[place.rank for place in made.ranking] for made in ended]
    assert any(len(set(found)) < 6 for found in ranks), "a rank is shared"
    assert any(made.ranking[0].seat is None for made in ended), "nobody owned the last horse"
    assert any(max(made.points) == 3 for made in ended)
