"""Bets during the race (BM-I1)."""

from typing import Any

import pytest

from domain.games.bookmaker import commands as c
from domain.games.bookmaker import events as e
from tests.kit.meetings import Played
from tests.kit.ring import (
    answer,
    at_bets,
    bet,
    by_horse,
    change,
    keep,
    raced,
    settle,
    some_odds,
    steps,
    winning,
)
from tests.kit.spec import board, event, given

TURN = c.TurnCard()
RUN = ["red-1", "blue-1", "red-2", *winning("green")]


def off(seats: int = 4, **rest: Any) -> Played:
    """The race has started and no card is turned yet."""
    return raced(seats, in_running=True, run=rest.pop("run", RUN), **rest)


def shown(seats: int = 4, **rest: Any) -> Played:
    """Likewise, with red 5 and blue 2.5 (or as given) shown by seat 1."""
    numbers = rest.pop("numbers", {"red": 5, "blue": 4})
    return given(off(seats, **rest)).when(1, some_odds(**numbers)).accepted()


def test_the_race_waits_for_the_first_bookmaker_to_turn_a_card() -> None:
    """BM-I1"""
    played = off()
    assert isinstance(played.events[-1], e.RaceStarted)
    assert played.events[-1].in_running
    for viewer in range(5):
        assert board(played, viewer)["to_act"] == [1]
    after = given(played).when(1, TURN).then(event(e.CardTurned, seat=1, card="red-1", space=1))
    assert board(after)["turned"] == ["red-1"]
    assert board(after)["to_act"] == [1]


def test_only_the_first_bookmaker_turns() -> None:
    """BM-I1 (Commands)"""
    for seat in (2, 3, 4):
        given(off()).when(seat, TURN).refused("not_your_turn")


def test_all_odds_go_to_0_when_the_race_starts_and_with_each_card_but_limits_stay() -> None:
    """BM-I1 (Board)"""
    played = off(limit=50)
    closed = {"1": by_horse(0, 0, 0, 0), "2": by_horse(0, 0, 0, 0)}
    assert board(played)["odds"] == closed
    assert board(played)["limits"]["2"] == by_horse(50, 50, 50, 50)
    played.give(2, some_odds(red=5))
    assert board(played)["odds"]["2"] == by_horse(5, 0, 0, 0)
    played.give(1, TURN)
    assert board(played)["odds"] == closed
    assert board(played)["limits"]["1"] == by_horse(50, 50, 50, 50)


def test_bets_before_the_race_keep_their_odds() -> None:
    """BM-I1, BM-B3"""
    assert board(off())["bets"][0]["odds"] == 3


@pytest.mark.parametrize(
    ("step", "numbers", "odds"),
    [
        (1, {}, (0, 0, 0, 0)),
        (1, {"red": 1}, (1, 0, 0, 0)),
        (1, {"red": 100, "yellow": 1}, (100, 0, 0, 1)),
        (1, {"red": 1, "blue": 1, "green": 1, "yellow": 1}, (1, 1, 1, 1)),
        (0.5, {"green": 1.5}, (0, 0, 1.5, 0)),
        (0.1, {"green": 99.9}, (0, 0, 99.9, 0)),
    ],
)
def test_a_bookmaker_shows_odds_on_some_horses_or_none_without_a_sum(
    step: Any, numbers: dict[str, Any], odds: tuple[Any, ...]
) -> None:
    """BM-I1"""
    after = (
        given(off(odds_step=step))
        .when(2, some_odds(**numbers))
        .then(event(e.RunningOddsShown, seat=2, odds=by_horse(*odds)))
    )
    assert board(after)["odds"]["2"] == by_horse(*odds)


