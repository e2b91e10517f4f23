"""The log audited without the rules of play: every draw and every score, recomputed.

It serves where a log has other rules than this release, and as a second look: it knows where events
put horses, what was predicted, the documented lists of the draws, and what a finish earns.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from domain.games.ticket_gagnant import events as e
from domain.games.ticket_gagnant.board import HORSES, STANDARD
from domain.games.ticket_gagnant.options import pool_of
from domain.games.ticket_gagnant.settle import final_ranking, net, new_score
from domain.kernel.chance import Chance
from domain.kernel.message import Event
from domain.racing.events import MeetingFinished, MeetingOpened, RaceOpened


def audit(events: Iterable[Event], chance: Chance | None) -> list[str]:
    """Findings about draws (where `chance` is given: the seed is known) and scores.

    Args:
        events: the full log, from its first line.
        chance: the meeting's chance from the revealed seed.
    """
    findings: list[str] = []
    opened: MeetingOpened | None = None
    scores: Scores | None = None
    for event in events:
        if isinstance(event, MeetingOpened):
            opened, scores = event, Scores(event.options, event.seats)
        assert opened is not None, "a log opens its meeting"
        assert scores is not None
        findings += [f"seq {event.seq}: {what}" for what in scores.follow(event)]
        if chance is not None:
            findings += draw_findings(event, opened, chance)
    return findings


class Scores:
    """Where horses stand, what is predicted, and what it must earn."""

    def __init__(self, options: dict[str, Any], seats: int) -> None:
        self.options = options
        self.course = STANDARD if options["course"] == "standard" else options["course"]
        self.predictions: dict[int, Any] = {}
        self.scores = [0] * seats
        self.kind = ""
        self.places: dict[str, tuple[int, int]] = {}
        self.photo: list[str] = []

    def follow(self, event: Event) -> Iterator[str]:
        """Take an event in; what is wrong about it."""
        match event:
            case RaceOpened():
                self.predictions, self.photo = {}, []
            case e.LanesDrawn():
                start = self.course["start"]
                self.places = {horse: (lane, start) for lane, horse in enumerate(event.lanes, 1)}
            case e.RaceChosen():
                self.kind = event.kind
            case e.PredictionMade(seat=int(seat)):
                self.predictions[seat] = (event.secret(seat) or {}).get("prediction")
            case e.CardPlayed():
                for put in (event.displaced, event.moved):
                    if put is not None:
                        self.places[put.horse] = (put.lane, put.space)
            case e.PhotoFinishDrawn():
                self.photo = event.order
            case e.RaceScored():
                yield from self.score(event)
            case MeetingFinished():
                rows = [(row.seat, row.rank, row.points) for row in event.ranking]
                if rows != final_ranking(self.scores):
                    yield "the ranking is not by the scores"

    def score(self, event: e.RaceScored) -> Iterator[str]:
        """The finish by where horses stand, then what it earns (TG-R1 to TG-R3, TG-P)."""
        prints = self.course["hoofprints"] if self.kind == "harness" else []
        gallop = {(spot["lane"], spot["space"]) for spot in prints}
        out = [horse for horse in HORSES if self.places[horse] in gallop]
        if (event.ranking, event.disqualified) != (self.finish(out), out):
            yield "the ranking is not that of the finish"
        told = [{"first": p.first, "second": p.second, "third": p.third} for p in event.predictions]
        if told != [self.predictions.get(seat + 1) for seat in range(len(self.scores))]:
            yield "the predictions are not those made"
        last_place = self.options["last_place"]
        nets = [
            net(p.named, event.ranking, event.disqualified, last_place) for p in event.predictions
        ]
        if event.nets != nets:
            yield "the nets are not what the predictions earn"
        self.scores = [new_score(s, n) for s, n in zip(self.scores, event.nets, strict=True)]
        if event.scores != self.scores:
            yield "the scores are not the sums of the nets"

    def finish(self, out: Sequence[str]) -> list[str]:
        """The other horses by space, then by the photo finish or the rail."""
        ties: Sequence[str] = self.photo or sorted(HORSES, key=lambda horse: self.places[horse][0])
        racing = [horse for horse in ties if horse not in out]
        return sorted(racing, key=lambda horse: -self.places[horse][1])


def draw_findings(event: Event, opened: MeetingOpened, chance: Chance) -> Iterator[str]:
    """Pieces of draws that are not what the key gives; every draw is used in one piece here."""
    for label, piece in event.pieces():
        pool = pool_of(opened.options, opened.seats, label)
        if pool is None:
            yield f"seq {event.seq}: {label}: this meeting draws nothing under this label"
        elif list(piece) != chance.draw(label, pool)[: len(piece)]:
            yield f"seq {event.seq}: {label}: the recorded items are not those drawn"
