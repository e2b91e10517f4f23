"""Broken gaits (BM-T)."""

from collections.abc import Sequence

import pytest

from domain.games.bookmaker import events as e
from domain.games.bookmaker.track import place_tokens, turn
from tests.kit.ring import at_bets, bet, declare, settle, steps, winning
from tests.kit.spec import board

START = {"red": 0, "blue": 0, "green": 0, "yellow": 0}


@pytest.mark.parametrize(
    ("space", "card", "tokens", "out", "stands"),
    [
        (2, "red-3", [("red", 3)], True, 2),
        (2, "red-4", [("red", 3)], False, 3),
        (1, "red-3", [("red", 3)], False, 2),
        (3, "red-3", [("red", 3)], False, 4),
        (2, "red-3", [("blue", 3)], False, 3),
        (2, "red-3", [("blue", 3), ("red", 3)], True, 2),
        (2, "red-3", [("red", 4), ("red", 2)], False, 3),
        (9, "red-10", [("red", 10)], True, 9),
        (9, "red-1", [("red", 10)], False, 10),
        (0, "red-1", [("red", 1)], True, 0),
        (2, "red-3", [], False, 3),
    ],
)
def test_a_horse_breaks_its_gait_by_the_card_of_its_tokens_number_just_before_it(
    space: int, card: str, tokens: Sequence[tuple[str, int]], out: bool, stands: int
) -> None:
    """BM-T1 (Worked cases)"""
    step = turn(card, None, {**START, "red": space}, [], tokens)
    assert (step.out, step.moved, step.space) == (out, not out, stands)


@pytest.mark.parametrize("space", [0, 2, 9])
def test_jokers_have_no_number_and_break_nothing(space: int) -> None:
    """BM-T1"""
    tokens = [("red", n) for n in range(1, 11)]
    step = turn("joker", "red", {**START, "red": space}, [], tokens)
    assert (step.moved, step.out, step.space) == (True, False, space + 1)


def test_the_later_cards_of_a_horse_that_is_out_do_nothing() -> None:
    """BM-T1"""
    step = turn("red-4", None, {**START, "red": 2}, ["red"], [("red", 3)])
    assert (step.horse, step.moved, step.out, step.space) == ("red", False, False, 2)


def test_red_on_space_2_is_out_by_red_3_and_stays_there_and_its_bets_lose() -> None:
    """BM-T1 (Worked cases)"""
    run = ["red-1", "red-2", "red-3", "red-4", "red-5", *winning("blue")]
    tokens = ["red-3", "green-10", "green-9", "green-8"]
    played = at_bets(4, kind="trot", run=run, tokens=tokens)
    declare(played, {3: bet(1, "red", 10), 4: bet(1, "blue", 10)})
    shown = board(played)
    assert shown["horses"] == [
        {"horse": "red", "space": 2, "out": True},
        {"horse": "blue", "space": 10, "out": False},
        {"horse": "green", "space": 0, "out": False},
        {"horse": "yellow", "space": 0, "out": False},
    ]
    cards = {ev.card: ev for ev in played.events if isinstance(ev, e.CardTurned)}
    assert (cards["red-3"].out, cards["red-3"].moved, cards["red-3"].space) == (True, False, 2)
    assert (cards["red-4"].out, cards["red-4"].moved) == (False, False)
    settle(played)
    assert [b["status"] for b in board(played)["results"][0]["bets"]] == ["lost", "won"]
    assert board(played)["results"][0]["out"] == ["red"]


def test_the_last_horse_still_has_to_reach_space_ten() -> None:
    """BM-T2"""
    run = ["red-1", "blue-1", "green-1", *steps("yellow", 10)]
    tokens = ["red-1", "blue-1", "green-1", "green-9"]
    played = declare(at_bets(4, kind="trot", run=run, tokens=tokens))
    turned = [ev.card for ev in played.events if isinstance(ev, e.CardTurned)]
    assert turned == run
    last = played.events[-1]
    assert isinstance(last, e.RaceEnded)
    assert (last.winner, last.out) == ("yellow", ["red", "blue", "green"])


def test_when_the_fourth_horse_goes_out_there_is_no_winner_and_all_bets_lose() -> None:
    """BM-T2"""
    run = ["yellow-1", "blue-1", "green-1", "red-1"]
    tokens = ["red-1", "blue-1", "green-1", "yellow-1"]
    played = at_bets(4, kind="trot", run=run, tokens=tokens)
    declare(played, {3: bet(1, "red", 10), 4: bet(2, "blue", 10), 1: bet(2, "green", 10)})
    last = played.events[-1]
    assert isinstance(last, e.RaceEnded)
    assert (last.winner, last.how) == (None, "all_out")
    assert last.out == ["red", "blue", "green", "yellow"]
    settle(played)
    result = board(played)["results"][0]
    assert [b["status"] for b in result["bets"]] == ["lost"] * 3
    assert result["books"] == [
        {"seat": 1, "taken": 10, "paid": 0},
        {"seat": 2, "taken": 20, "paid": 0},
    ]
    assert board(played)["seats"][0]["cash"] == 1000


@pytest.mark.parametrize(
    ("cards", "tokens", "used"),
    [
        (["red-3", "red-4", "blue-3", "blue-4"], 4, 4),
        (["red-3", "red-3", "red-4", "blue-3", "blue-4"], 4, 5),
        (["joker", "red-3", "joker", "red-3", "red-4", "blue-3", "blue-4", "blue-5"], 4, 7),
    ],
)
def test_tokens_come_from_the_first_four_different_cards(
    cards: list[str], tokens: int, used: int
) -> None:
    """BM-D3"""
    placed, count = place_tokens(cards, 4)
    assert (len(placed), count) == (tokens, used)
    assert placed == [("red", 3), ("red", 4), ("blue", 3), ("blue", 4)]
