"""Questions about offers: which wait, which are answered first, who may still bet (BM-B, BM-I1)."""

from domain.games.bookmaker.board import (
    BROCCO_STAKE,
    OFFERS_MOST,
    OFFERS_RUNNING_MOST,
)
from domain.games.bookmaker.state import ACCEPTED, WAITING, Bet, Table


def distance_left(bookmaker: int, seat: int, seats: int) -> int:
    """How far to the left of the bookmaker a seat sits: the smallest is the nearest."""
    return (seat - bookmaker) % seats


def waiting_bets(t: Table, bookmaker: int | None = None) -> list[Bet]:
    """Offers that wait, by number; of one book."""
    waiting = t.unanswered
    if not (waiting.get(bookmaker) if bookmaker else any(waiting.values())):
        return []
    return [
        b for b in t.bets if b.status == WAITING and (bookmaker is None or b.bookmaker == bookmaker)
    ]


def answerable(t: Table, bookmaker: int) -> list[Bet]:
    """Offers that this bookmaker may answer now: of each horse the first (BM-B4)."""
    waiting = waiting_bets(t, bookmaker)
    if len(waiting) < 2:
        return waiting
    first: dict[str, Bet] = {}
    for bet in sorted(waiting, key=lambda b: distance_left(bookmaker, b.seat, t.seats)):
        first.setdefault(bet.horse, bet)
    return sorted(first.values(), key=lambda b: b.bet)


def has_bet(t: Table, seat: int) -> bool:
    """Whether a seat has a bet accepted, or an offer that waits, in this race (BM-B1, BM-B6)."""
    return any(b.seat == seat and b.status in (WAITING, ACCEPTED) for b in t.bets)


def budget(t: Table, seat: int) -> int:
    """What a seat may still stake: its cash without its waiting offers (BM-B1)."""
    return t.cash[seat - 1] - t.offered[seat - 1]


def may_force(t: Table, seat: int) -> bool:
    """Whether the bank lends this bettor its compulsory 10 (BM-B1)."""
    return seat not in t.bookmakers and t.cash[seat - 1] < BROCCO_STAKE and not has_bet(t, seat)


def books_for(t: Table, seat: int) -> list[int]:
    """The bookmakers with whom this seat may bet, first first (BM-B1)."""
    if t.lone and seat in t.bookmakers:
        return []
    return [b for b in t.bookmakers if b != seat]


def may_bet(t: Table, seat: int) -> bool:
    """Whether this seat could offer some bet now (BM-B1, BM-B6, BM-B7, BM-I1)."""
    if t.phase == "bets":
        if t.done[seat - 1] or t.offers[seat - 1] >= OFFERS_MOST:
            return False
    elif not t.between_cards or t.offers[seat - 1] >= OFFERS_RUNNING_MOST:
        return False
    if budget(t, seat) < BROCCO_STAKE and not may_force(t, seat):
        return False
    for bookmaker in books_for(t, seat):
        odds = t.books[bookmaker].odds
        if odds is not None and any(odds.values()):
            return True
    return False


def may_declare(t: Table, seat: int) -> bool:
    """Whether `done` is open to this seat (BM-B6)."""
    if t.phase != "bets" or t.done[seat - 1] or (t.lone and seat in t.bookmakers):
        return False
    return seat in t.bookmakers or has_bet(t, seat)
