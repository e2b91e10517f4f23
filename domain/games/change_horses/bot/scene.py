"""A turn as its seat sees it: what a card is worth, over what the seats after it may play."""

from collections.abc import Iterator, Sequence
from itertools import product

from domain.games.change_horses.board import CARD_HORSES, HORSE_INDEX, empties, rounds
from domain.games.change_horses.bot.outlook import HALVES, best_worth, heat_of
from domain.games.change_horses.state import Table
from domain.games.change_horses.track import board_steps, count, march
from domain.kernel.game import Chooser

FUTURES_MOST = 12
"""So many ways in which the others may play on are looked at."""

Future = list[int]
"""How often each horse will be shown by the others in this round."""


def own_horses(t: Table, seat: int) -> list[int]:
    """The seat's horses, by index from A."""
    return [HORSE_INDEX[horse] for horse in t.certificates[seat - 1] or []]


def futures(t: Table, seat: int, chooser: Chooser) -> list[Future]:
    """What the seats after this one may play in this round: all of it, or a sample."""
    hands = remaining_hands(t)
    ways = 1
    for cards in hands:
        ways *= len(cards)
    chosen: Iterator[Sequence[str]]
    if ways <= FUTURES_MOST:
        chosen = product(*hands)
    else:
        chosen = ([chooser.choice(cards) for cards in hands] for _ in range(FUTURES_MOST))
    return [count(cards) for cards in chosen]


def remaining_hands(t: Table) -> list[list[str]]:
    """The shown cards of each turn of this round after the present one."""
    return [t.shown[seat - 1] for seat in t.order[t.turn + 1 :]]


class Scene:
    """A turn as its seat sees it.

    Args:
        t: the table.
        seat: in turn.
        futures: see `futures`.
    """

    def __init__(self, t: Table, seat: int, ahead: list[Future]) -> None:
        self.t = t
        self.own = own_horses(t, seat)
        self.shown = list(dict.fromkeys(t.shown[seat - 1]))
        self.futures = ahead
        self.goes_on = not empties(t.round) and t.round < rounds(t.seats)

    def after(self, counts: list[int], lanes: list[int], spaces: list[int]) -> float:
        """What it is worth when the horses move by these counts."""
        moved = list(spaces)
        for horse, space in march(lanes, spaces, board_steps(counts)):
            moved[horse] = space
        heat = heat_of(self.t, moved)
        if self.goes_on and heat:
            halves = [HALVES * space + n for space, n in zip(moved, counts, strict=True)]
        else:
            halves = [HALVES * space for space in moved]
        return best_worth(halves, self.own, heat)

    def card(self, card: str, counts: list[int], lanes: list[int], spaces: list[int]) -> float:
        """What a card is worth, over what the others may do."""
        one, other = CARD_HORSES[card]
        total = 0.0
        for future in self.futures:
            sums = [n + more for n, more in zip(counts, future, strict=True)]
            sums[one] += 1
            sums[other] += 1
            total += self.after(sums, lanes, spaces)
        return total / len(self.futures)

    def best(self, counts: list[int], lanes: list[int], spaces: list[int]) -> float:
        """What the best card is worth."""
        return max(self.card(card, counts, lanes, spaces) for card in self.shown)
