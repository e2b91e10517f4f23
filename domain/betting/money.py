"""Money is whole units; every division names its rounding."""

STEP = 10
"""Stakes and loans are multiples of this."""

INTEREST_PERCENT = 10


def is_multiple(amount: int, least: int = STEP) -> bool:
    """Whether an amount is a multiple of 10 and at least `least`."""
    return amount >= least and amount % STEP == 0


def shortfall(cash: int) -> int:
    """What must be borrowed to bring cash to 0 or above: rounded up to a multiple of 10."""
    return -(cash // STEP) * STEP if cash < 0 else 0


def interest(loan: int) -> int:
    """The flat tenth on a loan: exact, since loans are multiples of 10."""
    return loan * INTEREST_PERCENT // 100


def share_floor(pot: int, heads: int) -> tuple[int, int]:
    """What each of those who share gets in whole units, rounded down, and the remainder."""
    return divmod(pot, heads)
