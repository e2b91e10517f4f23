"""Picks: how many, from where, in secret, and shown together (CH-R1, CH-R4, CH-2B)."""

import pytest

from domain.games.change_horses import events as e
from tests.domain.games.change_horses.paddock import (
    PACK,
    at_turns,
    card,
    pick,
    pick_all,
    play_round,
    race,
    table,
)
from tests.kit.spec import board, event, given

THREE = PACK[:3]
FOUR = PACK[:4]


def test_all_seats_pick_three_in_any_order_and_are_shown_together() -> None:
    """CH-R1"""
    played = race(3)
    assert board(played)["phase"] == "select"
    assert board(played)["to_act"] == [1, 2, 3]
    two = given(played).when(2, pick(*THREE)).then(event(e.CardsSelected, seat=2))
    assert board(two)["to_act"] == [1, 3]
    one = given(two).when(3, pick(*PACK[3:6])).then(event(e.CardsSelected, seat=3))
    assert [place["shown"] for place in board(one)["seats"]] == [[], [], []]
    shown = {"1": PACK[6:9], "2": THREE, "3": PACK[3:6]}
    after = (
        given(one)
        .when(1, pick(*PACK[6:9]))
        .then(event(e.CardsSelected, seat=1), event(e.CardsShown, cards=shown))
    )
    assert [place["shown"] for place in board(after)["seats"]] == list(shown.values())
    assert board(after)["phase"] == "turn"
    assert board(after)["to_act"] == [1]


def test_picks_stay_in_the_hand_until_the_reveal() -> None:
    """CH-R4"""
    played = race(3)
    played.give(1, pick(*THREE))
    own = board(played, 1)["seats"][0]
    assert own["hand"] == PACK
    assert own["hand_count"] == 15
    assert own["shown"] == []
    pick_all(race(3), {1: THREE})
    played.give(2, pick(*THREE)).give(3, pick(*THREE))
    own = board(played, 1)["seats"][0]
    assert own["hand"] == PACK[3:]
    assert own["hand_count"] == 12


def test_a_pick_is_written_in_alphabetical_order_whatever_order_it_came_in() -> None:
    """Contract, Log: sets in the sheet's order."""
    after = given(race(3)).when(1, pick(PACK[9], PACK[0], PACK[4])).accepted()
    secret = after.events[-1].secret(1) or {}
    cards = [PACK[0], PACK[4], PACK[9]]
    assert secret == {
        "cards": cards,
        "command": {"type": "change-horses.select_cards", "cards": cards},
    }


def test_a_pick_is_final() -> None:
    """CH-R4"""
    played = race(3).give(2, pick(*THREE))
    given(played).when(2, pick(*THREE)).refused("already_done")
    given(played).when(2, pick()).refused("already_done")


@pytest.mark.parametrize("cards", [[], PACK[:2], PACK[:4], [PACK[0]] * 4, PACK])
def test_the_first_pick_is_of_three_cards(cards: list[str]) -> None:
    """CH-R1"""
    given(race(4)).when(1, pick(*cards)).refused("pick_count", "CH-R1")


def test_no_card_is_picked_twice() -> None:
    """CH-R1"""
    given(race(4)).when(1, pick(PACK[0], PACK[1], PACK[0])).refused("pick_not_held", "CH-R1")


def test_two_cards_are_added_to_the_one_left() -> None:
    """CH-R4"""
    played = play_round(play_round(at_turns(4)))
    assert board(played)["round"] == 3
    assert board(played)["phase"] == "select"
    left = [PACK[2]]
    assert [place["shown"] for place in board(played)["seats"]] == [left] * 4
    pick_all(played, {2: [PACK[13], PACK[4]]})
    assert board(played)["seats"][1]["shown"] == [PACK[2], PACK[4], PACK[13]]
    assert board(played)["seats"][0]["shown"] == [PACK[2], PACK[3], PACK[4]]
    assert [place["hand_count"] for place in board(played)["seats"]] == [10] * 4


@pytest.mark.parametrize("cards", [[], [PACK[5]], PACK[5:8]])
def test_a_later_pick_is_of_two_cards(cards: list[str]) -> None:
    """CH-R4"""
    played = play_round(play_round(at_turns(4)))
    given(played).when(3, pick(*cards)).refused("pick_count", "CH-R4")


@pytest.mark.parametrize(
    "cards",
    [
        pytest.param([PACK[5], PACK[5]], id="twice"),
        pytest.param([PACK[5], PACK[0]], id="played"),
        pytest.param([PACK[5], PACK[2]], id="shown"),
    ],
)
def test_a_later_pick_is_of_hand_cards(cards: list[str]) -> None:
    """CH-R4"""
    played = play_round(play_round(at_turns(4)))
    given(played).when(3, pick(*cards)).refused("pick_not_held", "CH-R4")


def test_nothing_is_picked_while_cards_are_played() -> None:
    """CH-R3: the second card of a board is one of those shown."""
    played = at_turns(4)
    given(played).when(1, pick(*PACK[3:6])).refused("wrong_phase")
    half = play_round(played)
    assert board(half)["phase"] == "turn"
    given(half).when(1, pick(*PACK[3:5])).refused("wrong_phase")
    given(race(4)).when(1, card(PACK[0])).refused("wrong_phase")


def test_two_seats_pick_four_then_two_before_each_round_and_one_before_the_last() -> None:
    """CH-2B"""
    played = race(2, finish=24)
    counts, shown = [], []
    while played.full.status == "running":
        counts.append(table(played).select)
        shown.append(len(table(played).shown[0]))
        play_round(pick_all(played))
    assert counts == [4, 2, 2, 2, 2, 2, 1]
    assert shown == [0, 2, 2, 2, 2, 2, 2]
    assert board(played)["round"] == 7
    assert [len(place["shown"]) for place in board(played)["seats"]] == [1, 1]
    assert [place["hand_count"] for place in board(played)["seats"]] == [0, 0]


@pytest.mark.parametrize("cards", [PACK[:3], PACK[:5]])
def test_two_seats_pick_exactly_so_many(cards: list[str]) -> None:
    """CH-2B"""
    given(race(2)).when(1, pick(*cards)).refused("pick_count", "CH-2B")
    later = play_round(pick_all(race(2)))
    given(later).when(1, pick(*cards)).refused("pick_count", "CH-2B")


def test_two_seats_pick_hand_cards_each_once() -> None:
    """CH-2B"""
    given(race(2)).when(1, pick(*PACK[:3], PACK[0])).refused("pick_not_held", "CH-2B")
    later = play_round(pick_all(race(2)))
    given(later).when(1, pick(PACK[0], PACK[8])).refused("pick_not_held", "CH-2B")
    given(later).when(1, pick(PACK[3], PACK[8])).refused("pick_not_held", "CH-2B")


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_all_but_one_of_the_fifteen_cards_are_played_in_fourteen_rounds(seats: int) -> None:
    """CH-R4, CH-E1"""
    played = race(seats, finish=24)
    picks = []
    while played.full.status == "running" and max(table(played).spaces) < 20:
        if table(played).phase == "select":
            picks.append(table(played).select)
            pick_all(played)
        table(played).spaces[:] = [0] * 6  # so that no horse ends the race
        play_round(played)
    assert picks == [3, 2, 2, 2, 2, 2, 2]
    assert board(played)["round"] == 14
    assert [len(place["shown"]) for place in board(played)["seats"]] == [1] * seats