@pytest.mark.parametrize(
    ("step", "numbers"),
    [
        (1, {"red": 0}),
        (1, {"red": -1}),
        (1, {"red": 101}),
        (1, {"red": 2.5}),
        (0.5, {"red": 2.1}),
        (0.1, {"red": 0.9}),
        (0.1, {"red": 2.25}),
        (0.1, {"red": 100.1}),
        (0.1, {"red": 1e308}),
    ],
)
def test_odds_shown_are_1_to_100_in_steps(step: Any, numbers: dict[str, Any]) -> None:
    """BM-I1"""
    given(off(odds_step=step)).when(2, some_odds(**numbers)).refused("odds_out_of_range", "BM-I1")


def test_odds_are_shown_on_horses_still_in() -> None:
    """BM-I1, BM-T1"""
    tokens = ["red-1", "yellow-10", "yellow-9", "yellow-8"]
    played = off(kind="trot", tokens=tokens)
    given(played).when(1, some_odds(red=5)).accepted()
    played.give(1, TURN)
    assert board(played)["horses"][0]["out"] is True
    given(played).when(1, some_odds(red=5)).refused("horse_out", "BM-I1")
    given(played).when(1, some_odds(red=5, blue=3)).refused("horse_out", "BM-I1")
    given(played).when(1, some_odds(blue=3)).accepted()


def test_horses_left_out_are_closed() -> None:
    """BM-I1"""
    played = shown()
    played.give(1, some_odds(blue=4))
    assert board(played)["odds"]["1"] == by_horse(0, 4, 0, 0)
    given(played).when(3, bet(1, "red", 10)).refused("horse_closed", "BM-B1")
    given(off()).when(3, bet(1, "red", 10)).refused("horse_closed", "BM-B1")


def test_odds_are_shown_at_most_three_times_between_two_cards() -> None:
    """BM-I1"""
    played = off()
    for numbers in ({"red": 5}, {}, {"red": 5}):
        played.give(1, some_odds(**numbers))
    given(played).when(1, some_odds(blue=3)).refused("shows_exhausted", "BM-I1")
    given(played).when(2, some_odds(blue=3)).accepted()
    played.give(1, TURN)
    given(played).when(1, some_odds(blue=3)).accepted()


def test_only_bookmakers_show_odds_and_only_in_running() -> None:
    """BM-I1 (Commands)"""
    given(off()).when(3, some_odds(red=3)).refused("not_your_turn")
    given(at_bets(4, in_running=True)).when(1, some_odds(red=3)).refused("wrong_phase")
    given(raced(4)).when(1, some_odds(red=3)).refused("wrong_phase")


@pytest.mark.parametrize("stake", [10, 20, 500])
def test_nothing_is_accepted_by_itself(stake: int) -> None:
    """BM-I1"""
    played = shown(limit=1000)
    after = (
        given(played)
        .when(3, bet(1, "red", stake))
        .then(event(e.BetOffered, seat=3, stake=stake, odds=5))
    )
    assert board(after)["bets"][-1]["status"] == "waiting"
    assert board(after)["to_act"] == [1]


@pytest.mark.parametrize(
    ("taken", "status"), [(10, "accepted"), (30, "accepted"), (50, "accepted")]
)
def test_an_answer_takes_10_to_the_offer(taken: int, status: str) -> None:
    """BM-I1"""
    played = shown().give(3, bet(1, "red", 50))
    after = given(played).when(1, answer(3, taken)).then(event(e.BetAccepted, bet=3, stake=taken))
    assert board(after)["bets"][2]["status"] == status
    assert board(after)["bets"][2]["stake"] == taken
    assert board(after)["seats"][2]["cash"] == 990 - taken


def test_an_answer_of_0_refuses() -> None:
    """BM-I1"""
    played = shown().give(3, bet(1, "red", 50))
    after = given(played).when(1, answer(3, 0)).then(event(e.BetRefused, seat=1, bet=3))
    assert board(after)["bets"][2]["status"] == "refused"
    assert board(after)["bets"][2]["stake"] == 50
    assert board(after)["seats"][2]["cash"] == 990
    given(after).when(1, answer(3, 10)).refused("already_done")


