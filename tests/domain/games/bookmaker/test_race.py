"""The race: cards and spaces, and a deck that is used up (BM-R)."""

from collections import Counter
from typing import Any

import pytest

from domain.games.bookmaker import commands as c
from domain.games.bookmaker import events as e
from domain.games.bookmaker.track import ending, turn
from domain.kernel.chance import derive_key, shuffle
from tests.kit.meetings import SEED, Played
from tests.kit.ring import PACK, at_bets, bet, declare, raced, settle, steps, winning
from tests.kit.spec import board, event, given

START = {"red": 0, "blue": 0, "green": 0, "yellow": 0}


def turned(played: Played) -> list[e.CardTurned]:
    """The cards turned so far, in all passes."""
    return [ev for ev in played.events if isinstance(ev, e.CardTurned)]


@pytest.mark.parametrize("card", ["red-1", "blue-10", "green-4", "yellow-7"])
def test_the_cards_horse_moves_forward_one_space_whatever_its_number(card: str) -> None:
    """BM-R1"""
    horse = card.split("-", maxsplit=1)[0]
    step = turn(card, None, {**START, horse: 3}, [], [])
    assert (step.horse, step.moved, step.out, step.space) == (horse, True, False, 4)


@pytest.mark.parametrize(
    ("spaces", "out", "idle", "how"),
    [
        ({"red": 9}, [], False, None),
        ({"red": 10}, [], False, "won"),
        ({"red": 10}, ["blue", "green", "yellow"], True, "won"),
        ({}, ["red", "blue", "green", "yellow"], False, "all_out"),
        ({}, ["red", "blue", "green", "yellow"], True, "all_out"),
        ({}, ["red", "blue", "green"], False, None),
        ({}, ["red"], True, "no_progress"),
    ],
)
def test_a_race_ends_in_one_of_three_ways(
    spaces: dict[str, int], out: list[str], idle: bool, how: str | None
) -> None:
    """BM-R1, BM-R2, BM-T2"""
    assert ending({**START, **spaces}, out, idle) == how


def test_the_first_horse_on_space_ten_wins_and_the_race_ends() -> None:
    """BM-R1"""
    run = [*steps("blue", 9), *steps("red", 9), "green-1", "red-10", "blue-10"]
    played = declare(at_bets(4, run=run))
    assert [ev.card for ev in turned(played)] == run[:20]
    assert (ended(played).winner, ended(played).how, ended(played).out) == ("red", "won", [])
    shown = board(played)
    assert shown["phase"] == "settlement"
    assert [horse["space"] for horse in shown["horses"]] == [10, 9, 1, 0]
    assert shown["turned"] == run[:20]
    assert shown["to_act"] == []


def test_cards_are_turned_behind_the_deal_in_the_order_of_the_deck() -> None:
    """BM-R1 (Draws)"""
    played = declare(at_bets(5))
    assert played.chance is not None
    order = played.chance.draw("race-1/deck", [])[24:]
    events = turned(played)
    assert [ev.card for ev in events] == order[: len(events)]
    assert all(ev.draws == {"race-1/deck": [ev.card]} for ev in events)


# ------------------------------------------------------------- a deck used up (trot only)
#
# With nine seats the race deck has 40 cards (42 with jokers). Red, blue and green break their gait
# with the first three cards, so that only yellow can go on.

TOKENS = ["red-1", "blue-1", "green-1", "red-10"]
BROKEN = ["red-1", "blue-1", "green-1"]
OTHERS = [card for card in PACK if not card.startswith("yellow")]
for _card in BROKEN:
    OTHERS.remove(_card)


def pass_of(yellow: list[str], size: int = 40) -> list[str]:
    """A whole deck in its order: three horses break, yellow's cards, then cards of no use."""
    order = [*BROKEN, *yellow]
    return order + OTHERS[: size - len(order)]


def trot(order: list[str], passes: dict[int, list[str]], **rest: Any) -> Played:
    """A trot race with this deck, whose later passes begin like that."""
    bets = rest.pop("bets", None)
    return declare(
        at_bets(9, kind=rest.pop("kind", "trot"), run=order, tokens=TOKENS, turn=passes, **rest),
        bets,
    )


def ended(played: Played) -> e.RaceEnded:
    """How the race ended."""
    last = played.events[-1]
    assert isinstance(last, e.RaceEnded)
    return last


def test_a_used_up_deck_is_shuffled_again_and_all_stands_as_it_was() -> None:
    """BM-R2"""
    order = pass_of([f"yellow-{n}" for n in range(2, 11)])
    played = trot(order, {2: ["red-2", "yellow-5"]})
    cards = turned(played)
    assert [ev.card for ev in cards] == [*order, "red-2", "yellow-5"]
    assert [list(ev.draws or {}) for ev in cards[38:]] == [
        ["race-1/turn"],
        ["race-1/turn"],
        ["race-1/turn-2"],
        ["race-1/turn-2"],
    ]
    assert (ended(played).winner, ended(played).how) == ("yellow", "won")
    assert ended(played).out == ["red", "blue", "green"]
    shown = board(played)
    assert shown["turned"] == ["red-2", "yellow-5"]
    assert [token["space"] for token in shown["tokens"]] == [1, 1, 1, 10]


