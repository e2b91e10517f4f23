"""The log audited without the rules of play: every draw and every dollar, recomputed.

It serves where a log has other rules than this release, and as the standing check of the ledger:
it knows the documented lists of the draws and what each event says of money, and nothing else.
"""

from collections.abc import Iterable, Sequence
from typing import Any

from domain.games.bookmaker import events as e
from domain.games.bookmaker.board import CARDS, JOKER_KINDS, JOKERS, OPEN_CARDS
from domain.kernel.chance import Chance, without
from domain.kernel.message import Event
from domain.racing.events import MeetingFinished, MeetingOpened, RaceOpened


class Money:
    """Cash by seat and the bank, as the events move them."""

    def __init__(self, seats: int, start: int) -> None:
        self.cash = [start] * seats
        self.loan = [0] * seats
        self.total = seats * start
        self.lent = 0
        self.taken = 0
        self.bets: dict[int, tuple[int, int, int]] = {}

    def balanced(self) -> bool:
        """BM-P3."""
        return sum(self.cash) == self.total + self.lent - self.taken

    def lend(self, seat: int, amount: int) -> None:
        """From the bank."""
        self.cash[seat - 1] += amount
        self.loan[seat - 1] += amount
        self.lent += amount

    def stake(self, seat: int, bookmaker: int, amount: int) -> None:
        """From the bettor to the book."""
        self.cash[seat - 1] -= amount
        self.cash[bookmaker - 1] += amount

    def move(self, event: Event) -> None:
        """What one event says of money."""
        match event:
            case RaceOpened():
                self.bets = {}
            case e.LoanTaken(seat=int(seat), amount=amount):
                self.lend(seat, amount)
            case e.BetOffered(seat=int(seat)):
                self.bets[event.bet] = (seat, event.bookmaker, event.stake)
            case e.BetPlaced(seat=int(seat)):
                self.bets[event.bet] = (seat, event.bookmaker, event.stake)
                self.stake(seat, event.bookmaker, event.stake)
            case e.BetAccepted():
                seat, bookmaker, _ = self.bets[event.bet]
                self.stake(seat, bookmaker, event.stake)
            case e.RaceSettled():
                self.settle(event)
            case e.BroccoNamed(seat=int(seat)):
                self.cash[seat - 1] -= event.amount
                self.taken += event.amount
            case e.BroccoShared():
                for key, amount in event.shares.items():
                    self.cash[int(key) - 1] += amount
                    self.taken -= amount
            case e.LoansRepaid():
                for r in event.repayments:
                    self.cash[r.seat - 1] -= r.loan + r.interest
                    self.loan[r.seat - 1] -= r.loan
                    self.lent -= r.loan
                    self.taken += r.interest

    def settle(self, event: e.RaceSettled) -> None:
        """The nets are the payments', and loans cover what is short."""
        for payment in event.payments:
            seat, bookmaker, _ = self.bets[payment.bet]
            self.stake(bookmaker, seat, payment.amount)
        for loan in event.loans:
            self.lend(loan.seat, loan.amount)


class Draws:
    """The draws of a meeting from its key, in the lists that the sheet documents."""

    def __init__(self, chance: Chance, seats: int) -> None:
        self.chance = chance
        self.seats = seats
        self.race = 0
        self.kind = ""
        self.dealt = 0
        self.aside: list[str] = []
        self.turned: list[str] = []
        self.last_pass: list[str] = []
        self.at: dict[str, int] = {}

    def order(self, label: str) -> list[Any]:
        """The whole draw under a label."""
        if label == "bookmaker":
            return self.chance.draw(label, range(1, self.seats + 1))
        if label == "brocco":
            return self.chance.draw(label, CARDS)
        deck = self.chance.draw(f"race-{self.race}/deck", without(CARDS, self.aside) or CARDS)
        name = label.partition("/")[2]
        if name == "deck":
            return deck
        behind = deck[OPEN_CARDS:]
        if self.kind in JOKER_KINDS:
            behind = self.chance.draw(f"race-{self.race}/joker-deck", [*behind, *JOKERS])
        if name == "joker-deck":
            return behind
        left = behind[self.dealt :]
        if name in ("trot", "turn"):
            return self.chance.draw(label, left)
        return self.chance.draw(label, self.last_pass)

    def note(self, event: Event) -> None:
        """What later draws depend on."""
        match event:
            case RaceOpened():
                self.race, self.dealt, self.turned, self.last_pass = event.race, 0, [], []
            case e.CardsOpened():
                self.kind = event.kind
            case e.HandsDealt():
                self.dealt = sum(event.counts)
            case e.CardTurned():
                self.turned.append(event.card)
            case e.DeckReshuffled():
                self.last_pass, self.turned = self.turned, []

    def check(self, label: str, piece: Sequence[Any]) -> str | None:
        """Whether a recorded piece is the next of its draw."""
        own = f"race-{self.race}/"
        if label not in ("bookmaker", "brocco") and not label.startswith(own):
            return f"{label}: no draw of race {self.race}"
        at = self.at.get(label, 0)
        if list(piece) != self.order(label)[at : at + len(piece)]:
            return f"{label}: the recorded items are not those drawn"
        self.at[label] = at + len(piece)
        return None


def audit(events: Iterable[Event], chance: Chance | None) -> list[str]:
    """Findings about draws (where `chance` is given: the seed is known) and money.

    Args:
        events: the full log, from its first line.
        chance: the meeting's chance from the revealed seed.
    """
    findings: list[str] = []
    money: Money | None = None
    draws: Draws | None = None
    for event in events:
        if isinstance(event, MeetingOpened):
            money = Money(event.seats, event.options["cash"])
            draws = Draws(chance, event.seats) if chance is not None else None
        if money is None:
            return ["the log does not begin with meeting_opened"]
        if draws is not None:
            draws.note(event) if not isinstance(event, e.CardTurned) else None
            for label, piece in event.pieces():
                problem = draws.check(label, piece)
                if problem:
                    findings.append(f"seq {event.seq}: {problem}")
                if label == "brocco":
                    draws.aside = list(piece)
            if isinstance(event, e.CardTurned):
                draws.note(event)
        money.move(event)
        findings.extend(money_findings(event, money))
    return findings


def money_findings(event: Event, money: Money) -> list[str]:
    """What is wrong with the money after an event."""
    found = []
    if not money.balanced():
        found.append(f"seq {event.seq}: money is not conserved (BM-P3)")
    if isinstance(event, e.RaceSettled):
        nets = [0] * len(money.cash)
        for payment in event.payments:
            seat, bookmaker, _ = money.bets[payment.bet]
            nets[seat - 1] += payment.amount
            nets[bookmaker - 1] -= payment.amount
        if nets != event.nets:
            found.append(f"seq {event.seq}: the nets are not those of the payments")
        if any(cash < 0 for cash in money.cash):
            found.append(f"seq {event.seq}: a seat is left below 0")
    if isinstance(event, e.LoansRepaid) and (
        any(money.loan) or any(10 * r.interest != r.loan for r in event.repayments)
    ):
        found.append(f"seq {event.seq}: the repayments are not the loans and their tenths")
    if isinstance(event, MeetingFinished):
        points = {rank.seat: rank.points for rank in event.ranking}
        if points != {i + 1: cash for i, cash in enumerate(money.cash)}:
            found.append(f"seq {event.seq}: the ranking is not by the money")
    return found
