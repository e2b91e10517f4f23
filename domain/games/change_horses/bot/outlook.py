"""What a position is worth to a horse: the match points that it may expect there.

Spaces are counted in halves, so that a move that is likely can be added to where a horse stands.
"""

from collections.abc import Sequence
from math import exp, sqrt

from domain.games.change_horses.board import HORSES, POINTS
from domain.games.change_horses.state import Table
from domain.games.change_horses.track import FIELD

HALVES = 2
SPREAD_OVER = 0.35
SPREAD_GROWTH = 1.5
"""How far apart, in halves, two horses must be for one to stay behind: more, the more is to run."""
FAR = 120
HEATS = 25


def _staying_ahead(heat: int) -> list[float]:
    """By how far the other horse is ahead (index from -FAR): the chance that it ends so."""
    spread = SPREAD_OVER + SPREAD_GROWTH * sqrt(heat)
    return [1 / (1 + exp(max(-60.0, min(60.0, -lead / spread)))) for lead in range(-FAR, FAR + 1)]


_AHEAD = [_staying_ahead(heat) for heat in range(HEATS)]
_FIRST, _SECOND, _THIRD = (float(POINTS[rank]) for rank in (1, 2, 3))


def heat_of(t: Table, spaces: Sequence[int]) -> int:
    """How many spaces the leader is from the finish; 0 once it has crossed."""
    return max(0, min(HEATS - 1, t.finish - max(spaces)))


def worth(halves: Sequence[int], horse: int, heat: int) -> float:
    """The points that a horse may expect: those of being last, or one or two from it."""
    ahead = _AHEAD[heat]
    own = halves[horse] - FAR
    last, one, two = 1.0, 0.0, 0.0
    for other in FIELD:
        if other != horse:
            p = ahead[halves[other] - own]
            q = 1.0 - p
            two = two * p + one * q
            one = one * p + last * q
            last *= p
    return _FIRST * last + _SECOND * one + _THIRD * two


def worths(halves: Sequence[int], heat: int) -> list[float]:
    """The same for every horse."""
    return [worth(halves, horse, heat) for horse in range(len(HORSES))]


def best_worth(halves: Sequence[int], own: Sequence[int], heat: int) -> float:
    """Of two horses the better one counts, and the other is there if that one fails."""
    if len(own) == 1:
        return worth(halves, own[0], heat)
    better, other = worth(halves, own[0], heat), worth(halves, own[1], heat)
    if other > better:
        better, other = other, better
    return better + other * (1 - better / _FIRST) / 2
