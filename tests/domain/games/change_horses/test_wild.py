"""Wild Horse cards: stumble, slippery, fast, change (CH-W)."""

from itertools import permutations, product
from random import Random
from typing import Any

import pytest
from msgspec import UNSET, convert

from domain.games.change_horses import commands as c
from domain.games.change_horses import events as e
from domain.racing.events import MeetingFinished, RaceClosed
from tests.domain.games.change_horses.paddock import (
    CHANGE,
    FAST,
    HORSES,
    at_turns,
    card,
    change,
    in_turn,
    legal,
    line_up,
    moves_of,
    pick_all,
    places,
    play_cards,
    play_round,
    race,
    slippery,
    spaces,
    stand,
    stumble,
    table,
    wilds,
)
from tests.kit.meetings import Played
from tests.kit.spec import board, event, given

PICKS = {seat: ["blue+red", "green+yellow", "orange+purple"] for seat in range(1, 6)}
TWO = {seat: ["blue+red", "green+yellow", "orange+purple", "green+red"] for seat in (1, 2)}


def spread() -> Played:
    """Four seats, seat 1 in turn, the horses one space apart."""
    return line_up(at_turns(4, PICKS), 0, 1, 2, 3, 4, 5)


# ------------------------------------------------------------- which and how many


def test_there_are_two_for_each_seat_and_no_more() -> None:
    """CH-W5"""
    played = at_turns(3, PICKS, positions=[1, 2, 3])
    played.give(1, CHANGE)
    assert board(played)["seats"][0]["wild_left"] == 1
    play_round(played)
    while in_turn(played) != 1:
        play_cards(played, table(played).shown[in_turn(played) - 1][0])
    played.give(1, CHANGE)
    assert board(played)["seats"][0]["wild_left"] == 0
    played = play_round(played)
    pick_all(played)
    while in_turn(played) != 1:
        play_cards(played, table(played).shown[in_turn(played) - 1][0])
    for wild in (CHANGE, FAST, stumble("blue+red"), slippery(("red", "inside"))):
        given(played).when(1, wild).refused("no_wild_left", "CH-W5")
    assert legal(played, 1, c.PlayWild) == []


def test_the_same_option_may_serve_twice() -> None:
    """CH-W5"""
    played = at_turns(3, PICKS).give(1, CHANGE)
    play_cards(played, "blue+red", "blue+red", "blue+red")
    assert board(played)["seats"][0]["wild_left"] == 1
    while in_turn(played) != 1:
        play_cards(played, "green+yellow")
    given(played).when(1, CHANGE).then(event(e.ChangePlayed, seat=1))


# ------------------------------------------------------------- stumble


def test_stumble_covers_any_open_card_whoever_played_it() -> None:
    """CH-W1"""
    played = play_cards(at_turns(4, PICKS), "blue+red", "green+yellow")
    after = (
        given(played)
        .when(3, stumble("green+yellow"))
        .then(event(e.StumblePlayed, seat=3, card="green+yellow", number=2))
    )
    covered = [placed["covered"] for placed in board(after)["betting_board"]]
    assert covered == [False, True]
    own = played.give(3, card("orange+purple"))
    while in_turn(own) != 3:
        play_cards(own, table(own).shown[in_turn(own) - 1][0])
    given(own).when(3, stumble("orange+purple")).then(event(e.StumblePlayed, number=3))


def test_of_several_alike_the_one_played_first_is_covered() -> None:
    """CH-W1"""
    played = play_cards(at_turns(4, PICKS), "green+yellow", "blue+red", "blue+red")
    assert [w.card for w in wilds(played, 4, "stumble")] == ["green+yellow", "blue+red"]
    first = given(played).when(4, stumble("blue+red")).then(event(e.StumblePlayed, number=2))
    play_cards(first, "blue+red")
    covering = in_turn(first)
    if covering == 4:
        covering = in_turn(play_cards(first, "green+yellow"))
    given(first).when(covering, stumble("blue+red")).then(event(e.StumblePlayed, number=3))


def test_a_covered_card_stays_covered_until_the_board_is_emptied() -> None:
    """CH-W1"""
    played = play_cards(at_turns(3, PICKS), "blue+red").give(2, stumble("blue+red"))
    play_cards(played, "green+yellow", "green+yellow")
    assert board(played)["round"] == 2
    seat = in_turn(played)
    given(played).when(seat, stumble("blue+red")).refused("card_not_open", "CH-W1")
    assert [w.card for w in wilds(played, seat, "stumble")] == ["green+yellow"]


