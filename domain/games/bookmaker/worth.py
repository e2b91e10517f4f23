"""What money is worth to a seat: by it `steady` weighs chances and sizes stakes.

A seat that gains w values it as -exp(-w / tolerance): a sure sum over an equal gamble, the more so
the larger the sum is. Maximising that is Kelly's rule where the tolerance is the fortune; here it
leans to the fortune of whoever is ahead, since rank is what counts and who is behind must dare.
"""

from collections.abc import Mapping
from math import exp, log

from domain.betting.money import STEP, interest
from domain.games.bookmaker.board import HORSES
from domain.games.bookmaker.state import ACCEPTED, WAITING, Table

OWN_SHARE = 0.25
"""How far the tolerance is the seat's own fortune; the rest is the leader's. Measured."""

EXPONENT_MOST = 50.0
"""Beyond this a gain or loss is as good or bad as can be."""

Chances = dict[str, float]


def fortune(t: Table, seat: int) -> int:
    """What a seat would have if its loans were repaid now."""
    loan = t.loan[seat - 1]
    return t.cash[seat - 1] - loan - interest(loan)


def tolerance(t: Table, seat: int) -> float:
    """How many dollars a seat can be indifferent to."""
    fortunes = [fortune(t, s) for s in range(1, t.seats + 1)]
    mean = max(sum(fortunes) / t.seats, STEP)
    own = max(fortunes[seat - 1], mean / 2)
    return OWN_SHARE * own + (1 - OWN_SHARE) * max(*fortunes, mean)


def gains(t: Table, seat: int) -> dict[str, float]:
    """What the seat gets more (or less) by its bets and its book if a horse wins.

    Its own offers that wait count as accepted. Stakes accepted have been paid already.
    """
    by_winner: dict[str, float] = dict.fromkeys(HORSES, 0.0)
    for bet in t.bets:
        returned = bet.stake * (bet.tenths / 10 + 1)
        if bet.status == ACCEPTED:
            if bet.seat == seat:
                by_winner[bet.horse] += returned
            elif bet.bookmaker == seat:
                by_winner[bet.horse] -= returned
        elif bet.status == WAITING and bet.seat == seat:
            by_winner[bet.horse] += returned
            for horse in HORSES:
                by_winner[horse] -= bet.stake
    return by_winner


def expected(chances: Mapping[str, float], by_winner: Mapping[str, float], t: float) -> float:
    """The expected value of gains at tolerance `t`; higher is better, no winner gains nothing."""
    no_winner = max(0.0, 1.0 - sum(chances.values()))
    return -no_winner - sum(chances[h] * exp(bounded(-by_winner[h] / t)) for h in HORSES)


def bounded(exponent: float) -> float:
    """An exponent that does not overflow."""
    return max(-EXPONENT_MOST, min(exponent, EXPONENT_MOST))


def weighed(chances: Chances, by_winner: Mapping[str, float], t: float) -> Chances:
    """Chances as the seat should bet by them: money counts more where it would lose.

    A bet at odds o gains by these chances just when it gains in `expected`; without bets they are
    the chances themselves.
    """
    weights = {h: chances[h] * exp(bounded(-by_winner[h] / t)) for h in HORSES}
    total = sum(weights.values()) + max(0.0, 1.0 - sum(chances.values()))
    return {h: weights[h] / total for h in HORSES}


def best_stake(chance: float, odds: float, t: float) -> float:
    """The stake on a horse of this weighed chance that is worth most; below 0: take, don't give.

    Args:
        chance: weighed.
        odds: as shown (3 pays 3 for 1 and the stake).
        t: the tolerance.
    """
    chance = min(max(chance, 1e-9), 1 - 1e-9)
    return t / (1 + odds) * log(odds * chance / (1 - chance))


def nearest_stake(wanted: float) -> int:
    """The multiple of 10 next to it, not below 0."""
    return max(0, round(wanted / STEP) * STEP)
