"""Two seats with two horses each (CH-2A, CH-2B, CH-2C)."""

import pytest

from domain.games.change_horses import events as e
from domain.games.change_horses.state import Placed
from tests.domain.games.change_horses.paddock import (
    FAST,
    PACK,
    card,
    change,
    in_turn,
    legal,
    line_up,
    pick_all,
    play_cards,
    play_round,
    race,
    slippery,
    table,
)
from tests.kit.meetings import Played
from tests.kit.spec import board, event, given

FOUR = ["blue+red", "green+yellow", "orange+purple", "green+red"]


def begun(**told: object) -> Played:
    """Both have picked the same four cards; seat 1 begins."""
    return pick_all(race(2, **told), {1: FOUR, 2: FOUR})  # type: ignore[arg-type] # as race has it


@pytest.mark.parametrize("first", [1, 2])
def test_they_play_alternately_one_card_each_two_a_round(first: int) -> None:
    """CH-2B, CH-2A: the first player is drawn."""
    played = begun(positions=[first])
    order = []
    while board(played)["phase"] == "turn":
        order.append(in_turn(played))
        play_cards(played, table(played).shown[order[-1] - 1][0])
    assert order == [first, 3 - first] * 2
    assert board(played)["round"] == 2


def test_four_cards_lie_then_the_horses_move_and_two_are_picked() -> None:
    """CH-2B"""
    played = play_cards(begun(), "blue+red", "green+yellow", "green+red")
    after = (
        given(played)
        .when(2, card("green+red"))
        .then(
            event(e.CardPlayed),
            event(e.HorsesMoved),
            event(e.RoundOpened, round=2, select=2, positions=None, starts=1),
        )
    )
    shown = board(after)
    assert len(shown["betting_board"]) == 4
    assert shown["phase"] == "select"
    assert [len(place["shown"]) for place in shown["seats"]] == [2, 2]


def test_both_rounds_of_a_board_begin_with_the_same_seat_and_then_the_last_one_starts() -> None:
    """CH-2A, CH-2B"""
    played = race(2, positions=[2], finish=24)
    starts, boards = [], []
    while played.full.status == "running":
        starts.append(board(played)["starts"])
        pick_all(played)
        assert in_turn(played) == starts[-1]
        boards.append(len(table(played).board))
        table(played).spaces[:] = [0] * 6
        play_round(played)
    assert starts == [2, 2, 1, 1, 2, 2, 1]
    assert boards == [0, 4, 0, 4, 0, 4, 0]


def test_eight_cards_lie_then_the_board_is_emptied() -> None:
    """CH-2B"""
    played = pick_all(play_round(begun()))
    for _ in range(3):
        play_cards(played, table(played).shown[in_turn(played) - 1][0])
    seat = in_turn(played)
    after = (
        given(played)
        .when(seat, card(table(played).shown[seat - 1][0]))
        .then(
            event(e.CardPlayed),
            event(e.HorsesMoved),
            event(e.BoardEmptied),
            event(e.RoundOpened, round=3, select=2, starts=2),
        )
    )
    assert board(after)["betting_board"] == []


def test_only_a_shown_card_is_played() -> None:
    """CH-2B"""
    given(begun()).when(1, card(PACK[0])).refused("card_not_shown", "CH-2B")


def test_a_wild_horse_may_precede_each_single_card() -> None:
    """CH-2B"""
    played = begun().give(1, FAST)
    given(played).when(1, FAST).refused("already_done")
    play_cards(played, "blue+red", "blue+red")
    assert board(played)["wild_played"] is False
    after = given(played).when(1, FAST).then(event(e.FastPlayed))
    assert board(after)["seats"][0]["wild_left"] == 0
    given(after).when(1, change("yellow")).refused("already_done")


