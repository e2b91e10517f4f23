"""Declarations (BM-B6), and the counts that make betting end (BM-B7)."""

from domain.games.bookmaker import commands as c
from domain.games.bookmaker import events as e
from tests.kit.meetings import Played
from tests.kit.ring import answer, at_bets, at_odds, bet, change, raced
from tests.kit.spec import board, event, given

DONE = c.Done()


def dones(played: Played) -> list[bool]:
    """Who has declared, by seat."""
    return [seat["done"] for seat in board(played)["seats"]]


def test_a_bettor_declares_with_a_bet_or_an_offer_that_waits() -> None:
    """BM-B6"""
    played = at_bets(4)
    given(played).when(3, DONE).refused("bet_first", "BM-B6")
    waiting = given(played).when(3, bet(1, "red", 50)).accepted()
    given(waiting).when(3, DONE).then(event(e.DoneDeclared, seat=3))
    placed = given(played).when(3, bet(1, "red", 10)).accepted()
    given(placed).when(3, DONE).then(event(e.DoneDeclared, seat=3))


def test_a_lapsed_offer_is_no_bet() -> None:
    """BM-B6, BM-B3"""
    played = at_bets(4)
    played.give(4, bet(1, "red", 10))
    played.give(3, bet(1, "red", 50))
    played.give(1, change(4, 3, 2, 2))
    given(played).when(3, DONE).refused("bet_first", "BM-B6")


def test_a_bookmaker_declares_without_a_bet() -> None:
    """BM-B6"""
    given(at_bets(4)).when(2, DONE).then(event(e.DoneDeclared, seat=2))


def test_a_lone_bookmaker_does_not_declare() -> None:
    """BM-B6"""
    played = at_bets(3)
    given(played).when(1, DONE).refused("not_your_turn")
    assert board(played)["to_act"] == [2, 3]
    for seat in (2, 3):
        played.give(seat, bet(1, "red", 10)).give(seat, DONE)
    assert board(played)["phase"] == "settlement"
    assert dones(played)[0] is False


def test_declaring_twice_is_refused() -> None:
    """BM-B6 (Commands)"""
    played = at_bets(4).give(1, DONE)
    given(played).when(1, DONE).refused("already_done")


def test_declaring_is_for_the_bets_alone() -> None:
    """BM-B6 (Commands)"""
    given(at_odds(4)).when(3, DONE).refused("wrong_phase")
    given(raced(4)).when(3, DONE).refused("wrong_phase")
    given(raced(4, in_running=True)).when(3, DONE).refused("wrong_phase")


def test_a_seat_that_has_declared_offers_nothing() -> None:
    """BM-B6"""
    played = at_bets(4).give(3, bet(1, "red", 10)).give(3, DONE)
    given(played).when(3, bet(1, "red", 10)).refused("declared_done", "BM-B6")
    bookmaker = at_bets(4).give(1, DONE)
    given(bookmaker).when(1, bet(2, "red", 10)).refused("declared_done", "BM-B6")


def test_a_bookmaker_that_has_declared_still_answers_and_changes_its_book() -> None:
    """BM-B6"""
    played = at_bets(4).give(1, DONE).give(3, bet(1, "red", 50))
    assert 1 in board(played)["to_act"]
    after = given(played).when(1, answer(1, 50)).accepted()
    given(after).when(1, change(2, 4, 2, 2)).accepted()


def test_a_change_of_odds_takes_back_all_declarations_but_its_bookmakers_own() -> None:
    """BM-B6"""
    played = at_bets(5)
    for seat in (3, 4):
        played.give(seat, bet(1, "red", 10)).give(seat, DONE)
    played.give(1, DONE).give(2, DONE)
    assert dones(played) == [True, True, True, True, False]
    after = (
        given(played)
        .when(1, change(4, 3, 2, 2))
        .then(event(e.OddsChanged, seat=1, withdrawn=[2, 3, 4]))
    )
    assert dones(after) == [True, False, False, False, False]
    given(after).when(3, bet(1, "red", 10)).accepted()
    given(after).when(3, DONE).accepted()
    given(after).when(1, bet(2, "red", 10)).refused("declared_done", "BM-B6")


