"""Offers (BM-B1), what is accepted at once (BM-B2), the odds they keep (BM-B3)."""

from typing import Any

import pytest
from msgspec import UNSET

from domain.games.bookmaker import commands as c
from domain.games.bookmaker import events as e
from tests.kit.meetings import Played
from tests.kit.ring import answer, at_bets, at_odds, bet, change, declare, keep, limits, raced
from tests.kit.spec import board, event, given


def poor(cash: int, seats: int = 3) -> Played:
    """Everybody has this little, and seat 1 keeps a book without limit."""
    return at_bets(seats, cash=cash)


def test_a_bet_of_ten_is_accepted_at_once_and_paid() -> None:
    """BM-B2, BM-B3"""
    after = (
        given(at_bets(4))
        .when(3, bet(2, "green", 10))
        .then(
            event(
                e.BetPlaced,
                seat=3,
                bet=1,
                bookmaker=2,
                horse="green",
                stake=10,
                odds=2,
                command={
                    "type": "bookmaker.place_bet",
                    "bookmaker": 2,
                    "horse": "green",
                    "stake": 10,
                },
            )
        )
    )
    shown = board(after)
    assert [seat["cash"] for seat in shown["seats"]] == [1000, 1010, 990, 1000]
    assert shown["bets"] == [
        {
            "bet": 1,
            "seat": 3,
            "bookmaker": 2,
            "horse": "green",
            "stake": 10,
            "odds": 2,
            "status": "accepted",
        }
    ]


def test_a_higher_stake_waits_whole_and_nothing_is_paid() -> None:
    """BM-B2, BM-B3"""
    after = (
        given(at_bets(4)).when(3, bet(1, "red", 200)).then(event(e.BetOffered, bet=1, stake=200))
    )
    shown = board(after)
    assert [seat["cash"] for seat in shown["seats"]] == [1000] * 4
    assert shown["bets"][0]["status"] == "waiting"
    assert shown["to_act"] == [1, 2, 3, 4]


@pytest.mark.parametrize(
    ("limit", "stake", "at_once"),
    [
        (UNSET, 20, False),
        (None, 20, False),
        (0, 10, True),
        (0, 20, False),
        (15, 20, False),
        (19, 20, False),
        (20, 20, True),
        (25, 20, True),
        (100, 100, True),
        (100, 110, False),
        (limits(50, None, 0, 10), 50, True),
        (limits(None, 50, 50, 50), 50, False),
        (limits(0, 50, 50, 50), 20, False),
    ],
)
def test_a_limit_accepts_an_offer_of_at_most_it_whole_at_once(
    limit: Any, stake: int, at_once: bool
) -> None:
    """BM-B2"""
    given(at_bets(4, limit=limit)).when(3, bet(1, "red", stake)).then(
        event(e.BetPlaced if at_once else e.BetOffered, stake=stake)
    )


def test_each_offer_counts_alone_against_the_limit() -> None:
    """BM-B2"""
    played = at_bets(4, limit=50)
    for _ in range(3):
        played = given(played).when(3, bet(1, "red", 50)).then(event(e.BetPlaced, stake=50))


def test_offers_are_numbered_from_1_in_the_order_offered() -> None:
    """BM-B1 (Board)"""
    played = at_bets(4)
    for seat, stake in ((4, 20), (3, 10), (2, 30)):
        played.give(seat, bet(1, "red", stake))
    assert [(b["bet"], b["seat"]) for b in board(played)["bets"]] == [(1, 4), (2, 3), (3, 2)]


def test_the_stake_with_the_offers_that_wait_is_at_most_the_cash() -> None:
    """BM-B1"""
    played = poor(100, seats=4)
    played.give(3, bet(1, "red", 60))
    given(played).when(3, bet(2, "red", 50)).refused("stake_above_cash", "BM-B1")
    given(played).when(3, bet(2, "red", 40)).accepted()
    played.give(3, bet(2, "blue", 10))
    given(played).when(3, bet(2, "red", 40)).refused("stake_above_cash", "BM-B1")
    given(played).when(3, bet(2, "red", 30)).accepted()


def test_cash_that_is_no_multiple_of_ten_is_staked_up_to_the_ten_below() -> None:
    """BM-B1, BM-S2"""
    given(poor(105)).when(2, bet(1, "red", 110)).refused("stake_above_cash", "BM-B1")
    given(poor(105)).when(2, bet(1, "red", 100)).accepted()


