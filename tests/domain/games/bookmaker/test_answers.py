"""Answers: how much (BM-B2), which first (BM-B4)."""

import pytest

from domain.games.bookmaker import events as e
from tests.kit.meetings import Played
from tests.kit.ring import answer, at_bets, at_odds, bet, change, declare
from tests.kit.spec import board, event, given


@pytest.mark.parametrize("taken", [10, 20, 90, 100])
def test_the_bookmaker_accepts_any_multiple_of_ten_up_to_the_offer(taken: int) -> None:
    """BM-B2"""
    played = at_bets(4)
    played.give(3, bet(1, "red", 100))
    after = (
        given(played)
        .when(1, answer(1, taken))
        .then(event(e.BetAccepted, seat=1, bet=1, stake=taken))
    )
    shown = board(after)
    assert shown["bets"][0]["stake"] == taken
    assert shown["bets"][0]["status"] == "accepted"
    assert [seat["cash"] for seat in shown["seats"]] == [1000 + taken, 1000, 1000 - taken, 1000]


@pytest.mark.parametrize("taken", [0, 5, 15, -10, 110, 10**20])
def test_nothing_else_is_an_answer(taken: int) -> None:
    """BM-B2"""
    played = at_bets(4)
    played.give(3, bet(1, "red", 100))
    given(played).when(1, answer(1, taken)).refused("answer_out_of_range", "BM-B2")


def test_an_offer_is_answered_once() -> None:
    """BM-B2 (Commands)"""
    played = at_bets(4)
    played.give(3, bet(1, "red", 100))
    played.give(1, answer(1, 10))
    given(played).when(1, answer(1, 10)).refused("already_done")


def test_a_bet_accepted_at_once_or_lapsed_no_longer_waits() -> None:
    """BM-B2 (Commands)"""
    played = at_bets(4)
    played.give(3, bet(1, "red", 10))
    given(played).when(1, answer(1, 10)).refused("already_done")
    played.give(4, bet(1, "blue", 50))
    played.give(1, change(3, 4, 2, 2))
    given(played).when(1, answer(2, 10)).refused("already_done")


@pytest.mark.parametrize("number", [2, 0, -1, 99, 10**20])
def test_an_unknown_bet_is_malformed_behind_phase_and_role(number: int) -> None:
    """BM-B2 (Commands)"""
    played = at_bets(4)
    played.give(3, bet(1, "red", 100))
    given(played).when(1, answer(number, 10)).malformed("/bet")
    given(played).when(3, answer(number, 10)).refused("not_your_turn")
    given(at_odds(4)).when(1, answer(number, 10)).refused("wrong_phase")


def test_only_the_bookmaker_of_the_bet_answers() -> None:
    """BM-B2 (Commands)"""
    played = at_bets(4)
    played.give(3, bet(1, "red", 100))
    given(played).when(2, answer(1, 10)).refused("not_your_turn")
    given(played).when(3, answer(1, 10)).refused("not_your_turn")
    given(played).when(4, answer(1, 10)).refused("not_your_turn")


def queue(seats: int, first: int, *offers: tuple[int, str, int]) -> Played:
    """Offers of 50 that wait: (seat, horse, bookmaker), in this order."""
    played = at_bets(seats, first=first)
    for seat, horse, bookmaker in offers:
        played.give(seat, bet(bookmaker, horse, 50))
    return played


@pytest.mark.parametrize(
    ("first", "bookmaker", "offers", "order"),
    [
        (1, 1, (5, 3, 4, 2), (4, 2, 3, 1)),
        (1, 2, (1, 5, 3), (3, 2, 1)),
        (5, 5, (4, 1, 3), (2, 3, 1)),
        (5, 1, (5, 2, 4), (2, 3, 1)),
        (3, 3, (2, 1, 5), (3, 2, 1)),
    ],
)
def test_of_offers_on_one_horse_the_nearest_to_the_bookmakers_left_is_answered_first(
    first: int, bookmaker: int, offers: tuple[int, ...], order: tuple[int, ...]
) -> None:
    """BM-B4"""
    played = queue(5, first, *((seat, "red", bookmaker) for seat in offers))
    for place, number in enumerate(order):
        for later in order[place + 1 :]:
            given(played).when(bookmaker, answer(later, 10)).refused("another_first", "BM-B4")
        played = given(played).when(bookmaker, answer(number, 10)).accepted()


def test_of_one_seats_offers_the_older_is_answered_first() -> None:
    """BM-B4"""
    played = queue(4, 1, (3, "red", 1), (3, "red", 1))
    given(played).when(1, answer(2, 10)).refused("another_first", "BM-B4")
    after = given(played).when(1, answer(1, 10)).accepted()
    given(after).when(1, answer(2, 10)).accepted()


def test_offers_on_other_horses_and_in_other_books_do_not_wait_for_each_other() -> None:
    """BM-B4"""
    played = queue(4, 1, (3, "red", 1), (4, "blue", 1), (4, "red", 2))
    given(played).when(1, answer(2, 10)).accepted()
    given(played).when(2, answer(3, 10)).accepted()


def test_a_nearer_offer_that_comes_later_is_answered_first() -> None:
    """BM-B4"""
    played = queue(4, 1, (4, "red", 1))
    played.give(3, bet(1, "red", 50))
    given(played).when(1, answer(1, 10)).refused("another_first", "BM-B4")
    given(played).when(1, answer(2, 10)).accepted()


def test_bets_accepted_at_once_do_not_wait() -> None:
    """BM-B4"""
    played = queue(4, 1, (3, "red", 1))
    given(played).when(4, bet(1, "red", 10)).then(event(e.BetPlaced, bet=2))


def test_the_last_answer_starts_the_race_when_all_have_declared() -> None:
    """BM-B6"""
    played = at_bets(4)
    declare(played, {3: bet(1, "red", 50)})
    assert board(played)["phase"] == "bets"
    assert board(played)["to_act"] == [1]
    after = (
        given(played)
        .when(1, answer(1, 50))
        .then(event(e.BetAccepted), event(e.RaceStarted), exactly=False)
    )
    assert board(after)["phase"] == "settlement"
