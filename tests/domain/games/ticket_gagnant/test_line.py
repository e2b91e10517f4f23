"""The dashed line, both ways (TG-M9, TG-M10)."""

from typing import Any

import pytest

from domain.games.ticket_gagnant import events as e
from domain.kernel.message import body_of
from domain.racing.events import RaceClosed
from tests.domain.games.ticket_gagnant.turf import (
    HORSES,
    Spot,
    choose,
    listed,
    moving,
    pair,
    play_out,
    predict,
    row,
    single,
    spots,
    standing,
    wild,
)
from tests.kit.meetings import Played
from tests.kit.spec import board, event, given

BEHIND = row(3)
ENDED = (
    event(e.CardPlayed, ends=True),
    event(e.PhotoFinishDrawn),
    event(e.RaceScored),
    event(RaceClosed, race=1),
)


def before_line(**rest: Any) -> Played:
    """Seat 1 is to move; red stands on 11 just before the line, blue on 12."""
    stand = {**BEHIND, "red": (4, 11), "blue": (5, 12), **rest.pop("stand", {})}
    hands = rest.pop("hands", {1: ["red-1", "red-2", "red-3", "wild", "blue+red"]})
    return moving(3, hands=hands, stand=stand, **rest)


# ---------------------------------------------------------------- TG-M9


@pytest.mark.parametrize(("card", "space"), [("red-2", 13), ("red-3", 14)])
def test_a_horse_that_crosses_the_line_wins_and_the_race_ends_at_once(
    card: str, space: int
) -> None:
    """TG-M9: the move is made in full; the others do not finish the round."""
    after = given(before_line()).when(1, single(card, "forward")).then(*ENDED, exactly=False)
    scored = next(ev for ev in after.events if isinstance(ev, e.RaceScored))
    assert scored.ranking[0] == "red"
    shown = board(after)
    result = shown["results"][0]
    assert {"horse": "red", "lane": 4, "space": space} in result["positions"]
    assert (shown["race"], shown["phase"], shown["first_player"]) == (2, "choose", 2)


def test_space_15_is_past_the_line_too() -> None:
    """TG-M9: 13, 14 or 15 alike."""
    played = before_line(stand={"red": (4, 12)})
    after = given(played).when(1, single("red-3", "forward")).then(*ENDED, exactly=False)
    positions = board(after)["results"][0]["positions"]
    assert {"horse": "red", "lane": 4, "space": 15} in positions


def test_standing_on_the_last_space_before_the_line_is_not_crossing() -> None:
    """TG-M9 (TG-S2)"""
    played = before_line()
    given(played).when(1, single("red-1", "forward")).then(event(e.CardPlayed))


def test_a_pair_that_crosses_ends_the_race() -> None:
    """TG-M9: red in front of blue on 12."""
    after = (
        given(before_line()).when(1, pair("blue+red", "red", "front")).then(*ENDED, exactly=False)
    )
    assert board(after)["results"][0]["ranking"][:2] == ["red", "blue"]


def test_a_horse_that_is_displaced_over_the_line_wins() -> None:
    """TG-M9: red takes blue's space on 12, blue is put on 13."""
    stand = {"red": (5, 11)}
    played = before_line(stand=stand)
    after = given(played).when(1, single("red-1", "forward", (6, 13))).then(*ENDED, exactly=False)
    assert board(after)["results"][0]["ranking"][:2] == ["blue", "red"]
    given(played).when(1, single("red-1", "forward", (6, 12))).then(event(e.CardPlayed))


def test_cards_left_in_hand_go_back_unseen() -> None:
    """TG-M9"""
    after = given(before_line()).when(1, single("red-2", "forward")).accepted()
    shown = board(after)
    assert shown["discard"] == []
    assert [seat["hand_count"] for seat in shown["seats"]] == [0, 0, 0]
    assert not any(isinstance(ev, e.CardDiscarded) for ev in after.events)


def test_after_the_last_race_hands_stay_hidden_from_the_others() -> None:
    """TG-M9 (Board fields): and each owner still sees its own."""
    draws = {"race-3/deck": ["red-3", "red-2", "red-1"], "race-3/lanes": HORSES}
    played = before_line(draws=draws)
    play_out(play_out(played))
    played.give(3, choose(deal=3))
    for seat in (1, 2, 3):
        played.give(seat, predict("red"))
    standing(played, {"red": (4, 12)}).give(3, single("red-3", "forward"))
    assert board(played)["status"] == "finished"
    for viewer in range(4):
        for seat in board(played, viewer)["seats"]:
            assert seat["hand_count"] == (2 if seat["seat"] == 3 else 3)
            if seat["seat"] == viewer:
                assert len(seat["hand"]) == seat["hand_count"]
            else:
                assert seat["hand"] is None


