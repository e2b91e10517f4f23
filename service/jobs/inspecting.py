"""What a meeting waits for, for an operator: read from its log and the queue's notes, no more.

Without `full` nothing is told that the public may not know: neither who owes a decision that the
game keeps secret, or whether that is a bot, nor events that only some may know of: what they were,
how many, and when.
"""

import time
from typing import Any

import msgspec
from msgspec import Struct

from domain.kernel.message import SERVER, type_of
from domain.racing.meeting import PUBLIC_VIEW, RUNNING, Meeting
from service.handling import Meetings
from service.jobs.health import queue_health
from service.jobs.owed import QUEUES, owed_by, people_owing
from service.jobs.site import Site
from service.keeping import Kept
from service.ports_health import JobsHealth
from service.redis.client import Refused, Unreachable
from service.redis.wakes import Wakes


class Owing(Struct, frozen=True, kw_only=True):
    """A seat that is waited for.

    Args:
        seat: its number; person: whether people play it, not a built-in bot.
        since: when the decision arose, as the log writes it.
        decision: its number, which counts the seat's own events too; None without `full`.
    """

    seat: int
    person: bool
    since: str
    decision: int | None


class Queued(Struct, frozen=True, kw_only=True):
    """What the queue's Redis says of a meeting.

    Args:
        named: by queue, for how many seconds the meeting has been on its wake list.
        jobs: how the queues are.
    """

    named: dict[str, int]
    jobs: JobsHealth


class Inspection(Struct, frozen=True, kw_only=True):
    """A meeting as it stands.

    Args:
        kept: the meeting itself.
        known: the meeting as it may be told: the whole with `full`, else as the public knows it.
        phase: of the public board; None outside play.
        owing: the seats that are waited for; None where the game keeps secret who they are.
        queue: who must work on it now, `turns` or `settle`; None where it waits for people, or may
            not be told.
        command: the command of the system that is owed.
        queued: None where the queue's Redis is away.
        last: the last events: of the public feed, or with `full` of the log, without what only the
            server may know.
    """

    kept: Kept
    known: Meeting
    phase: str | None
    owing: list[Owing] | None
    queue: str | None
    command: str | None
    queued: Queued | None
    last: list[dict[str, Any]]


async def inspect(
    meetings: Meetings, wakes: Wakes, site: Site, meeting: str, *, events: int, full: bool
) -> Inspection:
    """Look at a meeting.

    Args:
        meetings: of a log.
        wakes: of its queues.
        site: when a meeting is too old.
        meeting: its id.
        events: how many of its last events to tell.
        full: tell also what the public may not know.

    Raises:
        MeetingUnknown, Diverged, LogUnavailable.
    """
    kept = await meetings.fresh(meeting)
    owed = owed_by(kept, site)
    system = kept.game.awaits(kept.full) if kept.full.status == RUNNING else None
    public = kept.view(PUBLIC_VIEW)
    board: Any = kept.game.view(public)
    waiting = kept.game.waiting(kept.full) if kept.full.status == RUNNING else []
    told = full or board.to_act is not None
    return Inspection(
        kept=kept,
        known=kept.full if full else public,
        phase=board.phase,
        owing=await _owing(meetings, kept, waiting, full=full) if told else None,
        queue=owed.queue if told else None,
        command=None if system is None else type_of(system),
        queued=await _queued(wakes, meeting),
        last=await (_of_log if full else _of_feed)(meetings, kept, events),
    )


async def _owing(meetings: Meetings, kept: Kept, waiting: list[int], *, full: bool) -> list[Owing]:
    people = people_owing(kept.full, waiting)
    found = []
    for seat in waiting:
        decision = kept.view(seat).decision
        if decision is not None:
            seq = kept.seq_of(seat, decision)
            if not full:  # the seat's own secret command may have raised it
                seq = kept.seq_of(PUBLIC_VIEW, kept.visible(PUBLIC_VIEW, 1, seq))
            (arose,) = await meetings.log.read(kept.full.id, seq - 1, upto=seq)
            found.append(
                Owing(
                    seat=seat,
                    person=seat in people,
                    since=kept.read(arose).at,
                    decision=decision if full else None,
                )
            )
    return found


async def _of_feed(meetings: Meetings, kept: Kept, events: int) -> list[dict[str, Any]]:
    after = max(0, kept.view(PUBLIC_VIEW).version - events)
    items, _ = await meetings.events(kept.full.id, PUBLIC_VIEW, after, events)
    return items


async def _of_log(meetings: Meetings, kept: Kept, events: int) -> list[dict[str, Any]]:
    after, head = max(0, kept.head.version - events), kept.head.version
    told = []
    for line in await meetings.log.read(kept.full.id, after, upto=head):
        form: dict[str, Any] = msgspec.to_builtins(kept.read(line))
        form.get("private", {}).pop(SERVER, None)
        told.append(form)
    return told


async def _queued(wakes: Wakes, meeting: str) -> Queued | None:
    try:
        now = time.time()
        named = {}
        for queue in QUEUES:
            since = await wakes.since(queue, meeting)
            if since is not None:
                named[queue] = max(0, int(now - since))
        return Queued(named=named, jobs=await queue_health(wakes))
    except (Refused, Unreachable):
        return None
