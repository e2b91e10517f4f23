"""Singles and wild cards, edge, hedges and river (TG-M1 to TG-M4, TG-M7, TG-M8)."""

from typing import Any

import pytest

from domain.games.ticket_gagnant import events as e
from domain.kernel.message import body_of
from tests.domain.games.ticket_gagnant.turf import (
    Spot,
    discard,
    listed,
    moving,
    predict,
    printed,
    row,
    single,
    spots,
    wild,
)
from tests.kit.meetings import Played
from tests.kit.spec import board, event, given

WAYS = {"forward": (0, 1), "backward": (0, -1), "left": (-1, 0), "right": (1, 0)}
AFAR = row(12, but={"red": (4, 6)})
"""All but red stand out of its way."""


def at(spot: Spot, **rest: Any) -> Played:
    """Seat 1 holds red-1, red-2, red-3 and a wild card; red stands here, the others afar."""
    hand = ["red-1", "red-2", "red-3", "wild", "blue-1"]
    return moving(hands={1: hand}, stand={**AFAR, "red": spot}, **rest)


def moved(spot: Spot, horse: str = "red") -> dict[str, Any]:
    """A horse there, as events have it."""
    return {"horse": horse, "lane": spot[0], "space": spot[1]}


# ---------------------------------------------------------------- TG-M1


@pytest.mark.parametrize("direction", WAYS)
@pytest.mark.parametrize("length", [1, 2, 3])
def test_a_single_moves_its_horse_straight_by_its_number(direction: str, length: int) -> None:
    """TG-M1: left is towards the rail."""
    across, along = WAYS[direction]
    end = (4 + length * across, 6 + length * along)
    after = (
        given(at((4, 6)))
        .when(1, single(f"red-{length}", direction))
        .then(event(e.CardPlayed, seat=1, card=f"red-{length}", moved=moved(end), displaced=None))
    )
    assert spots(after) == {**AFAR, "red": end}


def test_the_rulebooks_example_of_the_red_horse() -> None:
    """TG-M1: 1 backward, 2 to the right, 3 to the left, 3 forward."""
    for card, direction, end in (
        ("red-1", "backward", (4, 5)),
        ("red-2", "right", (6, 6)),
        ("red-3", "left", (1, 6)),
        ("red-3", "forward", (4, 9)),
    ):
        given(at((4, 6))).when(1, single(card, direction)).then(
            event(e.CardPlayed, moved=moved(end))
        )


def test_every_way_to_play_a_single_is_listed_once() -> None:
    """TG-M1 (actions)"""
    bodies = [body_of(command) for command in listed(at((4, 6)), 1)]
    for card in ("red-1", "red-2", "red-3"):
        ways = [body for body in bodies if body["card"] == card]
        assert ways == [
            {"type": "ticket-gagnant.play_card", "card": card, "direction": way} for way in WAYS
        ]


# ---------------------------------------------------------------- TG-M2: the edge


EDGES = [
    ((7, 6), "right", None),
    ((6, 6), "right", (7, 6)),
    ((1, 6), "left", None),
    ((3, 6), "left", (1, 6)),
    ((4, 1), "backward", (4, 0)),
    ((4, 0), "backward", None),
]


@pytest.mark.parametrize(("start", "direction", "end"), EDGES)
def test_a_move_is_cut_by_the_edge_and_is_none_if_nothing_is_left(
    start: Spot, direction: str, end: Spot | None
) -> None:
    """TG-M2"""
    outcome = given(at(start)).when(1, single("red-3", direction))
    if end is None:
        outcome.refused("nothing_left_of_move", "TG-M2")
    else:
        outcome.then(event(e.CardPlayed, moved=moved(end)))


def test_the_far_end_of_the_track_cuts_too() -> None:
    """TG-M2: only where crossing the line does not end the race."""
    played = at((4, 14), dashed_line="no_return")
    given(played).when(1, single("red-3", "forward")).then(
        event(e.CardPlayed, moved=moved((4, 15)))
    )
    end = at((4, 15), dashed_line="no_return")
    given(end).when(1, single("red-1", "forward")).refused("nothing_left_of_move", "TG-M2")


