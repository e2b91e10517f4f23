"""Money and odds: exact, and rounded where it is said."""

from typing import Any

import pytest

from domain.betting.money import interest, is_multiple, share_floor
from domain.betting.odds import returns, to_number, to_tenths, winnings


@pytest.mark.parametrize(
    ("odds", "tenths"),
    [
        (1, 10),
        (3.0, 30),
        (0.1, 1),
        (0.3, 3),
        (99.9, 999),
        (100, 1000),
        (-2.5, -25),
        (0, 0),
        (10**30, 10**31),
        (3.25, None),
        (0.30000000000000004, None),
        (1e308, None),
        (float(2**53), None),
    ],
)
def test_odds_are_read_as_exact_tenths(odds: Any, tenths: int | None) -> None:
    """BM-O1"""
    assert to_tenths(odds) == tenths


def test_every_tenth_is_read_as_it_is_written() -> None:
    """BM-O1"""
    for tenths in range(-1000, 2000):
        assert to_tenths(to_number(tenths)) == tenths


@pytest.mark.parametrize(
    ("amount", "least", "good"),
    [
        (10, 10, True),
        (0, 10, False),
        (0, 0, True),
        (15, 10, False),
        (-10, 0, False),
        (90, 10, True),
    ],
)
def test_stakes_and_loans_are_multiples_of_ten(amount: int, least: int, good: bool) -> None:
    """BM-S2"""
    assert is_multiple(amount, least) == good


def test_with_stakes_in_tens_and_odds_in_tenths_all_sums_are_whole() -> None:
    """BM-S2"""
    for stake in range(10, 500, 10):
        for tenths in range(10, 200):
            assert winnings(stake, tenths) * 10 == stake * tenths
            assert returns(stake, tenths) == stake + winnings(stake, tenths)


def test_shares_are_rounded_down_and_interest_is_exact() -> None:
    """BM-K1, BM-L1"""
    assert share_floor(40, 3) == (13, 1)
    assert [interest(loan) for loan in (0, 10, 70, 1_000_000)] == [0, 1, 7, 100_000]