def test_stumble_needs_an_open_card_of_that_name() -> None:
    """CH-W1: not possible on an empty board."""
    empty = at_turns(4, PICKS)
    given(empty).when(1, stumble("blue+red")).refused("card_not_open", "CH-W1")
    assert wilds(empty, 1, "stumble") == []
    given(play_cards(empty, "blue+red")).when(2, stumble("green+red")).refused(
        "card_not_open", "CH-W1"
    )


# ------------------------------------------------------------- slippery


def test_slippery_moves_two_horses_one_lane_each_its_own_way() -> None:
    """CH-W2"""
    played = spread()
    after = (
        given(played)
        .when(1, slippery(("orange", "inside"), ("red", "outside")))
        .then(
            event(
                e.SlipperyPlayed,
                seat=1,
                moves=[{"horse": "orange", "lane": 1}, {"horse": "red", "lane": 4}],
            )
        )
    )
    assert places(after)["orange"] == (1, 1)
    assert places(after)["red"] == (4, 2)
    assert spaces(after) == [0, 1, 2, 3, 4, 5]


@pytest.mark.parametrize(
    "moves",
    [
        [],
        [("red", "inside")],
        [("red", "inside"), ("blue", "inside"), ("green", "inside")],
        [("red", "inside"), ("red", "outside")],
        [("red", "inside"), ("red", "inside")],
    ],
)
def test_slippery_is_of_two_different_horses(moves: list[tuple[str, str]]) -> None:
    """CH-W2"""
    given(spread()).when(1, slippery(*moves)).refused("two_moves", "CH-W2")


def test_no_horse_leaves_the_track() -> None:
    """CH-W2"""
    for moves in (
        [("yellow", "inside"), ("red", "inside")],
        [("red", "inside"), ("yellow", "inside")],
        [("purple", "outside"), ("red", "inside")],
    ):
        given(spread()).when(1, slippery(*moves)).refused("no_way", "CH-W2")


def test_no_horse_steps_onto_a_space_occupied_at_that_moment() -> None:
    """CH-W2: one after the other in the order given."""
    played = line_up(at_turns(4, PICKS), 1, 1, 2, 3, 4, 5)
    blocked = slippery(("yellow", "outside"), ("orange", "outside"))
    given(played).when(1, blocked).refused("no_way", "CH-W2")
    given(played).when(1, slippery(("orange", "outside"), ("yellow", "outside"))).then(
        event(
            e.SlipperyPlayed,
            moves=[{"horse": "orange", "lane": 3}, {"horse": "yellow", "lane": 2}],
        )
    )
    listed = [moves_of(w) for w in wilds(played, 1, "slippery")]
    assert [("orange", "outside"), ("yellow", "outside")] in listed
    assert [("yellow", "outside"), ("orange", "outside")] not in listed


def test_two_moves_that_end_on_one_space_are_refused() -> None:
    """CH-W2"""
    played = line_up(at_turns(4, PICKS), 1, 5, 1, 2, 3, 4)
    moves = [("yellow", "outside"), ("red", "inside")]
    for order in (moves, moves[::-1]):
        given(played).when(1, slippery(*order)).refused("no_way", "CH-W2")


def test_two_moves_possible_in_either_order_are_written_as_listed() -> None:
    """CH-W2: the earlier horse, A to F, first; either order is accepted."""
    moves = [("green", "outside"), ("orange", "inside")]
    after = given(spread()).when(1, slippery(*moves)).accepted()
    played = after.events[-1]
    assert isinstance(played, e.SlipperyPlayed)
    assert [move.horse for move in played.moves] == ["orange", "green"]
    assert played.command == {
        "type": "change-horses.play_wild",
        "option": "slippery",
        "moves": [
            {"horse": "orange", "side": "inside"},
            {"horse": "green", "side": "outside"},
        ],
    }
    listed = [moves_of(w) for w in wilds(spread(), 1, "slippery")]
    assert moves[::-1] in listed
    assert moves not in listed


def test_slippery_is_not_available_when_all_stand_on_one_row() -> None:
    """CH-W2"""
    played = at_turns(4, PICKS)
    assert wilds(played, 1, "slippery") == []
    for one, other in permutations(HORSES, 2):
        for sides in product(("inside", "outside"), repeat=2):
            moves = list(zip((one, other), sides, strict=True))
            given(played).when(1, slippery(*moves)).refused("no_way", "CH-W2")


