"""What a viewer may not know leaves no trace in any byte that it is sent (sheet, Hidden)."""

from random import Random
from typing import Any

import msgspec
import pytest

from domain.games.bookmaker import commands as c
from domain.games.bookmaker import events as e
from tests.kit.meetings import Played, as_default, seated
from tests.kit.ring import at_odds, bet, hand_of, meeting, set_odds
from tests.kit.spec import board, fork
from tests.kit.twins import Twins, seen

KINDS = ("plain", "joker", "trot", "joker_trot")


def compare(viewer: int, seats: int, options: dict[str, Any], seed: object) -> Twins:
    """Make twins for this viewer and hold them side by side, byte for byte."""
    twins = Twins(viewer, seats, options, Random(f"{viewer} {seats} {options} {seed}"))
    one, other = seen(twins.one, viewer), seen(twins.other, viewer)
    for step, (first, second) in enumerate(zip(one, other, strict=True)):
        assert msgspec.json.encode(first) == msgspec.json.encode(second), step
    return twins


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("viewer", range(5))
@pytest.mark.parametrize("in_running", [False, True])
def test_twin_meetings_look_the_same_to_a_viewer(kind: str, viewer: int, in_running: bool) -> None:
    """Hidden"""
    for seed in range(2):
        options = {"programme": [kind] * 2, "in_running": in_running, "brocco": bool(seed)}
        twins = compare(viewer, 4, options, seed)
        assert differ(twins)


def differ(twins: Twins) -> bool:
    """Whether the twins really are two."""

    def hidden(played: Any) -> list[Any]:
        return [
            (event.private, event.audience)
            for event in played.events
            if isinstance(event, e.HandsDealt | e.ExchangeChosen | e.JokerKept | e.BroccoNamed)
        ]

    return hidden(twins.one) != hidden(twins.other)


def alike(one: Played, other: Played, viewer: int) -> None:
    """Everything sent to a viewer so far is the same."""
    assert msgspec.json.encode(seen(one, viewer)) == msgspec.json.encode(seen(other, viewer))


@pytest.mark.parametrize("viewer", [0, 1, 3, 4])
def test_odds_and_limits_are_hidden_until_both_have_set(viewer: int) -> None:
    """Hidden, BM-O1"""
    one = at_odds(4).give(2, set_odds(1, 3, 3, 3))
    other = at_odds(4).give(2, set_odds(9, 9, 9, 9, limit=500))
    alike(one, other, viewer)
    assert seen(one, 2) != seen(other, 2)


@pytest.mark.parametrize("viewer", [0, 2, 3, 4])
def test_the_cards_chosen_are_hidden_until_they_change_hands(viewer: int) -> None:
    """Hidden, BM-D2"""
    one, other = meeting(4), meeting(4)
    hand = hand_of(one, 1)
    one.give(1, c.ExchangeCards(cards=hand[:2]))
    other.give(1, c.ExchangeCards(cards=hand[2:]))
    alike(one, other, viewer)
    for played in (one, other):
        played.give(2, c.ExchangeCards(cards=hand_of(played, 2)[:2]))
    if viewer != 2:
        alike(one, other, viewer)
    else:
        assert seen(one, 2) != seen(other, 2)


@pytest.mark.parametrize("viewer", [0, 1, 3, 4])
def test_the_horse_named_is_hidden_until_the_end(viewer: int) -> None:
    """Hidden, BM-K1"""
    played = meeting(4, brocco=True).play(
        as_default, until=lambda p: p.full.table.phase == "brocco"
    )
    one, other = fork(played), fork(played)
    one.give(2, c.NameBrocco(horse="red"))
    other.give(2, c.NameBrocco(horse="blue"))
    alike(one, other, viewer)
    for seat in (1, 3, 4):
        for one_of_them in (one, other):
            one_of_them.give(seat, c.NameBrocco(horse="green"))
    alike(one, other, viewer)


@pytest.mark.parametrize("viewer", [0, 1, 3])
def test_a_nonce_is_hidden_until_the_start(viewer: int) -> None:
    """Contract, Chance: its hash is public."""
    feeds = []
    for nonce in ("a secret", "another"):
        played = seated(Played(seats=3), (None, nonce, None), start=False)
        told = seen(played, viewer)
        for event in told:
            if isinstance(event, dict):
                event.pop("nonce_hash", None)
        feeds.append(msgspec.json.encode(told))
        assert nonce.encode() not in feeds[-1]
    assert feeds[0] == feeds[1]


def test_limits_once_shown_bets_cash_and_loans_are_public() -> None:
    """Hidden"""
    played = at_odds(4)
    for seat in (1, 2):
        played.give(seat, set_odds(3, 3, 2, 2, limit=40))
    played.give(3, c.Borrow(amount=50)).give(3, bet(1, "red", 30))
    shown = board(played)
    assert shown["limits"]["1"]["red"] == 40
    assert shown["bets"][0]["stake"] == 30
    assert (shown["seats"][2]["cash"], shown["seats"][2]["loan"]) == (1020, 50)
