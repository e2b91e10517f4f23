"""Bets, odds, limits, declarations and loans."""

from domain.games.bookmaker import events as e
from domain.games.bookmaker.evolve.ledger import entry, lend, show_limits, show_odds, tenths_of
from domain.games.bookmaker.evolve.lost import finds_other_odds, own_seat
from domain.games.bookmaker.offers import answerable, may_declare
from domain.games.bookmaker.state import ACCEPTED, LAPSED, REFUSED, WAITING, Bet, Table
from domain.racing.evolve import Lost
from domain.racing.meeting import Meeting


def add_bet(m: Meeting, event: e.BetOffered | e.BetPlaced, status: str) -> Bet:
    """A new bet in the list."""
    t: Table = m.table
    assert event.seat
    bet = Bet(
        bet=event.bet,
        seat=event.seat,
        bookmaker=event.bookmaker,
        horse=event.horse,
        stake=event.stake,
        odds=event.odds,
        status=status,
    )
    t.bets.append(bet)
    if status == WAITING:
        t.unanswered[bet.bookmaker] = t.unanswered.get(bet.bookmaker, 0) + 1
        t.offered[bet.seat - 1] += bet.stake
    t.offers[event.seat - 1] += 1
    return bet


def wait_no_more(t: Table, bet: Bet, status: str) -> None:
    """An offer is taken, refused, or gone."""
    t.unanswered[bet.bookmaker] -= 1
    t.offered[bet.seat - 1] -= bet.stake
    bet.status = status


def pay_stake(m: Meeting, bet: Bet) -> None:
    """The stake goes from the bettor to the book, which now may change its odds (BM-B5)."""
    t: Table = m.table
    t.cash[bet.seat - 1] -= bet.stake
    t.cash[bet.bookmaker - 1] += bet.stake
    book = t.books[bet.bookmaker]
    book.open = True
    if bet.horse not in book.backed:
        book.backed.append(bet.horse)
    entry(m, bet.seat, bet.bookmaker, bet.stake, "stake", bet.bet)


def bet_offered(m: Meeting, event: e.BetOffered) -> Lost:
    """An offer waits; one that came earlier on this horse may have to wait for it (BM-B4)."""
    t: Table = m.table
    if m.viewer != event.bookmaker:  # nobody else answers it
        add_bet(m, event, WAITING)
        return None
    before = answerable(t, event.bookmaker)
    add_bet(m, event, WAITING)
    if not before:
        return None
    after = answerable(t, event.bookmaker)
    return None if all(bet in after for bet in before) else own_seat(m)


def bet_placed(m: Meeting, event: e.BetPlaced) -> Lost:
    """Accepted at once."""
    pay_stake(m, add_bet(m, event, ACCEPTED))
    return None


def bet_accepted(m: Meeting, event: e.BetAccepted) -> Lost:
    """So much of it is accepted."""
    t: Table = m.table
    bet = t.bets[event.bet - 1]
    wait_no_more(t, bet, ACCEPTED)
    bet.stake = event.stake
    pay_stake(m, bet)
    return None


def bet_refused(m: Meeting, event: e.BetRefused) -> Lost:
    """Not taken."""
    t: Table = m.table
    wait_no_more(t, t.bets[event.bet - 1], REFUSED)
    return None


def bets_lapsed(m: Meeting, event: e.BetsLapsed) -> Lost:
    """Gone without cost; before the race a lapsed offer does not count (BM-B7).

    Its bookmaker can't answer it any more, and a bettor left without a bet can't declare.
    """
    t: Table = m.table
    could_declare = [seat for seat in own_seat(m) if may_declare(t, seat)]
    books = set()
    for number in event.bets:
        bet = t.bets[number - 1]
        wait_no_more(t, bet, LAPSED)
        books.add(bet.bookmaker)
        if t.phase == "bets":
            t.offers[bet.seat - 1] -= 1
    return books.union(seat for seat in could_declare if not may_declare(t, seat))


def odds_changed(m: Meeting, event: e.OddsChanged) -> Lost:
    """New odds; the declarations named are taken back."""
    t: Table = m.table
    assert event.seat
    book = t.books[event.seat]
    odds = tenths_of(event.odds)
    lost = finds_other_odds(m, book, odds)
    show_odds(t, event.seat, event.odds, odds)
    if event.limits:
        show_limits(t, event.seat, event.limits)
    book.open = False
    book.changes += 1
    for seat in event.withdrawn:
        t.done[seat - 1] = False
    return lost


def limits_set(m: Meeting, event: e.LimitsSet) -> Lost:
    """New limits for later offers."""
    assert event.seat
    t: Table = m.table
    show_limits(t, event.seat, event.limits)
    t.books[event.seat].limit_changes += 1
    return None


def done_declared(m: Meeting, event: e.DoneDeclared) -> Lost:
    """One seat is done."""
    assert event.seat
    m.table.done[event.seat - 1] = True
    return None


def loan_taken(m: Meeting, event: e.LoanTaken) -> Lost:
    """The bank lends."""
    t: Table = m.table
    assert event.seat
    i = event.seat - 1
    lend(m, event.seat, event.amount)
    if not event.forced:
        t.borrowed[i] += event.amount
        t.loans_count[i] += 1
    return None
