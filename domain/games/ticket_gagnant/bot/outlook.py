"""What a prediction is worth as horses stand: exactly at the end, by chances before.

Before the end, each horse's space at the finish is taken for where it stands, and what the own hand
can still do for it, give or take what the others' cards will do; so of any two horses each is ahead
with some chance, and the others ahead of a horse are counted as if these were independent.
"""

from collections.abc import Sequence
from math import exp, prod, sqrt

from msgspec import Struct

from domain.games.ticket_gagnant.board import (
    BOXED,
    DISQUALIFIED,
    HORSE_INDEX,
    HORSES,
    NO_SHOW,
    PAIR_OF,
    PAYS_EXACT,
    PAYS_SHOWN,
    PLACES,
    ROW,
    SINGLE_OF,
    TRIFECTA,
    WILD_LENGTHS,
)
from domain.games.ticket_gagnant.events import Prediction
from domain.games.ticket_gagnant.state import Table
from domain.games.ticket_gagnant.track import Ground

SPREAD, SPREAD_A_CARD = 1.2, 0.7
"""How far off a horse's space is expected to be, and how much each card of the others adds to it
(in squares): a standard deviation of the difference of two horses."""
LOGIT = 1.702
"""Makes a logistic curve nearly the normal one."""
WILD_SHARE = 0.6
"""What a space of a wild card in hand is worth to each predicted horse, in spaces."""
PAIR_SHARE = 0.3
"""Likewise a pair in hand with the horse on it."""
STAYS = 0.8
"""The chance that a horse on a hoofprint is not moved by one more card."""
TOGETHER = 1.4
"""Three exact places come together so much more often than chances that are independent say."""
RAIL_LANE = 0.05
"""What a lane nearer the rail is worth, in spaces, where the rail settles ties."""

NOBODY: Sequence[float] = (0.0,) * len(HORSES)
"""How likely each horse is out where no space disqualifies."""

Named = tuple[tuple[int, int], ...]
Chances = tuple[float, float, float, float]
"""Of ranks 1 to 3, and of being behind all others."""


def named_of(prediction: Prediction) -> Named:
    """(place, horse) of a prediction, both by index."""
    return tuple((i, HORSE_INDEX[horse]) for i, horse in enumerate(prediction.named) if horse)


