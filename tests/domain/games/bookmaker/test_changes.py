"""Changes of odds and of limits (BM-B5), and how many (BM-B7)."""

from typing import Any

import pytest
from msgspec import UNSET

from domain.games.bookmaker import events as e
from tests.kit.meetings import Played
from tests.kit.ring import answer, at_bets, at_odds, bet, by_horse, change, limits, raced
from tests.kit.spec import board, event, given


def backed(*horses: Any, step: Any = 1, books: Any = ((3, 3, 2, 2), (3, 3, 2, 2))) -> Played:
    """Seat 1's book with a bet of 10 accepted on each of these horses."""
    played = at_bets(4, odds_step=step, books=books)
    for horse in horses:
        played.give(3, bet(1, horse, 10))
    return played


@pytest.mark.parametrize(
    ("horses", "numbers"),
    [
        (("red",), (2, 3, 2, 3)),
        (("red",), (2, 4, 2, 2)),
        (("red",), (1, 3, 3, 3)),
        (("red",), (0, 6, 2, 2)),
        (("red",), (100, 3, 2, 2)),
        (("red",), (4, 3, 2, 2)),
        (("red",), (3, 3, 2, 3)),
        (("red", "blue"), (0, 0, 5, 5)),
        (("red", "blue", "green", "yellow"), (0, 0, 0, 10)),
        (("green",), (3, 3, 0, 4)),
    ],
)
def test_odds_are_lowered_on_backed_horses_and_raised_on_any(
    horses: tuple[str, ...], numbers: tuple[int, ...]
) -> None:
    """BM-B5"""
    after = (
        given(backed(*horses))
        .when(1, change(*numbers))
        .then(event(e.OddsChanged, seat=1, odds=by_horse(*numbers), limits=UNSET, withdrawn=[]))
    )
    assert board(after)["odds"]["1"] == by_horse(*numbers)
    assert board(after)["odds"]["2"] == by_horse(3, 3, 2, 2)


@pytest.mark.parametrize(
    ("horses", "numbers", "code"),
    [
        (("red",), (2, 3, 2, 2), "odds_sum_too_low"),
        (("red",), (0, 3, 3, 3), "odds_sum_too_low"),
        (("red",), (4, 2, 2, 2), "no_bet_on_horse"),
        (("red",), (2, 2, 4, 4), "no_bet_on_horse"),
        (("red",), (5, 0, 3, 3), "no_bet_on_horse"),
        (("green",), (2, 4, 2, 2), "no_bet_on_horse"),
        (("red",), (2.5, 3, 3, 3), "odds_out_of_range"),
        (("red",), (101, 3, 2, 2), "odds_out_of_range"),
        (("red",), (-1, 6, 3, 3), "odds_out_of_range"),
    ],
)
def test_other_changes_are_refused(
    horses: tuple[str, ...], numbers: tuple[Any, ...], code: str
) -> None:
    """BM-B5"""
    given(backed(*horses)).when(1, change(*numbers)).refused(code, "BM-B5")


@pytest.mark.parametrize(
    ("numbers", "code"),
    [
        ((0.5, 6, 2, 2), "odds_out_of_range"),
        ((0.9, 6, 2, 2), "odds_out_of_range"),
        ((2.25, 6, 2, 2), "odds_out_of_range"),
        ((100.1, 3, 2, 2), "odds_out_of_range"),
        ((1e300, 3, 2, 2), "odds_out_of_range"),
        ((2.9, 3, 2, 2), "odds_sum_too_low"),
    ],
)
def test_odds_between_0_and_1_are_no_odds(numbers: tuple[Any, ...], code: str) -> None:
    """BM-B5"""
    given(backed("red", step=0.1)).when(1, change(*numbers)).refused(code, "BM-B5")
    given(backed("red", step=0.1)).when(1, change(2.9, 3.1, 2, 2)).accepted()


def test_a_waiting_offer_is_no_accepted_bet() -> None:
    """BM-B5"""
    played = at_bets(4)
    played.give(3, bet(1, "red", 50))
    given(played).when(1, change(4, 3, 2, 2)).refused("no_bet_since", "BM-B5")
    played.give(1, answer(1, 10))
    given(played).when(1, change(2, 4, 2, 2)).accepted()


def test_a_bet_in_the_other_book_counts_for_nothing() -> None:
    """BM-B5"""
    played = at_bets(4)
    played.give(3, bet(2, "red", 10))
    given(played).when(1, change(4, 3, 2, 2)).refused("no_bet_since", "BM-B5")
    given(played).when(2, change(4, 3, 2, 2)).accepted()


def test_every_change_needs_a_bet_since_the_last_one() -> None:
    """BM-B5"""
    played = backed("red")
    played.give(1, change(2, 4, 2, 2))
    given(played).when(1, change(3, 4, 2, 2)).refused("no_bet_since", "BM-B5")
    played.give(3, bet(2, "red", 10))
    given(played).when(1, change(3, 4, 2, 2)).refused("no_bet_since", "BM-B5")
    played.give(3, bet(1, "green", 10))
    given(played).when(1, change(1, 4, 3, 2)).accepted()  # red was backed before: it may fall