def test_every_pair_that_is_taken_is_listed_once_and_no_other() -> None:
    """CH-W2: all ordered pairs tried in random fields."""
    source = Random(8)
    for _ in range(6):
        played = at_turns(4, PICKS)
        spots = source.sample(list(product(range(1, 7), range(3))), 6)
        stand(played, **dict(zip(HORSES, spots, strict=True)))
        taken = []
        for one, other in permutations(HORSES, 2):
            for sides in product(("inside", "outside"), repeat=2):
                moves = list(zip((one, other), sides, strict=True))
                if walks(dict(zip(HORSES, spots, strict=True)), moves):
                    taken.append(moves)
        listed = [moves_of(w) for w in wilds(played, 1, "slippery")]
        both_ways = [m for m in taken if m[::-1] in taken]
        once = [m for m in both_ways if HORSES.index(m[0][0]) < HORSES.index(m[1][0])]
        wanted = [m for m in taken if m[::-1] not in taken] + once
        assert sorted(listed) == sorted(wanted)
        for moves in source.sample(taken, min(10, len(taken))):
            given(played).when(1, slippery(*moves)).accepted()


def walks(field: dict[str, tuple[int, int]], moves: list[tuple[str, str]]) -> bool:
    """Whether these sidesteps can be made, told step by step."""
    now = dict(field)
    for horse, side in moves:
        lane, space = now[horse]
        spot = (lane - 1 if side == "inside" else lane + 1, space)
        if not 1 <= spot[0] <= 6 or spot in now.values():
            return False
        now[horse] = spot
    return True


# ------------------------------------------------------------- fast


def test_fast_moves_the_two_rearmost_occupied_rows_two_forward() -> None:
    """CH-W3"""
    played = line_up(at_turns(4, PICKS), 0, 3, 3, 5, 7, 0)
    after = (
        given(played)
        .when(1, FAST)
        .then(
            event(
                e.FastPlayed,
                seat=1,
                moves=[
                    {"horse": "yellow", "space": 2},
                    {"horse": "orange", "space": 5},
                    {"horse": "red", "space": 5},
                    {"horse": "purple", "space": 2},
                ],
            )
        )
    )
    assert spaces(after) == [2, 5, 5, 5, 7, 2]
    assert board(after)["to_act"] == [1]


def test_fast_moves_the_one_row_if_all_stand_on_it() -> None:
    """CH-W3"""
    after = given(at_turns(4, PICKS)).when(1, FAST).accepted()
    assert spaces(after) == [2] * 6


def test_fast_is_made_as_in_any_march() -> None:
    """CH-W3: a horse with one free space goes one, a blocked one stays, the front one first."""
    played = line_up(at_turns(4, PICKS), 0, 0, 0, 1, 9, 2)
    stand(played, yellow=(1, 0), purple=(1, 2), orange=(2, 0), green=(2, 1), red=(3, 0))
    stand(played, blue=(3, 1))
    after = given(played).when(1, FAST).accepted()
    assert places(after) == {
        "yellow": (1, 1),
        "purple": (1, 2),
        "orange": (2, 2),
        "green": (2, 3),
        "red": (3, 2),
        "blue": (3, 3),
    }


def test_fast_may_be_played_even_if_nothing_can_move() -> None:
    """CH-W3"""
    played = stand(
        at_turns(4, PICKS),
        yellow=(1, 0),
        orange=(1, 1),
        red=(1, 2),
        green=(2, 1),
        blue=(2, 2),
        purple=(2, 3),
    )
    after = (
        given(played)
        .when(1, FAST)
        .then(
            event(
                e.FastPlayed,
                moves=[
                    {"horse": "orange", "space": 1},
                    {"horse": "yellow", "space": 0},
                    {"horse": "green", "space": 1},
                ],
            )
        )
    )
    assert board(after)["seats"][0]["wild_left"] == 1


def test_a_horse_that_crosses_by_fast_ends_the_race_at_once() -> None:
    """CH-W3: no card is played, the board does not count any more."""
    played = line_up(at_turns(4, PICKS), 10, 10, 10, 10, 11, 11)
    play_cards(played, "blue+red", "blue+red", "blue+red")
    after = (
        given(played)
        .when(4, FAST)
        .then(
            event(e.FastPlayed),
            event(e.RaceEnded, how="crossed"),
            event(RaceClosed, race=1),
            event(MeetingFinished),
        )
    )
    assert spaces(after) == [12, 12, 12, 12, 13, 13]
    shown = board(after)
    assert len(shown["betting_board"]) == 3
    assert shown["wild_played"] is False
    assert shown["seats"][3]["wild_left"] == 1