def test_the_last_round_is_of_two_cards_of_three_and_one_stays() -> None:
    """CH-2B, CH-E1"""
    played = race(2, finish=24)
    while table(played).round < 7:
        play_round(pick_all(played))
    pick_all(played)
    assert [len(place["shown"]) for place in board(played)["seats"]] == [3, 3]
    table(played).spaces[:] = [0] * 6
    play_round(played)
    shown = board(played)
    assert played.full.status == "finished"
    assert [len(place["shown"]) for place in shown["seats"]] == [1, 1]
    assert len(shown["betting_board"]) == 4, "the board is not emptied at the end"


# ------------------------------------------------------------- place and points


def ended(*spaces: int, wilds: tuple[int, int] = (2, 2)) -> Played:
    """A race that ends on these spaces, as the last card leaves all counts even."""
    played = begun(finish=12)
    line_up(played, *spaces)
    table(played).wild_left[:] = list(wilds)
    table(played).round = 7
    table(played).turn = 3
    table(played).shown[1] = ["blue+red", "green+yellow"]
    table(played).board[:] = []
    for name in ("blue+red", "green+yellow", "green+yellow"):
        table(played).board.append(Placed(card=name, seat=1))
    played.give(2, card("blue+red"))
    return played


def result(played: Played) -> tuple[list[tuple[str, int]], list[int]]:
    """The horses with their ranks, and the points."""
    (entry,) = board(played)["results"]
    return [(place["horse"], place["rank"]) for place in entry["ranking"]], entry["points"]


def test_a_seats_place_and_points_are_those_of_its_better_horse() -> None:
    """CH-2C: seat 1 owns yellow and orange, seat 2 red and green."""
    ranked, points = result(ended(1, 9, 8, 3, 5, 7))
    assert ranked == [
        ("yellow", 1),
        ("green", 2),
        ("blue", 3),
        ("purple", 4),
        ("red", 5),
        ("orange", 6),
    ]
    assert points == [3, 2]


def test_both_places_of_a_seat_are_not_added() -> None:
    """CH-2C"""
    _, points = result(ended(1, 2, 8, 3, 5, 7))
    assert points == [3, 1]


def test_ones_own_two_horses_on_one_row_share_the_rank() -> None:
    """CH-2C"""
    ranked, points = result(ended(2, 2, 8, 3, 5, 7))
    assert ranked[:3] == [("yellow", 1), ("orange", 1), ("green", 3)]
    assert points == [3, 1]


def test_a_tie_goes_to_the_horse_whose_owners_other_horse_is_further_back() -> None:
    """CH-E4"""
    ranked, points = result(ended(2, 5, 4, 2, 9, 8))
    assert ranked[:2] == [("green", 1), ("yellow", 2)]
    assert points == [2, 3]


def test_own_two_horses_on_the_row_of_a_rival_lose_to_one_with_a_better_second() -> None:
    """CH-E4, CH-2C"""
    ranked, points = result(ended(3, 3, 3, 1, 9, 8))
    assert ranked[:4] == [("green", 1), ("red", 2), ("yellow", 3), ("orange", 3)]
    assert points == [1, 3]
    other, points = result(ended(3, 3, 3, 5, 9, 8))
    assert other[:4] == [("yellow", 1), ("orange", 1), ("red", 3), ("green", 4)]
    assert points == [3, 1]


def test_still_tied_both_share() -> None:
    """CH-E5"""
    ranked, points = result(ended(3, 5, 3, 5, 9, 8))
    assert ranked == [
        ("yellow", 1),
        ("red", 1),
        ("orange", 3),
        ("green", 3),
        ("purple", 5),
        ("blue", 6),
    ]
    assert points == [3, 3]


def test_wild_horses_left_come_before_the_other_horse() -> None:
    """CH-E3"""
    _, points = result(ended(2, 5, 4, 2, 9, 8, wilds=(2, 1)))
    assert points == [3, 2]


def test_slippery_and_change_are_listed_with_two_seats_too() -> None:
    """CH-W2, CH-W4"""
    played = line_up(begun(), 0, 1, 2, 3, 4, 5)
    listed = legal(played, 1)
    assert change("yellow") in listed
    assert change("orange") in listed
    assert slippery(("orange", "inside"), ("red", "inside")) in listed