def test_an_accepted_offer_frees_what_was_not_taken() -> None:
    """BM-B1, BM-B2"""
    played = poor(100)
    played.give(2, bet(1, "red", 100))
    given(played).when(2, bet(1, "blue", 10)).refused("stake_above_cash", "BM-B1")
    played.give(1, answer(1, 30))
    assert board(played)["seats"][1]["cash"] == 70
    given(played).when(2, bet(1, "blue", 70)).accepted()


@pytest.mark.parametrize("shown", [UNSET, 3, 3.0])
def test_an_offer_may_carry_the_odds_that_are_shown(shown: Any) -> None:
    """BM-B1, BM-B3"""
    given(at_bets(4)).when(3, bet(1, "red", 20, shown)).then(event(e.BetOffered, odds=3))


@pytest.mark.parametrize("other", [2, 3.5, 0, 100, -3, 3.0000001])
def test_an_offer_that_carries_other_odds_is_refused(other: Any) -> None:
    """BM-B3"""
    given(at_bets(4)).when(3, bet(1, "red", 20, other)).refused("odds_moved", "BM-B3")


def test_a_horse_without_odds_takes_no_bets() -> None:
    """BM-B1"""
    played = at_bets(4)
    played.give(3, bet(1, "red", 10))
    played.give(1, change(0, 6, 2, 2))
    given(played).when(3, bet(1, "red", 10)).refused("horse_closed", "BM-B1")
    given(played).when(3, bet(2, "red", 10)).accepted()


@pytest.mark.parametrize("bookmaker", [3, 4, 5, 0, -1, 10**20])
def test_a_seat_that_is_no_bookmaker_has_no_book(bookmaker: int) -> None:
    """BM-B1"""
    given(at_bets(4)).when(3, bet(bookmaker, "red", 10)).refused(
        "own_book" if bookmaker == 3 else "no_such_book", "BM-B1"
    )


def test_a_bookmaker_bets_with_the_other_one_never_with_itself() -> None:
    """BM-B1"""
    played = at_bets(4)
    given(played).when(1, bet(1, "red", 10)).refused("own_book", "BM-B1")
    given(played).when(2, bet(2, "red", 10)).refused("own_book", "BM-B1")
    given(played).when(1, bet(2, "red", 10)).then(event(e.BetPlaced, seat=1, bookmaker=2))
    given(played).when(2, bet(1, "red", 50)).then(event(e.BetOffered, seat=2, bookmaker=1))


def test_a_lone_bookmaker_does_not_bet() -> None:
    """BM-B1"""
    given(at_bets(3)).when(1, bet(1, "red", 10)).refused("own_book", "BM-B1")
    given(at_bets(3)).when(1, bet(2, "red", 10)).refused("lone_bookmaker", "BM-B1")


def test_the_bank_lends_the_compulsory_ten_first() -> None:
    """BM-B1"""
    played = at_bets(4, cash=15)
    played.give(3, bet(1, "red", 10))  # now 5 in cash, and a bet
    given(played).when(3, bet(1, "red", 10)).refused("stake_above_cash", "BM-B1")
    settled = raced(
        3,
        cash=10,
        run=["blue-1"] * 2 + ["blue-2"] * 2 + ["blue-3"] * 2 + ["blue-4"] * 2 + ["blue-5"] * 2,
    )
    settled.give(0, c.SettleRace())
    settled.give(2, c.SetOdds(odds=c.AllOdds(red=3, blue=3, green=2, yellow=2)))
    assert settled.full.table.cash == [30, 0, 0]
    after = (
        given(settled)
        .when(3, bet(2, "red", 10))
        .then(
            event(e.LoanTaken, seat=3, amount=10, forced=True),
            event(e.BetPlaced, seat=3, stake=10, command=UNSET),
        )
    )
    assert after.events[-2].command == {
        "type": "bookmaker.place_bet",
        "bookmaker": 2,
        "horse": "red",
        "stake": 10,
    }
    assert after.full.table.cash == [30, 10, 0]
    assert after.full.table.loan == [0, 0, 10]
    given(after).when(3, bet(2, "red", 10)).refused("stake_above_cash", "BM-B1")


def broke() -> Played:
    """Seat 3 has 5 in cash and, in race 2, neither a bet nor an offer; seat 2 keeps the book."""
    played = raced(
        3,
        cash=15,
        run=["blue-1"] * 2 + ["blue-2"] * 2 + ["blue-3"] * 2 + ["blue-4"] * 2 + ["blue-5"] * 2,
    )
    played.give(0, c.SettleRace())
    played.give(2, c.SetOdds(odds=c.AllOdds(red=3, blue=3, green=2, yellow=2)))
    assert played.full.table.cash[2] == 5
    return played


