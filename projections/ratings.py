"""Strength as a number: OpenSkill's Plackett-Luce with its default parameters.

A built-in bot enters a meeting with its published rating and leaves with the same. As an opponent
its deviation is the model's own drift between two meetings (tau), the least that the model leaves
anybody: its strength is known, so a meeting with it tells much. Its mean is such that mean less
three deviations is what is published.
"""

from collections.abc import Sequence

from msgspec import Struct
from openskill.models import PlackettLuce

_MODEL = PlackettLuce()
BOT_SIGMA = _MODEL.tau


class Strength(Struct, frozen=True, array_like=True):
    """What is believed of a player: mean and deviation."""

    mu: float = _MODEL.mu
    sigma: float = _MODEL.sigma


NEWCOMER = Strength()


def of_bot(published: float) -> Strength:
    """The strength that a built-in bot has in every meeting."""
    return Strength(published + 3 * BOT_SIGMA, BOT_SIGMA)


def rating_of(strength: Strength) -> float:
    """What is shown and compared: mean less three deviations, rounded to hundredths."""
    return round(strength.mu - 3 * strength.sigma, 2) + 0.0  # no -0.0


def rate(strengths: Sequence[Strength], ranks: Sequence[int]) -> list[Strength]:
    """The strengths after a meeting, from those before it and the rank of each (1 is best).

    The same input in the same order has the same result to the last bit.
    """
    teams = [[_MODEL.rating(mu=s.mu, sigma=s.sigma)] for s in strengths]
    after = _MODEL.rate(teams, ranks=[float(rank) for rank in ranks])
    return [Strength(team[0].mu, team[0].sigma) for team in after]