@pytest.mark.parametrize("taken", [5, 15, 60, -10])
def test_other_answers_are_refused(taken: int) -> None:
    """BM-I1"""
    played = shown().give(3, bet(1, "red", 50))
    given(played).when(1, answer(3, taken)).refused("answer_out_of_range", "BM-I1")


def test_an_offer_is_answered_by_its_bookmaker_in_the_order_of_its_left() -> None:
    """BM-I1, BM-B4"""
    played = shown().give(4, bet(1, "red", 50)).give(3, bet(1, "red", 50))
    given(played).when(2, answer(3, 10)).refused("not_your_turn")
    given(played).when(3, answer(3, 10)).refused("not_your_turn")
    given(played).when(1, answer(3, 0)).refused("another_first", "BM-B4")
    given(played).when(1, answer(9, 10)).malformed("/bet")
    after = given(played).when(1, answer(4, 0)).accepted()
    given(after).when(1, answer(3, 10)).accepted()


def test_a_seat_offers_at_most_three_bets_between_two_cards_and_all_count() -> None:
    """BM-I1"""
    played = shown()
    for stake in (10, 20, 30):
        played.give(3, bet(1, "red", stake))
    given(played).when(3, bet(1, "red", 10)).refused("offers_exhausted", "BM-I1")
    played.give(1, answer(3, 0))
    played.give(1, some_odds(red=6))  # the others lapse
    given(played).when(3, bet(1, "red", 10)).refused("offers_exhausted", "BM-I1")
    given(played).when(4, bet(1, "red", 10)).accepted()
    played.give(1, TURN).give(1, some_odds(red=6))
    given(played).when(3, bet(1, "red", 10)).accepted()


def test_offers_before_the_race_do_not_count() -> None:
    """BM-I1, BM-B7"""
    played = at_bets(4, in_running=True, run=RUN)
    for _ in range(20):
        played.give(3, bet(1, "red", 10))
    played.give(4, bet(1, "red", 10))
    for seat in (1, 2, 3, 4):
        played.give(seat, c.Done())
    played.give(1, some_odds(red=3))
    given(played).when(3, bet(1, "red", 10)).accepted()


def test_an_offer_keeps_the_odds_shown_and_may_carry_them() -> None:
    """BM-I1, BM-B3"""
    played = shown()
    given(played).when(3, bet(1, "red", 50, 4)).refused("odds_moved", "BM-B3")
    given(played).when(3, bet(1, "red", 50, 5)).then(event(e.BetOffered, odds=5))


def test_offers_lapse_when_other_odds_are_shown_on_their_horse_and_only_then() -> None:
    """BM-I1, BM-B3"""
    played = shown().give(3, bet(1, "red", 50)).give(4, bet(1, "blue", 50))
    given(played).when(1, some_odds(red=5, blue=4)).then(event(e.RunningOddsShown))
    given(played).when(1, some_odds(red=5, blue=3)).then(
        event(e.RunningOddsShown), event(e.BetsLapsed, bets=[4])
    )
    given(played).when(1, some_odds(green=2)).then(
        event(e.RunningOddsShown), event(e.BetsLapsed, bets=[3, 4])
    )


def test_what_is_not_accepted_before_the_next_card_lapses() -> None:
    """BM-I1"""
    played = shown().give(3, bet(1, "red", 50)).give(4, bet(1, "blue", 50))
    played.give(1, answer(3, 20))
    after = (
        given(played)
        .when(1, TURN)
        .then(
            event(e.BetsLapsed, seat=1, bets=[4], command={"type": "bookmaker.turn_card"}),
            event(e.CardTurned, card="red-1"),
        )
    )
    assert [b["status"] for b in board(after)["bets"]] == ["accepted"] * 3 + ["lapsed"]
    assert board(after)["seats"][3]["cash"] == 990
    given(after).when(1, answer(4, 10)).refused("already_done")