def test_a_race_ends_when_all_hands_are_empty() -> None:
    """TG-M9 (Moves): each plays its last card; the line is not necessarily crossed."""
    hands = {1: ["red-1", "blue-2", "green-3"], 2: ["orange-1", "purple-2", "yellow-3"]}
    played = moving(2, deal=3, hands=hands, stand=BEHIND)
    order = ((1, "red-1"), (2, "orange-1"), (1, "blue-2"), (2, "purple-2"), (1, "green-3"))
    for seat, card in order:
        played = given(played).when(seat, single(card, "forward")).then(event(e.CardPlayed))
    after = given(played).when(2, single("yellow-3", "forward")).then(*ENDED, exactly=False)
    assert max(where["space"] for where in board(after)["results"][0]["positions"]) == 6


# ---------------------------------------------------------------- TG-M10


def past_line(**rest: Any) -> Played:
    """Crossing ends nothing; red stands on 14, blue on 13, green on 12."""
    stand = {**BEHIND, "red": (4, 14), "blue": (5, 13), "green": (4, 12), **rest.pop("stand", {})}
    hands = rest.pop("hands", {1: ["red-1", "wild", "blue+red", "green+red", "green-2"]})
    return moving(3, dashed_line="no_return", hands=hands, stand=stand, **rest)


def test_crossing_ends_nothing() -> None:
    """TG-M10"""
    played = past_line()
    after = given(played).when(1, wild("green", "forward", 1)).then(event(e.CardPlayed))
    assert board(after)["phase"] == "move"


@pytest.mark.parametrize("horse", ["red", "blue"])
@pytest.mark.parametrize("spaces", [1, 2, 3])
def test_no_card_moves_a_horse_back_that_is_past_the_line(horse: str, spaces: int) -> None:
    """TG-M10: illegal, never cut."""
    given(past_line()).when(1, wild(horse, "backward", spaces)).refused("no_return", "TG-M10")


def test_before_the_line_backward_is_free() -> None:
    """TG-M10"""
    given(past_line()).when(1, wild("green", "backward", 3)).then(event(e.CardPlayed))


@pytest.mark.parametrize(
    ("direction", "end"), [("forward", (4, 15)), ("left", (3, 14)), ("right", (5, 14))]
)
def test_sideways_and_forward_are_free(direction: str, end: Spot) -> None:
    """TG-M10"""
    after = given(past_line()).when(1, single("red-1", direction)).accepted()
    assert spots(after)["red"] == end


def test_no_pair_brings_it_to_a_lower_space() -> None:
    """TG-M10: red on 14 may not go beside blue on 13, nor anywhere at green on 12."""
    played = past_line()
    for beside in ("left", "right", "behind"):
        given(played).when(1, pair("blue+red", "red", beside)).refused("no_return", "TG-M10")
    for beside in ("front", "left", "right", "behind"):
        given(played).when(1, pair("green+red", "red", beside)).refused("no_return", "TG-M10")
    after = given(played).when(1, pair("blue+red", "red", "front")).accepted()
    assert spots(after)["red"] == (5, 14)
    given(played).when(1, pair("green+red", "green", "behind")).accepted()


def test_no_displacement_brings_it_to_a_lower_space() -> None:
    """TG-M10, TG-M6: green lands on blue's space on 13."""
    played = past_line(stand={"green": (5, 11)})
    command = single("green-2", "forward", (5, 12))
    given(played).when(1, command).refused("displaced_to_space", "TG-M6")
    bodies = [body_of(command) for command in listed(played, 1)]
    forward = [b for b in bodies if (b["card"], b.get("direction")) == ("green-2", "forward")]
    assert {b["displaced_to"]["space"] for b in forward} == {13, 14}
    after = given(played).when(1, single("green-2", "forward", (4, 13))).accepted()
    assert spots(after)["blue"] == (4, 13)


def test_the_space_left_behind_the_line_is_no_room_either() -> None:
    """TG-M10, TG-M6: green leaves 12 for 13; blue may not be put there."""
    played = past_line(stand={"green": (5, 12)})
    command = wild("green", "forward", 1, (5, 12))
    given(played).when(1, command).refused("displaced_to_space", "TG-M6")
