"""The log audited without the rules of play: draws, certificates, carrots and points, recomputed.

It serves where a log has other rules than this release, and as a standing check beside the rules:
it knows the documented lists of the draws and what each event says, and nothing else.
"""

from collections.abc import Iterable, Sequence
from typing import Any

from domain.games.change_horses import events as e
from domain.games.change_horses.board import CARROTS_EACH, HORSE_INDEX, HORSES, POINTS
from domain.kernel.chance import Chance
from domain.kernel.message import SERVER, Event
from domain.racing.events import MeetingFinished, MeetingOpened, RaceOpened

Found = list[str]


class Draws:
    """The draws of a meeting from its key, in the lists that the sheet documents."""

    def __init__(self, chance: Chance, seats: int) -> None:
        self.chance = chance
        self.seats = seats
        self.race = 0
        self.made: set[str] = set()

    def items(self, name: str) -> Sequence[Any]:
        """What is drawn from under this name of a race's draw."""
        if name in ("lanes", "certificates"):
            return HORSES
        return range(1 if name == "positions" else 2, self.seats + 1)

    def check(self, event: Event) -> Found:
        """Whether the pieces that an event records are the firsts of their draws."""
        if isinstance(event, RaceOpened):
            self.race = event.race
        found = []
        for label, piece in event.pieces():
            race, _, name = label.partition("/")
            if race != f"race-{self.race}" or label in self.made:
                found.append(f"{label}: no draw is due under this label")
            elif list(piece) != self.chance.draw(label, self.items(name))[: len(piece)]:
                found.append(f"{label}: the recorded items are not those drawn")
            self.made.add(label)
        return found


class Holdings:
    """What each seat has, as the events tell: certificates, carrots, match points."""

    def __init__(self, seats: int, derby: bool) -> None:
        self.seats = seats
        self.start = CARROTS_EACH * seats if derby else 0
        self.carrots = [self.start] * seats
        self.bids: dict[int, int] = {}
        self.certificates: list[list[str]] = []
        self.pile: list[str] = []
        self.spaces = [0] * len(HORSES)
        self.points = [0] * seats

    def note(self, event: Event) -> Found:
        """What one event changes, and what is wrong with it."""
        match event:
            case RaceOpened():
                self.carrots, self.spaces = [self.start] * self.seats, [0] * len(HORSES)
            case e.CertificatesDealt():
                return self.deal(event)
            case e.ChangePlayed(seat=int(seat)):
                return self.change(seat, event.secret(seat) or {})
            case e.HorsesMoved() | e.FastPlayed():
                for move in event.moves:
                    self.spaces[HORSE_INDEX[move.horse]] = move.space
            case e.RaceEnded():
                return self.end(event)
            case MeetingFinished():
                points = {place.seat: place.points for place in event.ranking}
                if points != dict(enumerate(self.points, 1)):
                    return ["the ranking is not of the match points (CH-E6)"]
        return self.bidding(event)

    def bidding(self, event: Event) -> Found:
        """Bids and carrots."""
        match event:
            case e.AuctionOpened():
                self.bids = {}
            case e.BidMade(seat=int(seat)):
                self.bids[seat] = event.carrots
            case e.BidFailed(seat=int(seat)):
                self.carrots[seat - 1] -= event.carrots
                if self.carrots[seat - 1]:
                    return ["a seat that fails gives up all its carrots (CH-D5)"]
            case e.AuctionClosed():
                return self.pay(event)
        return []

    def deal(self, event: e.CertificatesDealt) -> Found:
        """All six certificates are with seats or in the pile."""
        (drawn,) = (event.secret(SERVER) or {})["draws"].values()
        self.certificates = [
            list((event.secret(seat) or {})["certificates"]) for seat in range(1, self.seats + 1)
        ]
        held = [horse for own in self.certificates for horse in own]
        self.pile = list(drawn[len(held) :])
        if sorted(held) != sorted(drawn[: len(held)]) or len(self.pile) != event.pile_count:
            return ["the certificates dealt are not those drawn (CH-S3)"]
        return []

    def change(self, seat: int, secret: dict[str, Any]) -> Found:
        """One goes under the pile, the top one is taken."""
        own = self.certificates[seat - 1]
        gave, took = secret["gave"], secret["took"]
        if gave not in own or took != self.pile[0]:
            return ["the certificates changed are not the seat's and the top one (CH-W4)"]
        own.remove(gave)
        self.pile.append(gave)
        own.append(self.pile.pop(0))
        return []

    def pay(self, event: e.AuctionClosed) -> Found:
        """Every bid is paid by who made it, and can be."""
        if event.paid != {str(seat): bid for seat, bid in self.bids.items()}:
            return ["what is paid is not what was bid (CH-D4)"]
        for seat, bid in self.bids.items():
            self.carrots[seat - 1] -= bid
        return ["a seat pays more carrots than it has (CH-D2)"] if min(self.carrots) < 0 else []

    def end(self, event: e.RaceEnded) -> Found:
        """Certificates as held, ranks from the rear, points by rank."""
        found = []
        held = {str(seat): sorted(own) for seat, own in enumerate(self.certificates, 1)}
        if event.certificates != held:
            found.append("the certificates revealed are not those held (CH-E6)")
        spaces = [self.spaces[HORSE_INDEX[place.horse]] for place in event.ranking]
        ranks = [place.rank for place in event.ranking]
        if spaces != sorted(spaces) or ranks != sorted(ranks):
            found.append("the horses are not ranked from the rear (CH-E2)")
        for i in range(self.seats):
            own = [place.rank for place in event.ranking if place.seat == i + 1]
            if event.points[i] != max(POINTS.get(rank, 0) for rank in own):
                found.append(f"seat {i + 1}: the match points are not those of the rank (CH-E6)")
            self.points[i] += event.points[i]
        return found


def audit(events: Iterable[Event], chance: Chance | None) -> list[str]:
    """Findings about draws (where `chance` is given: the seed is known) and what seats hold.

    Args:
        events: the full log, from its first line.
        chance: the meeting's chance from the revealed seed.
    """
    findings: list[str] = []
    holdings: Holdings | None = None
    draws: Draws | None = None
    for event in events:
        if isinstance(event, MeetingOpened):
            holdings = Holdings(event.seats, event.options["turn_order"] == "derby")
            draws = Draws(chance, event.seats) if chance is not None else None
        if holdings is None:
            return ["the log does not begin with meeting_opened"]
        found = draws.check(event) if draws is not None else []
        found += holdings.note(event)
        findings.extend(f"seq {event.seq}: {what}" for what in found)
    return findings
