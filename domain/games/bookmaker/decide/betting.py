"""Bets before and during the race, odds and limits, declarations, loans (BM-B, BM-L1)."""

from msgspec import UNSET

from domain.betting.money import is_multiple
from domain.betting.odds import to_number, to_tenths
from domain.games.bookmaker import commands as c
from domain.games.bookmaker import events as e
from domain.games.bookmaker import reasons as r
from domain.games.bookmaker.board import (
    CHANGES_MOST,
    HORSES,
    LIMITS_MOST,
    LOAN_TOTAL_MOST,
    LOANS_MOST,
    ODDS_LEAST,
    ODDS_MOST,
    ODDS_SUM_LEAST,
    OFFERS_MOST,
    OFFERS_RUNNING_MOST,
    STAKE_LEAST,
)
from domain.games.bookmaker.decide.prepare import odds_form, read_limit, read_odds
from domain.games.bookmaker.decide.running import ONLY_BETWEEN_CARDS, start_race
from domain.games.bookmaker.offers import answerable, budget, has_bet, may_force, waiting_bets
from domain.games.bookmaker.state import WAITING, Book, Table
from domain.kernel.rejection import (
    ALREADY_DONE,
    NOT_YOUR_TURN,
    WRONG_PHASE,
    Malformed,
    Rejected,
)
from domain.racing.draft import Draft


def require_between_cards(t: Table) -> None:
    """Refuse betting during a race but in running, between two cards (BM-I1)."""
    if t.phase == "race" and not t.between_cards:
        raise Rejected(WRONG_PHASE, ONLY_BETWEEN_CARDS)


def place_bet(draft: Draft, seat: int, command: c.PlaceBet) -> None:
    """A seat offers a bet: taken at once up to the limit, or it waits (BM-B1, BM-B2, BM-B3)."""
    t: Table = draft.table
    require_between_cards(t)
    if command.bookmaker == seat:
        raise Rejected(r.BOOK_OWN)
    if command.bookmaker not in t.bookmakers:
        raise Rejected(r.BOOKMAKER_LONE if t.lone and seat in t.bookmakers else r.BOOK_NONE)
    if t.phase == "bets" and t.done[seat - 1]:
        raise Rejected(r.DECLARED)
    book = t.books[command.bookmaker]
    tenths = (book.odds or {})[command.horse]
    if not is_multiple(command.stake):
        raise Rejected(r.STAKE_STEP)
    if tenths == 0:
        raise Rejected(r.HORSE_CLOSED)
    if command.odds is not UNSET and to_tenths(command.odds) != tenths:
        raise Rejected(r.ODDS_MOVED)
    check_offers(t, seat)
    forced = command.stake == STAKE_LEAST and may_force(t, seat)
    if command.stake > budget(t, seat) and not forced:
        raise Rejected(r.STAKE_CASH)

    if forced:  # BM-B1: the bank lends the compulsory 10 first
        draft.record(e.LoanTaken, seat=seat, amount=STAKE_LEAST, forced=True)
    draft.record(
        e.BetPlaced if taken_at_once(t, book, command) else e.BetOffered,
        seat=seat,
        bet=len(t.bets) + 1,
        bookmaker=command.bookmaker,
        horse=command.horse,
        stake=command.stake,
        odds=to_number(tenths),
    )


def check_offers(t: Table, seat: int) -> None:
    """Refuse an offer too many (BM-B7, BM-I1)."""
    if t.phase == "bets" and t.offers[seat - 1] >= OFFERS_MOST:
        raise Rejected(r.OFFERS_TOO_MANY)
    if t.phase == "race" and t.offers[seat - 1] >= OFFERS_RUNNING_MOST:
        raise Rejected(r.OFFERS_RUNNING)


def taken_at_once(t: Table, book: Book, command: c.PlaceBet) -> bool:
    """Ten can't be refused, and a limit answers by itself; in running nothing does (BM-B2)."""
    if t.phase != "bets":
        return False
    limit = (book.limits or {})[command.horse]
    return command.stake == STAKE_LEAST or (limit is not None and command.stake <= limit)