@pytest.mark.parametrize("stake", [20, 50])
def test_the_bank_lends_for_a_stake_of_exactly_ten_only(stake: int) -> None:
    """BM-B1"""
    given(broke()).when(3, bet(2, "red", stake)).refused("stake_above_cash", "BM-B1")


def test_the_forced_loan_is_outside_the_bounds_of_loans() -> None:
    """BM-B1, BM-L1"""
    played = broke()
    for _ in range(20):
        played.give(2, c.Borrow(amount=10))
    before = board(played)["seats"][2]["loan"]
    after = given(played).when(3, bet(2, "red", 10)).accepted()
    assert board(after)["seats"][2]["loan"] == before + 10
    assert after.full.table.loans_count[2] == 0
    assert after.full.table.borrowed[2] == 0


def test_a_bet_refused_for_its_horse_or_odds_borrows_nothing() -> None:
    """BM-B1"""
    given(broke()).when(3, bet(2, "red", 10, 2)).refused("odds_moved", "BM-B3")
    given(broke()).when(3, bet(3, "red", 10)).refused("own_book", "BM-B1")


def test_a_poor_bookmaker_is_not_lent_for_a_bet_with_the_other() -> None:
    """BM-B1"""
    played = at_bets(4, cash=10)
    played.give(1, bet(2, "red", 10))
    given(played).when(1, bet(2, "red", 10)).refused("stake_above_cash", "BM-B1")
    lent = given(played).when(1, c.Borrow(amount=10)).accepted()
    given(lent).when(1, bet(2, "red", 10)).accepted()


def test_a_bettor_whose_only_offer_lapsed_may_be_forced_again() -> None:
    """BM-B1, BM-B3"""
    played = broke()
    played.give(3, c.Borrow(amount=20))  # 25 in cash
    played.give(3, bet(2, "red", 20))
    played.give(1, bet(2, "green", 10))
    given(played).when(3, bet(2, "red", 10)).refused("stake_above_cash", "BM-B1")
    played.give(2, change(4, 3, 2, 2))
    assert board(played)["bets"][0]["status"] == "lapsed"
    given(played).when(3, bet(2, "red", 20)).accepted()


def test_a_bet_keeps_the_odds_shown_when_it_was_offered() -> None:
    """BM-B3"""
    played = at_bets(4)
    played.give(3, bet(1, "blue", 100))
    played.give(4, bet(1, "red", 10))
    played.give(1, change(2, 3, 2, 3))
    played.give(1, answer(1, 100))
    shown = board(played)["bets"]
    assert [(b["horse"], b["odds"], b["status"]) for b in shown] == [
        ("blue", 3, "accepted"),
        ("red", 3, "accepted"),
    ]


def test_offers_lapse_only_on_the_horses_and_in_the_book_whose_odds_change() -> None:
    """BM-B3"""
    played = at_bets(5)
    played.give(3, bet(1, "red", 100))
    played.give(4, bet(1, "blue", 100))
    played.give(5, bet(2, "red", 100))
    played.give(3, bet(1, "green", 10))
    after = (
        given(played)
        .when(1, change(4, 3, 2, 2))
        .then(event(e.OddsChanged, seat=1), event(e.BetsLapsed, bets=[1]))
    )
    assert [b["status"] for b in board(after)["bets"]] == [
        "lapsed",
        "waiting",
        "waiting",
        "accepted",
    ]
    assert board(after)["seats"][2]["cash"] == 990


def test_bets_are_for_their_phases() -> None:
    """BM-B1 (Commands)"""
    given(at_odds(3)).when(2, bet(1, "red", 10)).refused("wrong_phase")
    over = raced(3)
    given(over).when(2, bet(1, "red", 10)).refused("wrong_phase")
    given(over).when(1, answer(1, 10)).refused("wrong_phase")
    held = raced(
        4, kind="joker", hands={3: ["joker"]}, run=["blue-1"], bets={4: bet(1, "blue", 10)}
    )
    assert board(held)["phase"] == "race"
    given(held).when(3, bet(1, "red", 10)).refused("wrong_phase")
    given(held).when(1, answer(1, 10)).refused("wrong_phase")
    given(held).when(3, keep()).accepted()


def test_a_bettor_must_bet_before_the_race_can_start() -> None:
    """BM-B1, BM-B6"""
    played = at_bets(3)
    given(played).when(2, c.Done()).refused("bet_first", "BM-B6")
    declare(played)
    assert board(played)["phase"] == "settlement"
