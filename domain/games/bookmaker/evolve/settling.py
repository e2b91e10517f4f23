"""Money at the end of a race and of the meeting."""

from domain.games.bookmaker import events as e
from domain.games.bookmaker.evolve.ledger import entry, lend
from domain.games.bookmaker.state import ACCEPTED, BookResult, RaceResult, Table
from domain.racing.evolve import Lost
from domain.racing.meeting import Meeting


def race_settled(m: Meeting, event: e.RaceSettled) -> Lost:
    """Bets as they ended, money as the event says, the race's entry in the results."""
    t: Table = m.table
    assert t.kind is not None, "a race was run"
    paid = dict.fromkeys(t.bookmakers, 0)
    taken = dict.fromkeys(t.bookmakers, 0)
    for bet in t.bets:
        if bet.status == ACCEPTED:
            taken[bet.bookmaker] += bet.stake
    for payment in event.payments:
        bet = t.bets[payment.bet - 1]
        bet.status = payment.status
        paid[bet.bookmaker] += payment.amount
        entry(m, bet.bookmaker, bet.seat, payment.amount, payment.status, bet.bet)
    for number in event.lost:
        t.bets[number - 1].status = "lost"
    for i, net in enumerate(event.nets):
        t.cash[i] += net
    for loan in event.loans:
        lend(m, loan.seat, loan.amount)
    t.results.append(
        RaceResult(
            race=t.race,
            kind=t.kind,
            winner=t.winner,
            out=list(t.out),
            bets=t.bets,
            books=[BookResult(seat=s, taken=taken[s], paid=paid[s]) for s in t.bookmakers],
        )
    )
    t.how = None
    return None


def brocco_opened(m: Meeting, event: e.BroccoOpened) -> Lost:
    """Every seat is asked."""
    m.table.phase = "brocco"
    return None


def brocco_named(m: Meeting, event: e.BroccoNamed) -> Lost:
    """Ten into the pot, which the bank holds; the horse is the seat's secret."""
    t: Table = m.table
    assert event.seat
    t.named.append(event.seat)
    secret = event.secret(event.seat)
    if secret:
        t.names[event.seat] = secret["horse"]
    t.cash[event.seat - 1] -= event.amount
    t.taken += event.amount
    t.pot += event.amount
    entry(m, event.seat, "bank", event.amount, "brocco")
    return None


def settlement_opened(m: Meeting, event: e.SettlementOpened) -> Lost:
    """The meeting's settlement is owed."""
    m.table.phase = "settlement"
    return None


def brocco_shared(m: Meeting, event: e.BroccoShared) -> Lost:
    """The pot is shared, the card shown."""
    t: Table = m.table
    t.brocco_card = event.card
    for seat, amount in event.shares.items():
        t.cash[int(seat) - 1] += amount
        t.taken -= amount
        entry(m, "bank", int(seat), amount, "brocco")
    t.brocco_result = {
        "card": event.card,
        "named": event.named,
        "pot": event.pot,
        "shares": event.shares,
    }
    return None


def loans_repaid(m: Meeting, event: e.LoansRepaid) -> Lost:
    """Loans and their tenths go to the bank."""
    t: Table = m.table
    for r in event.repayments:
        t.cash[r.seat - 1] -= r.loan + r.interest
        t.loan[r.seat - 1] = 0
        t.lent -= r.loan
        t.taken += r.interest
        entry(m, r.seat, "bank", r.loan + r.interest, "repayment")
    return None
