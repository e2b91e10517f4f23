"""What simulated meetings tell of the bots: means with 95 % confidence intervals.

The meetings of one round share their seed and differ in the seats, so they are no independent
samples: a round's mean is one sample.
"""

from collections.abc import Sequence
from math import sqrt
from statistics import NormalDist, fmean, stdev

from msgspec import Struct

from service.simulation import Field, Played

CONFIDENCE = 0.95
SAMPLES_LEAST = 5
"""Below this a margin would be a guess, and is not given."""


class Mean(Struct, frozen=True, kw_only=True):
    """A mean and how far from it, either way, the truth may be; None with too few samples."""

    mean: float
    margin: float | None


class BotFigures(Struct, frozen=True, kw_only=True):
    """How one bot did, for each seat that it had.

    Args:
        seats: how many of a meeting's seats it had.
        points, rank: their means.
        wins: its share of first places, ties shared; a fair share is 1 / seats of the meeting.
    """

    bot: str
    seats: int
    points: Mean
    rank: Mean
    wins: Mean


def t_quantile(freedom: int) -> float:
    """Student's t for a two-sided interval (Fisher's expansion: within 2 % from 4 degrees on)."""
    z = NormalDist().inv_cdf((1 + CONFIDENCE) / 2)
    first = (z**3 + z) / (4 * freedom)
    second = (5 * z**5 + 16 * z**3 + 3 * z) / (96 * freedom**2)
    return z + first + second


def mean_of(samples: Sequence[float]) -> Mean:
    """The mean of independent samples and its margin."""
    if len(samples) < SAMPLES_LEAST:
        return Mean(mean=fmean(samples), margin=None)
    margin = t_quantile(len(samples) - 1) * stdev(samples) / sqrt(len(samples))
    return Mean(mean=fmean(samples), margin=margin)


def share_of_win(played: Played, entrant: int) -> float:
    """1 for the only winner, a part of it for one of several, else 0."""
    return 1 / played.ranks.count(1) if played.ranks[entrant] == 1 else 0.0


def figures(field: Field, meetings: Sequence[Played]) -> list[BotFigures]:
    """How each bot of the field did, in the order of the field."""
    rounds: dict[int, list[Played]] = {}
    for played in sorted(meetings, key=lambda played: played.meeting):
        rounds.setdefault(field.round_of(played.meeting), []).append(played)
    found = []
    for bot in dict.fromkeys(field.bots):
        entrants = [i for i, name in enumerate(field.bots) if name == bot]
        samples = [
            (
                fmean(p.points[i] for p in r for i in entrants),
                fmean(p.ranks[i] for p in r for i in entrants),
                fmean(share_of_win(p, i) for p in r for i in entrants),
            )
            for r in rounds.values()
        ]
        points, rank, wins = (mean_of(column) for column in zip(*samples, strict=True))
        found.append(BotFigures(bot=bot, seats=len(entrants), points=points, rank=rank, wins=wins))
    return found
