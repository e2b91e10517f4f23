"""What a seat may do now, as commands ready to post; and what the server plays on expiry.

Stakes and odds are free numbers, so while betting the list is a varied sample and `schemas.py`
describes the rest. Everything is asked of the seat's own folded state.
"""

from collections.abc import Iterator
from itertools import combinations

from domain.betting.odds import to_number
from domain.games.bookmaker import commands as c
from domain.games.bookmaker.board import (
    CARD_NUMBER,
    CARD_ORDER,
    CHANGES_MOST,
    DEFAULT_ODDS,
    FINISH,
    HORSES,
    JOKER,
    LIMITS_MOST,
    LOAN_TOTAL_MOST,
    LOANS_MOST,
    ODDS_LEAST,
    ODDS_MOST,
    ODDS_SUM_LEAST,
    STAKE_LEAST,
    by_card,
)
from domain.games.bookmaker.offers import (
    answerable,
    books_for,
    budget,
    has_bet,
    may_bet,
    may_declare,
    may_force,
)
from domain.games.bookmaker.phases import may_show, owes
from domain.games.bookmaker.schemas import schema_of
from domain.games.bookmaker.state import Book, Table, asked, horses_in
from domain.kernel.game import Listing
from domain.kernel.message import Command
from domain.racing.meeting import RUNNING, Meeting

SAMPLE_ODDS = (
    DEFAULT_ODDS,
    (10, 30, 30, 30),
    (40, 30, 20, 10),
    (20, 20, 30, 30),
    (50, 50, 50, 50),
    (25, 25, 25, 25),
    (10, 13, 61, 16),
)
"""In tenths; those off the meeting's step are left out."""


def all_odds(tenths: tuple[int, ...] | list[int]) -> c.AllOdds:
    """Odds on all horses, red first, as a command has them."""
    red, blue, green, yellow = (to_number(t) for t in tenths)
    return c.AllOdds(red=red, blue=blue, green=green, yellow=yellow)


def actions(m: Meeting, seat: int) -> Listing:
    """The seat's actions; `borrow` comes last and does not count for `complete`."""
    t: Table = m.table
    listed: list[Command] = []
    sample = False
    if m.status == RUNNING:
        match t.phase:
            case "exchange" if owes(m, seat):
                listed.extend(exchanges(t, seat))
            case "odds" if owes(m, seat):
                listed.extend(settings(t))
                sample = True
            case "bets":
                listed.extend(betting(t, seat))
                sample = any(not isinstance(command, c.Done) for command in listed)
            case "race" if t.waiting and asked(t, seat):
                listed.extend(joker_answers(t))
            case "race" if t.between_cards:
                listed.extend(running(t, seat))
                sample = any(not isinstance(command, c.TurnCard) for command in listed)
            case "brocco" if owes(m, seat):
                listed.extend(c.NameBrocco(horse=horse) for horse in HORSES)
    schema = schema_of(t, seat, listed, may_borrow(m, seat)) if sample else None
    if may_borrow(m, seat):
        listed.append(c.Borrow(amount=STAKE_LEAST))
    return Listing(actions=listed, complete=not sample, schema=schema)


def may_borrow(m: Meeting, seat: int) -> bool:
    """Whether the bank lends to this seat (BM-L1)."""
    t: Table = m.table
    return (
        m.status == RUNNING
        and t.loans_count[seat - 1] < LOANS_MOST
        and t.borrowed[seat - 1] + STAKE_LEAST <= LOAN_TOTAL_MOST
    )


def exchanges(t: Table, seat: int) -> Iterator[Command]:
    """Every two cards of the hand, each pair of names once (BM-D2)."""
    hand = by_card(t.hands[seat - 1] or [])
    for pair in dict.fromkeys(combinations(hand, 2)):
        yield c.ExchangeCards(cards=list(pair))


def settings(t: Table) -> Iterator[Command]:
    """Some legal odds, without limit and with (BM-O1, BM-B2)."""
    on_step = [odds for odds in SAMPLE_ODDS if all(value % t.step == 0 for value in odds)]
    for odds in on_step:
        yield c.SetOdds(odds=all_odds(odds))
    yield c.SetOdds(odds=all_odds(on_step[0]), limit=100)
    yield c.SetOdds(
        odds=all_odds(on_step[1]), limit=c.AllLimits(red=50, blue=None, green=0, yellow=200)
    )


def betting(t: Table, seat: int) -> Iterator[Command]:
    """Bets, answers, changes and the declaration before the race (BM-B)."""
    if may_bet(t, seat):
        yield from bets(t, seat)
    if seat in t.bookmakers:
        for bet in answerable(t, seat):
            for stake in dict.fromkeys((bet.stake, STAKE_LEAST)):
                yield c.AnswerBet(bet=bet.bet, stake=stake)
        yield from changes(t, t.books[seat])
    if may_declare(t, seat):
        yield c.Done()


