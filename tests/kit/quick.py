"""A policy of Bookmaker that draws one legal command without listing all: benchmarks move by it.

It bets, answers, changes odds, plays jokers and declares, each now and then; what it leaves out
(loans, limits, odds in running) needs no speed.
"""

from random import Random

from domain.betting.odds import to_number
from domain.games.bookmaker import commands as c
from domain.games.bookmaker.actions import all_odds
from domain.games.bookmaker.board import CHANGES_MOST, HORSES, ODDS_MOST, by_card
from domain.games.bookmaker.offers import (
    answerable,
    books_for,
    budget,
    has_bet,
    may_bet,
    may_force,
)
from domain.games.bookmaker.state import Table
from domain.kernel.message import Command
from domain.racing.meeting import Meeting

ODDS = ((3, 3, 2, 2), (1, 3, 3, 3), (4, 3, 2, 1), (2, 2, 3, 3))


def quick(m: Meeting, seat: int, random: Random) -> Command:
    """Some legal command of a seat that owes a decision."""
    t: Table = m.table
    match t.phase:
        case "exchange":
            return c.ExchangeCards(cards=by_card(random.sample(t.hands[seat - 1] or [], 2)))
        case "odds":
            odds = random.choice(ODDS)
            return c.SetOdds(odds=c.AllOdds(**dict(zip(HORSES, odds, strict=True))))
        case "bets":
            return _bets(t, seat, random)
        case "race" if t.waiting:
            return c.PlayJoker() if random.random() < 0.2 else c.KeepJoker()
        case "race":
            return c.TurnCard()
        case _:
            return c.NameBrocco(horse=random.choice(HORSES))


def _bets(t: Table, seat: int, random: Random) -> Command:
    if seat in t.bookmakers:
        offers = answerable(t, seat)
        if offers:
            offer = random.choice(offers)
            return c.AnswerBet(bet=offer.bet, stake=random.choice((10, offer.stake)))
        book = t.books[seat]
        if book.open and book.changes < CHANGES_MOST and random.random() < 0.5:
            return _raised(t, seat, random)
    bettor = seat not in t.bookmakers
    owes_bet = bettor and not has_bet(t, seat)
    if (owes_bet or random.random() < 0.8) and may_bet(t, seat):
        return _bet(t, seat, random)
    return c.Done()


def _raised(t: Table, seat: int, random: Random) -> Command:
    shown = [(t.books[seat].odds or {})[horse] for horse in HORSES]
    i = random.randrange(4)
    shown[i] = min(max(shown[i], 10) + t.step, ODDS_MOST)
    return c.ChangeOdds(odds=all_odds(shown))


def _bet(t: Table, seat: int, random: Random) -> Command:
    bookmaker = random.choice(books_for(t, seat))
    odds = t.books[bookmaker].odds or {}
    horse = random.choice([horse for horse in HORSES if odds[horse]])
    most = 1 if may_force(t, seat) else budget(t, seat) // 10
    stake = 10 if random.random() < 0.5 else 10 * random.randint(1, most)
    at = to_number(odds[horse])
    return c.PlaceBet(bookmaker=bookmaker, horse=horse, stake=stake, odds=at)
