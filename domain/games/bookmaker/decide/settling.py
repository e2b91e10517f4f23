"""Settlement of races and of the meeting, and the Brocco (BM-P, BM-K1)."""

from domain.games.bookmaker import commands as c
from domain.games.bookmaker import events as e
from domain.games.bookmaker.board import BROCCO_STAKE, CARD_HORSE
from domain.games.bookmaker.decide.prepare import open_race
from domain.games.bookmaker.settle import Stake, ranking, repayments, share_pot
from domain.games.bookmaker.settle import settle_race as pay_race
from domain.games.bookmaker.state import ACCEPTED, Table
from domain.kernel.rejection import ALREADY_DONE, WRONG_PHASE, Rejected
from domain.racing.draft import Draft
from domain.racing.events import MeetingFinished, RaceClosed, Rank


def settle_race(draft: Draft, seat: int, command: c.SettleRace) -> None:
    """Pay the race, close it, and open the next or go to the end (BM-P1, BM-P2)."""
    t: Table = draft.table
    if t.how is None:
        raise Rejected(WRONG_PHASE)
    stakes = [
        Stake(b.bet, b.seat, b.bookmaker, b.horse, b.stake, b.tenths)
        for b in t.bets
        if b.status == ACCEPTED
    ]
    paid = pay_race(stakes, t.winner, t.how, t.out, t.cash)
    draft.record(
        e.RaceSettled,
        payments=[e.Payment(bet=b, status=s, amount=a) for b, s, a in paid.payments],
        lost=paid.lost,
        nets=paid.nets,
        loans=[e.Loan(seat=s, amount=a) for s, a in paid.loans],
    )
    draft.record(RaceClosed, race=t.race)
    if t.race < len(t.programme):
        open_race(draft, t.race + 1)
    else:
        draft.record(e.BroccoOpened if t.brocco else e.SettlementOpened)


def name_brocco(draft: Draft, seat: int, command: c.NameBrocco) -> None:
    """A seat names a horse in secret and puts in 10 (BM-K1)."""
    t: Table = draft.table
    if seat in t.named:
        raise Rejected(ALREADY_DONE)
    if t.cash[seat - 1] < BROCCO_STAKE:
        draft.record(
            e.LoanTaken,
            seat=seat,
            amount=BROCCO_STAKE,
            forced=True,
            private={seat: {}},
            secret_command=True,
        )
    draft.record(
        e.BroccoNamed,
        seat=seat,
        amount=BROCCO_STAKE,
        private={seat: {"horse": command.horse}},
        secret_command=True,
    )
    if len(t.named) == t.seats:
        draft.record(e.SettlementOpened)


def settle_meeting(draft: Draft, seat: int, command: c.SettleMeeting) -> None:
    """Share the pot, take the loans back, rank by money (BM-P2)."""
    t: Table = draft.table
    if t.how is not None:
        raise Rejected(WRONG_PHASE)
    if t.brocco:
        card = t.brocco_card
        assert card is not None, "the full meeting knows the card"
        shares = share_pot(t.pot, t.names, CARD_HORSE[card])
        draft.record(
            e.BroccoShared,
            card=card,
            named={str(s): t.names[s] for s in sorted(t.names)},
            pot=t.pot,
            shares={str(s): amount for s, amount in shares.items()},
        )
    owed = repayments(t.loan)
    if owed:
        draft.record(
            e.LoansRepaid,
            repayments=[e.Repayment(seat=s, loan=n, interest=i) for s, n, i in owed],
        )
    seed = draft.meeting.seed
    assert seed is not None, "only the full meeting decides"
    draft.record(
        MeetingFinished,
        ranking=[Rank(seat=s, rank=k, points=p) for s, k, p in ranking(t.cash)],
        seed=seed,
    )
