"""What the folds share: the ledger, loans, and odds and bets in the form they are written."""

from functools import lru_cache
from operator import itemgetter
from typing import TypeVar

from domain.betting.odds import to_tenths
from domain.games.bookmaker import events as e
from domain.games.bookmaker.board import HORSES
from domain.games.bookmaker.commands import Number
from domain.games.bookmaker.state import LedgerEntry, Table
from domain.racing.meeting import Meeting

T = TypeVar("T")
_RED_FIRST = itemgetter(*HORSES)
"""What stands by horse, red first."""


def entry(
    m: Meeting, source: int | str, target: int | str, amount: int, why: str, bet: int | None = None
) -> None:
    """A line of the ledger, under the public feed's number of the event being folded."""
    t: Table = m.table
    t.ledger.append(
        LedgerEntry(
            event=m.public_version,
            source=source,
            target=target,
            amount=amount,
            why=why,
            race=t.race,
            bet=bet,
        )
    )


def lend(m: Meeting, seat: int, amount: int) -> None:
    """Cash from the bank, owed until the end."""
    t: Table = m.table
    t.cash[seat - 1] += amount
    t.loan[seat - 1] += amount
    t.lent += amount
    entry(m, "bank", seat, amount, "loan")


def tenths_of(odds: e.OddsMap) -> dict[str, int]:
    """Odds by horse as exact tenths."""
    return exact_odds(*_RED_FIRST(odds))


@lru_cache(maxsize=256)  # every viewer folds the same odds; nobody writes into the answer
def exact_odds(*odds: Number) -> dict[str, int]:
    """Odds, red first, as exact tenths by horse."""
    exact = {horse: to_tenths(number) for horse, number in zip(HORSES, odds, strict=True)}
    assert None not in exact.values(), "odds in the log are tenths"
    return exact  # type: ignore[return-value] # checked above


def by_horse(written: dict[str, T]) -> dict[str, T]:
    """What stands by horse, red first, in whatever order the log has it."""
    return written if tuple(written) == HORSES else {horse: written[horse] for horse in HORSES}


def show_odds(t: Table, seat: int, odds: e.OddsMap, tenths: dict[str, int]) -> None:
    """A book's odds are these from now on, for all to see: as written, and as exact tenths."""
    t.books[seat].odds = tenths
    t.odds_shown[str(seat)] = by_horse(odds)


def show_limits(t: Table, seat: int, limits: e.LimitMap) -> None:
    """A book's limits are these from now on, for all to see."""
    t.books[seat].limits = t.limits_shown[str(seat)] = by_horse(limits)
