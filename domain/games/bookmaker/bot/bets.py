"""`steady` as bettor: the offer that is worth most, sized by Kelly's rule."""

from domain.games.bookmaker import commands as c
from domain.games.bookmaker.board import HORSES, STAKE_LEAST
from domain.games.bookmaker.chances import chances_for
from domain.games.bookmaker.offers import books_for, budget, has_bet, may_bet
from domain.games.bookmaker.state import ACCEPTED, REFUSED, WAITING, Table
from domain.games.bookmaker.worth import best_stake, gains, nearest_stake, tolerance, weighed
from domain.kernel.message import Command

CUT_OFFERS = 4
"""After so many offers on a horse were cut to 10, a bookmaker wants no more: offer it 10 each."""


def bet(t: Table, seat: int) -> Command | None:
    """The offer that is worth most; a bettor's compulsory bet even at a loss (BM-B1)."""
    if not may_bet(t, seat):
        return None
    bearable = tolerance(t, seat)
    chances = weighed(chances_for(t, seat), gains(t, seat), bearable)
    tried = []
    for bookmaker in books_for(t, seat):
        for horse in HORSES:
            tenths = (t.books[bookmaker].odds or {}).get(horse, 0)
            if tenths and not answered(t, seat, bookmaker, horse):
                edge = chances[horse] * (tenths / 10 + 1) - 1
                wanted = best_stake(chances[horse], tenths / 10, bearable)
                tried.append((edge * max(wanted, 1.0), edge, wanted, bookmaker, horse))
    if not tried:
        return None
    _, edge, wanted, bookmaker, horse = max(tried)
    stake = min(nearest_stake(wanted), budget(t, seat) // 10 * 10)
    if edge > 0 and stake >= STAKE_LEAST:
        if cut_offers(t, seat, bookmaker, horse) >= CUT_OFFERS:
            stake = STAKE_LEAST
        return c.PlaceBet(bookmaker=bookmaker, horse=horse, stake=stake)
    if t.phase == "bets" and seat not in t.bookmakers and not has_bet(t, seat):
        return c.PlaceBet(bookmaker=bookmaker, horse=horse, stake=STAKE_LEAST)
    return None


def answered(t: Table, seat: int, bookmaker: int, horse: str) -> bool:
    """Whether such an offer waits; in running, whether it had its answer."""
    statuses = (WAITING, ACCEPTED, REFUSED) if t.phase == "race" else (WAITING,)
    return any(
        b.seat == seat and b.bookmaker == bookmaker and b.horse == horse and b.status in statuses
        for b in t.bets
    )


def cut_offers(t: Table, seat: int, bookmaker: int, horse: str) -> int:
    """How many bets of 10 the seat has on a horse in a book."""
    return sum(
        b.seat == seat
        and b.bookmaker == bookmaker
        and b.horse == horse
        and b.status == ACCEPTED
        and b.stake == STAKE_LEAST
        for b in t.bets
    )
