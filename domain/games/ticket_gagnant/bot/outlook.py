"""What a prediction is worth as horses stand while cards are left, by chances.

Each horse's space at the finish is taken for where it stands, and what the own hand
can still do for it, give or take what the others' cards will do; so of any two horses each is ahead
with some chance, and the others ahead of a horse are counted as if these were independent.
"""

from collections.abc import Sequence
from math import exp, inf, sqrt

from domain.games.ticket_gagnant.board import (
    DISQUALIFIED,
    HORSES,
    NO_SHOW,
    PAIR_OF,
    PAYS_EXACT,
    PAYS_SHOWN,
    PLACES,
    ROW,
    SINGLE_OF,
    WILD_LENGTHS,
)
from domain.games.ticket_gagnant.bot.finish import bonus, named_of
from domain.games.ticket_gagnant.state import Table
from domain.games.ticket_gagnant.track import Ground, Play

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
TOGETHER = 1.12
"""Three exact places come together more often than chances that are independent say: by the cube
of this."""
CLEARLY = 1e-9
"""Less than this is no difference: what is listed first is taken."""
ITSELF = -1.0
"""Stands for no chance in a list of chances by horse."""
RAIL_LANE = 0.05
"""What a lane nearer the rail is worth, in spaces, where the rail settles ties."""

Chances = tuple[float, float, float, float]
"""Of ranks 1 to 3, and of being behind all others."""


