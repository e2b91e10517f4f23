"""`steady` as bookmaker: odds, changes of odds, answers to offers, odds in running."""

from math import exp

from domain.betting.odds import to_number
from domain.games.bookmaker import commands as c
from domain.games.bookmaker.actions import all_odds
from domain.games.bookmaker.board import (
    CHANGES_MOST,
    HORSES,
    ODDS_LEAST,
    ODDS_MOST,
    ODDS_SUM_LEAST,
    STAKE_LEAST,
)
from domain.games.bookmaker.chances import chances_for
from domain.games.bookmaker.offers import answerable
from domain.games.bookmaker.phases import may_show
from domain.games.bookmaker.state import Table, horses_in
from domain.games.bookmaker.worth import (
    Chances,
    best_stake,
    gains,
    nearest_stake,
    tolerance,
    weighed,
)
from domain.kernel.message import Command

FOLLOWING = 5.0
"""How strongly bettors are thought to prefer the horse whose odds are best for them."""
CHANGE_GAIN = 0.04
"""Odds are changed for at least this much more profit on a dollar staked."""
SHARE_SHOWN = 0.85
"""In running, odds are shown that give back so much of a dollar staked."""

Tenths = dict[str, int]


def profit(chances: Chances, odds: Tenths) -> float:
    """What a book keeps of a dollar staked, where bettors lean to what is best for them."""
    kept = stakes = 0.0
    for horse in HORSES:
        if odds[horse]:
            back = chances[horse] * (odds[horse] / 10 + 1)
            staked = exp(FOLLOWING * (back - 1))
            kept += staked * (1 - back)
            stakes += staked
    return kept / stakes


def best_odds(t: Table, chances: Chances, least: Tenths) -> Tenths:
    """Odds raised from these, step by step where it costs least, until their sum is legal."""
    odds = dict(least)
    while sum(odds.values()) < ODDS_SUM_LEAST:
        tried = [
            (profit(chances, {**odds, horse: odds[horse] + t.step}), horse)
            for horse in HORSES
            if odds[horse] + t.step <= ODDS_MOST
        ]
        odds[max(tried)[1]] += t.step
    return odds


def set_odds(t: Table, seat: int) -> Command:
    """The odds that keep most; no limits, since every offer is worth a look at the whole book."""
    odds = best_odds(t, chances_for(t, seat), {horse: ODDS_LEAST for horse in HORSES})
    return c.SetOdds(odds=all_odds([odds[horse] for horse in HORSES]))


def change_odds(t: Table, seat: int) -> Command | None:
    """Other odds once bets show these to be too high, or the book to lean too far (BM-B5)."""
    book = t.books.get(seat)
    if book is None or book.odds is None or not book.open or book.changes >= CHANGES_MOST:
        return None
    chances = weighed(chances_for(t, seat), gains(t, seat), tolerance(t, seat))
    shown = book.odds
    least: Tenths = {h: ODDS_LEAST if h in book.backed else shown[h] for h in HORSES}
    odds = best_odds(t, chances, least)
    if profit(chances, odds) < profit(chances, shown) + CHANGE_GAIN:
        return None
    return c.ChangeOdds(odds=all_odds([odds[horse] for horse in HORSES]))


def answer(t: Table, seat: int) -> Command | None:
    """As much of the oldest offer that may be answered as the book is better off with."""
    offers = answerable(t, seat)
    if not offers:
        return None
    offer = offers[0]
    bearable = tolerance(t, seat)
    chances = weighed(chances_for(t, seat), gains(t, seat), bearable)
    wanted = nearest_stake(-best_stake(chances[offer.horse], offer.tenths / 10, bearable))
    least = 0 if t.phase == "race" else STAKE_LEAST  # BM-B2, BM-I1
    return c.AnswerBet(bet=offer.bet, stake=max(least, min(offer.stake, wanted)))


def show_odds(t: Table, seat: int) -> Command | None:
    """In running: odds with a margin on every horse still in that has a chance, once a card."""
    book = t.books.get(seat)
    if book is None or book.shows or not may_show(t, seat):
        return None
    chances = weighed(chances_for(t, seat), gains(t, seat), tolerance(t, seat))
    odds: dict[str, int | float] = {}
    for horse in horses_in(t):
        fair = 10 * (SHARE_SHOWN / max(chances[horse], 1e-9) - 1)
        tenths = min(int(fair // t.step) * t.step, ODDS_MOST)
        if tenths >= ODDS_LEAST:
            odds[horse] = to_number(tenths)
    return c.ShowOdds(odds=c.SomeOdds(**odds)) if odds else None
