"""The log audited without the rules of play: every draw and every coin, recomputed.

It serves where a log has other rules than this release, and as a second look beside deciding anew:
it knows the documented lists of the draws, who holds which cards, and what each event says of
coins, and nothing else.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from domain.games.tuyaux import events as e
from domain.games.tuyaux.board import RACE_CARDS, RACE_DECKS, RACE_TIPS, by_table
from domain.kernel.chance import Chance, without
from domain.kernel.message import Event
from domain.racing.events import MeetingFinished, MeetingOpened, RaceOpened


class Draws:
    """The draws of a meeting from its key, in the lists that the sheet documents."""

    def __init__(self, chance: Chance, seats: int) -> None:
        self.chance = chance
        self.seats = seats
        self.race = 0
        self.card = ""
        self.at: dict[str, int] = {}

    def order(self, label: str) -> list[Any] | None:
        """The whole draw under a label; None where there is no such draw now."""
        if label == "dealer":
            return self.chance.draw(label, range(1, self.seats + 1))
        if label == f"race-{self.race}/programme":
            return self.chance.draw(label, RACE_CARDS)
        if label == f"race-{self.race}/race-deck":
            return self.chance.draw(label, RACE_DECKS.get(self.card, ()))
        if label == f"race-{self.race}/tips":
            return self.chance.draw(label, RACE_TIPS.get(self.card, ()))
        return None

    def note(self, event: Event) -> None:
        """What the draws depend on."""
        match event:
            case RaceOpened():
                self.race, self.card = event.race, ""
            case e.ProgrammeDrawn():
                self.card = event.card

    def check(self, label: str, piece: Sequence[Any]) -> str | None:
        """Whether a recorded piece is the next of its draw."""
        order = self.order(label)
        if order is None:
            return f"{label}: no draw of race {self.race}"
        at = self.at.get(label, 0)
        self.at[label] = at + len(piece)
        if list(piece) != order[at : at + len(piece)]:
            return f"{label}: the recorded items are not those drawn"
        return None


class Books:
    """Hands and coins by seat, as the events move them."""

    def __init__(self, seats: int) -> None:
        self.seats = seats
        self.coins = [0] * seats
        self.hands: dict[int, list[str]] = {}
        self.bets: dict[int, Any] = {}
        self.dealer = 0

    def move(self, event: Event) -> Iterator[str]:
        """Take an event in; what is wrong with it."""
        match event:
            case RaceOpened():
                self.hands, self.bets = {}, {}
            case e.ProgrammeDrawn():
                self.dealer = event.dealer
            case e.TipsDealt():
                yield from self.deal(event)
            case e.BetMade(seat=int(seat)):
                self.bets[seat] = (event.secret(seat) or {}).get("bet")
            case e.TipPlayed(seat=int(seat)):
                left = without(self.hands.get(seat, []), [event.card])
                if left is None:
                    yield f"seat {seat} plays a tip that it does not hold"
                self.hands[seat] = left or []
            case e.BetsRevealed():
                yield from self.compare(event.bets)
            case e.RaceSettled():
                yield from self.compare(event.bets)
                if any(self.hands.values()):
                    yield "the race ends with tips in hand"
                self.coins = [a + b for a, b in zip(self.coins, event.pays, strict=True)]
            case MeetingFinished():
                points = {rank.seat: rank.points for rank in event.ranking}
                if points != dict(enumerate(self.coins, 1)):
                    yield "the ranking is not by the coins"

    def deal(self, event: e.TipsDealt) -> Iterator[str]:
        """The hands are the blocks of the draw, from the seat left of the dealer."""
        dealt = [item for _, piece in event.pieces() for item in piece]
        for block in range(self.seats):
            seat = (self.dealer + block) % self.seats + 1
            hand = (event.secret(seat) or {}).get("hand")
            if hand != by_table(dealt[block * event.count : (block + 1) * event.count]):
                yield f"the hand of seat {seat} is not the one dealt"
            self.hands[seat] = list(hand or ())

    def compare(self, told: Sequence[e.BetForm]) -> Iterator[str]:
        """Bets are told as they were made."""
        made = [self.bets.get(seat) for seat in range(1, self.seats + 1)]
        forms = [{"win": b.win, "place": b.place, "tierce": b.tierce} for b in told]
        if forms != made:
            yield "the bets are not those that were made"


def audit(events: Iterable[Event], chance: Chance | None) -> list[str]:
    """Findings about draws (where `chance` is given: the seed is known), hands, bets and coins.

    Args:
        events: the full log, from its first line.
        chance: the meeting's chance from the revealed seed.
    """
    findings: list[str] = []
    books: Books | None = None
    draws: Draws | None = None
    for event in events:
        if isinstance(event, MeetingOpened):
            books = Books(event.seats)
            draws = Draws(chance, event.seats) if chance is not None else None
        if books is None:
            return ["the log does not begin with meeting_opened"]
        if draws is not None:
            draws.note(event)
            problems = (draws.check(label, piece) for label, piece in event.pieces())
            findings.extend(f"seq {event.seq}: {what}" for what in problems if what)
        findings.extend(f"seq {event.seq}: {what}" for what in books.move(event))
    return findings
