"""Lists of actions and defaults (contract, Actions; sheet, Commands)."""

from itertools import combinations, permutations, product
from typing import Any

import pytest

from domain.games.tuyaux import commands as c
from domain.kernel.message import Command
from domain.kernel.rejection import Rejected
from tests.domain.games.tuyaux.paddock import (
    HORSES,
    both,
    meeting,
    off,
    play,
    printed,
    tierce,
    tip,
    values_of,
    win,
)
from tests.kit.meetings import Played
from tests.kit.spec import fork

CARDS = list(printed())


def listed(played: Played, seat: int) -> list[Command]:
    """What a seat may do; the lists of this game are always whole."""
    listing = played.game.actions(played.view(seat), seat)
    assert listing.complete
    assert listing.schema is None
    return listing.actions


def default(played: Played, seat: int) -> Command | None:
    """What the server plays on expiry."""
    return played.game.default(played.view(seat), seat)


def bets_by_hand(option: str, starters: list[Any]) -> list[Command]:
    """Every bet, by the first horse named, then the next."""
    match option:
        case "win":
            return [win(horse) for horse in starters]
        case "two_wins":
            return [win(*pair) for pair in combinations(starters, 2)]
        case "win_and_place":
            return [both(one, other) for one, other in product(starters, repeat=2)]
    return [tierce(*three) for three in permutations(starters, 3)]


@pytest.mark.parametrize("card", CARDS)
@pytest.mark.parametrize("option", ["win", "two_wins", "win_and_place", "tierce"])
def test_every_bet_stands_there_once_in_table_order(card: str, option: str) -> None:
    """TU-B3"""
    played = meeting(2, card=card, bets=option)
    wanted = bets_by_hand(option, list(values_of(card)))
    for seat in (1, 2):
        assert listed(played, seat) == wanted
        assert default(played, seat) == wanted[0]


@pytest.mark.parametrize(
    ("option", "starters", "count"),
    [
        *(("win", 6, 6), ("two_wins", 6, 15), ("win_and_place", 6, 36), ("tierce", 6, 120)),
        ("tierce", 4, 24),
    ],
)
def test_how_many_bets_there_are(option: str, starters: int, count: int) -> None:
    """TU-B3"""
    card = next(card for card in CARDS if printed()[card][0] == starters)
    assert len(listed(meeting(2, card=card, bets=option), 1)) == count


@pytest.mark.parametrize("option", ["win", "two_wins", "win_and_place", "tierce"])
def test_what_is_listed_is_accepted_and_nothing_else(option: str) -> None:
    """Contract, Actions: every bet that can be written with up to three horses."""
    played = meeting(2, card="vertige-1", bets=option)
    actions = listed(played, 1)
    lists = [list(some) for n in range(4) for some in product(HORSES, repeat=n)]
    tried: list[c.Bet] = [c.Bet(win=some) for some in lists]
    tried += [c.Bet(tierce=some) for some in lists]
    tried += [c.Bet(win=some, place=h) for some in lists if len(some) < 3 for h in HORSES]
    tried += [c.Bet(place=horse) for horse in HORSES]
    taken = []
    for bet in tried:
        try:
            fork(played).give(1, bet)
        except Rejected:
            continue
        taken.append(c.in_order(bet))
    assert all(bet in taken for bet in actions)
    assert all(bet in actions for bet in taken)
    assert len(taken) == len(actions) * (2 if option == "two_wins" else 1), "either order is taken"


def test_tips_are_those_in_hand_each_name_once_in_table_order() -> None:
    """TU-S2"""
    tips = ["perle-whip", "vertige-2", "perle-1", "vertige-2", "vertige-whip"]
    played = off(2, hands={2: tips})
    wanted = ["vertige-2", "vertige-whip", "perle-1", "perle-whip"]
    assert listed(played, 2) == [tip(card) for card in wanted]
    assert default(played, 2) == tip("vertige-2")
    play(played, "vertige-2", played.full.table.hands[0][0])
    assert listed(played, 2) == [tip(card) for card in wanted]
    play(played, "vertige-2", played.full.table.hands[0][0])
    assert listed(played, 2) == [tip(card) for card in wanted[1:]]


def test_who_owes_nothing_has_no_actions_and_no_default() -> None:
    """Contract, Actions"""
    betting = meeting(3).give(2, win("noiro"))
    racing = off(3)
    over = meeting(3).abandon()
    before = Played("tuyaux", seats=3)
    for played, idle in ((betting, (2,)), (racing, (1, 3)), (over, (1, 2, 3)), (before, (1, 2))):
        for seat in idle:
            assert listed(played, seat) == []
            assert default(played, seat) is None


def test_the_public_finds_the_phases_with_their_commands() -> None:
    """Commands"""
    game = meeting(2).game
    assert {phase: [kind.__name__ for kind in kinds] for phase, kinds in game.phases.items()} == {
        "bet": ["Bet"],
        "tips": ["PlayTip"],
    }
    assert game.awaits(meeting(2).full) is None