def test_a_closed_horse_reopens_without_a_bet_on_it_and_no_lower_than_1() -> None:
    """BM-B5"""
    played = backed("red")
    played.give(1, change(0, 6, 2, 2))
    played.give(3, bet(1, "blue", 10))
    given(played).when(1, change(1, 6, 2, 2)).accepted()
    given(played).when(1, change(7, 1, 2, 2)).accepted()
    given(played).when(1, change(0, 3, 2, 4)).refused("odds_sum_too_low", "BM-B5")


def test_unchanged_odds_with_a_limit_set_the_limits_alone_for_later_offers() -> None:
    """BM-B5, BM-B2"""
    played = at_bets(4)
    played.give(3, bet(1, "red", 50))
    after = (
        given(played)
        .when(1, change(3, 3, 2, 2, limit=50))
        .then(event(e.LimitsSet, seat=1, limits=by_horse(50, 50, 50, 50)))
    )
    assert board(after)["bets"][0]["status"] == "waiting"
    assert board(after)["limits"]["1"] == by_horse(50, 50, 50, 50)
    given(after).when(4, bet(1, "red", 50)).then(event(e.BetPlaced))


def test_limits_are_set_before_any_bet_after_declaring_and_back_to_none() -> None:
    """BM-B5"""
    from domain.games.bookmaker.commands import Done

    played = at_bets(4, limit=100)
    played.give(1, Done())
    after = given(played).when(1, change(3, 3, 2, 2, limit=None)).accepted()
    assert board(after)["limits"]["1"] == by_horse(None, None, None, None)
    assert board(after)["seats"][0]["done"] is True


def test_a_change_without_limit_leaves_the_old_limits() -> None:
    """BM-B5"""
    played = at_bets(4, limit=40)
    played.give(3, bet(1, "red", 10))
    played.give(1, change(2, 4, 2, 2))
    assert board(played)["limits"]["1"] == by_horse(40, 40, 40, 40)
    played.give(3, bet(1, "red", 10))
    played.give(1, change(3, 4, 2, 2, limit=limits(0, None, 10, 20)))
    assert board(played)["limits"]["1"] == by_horse(0, None, 10, 20)


def test_a_change_of_neither_odds_nor_limits_is_refused() -> None:
    """BM-B5"""
    given(at_bets(4)).when(1, change(3, 3, 2, 2)).refused("nothing_changed", "BM-B5")
    given(backed("red")).when(1, change(3.0, 3, 2, 2)).refused("nothing_changed", "BM-B5")


@pytest.mark.parametrize("limit", [-1, limits(0, 0, 0, -1)])
def test_a_limit_below_0_is_refused_with_a_change_too(limit: Any) -> None:
    """BM-B2"""
    given(at_bets(4)).when(1, change(3, 3, 2, 2, limit=limit)).refused("limit_negative", "BM-B2")
    given(backed("red")).when(1, change(2, 4, 2, 2, limit=limit)).refused("limit_negative", "BM-B2")


def test_limits_alone_are_set_at_most_twenty_times_in_a_race() -> None:
    """BM-B5"""
    played = at_bets(4)
    for limit in range(20):
        played.give(1, change(3, 3, 2, 2, limit=limit))
    given(played).when(1, change(3, 3, 2, 2, limit=99)).refused("limits_exhausted", "BM-B5")
    given(played).when(2, change(3, 3, 2, 2, limit=99)).accepted()
    played.give(3, bet(1, "red", 10))
    given(played).when(1, change(2, 4, 2, 2, limit=99)).then(event(e.OddsChanged, seat=1))


def test_a_bookmaker_changes_its_odds_at_most_ten_times_in_a_race() -> None:
    """BM-B7"""
    played = at_bets(4)
    for turn in range(10):
        played.give(3 + turn % 2, bet(1, "red", 10))
        played.give(1, change(4 if turn % 2 == 0 else 3, 3, 2, 2))
    played.give(3, bet(1, "red", 10))
    given(played).when(1, change(4, 3, 2, 2)).refused("changes_exhausted", "BM-B7")
    given(played).when(1, change(3, 3, 2, 2, limit=10)).accepted()


def test_only_bookmakers_change_odds_and_only_before_the_race() -> None:
    """BM-B5 (Commands)"""
    given(at_bets(4)).when(3, change(4, 3, 2, 2)).refused("not_your_turn")
    given(at_odds(4)).when(1, change(4, 3, 2, 2)).refused("wrong_phase")
    given(raced(4)).when(1, change(4, 3, 2, 2)).refused("wrong_phase")
    given(raced(4, in_running=True)).when(1, change(0, 0, 0, 0, limit=1)).refused("wrong_phase")