def test_the_turned_cards_in_turned_order_are_what_is_shuffled() -> None:
    """BM-R2 (Draws)"""
    order = pass_of([f"yellow-{n}" for n in range(2, 11)])
    played = trot(order, {})
    cards = [ev for ev in turned(played) if "race-1/turn-2" in (ev.draws or {})]
    key = derive_key(SEED, [""] * 9)
    assert [ev.card for ev in cards] == shuffle(key, "race-1/turn-2", order)[: len(cards)]


def test_in_running_the_reshuffle_waits_for_the_next_card() -> None:
    """BM-R2, BM-I1"""
    order = pass_of([f"yellow-{n}" for n in range(2, 11)])
    played = trot(order, {2: ["red-2"]}, in_running=True)
    for _ in order:
        played.give(1, c.TurnCard())
    assert board(played)["turned"] == order
    assert board(played)["phase"] == "race"
    after = (
        given(played)
        .when(1, c.TurnCard())
        .then(
            event(e.DeckReshuffled, seat=1, cards_pass=2, command={"type": "bookmaker.turn_card"}),
            event(e.CardTurned, card="red-2", horse="red", moved=False, out=False, space=0),
        )
    )
    assert board(after)["turned"] == ["red-2"]


def test_a_whole_pass_without_a_step_ends_the_race_with_its_last_card() -> None:
    """BM-R2"""
    bets = {3: bet(1, "red", 10), 4: bet(1, "yellow", 10), 5: bet(2, "yellow", 10)}
    played = trot(pass_of([]), {}, bets=bets)
    assert (ended(played).winner, ended(played).how) == (None, "no_progress")
    assert ended(played).out == ["red", "blue", "green"]
    assert len(turned(played)) == 40
    assert not [ev for ev in played.events if isinstance(ev, e.DeckReshuffled)]
    settle(played)
    result = board(played)["results"][0]
    by_bet = {(b["seat"], b["horse"]): b["status"] for b in result["bets"]}
    assert by_bet[3, "red"] == "lost"
    assert by_bet[4, "yellow"] == by_bet[5, "yellow"] == "returned"
    assert result["winner"] is None
    assert result["books"][1] == {"seat": 2, "taken": 10, "paid": 10}


def test_a_later_pass_may_be_the_idle_one() -> None:
    """BM-R2: in the first pass yellow goes to space 1, in the second it breaks its gait."""
    tokens = ["red-1", "blue-1", "yellow-2", "red-10"]
    order = ["red-1", "blue-1", "yellow-2", *OTHERS[:37]]
    order = [card for card in order if not card.startswith("green")]
    order += [card for card in OTHERS if not card.startswith("green") and order.count(card) == 0]
    order = ([*order, "red-3", "blue-3", "red-4", "blue-4"])[:40]
    played = declare(at_bets(9, kind="trot", run=order, tokens=tokens, turn={2: ["yellow-2"]}))
    assert (ended(played).winner, ended(played).how) == (None, "no_progress")
    assert ended(played).out == ["red", "blue", "yellow"]
    assert len(turned(played)) == 80


def test_a_turned_joker_copies_over_a_reshuffle() -> None:
    """BM-J1, BM-R2"""
    yellow = [f"yellow-{n}" for n in range(2, 9)]
    order = pass_of(["joker", "joker", *yellow], 41)
    order.append("yellow-9")
    played = trot(order, {2: ["joker", "red-2", "joker", "yellow-2"]}, kind="joker_trot")
    second = turned(played)[42:]
    assert [(ev.card, ev.horse, ev.moved) for ev in second[:3]] == [
        ("joker", "yellow", True),
        ("red-2", "red", False),
        ("joker", "red", False),
    ]


def test_a_joker_played_from_a_hand_is_not_among_the_cards_shuffled_again() -> None:
    """BM-J2, BM-R2"""
    order = pass_of([f"yellow-{n}" for n in range(3, 10)], 42)
    played = trot(order, {}, kind="joker_trot", hands={3: ["joker", "joker"]})
    assert board(played)["phase"] == "race"
    played.give(3, c.PlayJoker()).give(3, c.KeepJoker(until=c.Until(horse="yellow", space=10)))
    cards = [ev.card for ev in turned(played)]
    assert len(order) < len(cards) <= 2 * len(order)
    assert "joker" not in cards
    assert Counter(cards[len(order) :]) <= Counter(order)


def test_a_plain_race_always_has_a_winner() -> None:
    """BM-R1, BM-R2"""
    for seats in (2, 9):
        played = raced(seats, run=winning("green") if seats == 2 else [])
        assert board(played)["phase"] == "settlement"
        assert played.full.table.winner is not None


def test_cards_are_not_asked_for_without_in_running() -> None:
    """BM-R1 (Commands)"""
    held = raced(4, kind="joker", hands={3: ["joker"]}, run=["blue-1"])
    given(held).when(1, c.TurnCard()).refused("wrong_phase")
    given(held).when(1, c.ShowOdds(odds=c.SomeOdds(red=3))).refused("wrong_phase")
    given(at_bets(4)).when(1, c.TurnCard()).refused("wrong_phase")