def test_a_player_may_not_choose_to_go_less_far() -> None:
    """TG-M2: there is no such command; a single has no number to give."""
    bodies = [body_of(command) for command in listed(at((4, 6)), 1)]
    assert not any("spaces" in body for body in bodies if body["card"].startswith("red"))


# ---------------------------------------------------------------- TG-M3


def test_a_horse_moves_through_occupied_spaces() -> None:
    """TG-M3"""
    stand = {**AFAR, "blue": (4, 7), "green": (4, 8)}
    played = moving(hands={1: ["red-3"]}, stand=stand)
    after = given(played).when(1, single("red-3", "forward")).accepted()
    assert spots(after) == {**stand, "red": (4, 9)}


# ---------------------------------------------------------------- TG-M4


def test_a_free_wild_card_moves_any_horse_1_to_3_spaces_any_way() -> None:
    """TG-M4"""
    bodies = [body_of(c) for c in listed(at((4, 6)), 1) if body_of(c)["card"] == "wild"]
    reds = [(body["direction"], body["spaces"]) for body in bodies if body["horse"] == "red"]
    assert reds == [(way, spaces) for way in WAYS for spaces in (1, 2, 3)]
    assert len({body["horse"] for body in bodies}) == 7
    given(at((4, 6))).when(1, wild("red", "left", 2)).then(
        event(e.CardPlayed, card="wild", moved=moved((2, 6)))
    )


@pytest.mark.parametrize("spaces", [0, 4, -1, 10**6])
def test_a_free_wild_card_moves_no_other_number(spaces: int) -> None:
    """TG-M4"""
    given(at((4, 6))).when(1, wild("red", "left", spaces)).refused("spaces_out_of_range", "TG-M4")


def test_lengths_cut_to_the_same_end_are_all_legal_and_listed() -> None:
    """TG-M4"""
    played = at((6, 6))
    for spaces in (1, 2, 3):
        command = wild("red", "right", spaces)
        given(played).when(1, command).then(event(e.CardPlayed, moved=moved((7, 6))))
        assert command in listed(played, 1)
    edge = at((7, 6))
    given(edge).when(1, wild("red", "right", 2)).refused("nothing_left_of_move", "TG-M2")


@pytest.mark.parametrize("number", [1, 2, 3])
def test_a_printed_wild_card_moves_any_horse_by_its_number(number: int) -> None:
    """TG-M4"""
    cards = ["wild-1", "wild-2", "wild-3"]
    played = moving(wild="printed", hands={1: cards}, stand={**AFAR, "red": (4, 6)})
    given(played).when(1, printed(number, "red", "forward")).then(
        event(e.CardPlayed, card=f"wild-{number}", moved=moved((4, 6 + number)))
    )


def test_equal_cards_are_listed_once() -> None:
    """TG-M4"""
    played = moving(deal=3, hands={1: ["wild", "wild", "wild"]}, stand=AFAR)
    actions = listed(played, 1)
    assert len({str(body_of(action)) for action in actions}) == len(actions)
    after = given(played).when(1, wild("red", "left", 2)).accepted()
    assert after.full.table.hands[0] == ["wild", "wild"]


def test_cards_of_the_other_option_are_known_and_never_held() -> None:
    """Refusals: 422 card_not_in_hand."""
    given(at((4, 6))).when(1, printed(1, "red", "forward")).refused("card_not_in_hand")
    other = moving(wild="printed", stand=AFAR)
    given(other).when(1, wild("red", "forward", 1)).refused("card_not_in_hand")


# ---------------------------------------------------------------- turns and hands


def test_a_card_that_is_not_held_can_not_be_played() -> None:
    """Refusals"""
    played = moving(hands={1: ["red-1"], 2: ["red-2"]})
    given(played).when(1, single("red-2", "forward")).refused("card_not_in_hand")
    given(played).when(1, discard("red-2")).refused("card_not_in_hand")


def test_seats_move_clockwise_one_card_each() -> None:
    """TG-M1 (Moves)"""
    played = moving(3, first=2, deal=3, hands={2: ["red-1"], 3: ["red-2"], 1: ["red-3"]})
    given(played).when(1, single("red-3", "forward")).refused("not_your_turn")
    given(played).when(3, discard("red-2")).refused("not_your_turn")
    for seat, card in ((2, "red-1"), (3, "red-2"), (1, "red-3")):
        assert board(played)["to_act"] == [seat]
        played = given(played).when(seat, single(card, "forward")).accepted()
    shown = board(played)
    assert shown["to_act"] == [2]
    assert shown["discard"] == ["red-1", "red-2", "red-3"]
    assert [seat["hand_count"] for seat in shown["seats"]] == [2, 2, 2]


