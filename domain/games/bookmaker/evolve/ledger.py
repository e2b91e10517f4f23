"""What the folds share: the ledger, loans, and odds and bets in the form they are written."""

from domain.betting.odds import to_number, to_tenths
from domain.games.bookmaker import events as e
from domain.games.bookmaker.board import HORSES
from domain.games.bookmaker.state import LedgerEntry, Table
from domain.racing.meeting import Meeting


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
    exact = {horse: to_tenths(odds[horse]) for horse in HORSES}
    assert None not in exact.values(), "odds in the log are tenths"
    return exact  # type: ignore[return-value] # checked above


def limits_of(limits: e.LimitMap) -> dict[str, int | None]:
    """Limits by horse, red first, in whatever order the log has them."""
    return {horse: limits[horse] for horse in HORSES}


def show_odds(t: Table, seat: int, tenths: dict[str, int]) -> None:
    """A book's odds are these from now on, for all to see."""
    t.books[seat].odds = tenths
    t.odds_shown[str(seat)] = {horse: to_number(tenths[horse]) for horse in HORSES}


def show_limits(t: Table, seat: int, limits: e.LimitMap) -> None:
    """A book's limits are these from now on, for all to see."""
    t.books[seat].limits = t.limits_shown[str(seat)] = limits_of(limits)