def test_all_of_the_fast_move_is_made_when_a_horse_crosses() -> None:
    """CH-W3, CH-M3"""
    played = line_up(at_turns(4, PICKS), 10, 0, 10, 10, 10, 10)
    after = given(played).when(1, FAST).accepted()
    assert spaces(after) == [12, 2, 12, 12, 12, 12]


# ------------------------------------------------------------- change


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_change_puts_the_own_certificate_under_the_pile_and_takes_the_top_one(seats: int) -> None:
    """CH-W4"""
    played = at_turns(seats, PICKS)
    pile = table(played).pile
    assert pile is not None
    after = given(played).when(1, CHANGE).then(event(e.ChangePlayed, seat=1, draws=UNSET))
    assert board(after, 1)["seats"][0]["certificates"] == [pile[0]]
    assert table(after).pile == [*pile[1:], "yellow"]
    assert board(after)["pile_count"] == 6 - seats
    assert board(after)["seats"][0]["changed"] is True
    secret = after.events[-1].secret(1)
    assert secret == {"gave": "yellow", "took": pile[0]}
    assert after.events[-1].command == {"type": "change-horses.play_wild", "option": "change"}


def test_with_two_seats_the_horse_named_is_changed() -> None:
    """CH-W4"""
    played = pick_all(race(2), TWO)
    after = given(played).when(1, change("yellow")).then(event(e.ChangePlayed, seat=1))
    assert board(after, 1)["seats"][0]["certificates"] == ["blue", "orange"]
    assert table(after).pile == ["purple", "yellow"]
    written = after.events[-1]
    assert written.command is UNSET, "which horse it gave is the seat's alone"
    assert (written.secret(1) or {})["command"]["certificate"] == "yellow"


def test_with_two_seats_the_horse_named_must_be_ones_own() -> None:
    """CH-W4"""
    played = pick_all(race(2), TWO)
    for horse in ("red", "green", "blue", "purple"):
        given(played).when(1, change(horse)).refused("not_your_horse", "CH-W4")
    assert wilds(played, 1, "change") == [change("orange"), change("yellow")]


def test_that_a_seat_has_changed_counts_whatever_it_drew() -> None:
    """CH-W4: with five seats two changes bring the first horse back."""
    played = at_turns(5, PICKS)
    for seat in (1, 2):
        played.give(seat, CHANGE)
        play_cards(played, "blue+red")
    own = [board(played, seat)["seats"][seat - 1]["certificates"] for seat in (1, 2)]
    assert own == [["purple"], ["yellow"]]
    assert [place["changed"] for place in board(played)["seats"]] == [True, True] + [False] * 3


# ------------------------------------------------------------- forms


BODIES: list[tuple[dict[str, Any], int, str]] = [
    ({"option": "stumble"}, 4, "/card"),
    ({"option": "stumble", "card": "blue+red", "moves": []}, 4, "/moves"),
    ({"option": "stumble", "card": "blue+red", "certificate": "red"}, 2, "/certificate"),
    ({"option": "slippery"}, 4, "/moves"),
    ({"option": "slippery", "moves": [], "card": "blue+red"}, 4, "/card"),
    ({"option": "fast", "card": "blue+red"}, 4, "/card"),
    ({"option": "fast", "moves": []}, 4, "/moves"),
    ({"option": "fast", "certificate": "red"}, 2, "/certificate"),
    ({"option": "change", "certificate": "yellow"}, 4, "/certificate"),
    ({"option": "change", "certificate": "yellow"}, 3, "/certificate"),
    ({"option": "change"}, 2, "/certificate"),
    ({"option": "change", "card": "blue+red", "certificate": "yellow"}, 2, "/card"),
]


@pytest.mark.parametrize(("fields", "seats", "pointer"), BODIES)
def test_a_field_that_the_option_does_not_take_is_malformed(
    fields: dict[str, Any], seats: int, pointer: str
) -> None:
    """Contract, Errors; the sheet's table of commands."""
    command = convert({"type": "change-horses.play_wild", **fields}, c.PlayWild)
    played = pick_all(race(seats), TWO if seats == 2 else PICKS)
    given(played).when(1, command).malformed(pointer)
    given(played).when(2, command).malformed(pointer)