class Finish(Struct, frozen=True, kw_only=True):
    """Worth of a prediction when no card is left: exact but for chances of ties.

    Args:
        named: (place, horse) of the prediction.
        hoofprints: places that disqualify.
        rail: whether the rail settles ties; else each of the tied is as likely ahead.
        last_place: what the last of seven costs.
    """

    named: Named
    hoofprints: frozenset[int]
    rail: bool
    last_place: int

    def worth(self, places: Sequence[int]) -> float:
        """What the prediction earns, on average over photo finishes."""
        rows = [where // ROW for where in places]
        if self.rail:
            rows = [where // ROW * ROW + ROW - where % ROW for where in places]
        racing = [h for h in range(len(HORSES)) if places[h] not in self.hoofprints]
        total, exact, shown = 0.0, [], []
        for place, horse in self.named:
            if horse not in racing:
                total += DISQUALIFIED
                exact.append(0.0)
                shown.append(0.0)
                continue
            ahead = sum(rows[h] > rows[horse] for h in racing)
            tied = sum(rows[h] == rows[horse] for h in racing)
            ranks = range(ahead, ahead + tied)
            total += sum(self._pay(place, rank, len(racing)) for rank in ranks) / tied
            exact.append((place in ranks) / tied)
            shown.append(sum(rank < len(PLACES) for rank in ranks) / tied)
        return total + bonus(exact, shown)

    def _pay(self, place: int, rank: int, ranked: int) -> int:
        if rank < len(PLACES):
            return PAYS_EXACT[place] if rank == place else PAYS_SHOWN
        return self.last_place if rank == len(HORSES) - 1 and ranked == len(HORSES) else NO_SHOW


def bonus(exact: Sequence[float], shown: Sequence[float]) -> float:
    """What three predicted horses add, by their chances (TG-P6)."""
    if len(exact) < len(PLACES):
        return 0.0
    trifecta = prod(exact)
    return TRIFECTA * trifecta + BOXED * (prod(shown) - trifecta)


class Outlook:
    """Worth of a prediction while cards are left.

    Args:
        t: the table, as the seat knows it.
        field: the ground of the race.
        seat: whose prediction it is.
    """

    def __init__(self, t: Table, field: Ground, seat: int) -> None:
        prediction = t.predictions[seat - 1]
        assert prediction is not None, "the seat has predicted"
        self.named = named_of(prediction)
        self.finish = Finish(
            named=self.named,
            hoofprints=field.hoofprints,
            rail=t.photo_finish == "rail",
            last_place=t.last_place,
        )
        self._hoofprints = field.hoofprints
        self._lane = RAIL_LANE if t.photo_finish == "rail" else 0.0
        self._last_costs = t.last_place - NO_SHOW
        left = sum(t.hand_counts) - 1
        others = sum(t.hand_counts) - t.hand_counts[seat - 1]
        self._slope = LOGIT / sqrt(SPREAD**2 + SPREAD_A_CARD**2 * others)
        self._stays = STAYS**left
        self._known: dict[tuple[str, tuple[int, ...]], float] = {}
        self._exact_rows = bool(field.hoofprints) or bool(self._lane)

    def different(self, options: Sequence[int]) -> Sequence[int]:
        """Of places for a displaced horse the first in each row, where only rows matter."""
        if self._exact_rows or len(options) < 2:
            return options
        firsts: dict[int, int] = {}
        for where in options:
            firsts.setdefault(where // ROW, where)
        return tuple(firsts.values())

    def helped(self, hand: Sequence[str], played: str) -> list[float]:
        """By horse, how much further the rest of a hand may bring it, if predicted."""
        rest = list(hand)
        rest.remove(played)
        far = [0.0] * len(HORSES)
        named = [horse for _, horse in self.named]
        for card in rest:
            if card in SINGLE_OF:
                horse, length = SINGLE_OF[card]
                if horse in named:
                    far[horse] += length
            elif card in PAIR_OF:
                for horse in PAIR_OF[card]:
                    if horse in named:
                        far[horse] += PAIR_SHARE
            else:
                for horse in named:
                    far[horse] += WILD_SHARE * WILD_LENGTHS[card][-1]
        return far

    def worth(self, card: str, places: Sequence[int], far: Sequence[float]) -> float:
        """What the prediction may be expected to earn after a card; of the same rows the same."""
        key = (card, tuple(places) if self._exact_rows else tuple([w // ROW for w in places]))
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = self._reckon(places, far)
        return known

    def _reckon(self, places: Sequence[int], far: Sequence[float]) -> float:
        lane = self._lane
        at = [w // ROW + more for w, more in zip(places, far, strict=True)]
        if lane:
            at = [a - lane * (w % ROW) for a, w in zip(at, places, strict=True)]
        out = NOBODY
        if self._hoofprints:
            out = [self._stays if where in self._hoofprints else 0.0 for where in places]
        total, exact, shown = 0.0, [], []
        for place, horse in self.named:
            chances = self._chances(horse, at, out)
            right, in_three = chances[place], sum(chances[:3])
            pay = PAYS_EXACT[place] * right + PAYS_SHOWN * (in_three - right)
            pay += NO_SHOW * (1 - in_three) + self._last_costs * chances[3]
            stays = 1 - out[horse]
            total += pay * stays + DISQUALIFIED * out[horse]
            exact.append(min(1.0, right * stays * TOGETHER ** (1 / 3)))
            shown.append(in_three * stays)
        return total + bonus(exact, shown)

    def _chances(self, horse: int, at: Sequence[float], out: Sequence[float]) -> Chances:
        """The chances of a horse that is not disqualified."""
        own, slope = at[horse], self._slope
        first, second, third, last = 1.0, 0.0, 0.0, 1.0
        for other, where in enumerate(at):
            if other != horse:
                ahead = 1 / (1 + exp(slope * (own - where)))
                if out is not NOBODY:
                    ahead *= 1 - out[other]
                third += ahead * (second - third)
                second += ahead * (first - second)
                first -= ahead * first
                last *= ahead
        return first, second, third, last