class Outlook:
    """What a seat may expect of its prediction while cards are left.

    Args:
        t: the table, as the seat knows it.
        field: the ground of the race.
        seat: whose prediction it is.
    """

    def __init__(self, t: Table, field: Ground, seat: int) -> None:
        prediction, hand = t.predictions[seat - 1], t.hands[seat - 1]
        assert prediction is not None, "the seat has predicted"
        assert hand is not None, "a seat knows its own hand"
        self._named = named_of(prediction)
        self._predicted = frozenset(horse for _, horse in self._named)
        self._hoofprints = field.hoofprints
        self._last_costs = t.last_place - NO_SHOW
        self._lane = RAIL_LANE if t.photo_finish == "rail" else 0.0
        others = sum(t.hand_counts) - t.hand_counts[seat - 1]
        self._slope = LOGIT / sqrt(SPREAD**2 + SPREAD_A_CARD**2 * others)
        self._stays = STAYS ** (sum(t.hand_counts) - 1)
        self._known: list[dict[tuple[float, float], float]] = [{} for _ in HORSES]
        self._puts: list[dict[int, float]] = [{} for _ in HORSES]
        self._rest: list[dict[int, Chances]] = [{} for _ in HORSES]
        self._costs: dict[str, float] = {}

        self._helped = {card: self._help(card) for card in hand}
        self._far = [0.0] * len(HORSES)
        for card in hand:
            for horse, more in self._helped[card].items():
                self._far[horse] += more
        rows = map(self._row, t.places)
        self._at = [row + more for row, more in zip(rows, self._far, strict=True)]
        self._out = [self._falls(where) for where in t.places]
        self._ahead = {horse: self._ahead_of(horse, self._at[horse]) for horse in self._predicted}
        self._now = self._reckon(0, self._at[0], self._out[0])

    def _help(self, card: str) -> dict[int, float]:
        """How much further a card in hand may bring predicted horses."""
        if card in SINGLE_OF:
            horse, length = SINGLE_OF[card]
            return {horse: length} if horse in self._predicted else {}
        if card in PAIR_OF:
            return dict.fromkeys(self._predicted.intersection(PAIR_OF[card]), PAIR_SHARE)
        return dict.fromkeys(self._predicted, WILD_SHARE * WILD_LENGTHS[card][-1])

    def _row(self, where: int) -> float:
        return where // ROW - self._lane * (where % ROW)

    def _falls(self, where: int) -> float:
        """The chance that a horse there is disqualified."""
        return self._stays if where in self._hoofprints else 0.0

    def worth(self, play: Play) -> float:
        """What the prediction may be expected to earn after a play.

        What the displaced horse changes is added up, and that the card no longer helps on, each as
        if it were alone.
        """
        card, mover = play.card, play.horse
        if card in SINGLE_OF and self._helped[card]:  # it helps nobody but its mover
            row = self._row(play.end) + self._far[mover] - self._helped[card][mover]
            worth = self._worth(mover, row, self._falls(play.end))
        else:
            worth = self.put(mover, play.end) - self._cost(card)
        if play.options:
            worth += self.put(play.displaced, self.place_for(play)) - self._now
        return worth

    def _cost(self, card: str) -> float:
        """What the prediction is worth less without the help of a card."""
        cost = self._costs.get(card)
        if cost is None:
            cost = self._costs[card] = sum(
                self._now - self._worth(horse, self._at[horse] - more, self._out[horse])
                for horse, more in self._helped[card].items()
            )
        return cost

    def place_for(self, play: Play) -> int:
        """Where the displaced horse is best put."""
        horse, puts = play.displaced, self._puts[play.displaced]
        best, most = play.options[0], -inf
        for to in play.options:
            worth = puts.get(to)
            if worth is None:
                worth = self.put(horse, to)
            if worth > most + CLEARLY:
                best, most = to, worth
        return best

    def put(self, horse: int, where: int) -> float:
        """What the prediction may be expected to earn with a horse put somewhere."""
        puts = self._puts[horse]
        worth = puts.get(where)
        if worth is None:
            row = self._row(where) + self._far[horse]
            worth = puts[where] = self._worth(horse, row, self._falls(where))
        return worth

    def _worth(self, horse: int, row: float, falls: float) -> float:
        """Likewise, with a horse expected on a row, to be disqualified with some chance."""
        known = self._known[horse]
        worth = known.get((row, falls))
        if worth is None:
            worth = known[row, falls] = self._reckon(horse, row, falls)
        return worth

    def _reckon(self, horse: int, row: float, falls: float) -> float:
        total, exact, shown = 0.0, 1.0, 1.0
        for place, named in self._named:
            if named == horse:
                stays = 1 - falls
                chances = chances_of(self._ahead_of(horse, row))
            else:
                stays = 1 - self._out[named]
                ahead = (1 - falls) / (1 + exp(self._slope * (self._at[named] - row)))
                chances = joined(self._without(named, horse), ahead)
            first, second, third, last = chances
            right, in_three = chances[place], first + second + third
            pay = PAYS_EXACT[place] * right + PAYS_SHOWN * (in_three - right)
            pay += NO_SHOW * (1 - in_three) + self._last_costs * last
            total += pay * stays + DISQUALIFIED * (1 - stays)
            exact *= right * stays * TOGETHER
            shown *= in_three * stays
        return total + bonus(exact, shown) if len(self._named) == len(PLACES) else total

    def _ahead_of(self, horse: int, row: float) -> list[float]:
        """By horse, the chance that it is ahead of one on a row; ITSELF for that one."""
        slope = self._slope
        chances = [
            (1 - out) / (1 + exp(slope * (row - at)))
            for at, out in zip(self._at, self._out, strict=True)
        ]
        chances[horse] = ITSELF
        return chances

    def _without(self, named: int, horse: int) -> Chances:
        """The chances of a predicted horse as if another one were not there."""
        rest = self._rest[named].get(horse)
        if rest is None:
            ahead = list(self._ahead[named])
            ahead[horse] = ITSELF
            rest = self._rest[named][horse] = chances_of(ahead)
        return rest


def chances_of(ahead: Sequence[float]) -> Chances:
    """The chances of a horse by those of the others to be ahead of it, ITSELF for none."""
    first, second, third, last = 1.0, 0.0, 0.0, 1.0
    for chance in ahead:
        if chance != ITSELF:
            third += chance * (second - third)
            second += chance * (first - second)
            first -= chance * first
            last *= chance
    return first, second, third, last


def joined(chances: Chances, ahead: float) -> Chances:
    """The chances with one horse more, which is ahead with this chance."""
    first, second, third, last = chances
    return (
        first - ahead * first,
        second + ahead * (first - second),
        third + ahead * (second - third),
        last * ahead,
    )