def test_who_may_bet_and_with_what_is_as_before_the_race() -> None:
    """BM-I1, BM-B1"""
    played = shown(cash=100)
    given(played).when(1, bet(1, "red", 10)).refused("own_book", "BM-B1")
    given(played).when(2, bet(1, "red", 10)).accepted()
    given(played).when(3, bet(3, "red", 10)).refused("own_book", "BM-B1")
    given(played).when(3, bet(4, "red", 10)).refused("no_such_book", "BM-B1")
    given(played).when(3, bet(1, "red", 15)).refused("stake_off_step", "BM-B1")
    played.give(3, bet(1, "red", 60))
    given(played).when(3, bet(1, "red", 40)).refused("stake_above_cash", "BM-B1")
    given(played).when(3, bet(1, "red", 30)).accepted()
    lone = shown(3)
    given(lone).when(1, bet(2, "red", 10)).refused("lone_bookmaker", "BM-B1")


def test_nothing_is_lent_for_a_bet_in_running() -> None:
    """BM-I1, BM-B1: every bettor has a bet in this race already."""
    played = shown(cash=10)
    given(played).when(3, bet(1, "red", 10)).refused("stake_above_cash", "BM-B1")


def test_declarations_play_no_part() -> None:
    """BM-I1"""
    played = shown()
    assert all(seat["done"] for seat in board(played)["seats"])
    given(played).when(3, bet(1, "red", 10)).accepted()
    given(played).when(3, c.Done()).refused("wrong_phase")
    given(played).when(1, change(3, 3, 2, 2, limit=3)).refused("wrong_phase")


def test_while_a_joker_is_waited_for_there_is_no_betting_and_no_card() -> None:
    """BM-I1, BM-J2"""
    played = off(kind="joker", hands={3: ["joker"]}).give(1, TURN)
    assert board(played, 1)["to_act"] is None
    assert board(played, 1)["decision"] is None
    for seat, command in (
        (1, TURN),
        (1, some_odds(red=3)),
        (4, bet(1, "red", 10)),
        (1, answer(1, 10)),
    ):
        given(played).when(seat, command).refused("wrong_phase")
    after = given(played).when(3, keep()).then(event(e.JokerKept), event(e.RaceResumed))
    assert board(after)["to_act"] == [1]
    given(after).when(1, some_odds(red=3)).accepted()
    given(after).when(1, TURN).then(event(e.CardTurned, card="blue-1"), event(e.JokersAwaited))


def test_an_until_lets_the_race_go_on_to_the_next_decision() -> None:
    """BM-I1, BM-J2"""
    played = off(kind="joker", hands={3: ["joker"]}).give(1, TURN).give(3, keep("yellow", 10))
    after = (
        given(played)
        .when(1, TURN)
        .then(event(e.CardTurned), event(e.JokersAwaited), event(e.RaceResumed))
    )
    assert board(after)["to_act"] == [1]


def test_bets_in_running_are_paid_like_others() -> None:
    """BM-I1, BM-P1"""
    played = shown(run=winning("red")).give(3, bet(1, "red", 50)).give(1, answer(3, 40))
    for _ in range(10):
        played.give(1, TURN)
    assert board(played)["phase"] == "settlement"
    settle(played)
    result = board(played)["results"][0]
    assert result["bets"][2]["status"] == "won"
    assert result["books"][0] == {"seat": 1, "taken": 60, "paid": 40 + 40 + 40 * 6}
    assert board(played)["seats"][2]["cash"] == 1000 - 10 - 40 + 40 + 240


def test_offers_that_wait_when_the_last_card_is_turned_lapse() -> None:
    """BM-I1"""
    played = off(run=steps("red", 10))
    for _ in range(9):
        played.give(1, TURN)
    played.give(1, some_odds(red=1)).give(3, bet(1, "red", 50))
    given(played).when(1, TURN).then(
        event(e.BetsLapsed, bets=[3]), event(e.CardTurned), event(e.RaceEnded, winner="red")
    )
