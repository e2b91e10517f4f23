"""Pairs and displacement (TG-M5, TG-M6)."""

from typing import Any

import pytest

from domain.games.ticket_gagnant import events as e
from domain.kernel.message import body_of
from tests.domain.games.ticket_gagnant.turf import (
    Spot,
    listed,
    moving,
    pair,
    row,
    single,
    spots,
    wild,
)
from tests.kit.meetings import Played
from tests.kit.spec import event, given

AFAR = row(12)
CARD = "blue+red"


def two(
    blue: Spot, red: Spot, *cards: str, stand: dict[str, Spot] | None = None, **rest: Any
) -> Played:
    """Seat 1 holds blue+red, and these cards; the two stand here, the others afar or as said."""
    hands = {1: [CARD, *cards]}
    return moving(hands=hands, stand={**AFAR, **(stand or {}), "blue": blue, "red": red}, **rest)


def moved(horse: str, spot: Spot) -> dict[str, Any]:
    """A horse there, as events have it."""
    return {"horse": horse, "lane": spot[0], "space": spot[1]}


def sides(played: Played, card: str = CARD) -> set[tuple[str, str]]:
    """The ways to play a pair that are listed: (mover, side)."""
    bodies = [body_of(command) for command in listed(played, 1)]
    return {(b["horse"], b["beside"]) for b in bodies if b["card"] == card}


def rooms(played: Played, **fields: Any) -> set[Spot]:
    """Where the displaced horse of a play may be put, as listed."""
    bodies = [body_of(command) for command in listed(played, 1)]
    found = [b["displaced_to"] for b in bodies if fields.items() <= b.items()]
    return {(to["lane"], to["space"]) for to in found}


# ---------------------------------------------------------------- TG-M5


EIGHT = [
    ("red", "front", (3, 5)),
    ("blue", "behind", (6, 8)),
    ("red", "right", (4, 4)),
    ("blue", "left", (5, 9)),
    ("red", "behind", (3, 3)),
    ("blue", "front", (6, 10)),
    ("red", "left", (2, 4)),
    ("blue", "right", (7, 9)),
]
"""Of the rulebook's example, two by two: red in front of blue, or blue behind red …"""


@pytest.mark.parametrize(("horse", "beside", "end"), EIGHT)
def test_the_eight_plays_of_the_rulebooks_pair(horse: str, beside: str, end: Spot) -> None:
    """TG-M5: blue on 3-4, red on 6-9; the other stays."""
    played = two((3, 4), (6, 9))
    after = (
        given(played)
        .when(1, pair(CARD, horse, beside))
        .then(event(e.CardPlayed, card=CARD, moved=moved(horse, end), displaced=None))
    )
    assert spots(after) == {**spots(played), horse: end}


def test_the_eight_plays_and_no_others_are_listed() -> None:
    """TG-M5 (actions)"""
    assert sides(two((3, 4), (6, 9))) == {(horse, beside) for horse, beside, _ in EIGHT}


@pytest.mark.parametrize(
    ("blue", "beside"),
    [((1, 6), "left"), ((7, 6), "right"), ((4, 0), "behind")],
)
def test_a_pair_never_leads_off_the_track(blue: Spot, beside: str) -> None:
    """TG-M5: and is never cut short."""
    played = two(blue, (4, 9))
    given(played).when(1, pair(CARD, "red", beside)).refused("pair_space", "TG-M5")
    assert ("red", beside) not in sides(played)
    assert len(sides(played)) == 7


def test_nor_past_the_end() -> None:
    """TG-M5"""
    played = two((4, 15), (4, 14), dashed_line="no_return")
    given(played).when(1, pair(CARD, "red", "front")).refused("pair_space", "TG-M5")


def test_a_pair_never_leads_into_the_river() -> None:
    """TG-M5, TG-M8: the river on 5."""
    played = two((3, 4), (6, 3), kind="steeplechase", river=(1, "behind"))
    given(played).when(1, pair(CARD, "red", "front")).refused("pair_space", "TG-M5")
    other = two((3, 6), (6, 3), kind="steeplechase", river=(1, "behind"))
    given(other).when(1, pair(CARD, "red", "behind")).refused("pair_space", "TG-M5")
    assert ("red", "behind") not in sides(other)


@pytest.mark.parametrize("kind", ["obstacle", "steeplechase"])
def test_a_pair_never_leads_back_over_a_hedge_that_the_mover_has_crossed(kind: str) -> None:
    """TG-M5, TG-M7: red beyond hedge 1, blue before it."""
    river = (2, "front") if kind == "steeplechase" else None
    played = two((3, 3), (6, 6), kind=kind, river=river)
    for beside in ("front", "behind", "left", "right"):
        given(played).when(1, pair(CARD, "red", beside)).refused("pair_space", "TG-M5")
    assert sides(played) == {("blue", side) for side in ("front", "behind", "left", "right")}


