"""Loans from the bank (BM-L1)."""

import pytest

from domain.games.bookmaker import commands as c
from domain.games.bookmaker import events as e
from domain.racing.events import MeetingFinished
from tests.kit.meetings import Played, as_default
from tests.kit.ring import at_bets, at_odds, declare, meeting, raced, set_odds, settle
from tests.kit.spec import board, event, given


def borrow(amount: int) -> c.Borrow:
    """A loan."""
    return c.Borrow(amount=amount)


@pytest.mark.parametrize("amount", [10, 20, 1_000_000])
def test_a_seat_borrows_multiples_of_ten(amount: int) -> None:
    """BM-L1"""
    after = (
        given(at_bets(4))
        .when(3, borrow(amount))
        .then(event(e.LoanTaken, seat=3, amount=amount, forced=False))
    )
    shown = board(after)
    assert shown["seats"][2]["cash"] == 1000 + amount
    assert shown["seats"][2]["loan"] == amount
    assert shown["bank"] == {"lent": amount, "taken": 0}


@pytest.mark.parametrize("amount", [0, 5, 15, -10, 1_000_001])
def test_other_amounts_are_refused(amount: int) -> None:
    """BM-L1"""
    given(at_bets(4)).when(3, borrow(amount)).refused("loan_off_step", "BM-L1")


def test_at_most_a_million_is_borrowed_in_all() -> None:
    """BM-L1"""
    played = at_bets(4)
    given(played).when(3, borrow(1_000_010)).refused("loan_too_large", "BM-L1")
    given(played).when(3, borrow(10**20)).refused("loan_too_large", "BM-L1")
    played.give(3, borrow(999_990))
    given(played).when(3, borrow(20)).refused("loan_too_large", "BM-L1")
    played.give(3, borrow(10))
    given(played).when(3, borrow(10)).refused("loan_too_large", "BM-L1")
    given(played).when(4, borrow(10)).accepted()
    race_2 = settle(declare(played))
    given(race_2).when(3, borrow(10)).refused("loan_too_large", "BM-L1")


def test_at_most_twenty_loans_are_taken_in_a_race() -> None:
    """BM-L1"""
    played = at_bets(4)
    for _ in range(20):
        played.give(3, borrow(10))
    given(played).when(3, borrow(10)).refused("loans_exhausted", "BM-L1")
    race_2 = settle(declare(played))
    given(race_2).when(3, borrow(10)).accepted()


@pytest.mark.parametrize(
    "position",
    [
        lambda: meeting(4),
        lambda: at_odds(4),
        lambda: at_bets(4),
        lambda: raced(4),
        lambda: raced(4, in_running=True),
        lambda: raced(4, kind="joker", hands={3: ["joker"]}, run=["blue-1"]),
        lambda: last_settlement(False),
        lambda: last_settlement(True),
    ],
)
def test_any_seat_borrows_in_any_phase(position: object) -> None:
    """BM-L1"""
    played = position()  # type: ignore[operator]
    for seat in range(1, 5):
        phase = board(played)["phase"]
        after = given(played).when(seat, borrow(30)).then(event(e.LoanTaken, seat=seat))
        assert board(after)["phase"] == phase is not None


def last_settlement(brocco: bool) -> Played:
    """All races are settled; the Brocco, or the settlement of the meeting, is next."""
    played = meeting(4, brocco=brocco)
    return played.play(
        as_default,
        until=lambda p: len(p.full.table.results) == 2,
    )


def test_a_meeting_that_is_over_lends_nothing() -> None:
    """BM-L1"""
    played = meeting(4).play(as_default)
    given(played).when(3, borrow(10)).refused("meeting_not_running")


def test_loans_are_repaid_with_a_flat_tenth_at_the_end_however_late_they_were_taken() -> None:
    """BM-L1, BM-P2"""
    played = last_settlement(False)
    cash = list(played.full.table.cash)
    after = (
        given(played.give(3, borrow(500)))
        .when(0, c.SettleMeeting())
        .then(
            event(
                e.LoansRepaid,
                repayments=[e.Repayment(seat=3, loan=500, interest=50)],
            ),
            event(MeetingFinished),
        )
    )
    shown = board(after)
    assert shown["seats"][2]["cash"] == cash[2] - 50
    assert shown["seats"][2]["loan"] == 0
    assert shown["bank"] == {"lent": 0, "taken": 50}


def test_a_loan_may_be_taken_while_a_choice_is_secret() -> None:
    """BM-L1"""
    half = at_odds(4).give(1, set_odds(3, 3, 2, 2))
    after = given(half).when(1, borrow(10)).accepted()
    assert board(after)["phase"] == "odds"