def answer_bet(draft: Draft, seat: int, command: c.AnswerBet) -> None:
    """A bookmaker accepts so much of an offer that waits (BM-B2, BM-B4; in running BM-I1)."""
    t: Table = draft.table
    require_between_cards(t)
    if seat not in t.bookmakers:
        raise Rejected(NOT_YOUR_TURN)
    if not 1 <= command.bet <= len(t.bets):
        raise Malformed(f"There is no bet {command.bet} in this race.", "/bet")
    bet = t.bets[command.bet - 1]
    if bet.bookmaker != seat:
        raise Rejected(NOT_YOUR_TURN)
    if bet.status != WAITING:
        raise Rejected(ALREADY_DONE)
    if bet not in answerable(t, seat):
        raise Rejected(r.ANSWER_TURN)
    running = t.phase == "race"
    refused = running and command.stake == 0
    if not refused and not (is_multiple(command.stake) and command.stake <= bet.stake):
        raise Rejected(r.ANSWER_RUNNING if running else r.ANSWER_STAKE)

    if refused:
        draft.record(e.BetRefused, seat=seat, bet=bet.bet)
        return
    draft.record(e.BetAccepted, seat=seat, bet=bet.bet, stake=command.stake)
    if not running:
        start_race_if_ready(draft)


def change_odds(draft: Draft, seat: int, command: c.ChangeOdds) -> None:
    """A bookmaker changes its odds, or its limits alone (BM-B5)."""
    t: Table = draft.table
    if seat not in t.bookmakers:
        raise Rejected(NOT_YOUR_TURN)
    book = t.books[seat]
    odds = read_odds(command.odds, t.step, r.CHANGE_RANGE)
    limits = None if command.limit is UNSET else read_limit(command.limit)
    if odds == book.odds:
        set_limits(draft, seat, book, limits)
        return
    check_change(book, odds)

    shown = book.odds or {}
    lapsed = [b.bet for b in waiting_bets(t, seat) if odds[b.horse] != shown[b.horse]]
    withdrawn = [s for s in range(1, t.seats + 1) if s != seat and t.done[s - 1]]
    draft.record(
        e.OddsChanged,
        seat=seat,
        odds=odds_form(odds),
        withdrawn=withdrawn,
        limits=UNSET if limits is None else limits,
    )
    if lapsed:
        draft.record(e.BetsLapsed, bets=lapsed)


def check_change(book: Book, odds: dict[str, int]) -> None:
    """Refuse a change of odds that BM-B5 or BM-B7 forbids."""
    shown = book.odds or {}
    if book.changes >= CHANGES_MOST:
        raise Rejected(r.CHANGE_TOO_MANY)
    if not book.open:
        raise Rejected(r.CHANGE_EARLY)
    if any(value and not ODDS_LEAST <= value <= ODDS_MOST for value in odds.values()):
        raise Rejected(r.CHANGE_RANGE)
    if sum(odds.values()) < ODDS_SUM_LEAST:
        raise Rejected(r.CHANGE_SUM)
    if any(odds[horse] < shown[horse] and horse not in book.backed for horse in HORSES):
        raise Rejected(r.CHANGE_LOWER)


def set_limits(draft: Draft, seat: int, book: Book, limits: dict[str, int | None] | None) -> None:
    """Limits alone, for later offers (BM-B5)."""
    if limits is None:
        raise Rejected(r.CHANGE_NOTHING)
    if book.limit_changes >= LIMITS_MOST:
        raise Rejected(r.CHANGE_LIMITS)
    draft.record(e.LimitsSet, seat=seat, limits=limits)


def done(draft: Draft, seat: int, command: c.Done) -> None:
    """A seat declares that it places no more bets (BM-B6)."""
    t: Table = draft.table
    if t.lone and seat in t.bookmakers:
        raise Rejected(NOT_YOUR_TURN)
    if t.done[seat - 1]:
        raise Rejected(ALREADY_DONE)
    if seat not in t.bookmakers and not has_bet(t, seat):
        raise Rejected(r.DONE_EARLY)
    draft.record(e.DoneDeclared, seat=seat)
    start_race_if_ready(draft)


def start_race_if_ready(draft: Draft) -> None:
    """The race starts when all have declared and no offer waits (BM-B6)."""
    t: Table = draft.table
    lone = t.bookmakers[0] if t.lone else 0
    declared = all(done or seat == lone for seat, done in enumerate(t.done, 1))
    if declared and not waiting_bets(t):
        start_race(draft)


def borrow(draft: Draft, seat: int, command: c.Borrow) -> None:
    """The bank lends within the bounds of BM-L1."""
    t: Table = draft.table
    if not is_multiple(command.amount):
        raise Rejected(r.LOAN_STEP)
    if t.borrowed[seat - 1] + command.amount > LOAN_TOTAL_MOST:
        raise Rejected(r.LOAN_TOTAL)
    if t.loans_count[seat - 1] >= LOANS_MOST:
        raise Rejected(r.LOAN_COUNT)
    draft.record(e.LoanTaken, seat=seat, amount=command.amount, forced=False)
