"""Fixed odds, kept as exact tenths; written as a number with at most one decimal."""

from functools import lru_cache

TENTHS = 10
_INEXACT = 2.0**53
"""From here on a float has no decimals (and infinity no tenths)."""


@lru_cache(maxsize=4096)
def to_tenths(odds: int | float) -> int | None:
    """Odds as tenths; None if they have more than one decimal."""
    if isinstance(odds, int):
        return odds * TENTHS
    if not abs(odds) < _INEXACT:
        return None
    tenths = round(odds * TENTHS)
    return tenths if tenths / TENTHS == odds else None


@lru_cache(maxsize=4096)
def to_number(tenths: int) -> int | float:
    """Tenths as JSON shows them: whole odds as an integer, others with one decimal."""
    whole, rest = divmod(tenths, TENTHS)
    return whole if rest == 0 else tenths / TENTHS


def winnings(stake: int, tenths: int) -> int:
    """What a winning stake earns besides itself: exact, since stakes are multiples of 10."""
    return stake * tenths // TENTHS


def returns(stake: int, tenths: int) -> int:
    """Stake plus winnings."""
    return stake + winnings(stake, tenths)