def test_moves_come_after_the_predictions() -> None:
    """Commands"""
    given(moving()).when(1, predict("red")).refused("wrong_phase")


# ---------------------------------------------------------------- TG-M7: hedges


HEDGED = [
    ((4, 6), "backward", (4, 5)),
    ((4, 5), "backward", None),
    ((4, 7), "backward", (4, 5)),
    ((4, 4), "backward", (4, 1)),
    ((4, 11), "backward", (4, 9)),
    ((4, 9), "backward", None),
    ((4, 3), "forward", (4, 6)),
    ((4, 5), "left", (1, 5)),
    ((4, 3), "right", (7, 3)),
]


@pytest.mark.parametrize(("kind", "river"), [("obstacle", None), ("steeplechase", (2, "front"))])
@pytest.mark.parametrize(("start", "direction", "end"), HEDGED)
def test_hedges_cut_backward_moves_alone(
    kind: str, river: Any, start: Spot, direction: str, end: Spot | None
) -> None:
    """TG-M2, TG-M7: hedges on 4|5 and 8|9; the river, if any, is in nobody's way here."""
    outcome = given(at(start, kind=kind, river=river)).when(1, single("red-3", direction))
    if end is None:
        outcome.refused("nothing_left_of_move", "TG-M2")
    else:
        outcome.then(event(e.CardPlayed, moved=moved(end)))


@pytest.mark.parametrize("kind", ["flat", "harness"])
def test_other_races_have_no_hedges(kind: str) -> None:
    """TG-M7 (TG-S2)"""
    given(at((4, 6), kind=kind)).when(1, single("red-3", "backward")).then(
        event(e.CardPlayed, moved=moved((4, 3)))
    )


# ---------------------------------------------------------------- TG-M8: the river


RIVERS = [
    # river on 4, in front of hedge 1
    ((1, "front"), (4, 1), "forward", 3, (4, 3)),
    ((1, "front"), (4, 3), "forward", 1, None),
    ((1, "front"), (4, 3), "forward", 2, (4, 5)),
    ((1, "front"), (4, 2), "forward", 2, (4, 3)),
    ((1, "front"), (4, 6), "backward", 3, (4, 5)),
    # river on 5, behind hedge 1
    ((1, "behind"), (4, 4), "forward", 1, None),
    ((1, "behind"), (4, 4), "forward", 2, (4, 6)),
    ((1, "behind"), (4, 7), "backward", 3, (4, 6)),
    ((1, "behind"), (4, 6), "backward", 1, None),
    ((1, "behind"), (4, 4), "backward", 3, (4, 1)),
    # river on 8, in front of hedge 2
    ((2, "front"), (4, 6), "forward", 2, (4, 7)),
    ((2, "front"), (4, 7), "forward", 1, None),
    ((2, "front"), (4, 7), "forward", 3, (4, 10)),
    ((2, "front"), (4, 10), "backward", 2, (4, 9)),
    # river on 9, behind hedge 2
    ((2, "behind"), (4, 8), "forward", 1, None),
    ((2, "behind"), (4, 7), "forward", 2, (4, 8)),
    ((2, "behind"), (4, 11), "backward", 2, (4, 10)),
    ((2, "behind"), (4, 10), "backward", 3, None),
]


@pytest.mark.parametrize(("river", "start", "direction", "length", "end"), RIVERS)
def test_a_move_that_would_end_in_the_river_ends_before_it(
    river: Any, start: Spot, direction: str, length: int, end: Spot | None
) -> None:
    """TG-M2, TG-M8: crossed like other spaces, never stood on."""
    played = at(start, kind="steeplechase", river=river)
    outcome = given(played).when(1, single(f"red-{length}", direction))
    if end is None:
        outcome.refused("nothing_left_of_move", "TG-M2")
    else:
        outcome.then(event(e.CardPlayed, moved=moved(end)))