def test_a_pair_may_lead_forward_over_a_hedge() -> None:
    """TG-M7: in front of a horse on 4 is 5, beyond the hedge."""
    played = two((3, 4), (6, 6), kind="obstacle")
    assert ("red", "front") in sides(played)
    assert ("red", "left") not in sides(played)
    given(played).when(1, pair(CARD, "red", "front")).then(
        event(e.CardPlayed, moved=moved("red", (3, 5)))
    )


def test_a_pair_whose_mover_already_stands_there_is_played_without_moving() -> None:
    """TG-M5"""
    played = two((3, 6), (3, 7))
    after = (
        given(played)
        .when(1, pair(CARD, "red", "front"))
        .then(event(e.CardPlayed, card=CARD, moved=None, displaced=None))
    )
    assert spots(after) == spots(played)
    assert after.full.table.discard == [CARD]
    assert {("red", "front"), ("blue", "behind")} <= sides(played)
    given(played).when(1, pair(CARD, "red", "front", (3, 8))).refused("nobody_displaced", "TG-M6")


def test_a_pair_moves_one_of_its_own_two_horses() -> None:
    """TG-M5"""
    given(two((3, 4), (6, 9))).when(1, pair(CARD, "green", "front")).refused(
        "horse_not_of_pair", "TG-M5"
    )


# ---------------------------------------------------------------- TG-M6


NEAR = {(x, y) for x in (3, 4, 5) for y in (7, 8, 9)} - {(4, 8)}
"""The 8 neighbours of 4-8."""


def landing(**rest: Any) -> Played:
    """Red on 4-6 with red-2, blue on 4-8 where it would end."""
    stand = {**AFAR, "red": (4, 6), "blue": (4, 8), **rest.pop("stand", {})}
    return moving(hands={1: ["red-2", "wild"]}, stand=stand, **rest)


@pytest.mark.parametrize("to", sorted(NEAR))
def test_the_horse_that_stood_there_is_put_on_a_free_neighbouring_space(to: Spot) -> None:
    """TG-M6"""
    after = (
        given(landing())
        .when(1, single("red-2", "forward", to))
        .then(
            event(
                e.CardPlayed, moved=moved("red", (4, 8)), displaced=moved("blue", to), card="red-2"
            )
        )
    )
    assert spots(after)["red"] == (4, 8)
    assert spots(after)["blue"] == to


def test_all_neighbouring_spaces_are_listed() -> None:
    """TG-M6 (actions): each a command of its own, and none without."""
    played = landing()
    assert rooms(played, card="red-2", direction="forward") == NEAR
    assert single("red-2", "forward") not in listed(played, 1)


def test_the_rulebooks_example_of_six_spaces() -> None:
    """TG-M6: purple and orange stand on two of the eight."""
    stand = {"purple": (3, 8), "orange": (5, 9)}
    played = landing(stand=stand)
    assert rooms(played, card="red-2", direction="forward") == NEAR - {(3, 8), (5, 9)}
    for to in stand.values():
        given(played).when(1, single("red-2", "forward", to)).refused("displaced_to_space", "TG-M6")


@pytest.mark.parametrize(
    "to", [(4, 8), (4, 10), (2, 8), (4, 6), (0, 8), (16, 7), (4, -8), (99, 99)]
)
def test_no_other_space_will_do(to: Spot) -> None:
    """TG-M6: not its own, not two away, not off the track."""
    given(landing()).when(1, single("red-2", "forward", to)).refused("displaced_to_space", "TG-M6")


def test_displaced_to_is_required_even_if_there_is_one_space_only() -> None:
    """TG-M6"""
    given(landing()).when(1, single("red-2", "forward")).refused("displaced_to_missing", "TG-M6")
    corner = row(3, but={"red": (1, 2), "blue": (1, 0), "green": (2, 0), "purple": (2, 1)})
    played = moving(hands={1: ["red-2"]}, stand=corner)
    given(played).when(1, single("red-2", "backward")).refused("displaced_to_missing", "TG-M6")
    assert rooms(played, card="red-2", direction="backward") == {(1, 1)}
    given(played).when(1, single("red-2", "backward", (1, 1))).accepted()


def test_displaced_to_is_refused_where_nobody_is_displaced() -> None:
    """TG-M6"""
    given(landing()).when(1, single("red-2", "left", (4, 7))).refused("nobody_displaced", "TG-M6")


