"""Seats without a legal play (TG-M11)."""

from typing import Any

import pytest

from domain.games.ticket_gagnant import commands as c
from domain.games.ticket_gagnant import events as e
from domain.kernel.message import Command
from domain.kernel.rejection import Rejected
from domain.racing.draft import Draft
from domain.racing.events import RaceClosed
from tests.domain.games.ticket_gagnant.turf import (
    CUSTOM,
    MOAT,
    STUCK,
    discard,
    listed,
    moving,
    pair,
    row,
    single,
)
from tests.kit.meetings import Played
from tests.kit.spec import board, event, given


def crowd(hands: dict[int, list[str]], **rest: Any) -> Played:
    """The sheet's worked case: seven horses on 4, hedge 1 behind them, the river before them."""
    return moving(
        kind="steeplechase",
        river=(2, "front"),
        course=CUSTOM,
        deal=3,
        stand=row(4),
        hands=hands,
        **rest,
    )


def refusing_rule(played: Played, command: Command) -> str | None:
    """The rule that refuses a play of seat 1; nothing is recorded, so the position stays."""
    with pytest.raises(Rejected) as caught:
        played.game.decide[c.PlayCard](Draft(played.full, played.game, "", None), 1, command)
    return caught.value.reason.rule


@pytest.mark.parametrize("card", STUCK)
def test_the_pair_of_lanes_1_and_7_can_not_be_played(card: str) -> None:
    """TG-M11, TG-M5, TG-M6: worked case, and other lanes far apart."""
    played = crowd({1: [card]})
    for horse in card.split("+"):
        for beside in ("front", "behind"):
            assert refusing_rule(played, pair(card, horse, beside)) == "TG-M5"
        for beside in ("left", "right"):
            for to in (None, (1, 4), (4, 4), (7, 4), (4, 3), (4, 5)):
                command = pair(card, horse, beside, to)
                assert refusing_rule(played, command) in ("TG-M5", "TG-M6")


def test_a_seat_with_a_legal_play_must_make_one() -> None:
    """TG-M11: it may not discard, not even the card that it can't play."""
    played = crowd({1: ["black+orange", "red-2", "blue+orange"]})
    for card in ("black+orange", "red-2"):
        given(played).when(1, discard(card)).refused("legal_play_held", "TG-M11")
    assert {type(command) for command in listed(played, 1)} == {c.PlayCard}


def test_a_pair_played_without_moving_is_a_legal_play() -> None:
    """TG-M11, TG-M5: orange and purple stand side by side."""
    played = crowd({1: ["orange+purple", "black+orange", "blue+orange"]})
    given(played).when(1, discard("black+orange")).refused("legal_play_held", "TG-M11")
    for command in (
        pair("orange+purple", "orange", "left"),
        pair("orange+purple", "purple", "right"),
    ):
        assert command in listed(played, 1)
        given(played).when(1, command).then(event(e.CardPlayed, moved=None))


def test_a_seat_without_one_discards_a_card_of_its_choice() -> None:
    """TG-M11"""
    played = crowd({1: STUCK, 2: ["red-2", "red-3", "blue-2"]})
    assert listed(played, 1) == [discard(card) for card in STUCK]
    after = (
        given(played)
        .when(1, discard("blue+orange"))
        .then(event(e.CardDiscarded, seat=1, card="blue+orange"))
    )
    shown = board(after)
    assert shown["discard"] == ["blue+orange"]
    assert shown["to_act"] == [2]
    assert [seat["hand_count"] for seat in shown["seats"]] == [2, 3]
    assert after.full.table.hands[0] == ["black+orange", "purple+yellow"]


def test_the_default_discards_the_first_in_hand() -> None:
    """TG-M11 (Commands, default)"""
    played = crowd({1: STUCK})
    assert played.game.default(played.full, 1) == discard(STUCK[0])


def test_discarding_is_only_for_the_seat_in_turn_and_for_cards_held() -> None:
    """TG-M11"""
    played = crowd({1: STUCK, 2: ["green+yellow"]})
    given(played).when(2, discard("green+yellow")).refused("not_your_turn")
    given(played).when(1, discard("green+yellow")).refused("card_not_in_hand")


def test_what_can_not_be_played_now_may_be_later() -> None:
    """TG-M11: purple leaves the row, and orange may stand beside green."""
    hands = {1: STUCK, 2: ["purple-2", "red-2", "blue-2"]}
    played = crowd(hands).give(1, discard("blue+orange"))
    played.give(2, single("purple-2", "forward"))
    command = pair("black+orange", "black", "right")
    assert command in listed(played, 1)
    given(played).when(1, discard("black+orange")).refused("legal_play_held", "TG-M11")


def test_a_race_may_end_with_a_discard() -> None:
    """TG-M11 (Moves): the last card of all goes unplayed."""
    stuck = ["black+blue", "black+green", "black+purple"]
    others = ["green+yellow", "orange+red", "orange+yellow"]
    played = crowd({1: stuck, 2: others})
    for first, second in zip(stuck, others, strict=True):
        played = given(played).when(1, discard(first)).then(event(e.CardDiscarded))
        outcome = given(played).when(2, discard(second))
        if second != others[-1]:
            played = outcome.then(event(e.CardDiscarded))
            continue
        after = outcome.then(
            event(e.CardDiscarded),
            event(e.PhotoFinishDrawn),
            event(e.RaceScored),
            event(RaceClosed),
            exactly=False,
        )
        assert board(after)["race"] == 2


def test_discards_come_up_in_real_play() -> None:
    """TG-M11: from the start, all in one row behind the river."""
    hands = {1: STUCK, 2: ["black+blue", "black+green", "purple+red"]}
    played = moving(2, kind="steeplechase", river=(1, "front"), course=MOAT, deal=3, hands=hands)
    for card, other in zip(STUCK, hands[2], strict=True):
        played.give(1, discard(card)).give(2, discard(other))
    result = board(played)["results"][0]
    assert {where["space"] for where in result["positions"]} == {0}
    assert board(played)["race"] == 2
