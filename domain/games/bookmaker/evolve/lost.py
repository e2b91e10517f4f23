"""Which decisions an event makes another: who loses an action, or finds other odds (contract).

Folds return these seats. Only the viewer's own decision is numbered, so nobody else is looked at:
a full or public fold asks nothing.
"""

from domain.games.bookmaker.offers import may_bet
from domain.games.bookmaker.phases import may_show
from domain.games.bookmaker.state import Book, Table
from domain.racing.evolve import Lost
from domain.racing.meeting import Meeting


def own_seat(m: Meeting) -> tuple[int, ...]:
    """The viewer's seat, where it is one."""
    return (m.viewer,) if m.viewer > 0 else ()


def finds_other_odds(m: Meeting, book: Book, odds: dict[str, int]) -> Lost:
    """Asked before the odds are set: the viewer, if it may bet at odds that now change.

    A horse that was closed and opens only adds to what it may do.
    """
    shown = book.odds or {}
    if m.viewer < 1 or m.viewer == book.seat or not may_bet(m.table, m.viewer):
        return None
    changed = any(tenths and odds[horse] != tenths for horse, tenths in shown.items())
    return own_seat(m) if changed else None


def loses_by_card(m: Meeting, out: bool) -> Lost:
    """Asked before a card in running is folded: the viewer, if it could bet, or show odds on a
    horse that goes out (BM-I1)."""
    t: Table = m.table
    seat = m.viewer
    if seat < 1:
        return None
    shows = out and seat in t.bookmakers and may_show(t, seat)
    return own_seat(m) if shows or may_bet(t, seat) else None