def test_the_space_that_the_mover_just_left_counts_as_free() -> None:
    """TG-M6"""
    played = moving(hands={1: ["red-1"]}, stand={**AFAR, "red": (4, 6), "blue": (4, 7)})
    after = given(played).when(1, single("red-1", "forward", (4, 6))).accepted()
    assert (spots(after)["red"], spots(after)["blue"]) == ((4, 7), (4, 6))


def test_unless_the_displaced_horse_may_not_stand_there_at_all() -> None:
    """TG-M6, TG-M7: red jumps hedge 1, blue has crossed it."""
    stand = {**AFAR, "red": (4, 4), "blue": (4, 5)}
    played = moving(kind="obstacle", hands={1: ["red-1"]}, stand=stand)
    given(played).when(1, single("red-1", "forward", (4, 4))).refused("displaced_to_space", "TG-M6")
    assert rooms(played, card="red-1", direction="forward") == {
        (3, 5),
        (5, 5),
        (3, 6),
        (4, 6),
        (5, 6),
    }


def test_nobody_is_put_into_the_river_or_off_the_track() -> None:
    """TG-M6, TG-M8: the river on 9, red comes from 6 to 8 in lane 1."""
    stand = {**AFAR, "red": (1, 6), "blue": (1, 8)}
    played = moving(kind="steeplechase", river=(2, "behind"), hands={1: ["red-2"]}, stand=stand)
    assert rooms(played, card="red-2", direction="forward") == {(1, 7), (2, 7), (2, 8)}
    for to in ((1, 9), (2, 9), (0, 8)):
        given(played).when(1, single("red-2", "forward", to)).refused("displaced_to_space", "TG-M6")


@pytest.mark.parametrize("by", ["displacement", "move", "pair"])
def test_a_hedge_is_crossed_by_whatever_brought_the_horse_over_it(by: str) -> None:
    """TG-M7: put beyond hedge 1, blue never comes back."""
    stand = {**AFAR, "red": (4, 2), "blue": (4, 4), "green": (5, 4)}
    hands = {1: ["red-2", "blue-1", "blue+green"], 2: ["blue-2"]}
    played = moving(kind="obstacle", hands=hands, stand=stand)
    command = {
        "displacement": single("red-2", "forward", (4, 5)),
        "move": single("blue-1", "forward"),
        "pair": pair("blue+green", "blue", "front"),
    }[by]
    after = given(played).when(1, command).accepted()
    given(after).when(2, single("blue-2", "backward")).refused("nothing_left_of_move", "TG-M2")


def test_a_horse_before_the_hedge_may_be_put_over_it() -> None:
    """TG-M6, TG-M7: forward hedges do nothing."""
    stand = {**AFAR, "red": (4, 2), "blue": (4, 4)}
    played = moving(kind="obstacle", hands={1: ["red-2"]}, stand=stand)
    assert {(3, 5), (4, 5), (5, 5)} <= rooms(played, card="red-2", direction="forward")


def test_the_displaced_horse_displaces_nobody_and_without_room_the_play_is_illegal() -> None:
    """TG-M6: blue in the corner, its neighbours taken; red comes from afar."""
    stand = row(9, but={"blue": (1, 0), "green": (2, 0), "purple": (2, 1), "orange": (1, 1)})
    played = moving(hands={1: ["red-3"]}, stand={**stand, "red": (1, 3)})
    for to in (None, (1, 1), (2, 0), (1, 3)):
        command = single("red-3", "backward", to)
        given(played).when(1, command).refused("no_free_space", "TG-M6")
    bodies = [body_of(command) for command in listed(played, 1)]
    ways = {body["direction"] for body in bodies if body["card"] == "red-3"}
    assert ways == {"forward", "right"}


def test_a_pair_and_a_wild_card_displace_too() -> None:
    """TG-M6"""
    stand = {"green": (3, 5)}
    played = two((3, 4), (6, 9), "wild", stand=stand)
    given(played).when(1, pair(CARD, "red", "front")).refused("displaced_to_missing", "TG-M6")
    after = given(played).when(1, pair(CARD, "red", "front", (2, 6))).accepted()
    assert (spots(after)["red"], spots(after)["green"]) == ((3, 5), (2, 6))
    after = given(played).when(1, wild("green", "backward", 1, (3, 5))).accepted()
    assert (spots(after)["green"], spots(after)["blue"]) == ((3, 4), (3, 5))


def test_a_pair_may_not_displace_onto_its_partners_space() -> None:
    """TG-M6: the partner stays and its space is not free."""
    played = two((3, 4), (6, 9), stand={"green": (3, 5)})
    given(played).when(1, pair(CARD, "red", "front", (3, 4))).refused("displaced_to_space", "TG-M6")
