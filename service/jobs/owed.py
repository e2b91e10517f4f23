"""What a meeting owes, read from its folded log and from nothing else."""

from datetime import datetime

from msgspec import Struct

from domain.racing.meeting import ABANDONED, FINISHED, RUNNING, Meeting
from service.jobs.site import Site
from service.keeping import Kept

TURNS, SETTLE = "turns", "settle"
QUEUES = (TURNS, SETTLE)
"""One queue for each kind of work, and for each worker process."""


class Owed(Struct, frozen=True, kw_only=True):
    """What is due in a meeting.

    Args:
        over: the meeting is finished or abandoned: nothing will ever be due again.
        queue: who has to work on it now; None where it waits for people.
        since: second (since 1970) of the meeting's last event. What is owed is at least as old.
        look_at: second from which it may be abandoned for its age; None: never, as it stands.
    """

    over: bool = False
    queue: str | None = None
    since: float = 0.0
    look_at: float | None = None


def seconds_of(at: str) -> float:
    """A time of the log (RFC 3339, UTC) in seconds since 1970."""
    return datetime.fromisoformat(at).timestamp()


def people_owing(full: Meeting, waiting: list[int]) -> list[int]:
    """Those of the waiting seats that no built-in bot plays."""
    return [seat for seat in waiting if full.seats[seat - 1].bot is None]


def owed_by(kept: Kept, site: Site) -> Owed:
    """What is due in this meeting as it is kept."""
    full = kept.full
    if full.status in (FINISHED, ABANDONED):
        return Owed(over=True)
    opened, since = seconds_of(full.opened_at), seconds_of(full.at)
    if full.status != RUNNING:
        return Owed(since=since, look_at=opened + site.unstarted_seconds)
    if kept.game.awaits(full) is not None:
        return Owed(queue=SETTLE, since=since)
    waiting = kept.game.waiting(full)
    people = people_owing(full, waiting)
    return Owed(
        queue=TURNS if len(people) < len(waiting) else None,
        since=since,
        look_at=opened + site.idle_seconds if people else None,
    )
