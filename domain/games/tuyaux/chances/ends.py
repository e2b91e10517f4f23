"""How a race may end and what bets are then worth, by a small simulation from what a seat knows.

The others play any tip; the seat's own later tips are played by a rule of thumb: each where it does
more than it would on average later.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from domain.games.tuyaux.chances.outlook import BIT, Field, Future, Outlook
from domain.games.tuyaux.events import BetForm
from domain.games.tuyaux.settle import PLACE_PAYS, WIN_PAYS


def run(
    known: Outlook, future: Future, wishes: Sequence[float], chosen: int | None = None
) -> Field:
    """The field at the end of a race that goes this way.

    Args:
        known: what the seat knows.
        future: what it does not.
        wishes: by tip of its hand, how much it wants that horse ahead.
        chosen: the tip that it plays now, by its place in the hand, where it is its turn.
    """
    field = known.field.copy()
    hand = known.hand
    left = list(range(len(hand)))
    if chosen is not None:
        left.remove(chosen)
        if future.own[chosen]:
            shift(field, hand[chosen][0], future.own[chosen])
        for bit, there in future.after:
            shift(field, bit, there)
    for turn in future.turns:
        if turn.value:
            shift(field, turn.bit, turn.value)
        for bit, there in turn.before:
            shift(field, bit, there)
        gains = turn.gains
        best, most = left[0], wishes[left[0]] * gains[left[0]]
        for i in left:
            gain = wishes[i] * gains[i]
            if gain > most:
                best, most = i, gain
        left.remove(best)
        if turn.own[best]:
            shift(field, hand[best][0], turn.own[best])
        for bit, there in turn.after:
            shift(field, bit, there)
    return field


def shift(field: Field, bit: int, there: int) -> None:
    """Move a horse in place by 1 place or more: what `track.move` does (TU-M7), on bits."""
    try:
        at = field.index(bit)
    except ValueError:  # it shares a line, which the first step only leaves
        at = 0
        while not field[at] & bit:
            at += 1
        field[at] ^= bit
        if there > 0:
            there -= 1
        else:
            at += 1
            there += 1
        field.insert(at, bit)
    to = max(at - there, 0)
    if to != at:
        field.insert(to, field.pop(at))  # beyond the last is behind the last


def first_three(field: Field) -> tuple[int, ...]:
    """The bits of the first three horses; on a shared line in table order."""
    found: list[int] = []
    for line in field:
        rest = line
        while rest:
            first = rest & -rest
            found.append(first)
            rest ^= first
        if len(found) > 2:
            break
    return tuple(found[:3])


class Ends:
    """The ways in which a race ended, counted."""

    def __init__(self, fields: Iterable[Field], values: Mapping[str, int]) -> None:
        self.values = values
        self.count = 0
        self.front: Counter[int] = Counter()
        self.placed: Counter[int] = Counter()
        self.three: Counter[tuple[int, ...]] = Counter()
        self.three_any: Counter[int] = Counter()
        for field in fields:
            self.count += 1
            front = field[0]
            self.front[front] += 1
            self.placed[front if front & (front - 1) else front | field[1]] += 1
            three = first_three(field)
            self.three[three] += 1
            self.three_any[sum(three)] += 1

    def worth(self, bet: BetForm) -> float:
        """What a bet pays on average (TU-E1); a dead heat counts for a tierce in one order only."""
        coins = 0
        for horse in bet.win or ():
            coins += holding(self.front, BIT[horse]) * WIN_PAYS[self.values[horse]]
        if bet.place is not None:
            coins += holding(self.placed, BIT[bet.place]) * PLACE_PAYS[self.values[bet.place]]
        if bet.tierce is not None:
            named = tuple(BIT[horse] for horse in bet.tierce)
            exact = self.three[named]
            coins += exact * sum(WIN_PAYS[self.values[horse]] for horse in bet.tierce)
            others = self.three_any[sum(named)] - exact
            coins += others * sum(PLACE_PAYS[self.values[horse]] for horse in bet.tierce)
        return coins / self.count


def holding(counted: Counter[int], bit: int) -> int:
    """How often a horse was among those counted."""
    return sum(times for bits, times in counted.items() if bits & bit)
