"""The bets of each option: what is asked, what they are as commands and as facts (TU-B3)."""

from collections.abc import Iterator, Mapping
from functools import cache
from itertools import combinations, permutations, product
from typing import Any

from msgspec import UNSET

from domain.games.tuyaux.board import PROGRAMMES, horses_in_order
from domain.games.tuyaux.commands import Bet

ASKED: Mapping[str, Mapping[str, int]] = {
    "win": {"win": 1},
    "two_wins": {"win": 2},
    "win_and_place": {"win": 1, "place": 1},
    "tierce": {"tierce": 3},
}
"""Option -> the parts of a bet, each with the number of horses it names."""


def as_form(bet: Bet) -> dict[str, Any]:
    """A bet as facts and boards have it; horses bet to win in table order: it has no meaning."""
    return {
        "win": None if bet.win is UNSET else horses_in_order(bet.win),
        "place": None if bet.place is UNSET else bet.place,
        "tierce": None if bet.tierce is UNSET else list(bet.tierce),
    }


def as_command(form: Mapping[str, Any]) -> Bet:
    """The command that makes this bet."""
    return Bet(**{name: part for name, part in form.items() if part is not None})


@cache
def all_bets(option: str, card: str) -> tuple[Bet, ...]:
    """Every bet on the starters of a race card, by the first horse named, then the next.

    Args:
        option: which bets are asked.
        card: the race card that names the starters.
    """
    return tuple(_bets(option, card))


def _bets(option: str, card: str) -> Iterator[Bet]:
    starters = tuple(PROGRAMMES[card])
    match option:
        case "win":
            for horse in starters:
                yield Bet(win=[horse])
        case "two_wins":
            for pair in combinations(starters, 2):
                yield Bet(win=list(pair))
        case "win_and_place":
            for win, place in product(starters, repeat=2):
                yield Bet(win=[win], place=place)
        case _:
            for three in permutations(starters, 3):
                yield Bet(tierce=list(three))