def test_limits_alone_take_back_nothing() -> None:
    """BM-B6, BM-B5"""
    played = at_bets(4).give(3, bet(1, "red", 10)).give(3, DONE)
    after = given(played).when(1, change(3, 3, 2, 2, limit=90)).then(event(e.LimitsSet))
    assert dones(after) == [False, False, True, False]


def test_a_lone_bookmaker_takes_back_declarations_too_and_a_lapse_asks_for_a_bet_again() -> None:
    """BM-B6, BM-B3"""
    played = at_bets(3)
    played.give(2, bet(1, "red", 10)).give(2, DONE)
    played.give(3, bet(1, "blue", 50)).give(3, DONE)
    assert board(played)["phase"] == "bets"
    after = (
        given(played)
        .when(1, change(3, 4, 2, 2))
        .then(event(e.OddsChanged, withdrawn=[2, 3]), event(e.BetsLapsed, bets=[2]))
    )
    assert board(after)["to_act"] == [2, 3]
    given(after).when(3, DONE).refused("bet_first", "BM-B6")


def test_the_race_starts_with_the_last_declaration_when_no_offer_waits() -> None:
    """BM-B6"""
    played = at_bets(4)
    for seat in (3, 4):
        played.give(seat, bet(1, "red", 10)).give(seat, DONE)
    played.give(2, DONE)
    assert board(played)["phase"] == "bets"
    given(played).when(1, DONE).then(
        event(e.DoneDeclared, seat=1), event(e.RaceStarted, in_running=False), exactly=False
    )


def test_the_race_waits_for_an_offer_that_waits_in_any_book() -> None:
    """BM-B6"""
    played = at_bets(4).give(3, bet(2, "red", 50)).give(4, bet(1, "red", 10))
    for seat in (1, 2, 3):
        played.give(seat, DONE)
    after = given(played).when(4, DONE).then(event(e.DoneDeclared, seat=4))
    assert board(after)["to_act"] == [2]
    given(after).when(2, answer(1, 20)).then(
        event(e.BetAccepted), event(e.RaceStarted), exactly=False
    )


def test_a_seat_makes_at_most_twenty_offers_before_the_race() -> None:
    """BM-B7"""
    played = at_bets(4)
    for turn in range(20):
        played.give(3, bet(1 + turn % 2, "red", 10 if turn % 3 else 20))
    given(played).when(3, bet(1, "red", 10)).refused("offers_exhausted", "BM-B7")
    given(played).when(4, bet(1, "red", 10)).accepted()
    given(played).when(3, DONE).accepted()


def test_offers_that_lapsed_are_not_counted() -> None:
    """BM-B7"""
    played = at_bets(4).give(4, bet(1, "red", 10))
    for _ in range(19):
        played.give(3, bet(1, "green", 10))
    played.give(3, bet(1, "blue", 50))
    given(played).when(3, bet(1, "red", 10)).refused("offers_exhausted", "BM-B7")
    played.give(1, change(3, 4, 2, 2))
    played = given(played).when(3, bet(1, "red", 10)).accepted()
    given(played).when(3, bet(1, "red", 10)).refused("offers_exhausted", "BM-B7")


def test_the_counts_are_of_one_race() -> None:
    """BM-B7"""
    played = at_bets(3)
    for _ in range(20):
        played.give(2, bet(1, "red", 10))
    played.give(3, bet(1, "red", 10)).give(2, DONE).give(3, DONE)
    played.give(0, c.SettleRace())
    played.give(2, c.SetOdds(odds=c.AllOdds(red=3, blue=3, green=2, yellow=2)))
    given(played).when(3, bet(2, "red", 10)).accepted()
    given(played).when(1, bet(2, "red", 10)).accepted()
