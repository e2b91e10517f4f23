"""Recorded meetings: folded they give the board they gave, decided anew the events they hold."""

from functools import cache

import pytest

from domain.games.tuyaux import events as e
from domain.kernel.lines import redact, split
from domain.kernel.message import Event, type_of
from domain.racing.events import (
    AbandonAsked,
    MeetingAbandoned,
    MeetingFinished,
    MeetingOpened,
    SeatLeft,
    SeatReserved,
)
from domain.racing.evolve import fold
from domain.racing.meeting import FULL, PUBLIC_VIEW, Meeting
from domain.registry import GAMES, event_decoder, event_types
from domain.verification import decide_anew, recorded_chance, verify
from tests.domain.games.tuyaux.paddock import printed
from tests.domain.games.tuyaux.playthroughs import BY_BOTS, FOLDER, MEETINGS, board_file

GAME = GAMES["tuyaux"]
NAMES = sorted(MEETINGS)

names = pytest.mark.parametrize("name", NAMES)


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
    known = (redact(event, viewer) for event in events_of(name))
    return fold((event for event in known if event is not None), GAME, viewer)


def all_events() -> list[Event]:
    """Of all recorded meetings."""
    return [event for name in NAMES for event in events_of(name)]


@names
def test_folding_a_recorded_meeting_gives_its_recorded_board(name: str) -> None:
    """The lock on the stored format."""
    recorded = (FOLDER / f"{name}.json").read_bytes()
    assert board_file(seen_by(name, PUBLIC_VIEW)) == recorded


@names
def test_deciding_anew_from_the_recorded_draws_gives_the_recorded_events(name: str) -> None:
    """The lock on the rules, whatever chance said."""
    events = events_of(name)
    meeting = decide_anew(events, GAME, recorded_chance(events))
    assert meeting == fold(events, GAME, FULL)


@names
def test_a_recorded_meeting_is_verified(name: str) -> None:
    """Hashes, chance, rules and coins."""
    report = verify(lines_of(name))
    assert report.problems == []
    assert report.rules_checked
    assert report.draws_checked
    assert report.complete


@pytest.mark.parametrize("name", sorted(set(NAMES) - BY_BOTS))
def test_a_scripted_meeting_played_again_is_the_same_log(name: str) -> None:
    """Rules, defaults and the recorder give the same bytes; what bots think may change."""
    assert MEETINGS[name]().lines() == lines_of(name)


def test_a_meeting_of_bots_played_twice_is_the_same_log() -> None:
    """A bot chooses by the source that it is given, and by nothing else."""
    name = "win__target_reached"
    assert MEETINGS[name]().lines() == MEETINGS[name]().lines()


def test_every_file_is_a_known_meeting_and_every_meeting_has_its_files() -> None:
    """Nothing is left behind when a meeting gets another name."""
    files = {path.name for path in FOLDER.iterdir()}
    assert files == {f"{name}.{end}" for name in NAMES for end in ("ndjson", "json")}


def test_every_programme_is_recorded() -> None:
    """TU-S3"""
    drawn = {event.card for event in all_events() if isinstance(event, e.ProgrammeDrawn)}
    assert drawn == set(printed())


def test_every_option_and_seat_count_is_recorded() -> None:
    """Options; three seats once with nobody there."""
    opened = [event for event in all_events() if isinstance(event, MeetingOpened)]
    assert {event.options["bets"] for event in opened} == {
        *("win", "two_wins", "win_and_place", "tierce")
    }
    assert {event.options["whip"] for event in opened} == {"last_turn", "first_whip"}
    assert {event.options["open_bets"] for event in opened} == {False, True}
    assert {event.arranged for event in opened} == {False, True}
    assert {event.seats for event in opened} == set(range(2, 8))


def test_dead_heats_and_shared_second_lines_are_recorded() -> None:
    """TU-E1"""
    heats = [ev for ev in all_events() if isinstance(ev, e.RaceSettled) and len(ev.winners) > 1]
    assert len(heats) >= 4
    last = [ev for ev in events_of("win_and_place__second_line_shared")]
    lines = [ev.lines for ev in last if isinstance(ev, e.TipPlayed)][-1]
    assert [len(line) for line in lines[:2]] == [1, 2]


def test_whips_at_every_worth_are_recorded() -> None:
    """TU-M5, TU-M6"""
    for whip in ("last_turn", "first_whip"):
        gained = set()
        for name in NAMES:
            events = events_of(name)
            opened = events[0]
            if isinstance(opened, MeetingOpened) and opened.options["whip"] == whip:
                gained |= {
                    ev.moved
                    for ev in events
                    if isinstance(ev, e.TipPlayed) and ev.card.endswith("whip")
                }
        assert gained >= {0, 1, 2, 3}


def test_every_way_a_meeting_ends_is_recorded() -> None:
    """TU-E2: one winner, several; abandoned in play, in the bets, before the start."""
    firsts = [
        sum(rank.rank == 1 for rank in event.ranking)
        for event in all_events()
        if isinstance(event, MeetingFinished)
    ]
    assert {1, 2} <= set(firsts)
    abandoned = [events_of(n) for n in NAMES if isinstance(events_of(n)[-1], MeetingAbandoned)]
    kinds = [{type(event) for event in events} for events in abandoned]
    assert any(e.TipPlayed in seen for seen in kinds)
    assert any(e.BetMade in seen and e.CardTurned not in seen for seen in kinds)
    assert any(e.DealerDrawn not in seen for seen in kinds)


def test_every_event_type_is_recorded() -> None:
    """So the format of each is locked."""
    recorded = {type_of(event) for event in all_events()}
    assert recorded == set(event_types("tuyaux")) - {"rules_changed"}  # these are the first
    assert {type_of(AbandonAsked), type_of(SeatLeft), type_of(SeatReserved)} <= recorded
