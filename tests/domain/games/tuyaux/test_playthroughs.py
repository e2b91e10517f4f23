"""What must be recorded of Tuyaux: programmes, options, seats, dead heats, whips, ways to end."""

from domain.games.tuyaux import events as e
from domain.racing.events import MeetingAbandoned, MeetingFinished, MeetingOpened
from tests.domain.games.tuyaux.paddock import printed
from tests.kit.recordings import Recordings

RECORDED = Recordings("tuyaux")
NAMES = RECORDED.names


def test_every_programme_is_recorded() -> None:
    """TU-S3"""
    drawn = {event.card for event in RECORDED.all_events() if isinstance(event, e.ProgrammeDrawn)}
    assert drawn == set(printed())


def test_every_option_and_seat_count_is_recorded() -> None:
    """Options; three seats once with nobody there."""
    opened = [event for event in RECORDED.all_events() if isinstance(event, MeetingOpened)]
    assert {event.options["bets"] for event in opened} == {
        *("win", "two_wins", "win_and_place", "tierce")
    }
    assert {event.options["whip"] for event in opened} == {"last_turn", "first_whip"}
    assert {event.options["open_bets"] for event in opened} == {False, True}
    assert {event.arranged for event in opened} == {False, True}
    assert {event.seats for event in opened} == set(range(2, 8))


def test_dead_heats_and_shared_second_lines_are_recorded() -> None:
    """TU-E1"""
    heats = [
        ev for ev in RECORDED.all_events() if isinstance(ev, e.RaceSettled) and len(ev.winners) > 1
    ]
    assert len(heats) >= 4
    last = [ev for ev in RECORDED.events("win_and_place__second_line_shared")]
    lines = [ev.lines for ev in last if isinstance(ev, e.TipPlayed)][-1]
    assert [len(line) for line in lines[:2]] == [1, 2]


def test_whips_at_every_worth_are_recorded() -> None:
    """TU-M5, TU-M6"""
    for whip in ("last_turn", "first_whip"):
        gained = set()
        for name in NAMES:
            events = RECORDED.events(name)
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
        for event in RECORDED.all_events()
        if isinstance(event, MeetingFinished)
    ]
    assert {1, 2} <= set(firsts)
    abandoned = [
        RECORDED.events(n) for n in NAMES if isinstance(RECORDED.events(n)[-1], MeetingAbandoned)
    ]
    kinds = [{type(event) for event in events} for events in abandoned]
    assert any(e.TipPlayed in seen for seen in kinds)
    assert any(e.BetMade in seen and e.CardTurned not in seen for seen in kinds)
    assert any(e.DealerDrawn not in seen for seen in kinds)
