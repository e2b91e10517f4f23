"""What a viewer may not know leaves no trace in any byte that it is sent (sheet, Hidden)."""

from random import Random
from typing import Any

import pytest

from domain.games.tuyaux import events as e
from domain.games.tuyaux.bot import BOTS
from domain.kernel.lines import redact
from tests.domain.games.tuyaux.paddock import bet_all, meeting, off, tips_of, win
from tests.domain.games.tuyaux.twins import Twins, seen
from tests.kit.meetings import Played, seated
from tests.kit.spec import board

OPTIONS: list[dict[str, Any]] = [
    {},
    {"open_bets": True},
    {"bets": "two_wins", "whip": "first_whip"},
    {"bets": "win_and_place", "open_bets": True},
    {"bets": "tierce", "target": 30},
]


def alike(one: Played, other: Played, viewer: int) -> None:
    """Everything sent to a viewer so far is the same."""
    assert seen(one, viewer) == seen(other, viewer)


def differ(twins: Twins) -> bool:
    """Whether the twins really are two."""

    def hidden(played: Played) -> list[Any]:
        return [
            event.private for event in played.events if isinstance(event, e.TipsDealt | e.BetMade)
        ]

    return hidden(twins.one) != hidden(twins.other)


@pytest.mark.parametrize("seats", [2, 3, 7])
@pytest.mark.parametrize("options", OPTIONS)
def test_twin_meetings_look_the_same_to_a_viewer(seats: int, options: dict[str, Any]) -> None:
    """Hidden: stopped anywhere in the first races."""
    differing = 0
    for viewer in range(min(seats, 3) + 1):
        for seed in range(4):
            source = Random(f"{viewer} {seats} {options} {seed}")
            twins = Twins(viewer, seats, options, source, moves=source.randint(1, 20 * seats))
            alike(twins.one, twins.other, viewer)
            differing += differ(twins)
    assert differing >= 8


@pytest.mark.long
@pytest.mark.parametrize("seats", range(2, 8))
def test_many_twin_meetings_look_the_same_to_a_viewer(seats: int) -> None:
    """Hidden"""
    for number in range(200):
        source = Random(f"long {seats} {number}")
        options = source.choice(OPTIONS)
        viewer = source.randint(0, seats)
        twins = Twins(viewer, seats, options, source, moves=source.randint(1, 30 * seats))
        alike(twins.one, twins.other, viewer)


@pytest.mark.parametrize("viewer", [0, 1, 3])
def test_a_bet_is_hidden_from_others_until_the_race_is_over(viewer: int) -> None:
    """Hidden, TU-B1, TU-B2"""
    for last in (False, True):
        played = [
            bet_all(meeting(3), *bets) if last else meeting(3).give(2, bets[1])
            for bets in ((win("noiro"), win("noiro")), (win("noiro"), win("perle")))
        ]
        alike(played[0], played[1], viewer)
        assert seen(played[0], 2) != seen(played[1], 2)


def test_with_open_bets_others_see_them_from_the_first_turn() -> None:
    """Hidden, TU-B2"""
    one, other = (meeting(2, open_bets=True).give(2, win(horse)) for horse in ("noiro", "perle"))
    alike(one, other, 1)
    alike(one, other, 0)
    for played in (one, other):
        played.give(1, win("noiro"))
    assert seen(one, 0) != seen(other, 0)


@pytest.mark.parametrize("viewer", [0, 1, 2])
def test_the_order_of_the_race_deck_is_nobodys(viewer: int) -> None:
    """Hidden"""
    decks = (["noiro-2", "vertige-0", "perle-0"], ["noiro-2", "perle-0", "vertige-0"])
    alike(off(2, deck=decks[0]), off(2, deck=decks[1]), viewer)


@pytest.mark.parametrize("viewer", [0, 1, 2])
def test_tips_that_are_not_dealt_are_nobodys_after_the_race_too(viewer: int) -> None:
    """Hidden"""
    tips = tips_of("vertige-0")
    played = [
        meeting(2, draws=draws, target=30)
        for draws in ({"race-1/tips": tips}, {"race-1/tips": [*tips[:10], *tips[:9:-1]]})
    ]
    for each in played:
        bet_all(each)
        while each.full.race == 1:
            (seat,) = each.game.waiting(each.full)
            each.give(seat, each.game.actions(each.full, seat).actions[0])
        each.events = each.events[: _opening(each)]
    alike(played[0], played[1], viewer)


def _opening(played: Played) -> int:
    """Where race 2 opens: its draws are another matter."""
    kinds = [type(event) for event in played.events]
    return kinds.index(e.RaceSettled) + 2


@pytest.mark.parametrize("viewer", [0, 2, 3])
def test_a_hand_is_its_owners(viewer: int) -> None:
    """Hidden"""
    one = meeting(3, hands={1: ["noiro-0"], 2: ["noiro-1"], 3: ["noiro-2"]})
    other = meeting(3, hands={1: ["noiro-whip"], 2: ["noiro-1"], 3: ["noiro-2"]})
    own = [board(played, 1)["seats"][0]["hand"] for played in (one, other)]
    assert own[0] != own[1]
    assert "noiro-0" not in own[1]
    for played in (one, other):
        hands = [seat["hand"] for seat in board(played, viewer)["seats"]]
        assert [hand is not None for hand in hands] == [viewer == seat for seat in (1, 2, 3)]


def test_every_event_is_known_to_all_and_its_secrets_to_their_owners() -> None:
    """Contract, Log: who has bet and that tips were dealt is no secret."""
    played = bet_all(meeting(3))
    for event in played.events:
        assert event.audience == "public"
        for viewer in range(4):
            known = redact(event, viewer)
            assert known is not None
            if known.private:
                assert set(known.private) == {str(viewer)}


@pytest.mark.parametrize("viewer", [0, 1, 3])
def test_a_nonce_is_hidden_until_the_start(viewer: int) -> None:
    """Contract, Chance: its hash is public."""
    for nonce in ("a secret", "another"):
        played = seated(Played("tuyaux", seats=3), (None, nonce, None), start=False)
        assert all(nonce.encode() not in part for part in seen(played, viewer))


@pytest.mark.parametrize("seat", [1, 2])
def test_a_bot_decides_alike_whatever_it_may_not_know(seat: int) -> None:
    """Two twins, the same source of choice."""
    found = 0
    for seed in range(12):
        source = Random(f"bot {seat} {seed}")
        twins = Twins(seat, 2, {}, source, moves=source.randint(0, 20))
        one, other = (played.view(seat) for played in (twins.one, twins.other))
        if not twins.one.game.owes(one, seat):
            continue
        found += 1
        for bot in BOTS.values():
            assert bot.decide(one, seat, Random(1)) == bot.decide(other, seat, Random(1))
    assert found > 3
