"""The log audited without the rules of play: every draw and every score, recomputed."""

from collections.abc import Iterable
from typing import Any

from domain.games.ticket_gagnant import events as e
from domain.games.ticket_gagnant.options import pool_of
from domain.games.ticket_gagnant.settle import new_score
from domain.kernel.chance import Chance
from domain.kernel.message import SERVER, Event
from domain.racing.events import MeetingFinished, MeetingOpened


def audit(events: Iterable[Event], chance: Chance | None) -> list[str]:
    """Findings about draws (where `chance` is given: the seed is known) and scores.

    Args:
        events: the full log, from its first line.
        chance: the meeting's chance from the revealed seed.
    """
    findings: list[str] = []
    options: dict[str, Any] = {}
    scores: list[int] = []
    seats = 0
    for event in events:
        match event:
            case MeetingOpened():
                options, seats = event.options, event.seats
                scores = [0] * seats
            case e.RaceScored():
                scores = [new_score(s, n) for s, n in zip(scores, event.nets, strict=True)]
                if scores != event.scores:
                    findings.append(f"seq {event.seq}: the scores are not the sums of the nets")
            case MeetingFinished():
                points = {rank.seat: rank.points for rank in event.ranking}
                if points != {i + 1: score for i, score in enumerate(scores)}:
                    findings.append(f"seq {event.seq}: the ranking is not by the scores")
        if chance is not None:
            findings.extend(draw_findings(event, options, seats, chance))
    return findings


def draw_findings(
    event: Event, options: dict[str, Any], seats: int, chance: Chance
) -> Iterable[str]:
    """Pieces of draws that are not what the key gives; every draw is used in one piece here."""
    secret = event.secret(SERVER)
    public = event.draws or {}
    for label, piece in {**public, **(secret or {}).get("draws", {})}.items():
        pool = pool_of(options, seats, label)
        if pool is None:
            yield f"seq {event.seq}: {label}: this meeting draws nothing under this label"
        elif list(piece) != chance.draw(label, pool)[: len(piece)]:
            yield f"seq {event.seq}: {label}: the recorded items are not those drawn"