def bets(t: Table, seat: int) -> Iterator[Command]:
    """In each book on each open horse the least stake, the most, and one between (BM-B1)."""
    most = budget(t, seat)
    stakes = [STAKE_LEAST] if may_force(t, seat) else stakes_up_to(most)
    for bookmaker in books_for(t, seat):
        odds = t.books[bookmaker].odds or {}
        for horse in HORSES:
            if odds.get(horse):
                for stake in stakes:
                    yield c.PlaceBet(bookmaker=bookmaker, horse=horse, stake=stake)


def stakes_up_to(most: int) -> list[int]:
    """The least stake, about a fifth of the budget, and all of it."""
    whole = most // 10 * 10
    fifth = max(STAKE_LEAST, most // 50 * 10)
    return list(dict.fromkeys((STAKE_LEAST, fifth, whole)))


def changes(t: Table, book: Book) -> Iterator[Command]:
    """Limits alone, and changes of odds that a bet accepted since the last allows (BM-B5)."""
    shown = [(book.odds or {})[horse] for horse in HORSES]
    if book.limit_changes < LIMITS_MOST:
        for limit in (None, 50):
            yield c.ChangeOdds(odds=all_odds(shown), limit=limit)
    if not book.open or book.changes >= CHANGES_MOST:
        return
    for i in range(len(HORSES)):  # raising needs no bet on that horse
        raised = shown[i] + 10 if shown[i] else ODDS_LEAST
        if raised <= ODDS_MOST:
            yield c.ChangeOdds(odds=all_odds([*shown[:i], raised, *shown[i + 1 :]]))
    for horse in book.backed:
        i = HORSES.index(horse)
        if shown[i] == 0:
            continue
        closed = [*shown[:i], 0, *shown[i + 1 :]]
        short = ODDS_SUM_LEAST - sum(closed)
        if short > 0:  # others are raised in the same change
            j = next(k for k in range(len(HORSES)) if k != i)
            closed[j] = max(closed[j] + -(-short // t.step) * t.step, ODDS_LEAST)
        yield c.ChangeOdds(odds=all_odds(closed))


def joker_answers(t: Table) -> Iterator[Command]:
    """Play, keep, or keep until a horse still in stands on a space ahead of it (BM-J2)."""
    yield c.PlayJoker()
    yield c.KeepJoker()
    for horse in horses_in(t):
        for space in range(t.spaces[horse] + 1, FINISH + 1):
            yield c.KeepJoker(until=c.Until(horse=horse, space=space))


def running(t: Table, seat: int) -> Iterator[Command]:
    """Between two cards in running (BM-I1)."""
    if seat == t.bookmakers[0]:
        yield c.TurnCard()
    if seat in t.bookmakers:
        if may_show(t, seat):
            yield from shows(t)
        for bet in answerable(t, seat):
            for stake in dict.fromkeys((bet.stake, STAKE_LEAST, 0)):
                yield c.AnswerBet(bet=bet.bet, stake=stake)
    if may_bet(t, seat):
        yield from bets(t, seat)


def shows(t: Table) -> Iterator[Command]:
    """No odds, the same odds on all horses in, and odds on one horse each (BM-I1)."""
    yield c.ShowOdds(odds=c.SomeOdds())
    still_in = horses_in(t)
    for odds in (2, 5):
        yield c.ShowOdds(odds=c.SomeOdds(**dict.fromkeys(still_in, odds)))
    if len(still_in) > 1:
        for horse in still_in:
            yield c.ShowOdds(odds=c.SomeOdds(**{horse: 3}))


def default(m: Meeting, seat: int) -> Command | None:
    """What the server plays for a seat that owes a decision (sheet, Defaults)."""
    t: Table = m.table
    if m.status != RUNNING or not owes(m, seat):
        return None
    match t.phase:
        case "exchange":
            hand = sorted(t.hands[seat - 1] or [], key=lowest_first)
            return c.ExchangeCards(cards=by_card(hand[:2]))
        case "odds":
            return c.SetOdds(odds=all_odds(DEFAULT_ODDS))
        case "bets":
            return default_bet(t, seat)
        case "race":
            return c.KeepJoker() if t.waiting else c.TurnCard()
        case _:
            return c.NameBrocco(horse="red")


def lowest_first(card: str) -> tuple[int, int]:
    """By number, equal ones in the sheet's order, jokers last."""
    return (99 if card == JOKER else CARD_NUMBER[card], CARD_ORDER[card])


def default_bet(t: Table, seat: int) -> Command:
    """A first bet, an answer, or the declaration."""
    if seat not in t.bookmakers and not has_bet(t, seat):
        bookmaker = books_for(t, seat)[0]
        odds = t.books[bookmaker].odds or {}
        horse = max(HORSES, key=lambda name: odds[name])  # the first of the highest
        return c.PlaceBet(bookmaker=bookmaker, horse=horse, stake=STAKE_LEAST)
    if seat in t.bookmakers:
        answers = answerable(t, seat)
        if answers:
            return c.AnswerBet(bet=answers[0].bet, stake=STAKE_LEAST)
    return c.Done()
