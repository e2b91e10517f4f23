"""Meetings that have grown too old: those that never began, and those in which a person sleeps."""

import time

import msgspec

from domain.kernel.rejection import Rejected
from domain.racing import lifecycle
from domain.racing.draft import Draft
from domain.racing.meeting import OPEN, RUNNING
from service.handling import Meetings
from service.jobs.faults import fault
from service.jobs.identity import derived_key
from service.jobs.owed import people_owing, seconds_of
from service.jobs.site import Site
from service.keeping import Kept
from service.logs import get_logger
from service.ports import LogUnavailable

NOT_STARTED = "not_started"
NO_DECISION = "no_decision"

log = get_logger("jobs.endings")


class _Line(msgspec.Struct):
    at: str


_line = msgspec.json.Decoder(_Line)


async def end_if_old(meetings: Meetings, meeting: str, site: Site) -> None:
    """Abandon a meeting that has not begun, or in which a person owes a decision, for too long.

    Built-in bots owe no decision for long, so a meeting of theirs alone is never ended so.

    Raises:
        LogUnavailable.
    """
    try:
        kept = await meetings.fresh(meeting)
        if kept.full.status == RUNNING:
            sleeper = await _sleeper(meetings, kept, time.time() - site.idle_seconds)
            if sleeper is not None:
                await _abandon_sleeping(meetings, meeting, *sleeper)
        elif seconds_of(kept.full.opened_at) + site.unstarted_seconds <= time.time():
            await _abandon_unstarted(meetings, meeting)
    except LogUnavailable:
        raise
    except Rejected as refusal:  # somebody was faster
        log.info("meeting_kept", meeting=meeting, code=refusal.reason.code)
    except Exception as error:  # the other meetings go on
        log.error("ending_failed", meeting=meeting, **fault(error))


async def _sleeper(meetings: Meetings, kept: Kept, before: float) -> tuple[int, int] | None:
    """A person's seat and the decision that it has owed since before that second."""
    owing = []
    for seat in people_owing(kept.full, kept.game.waiting(kept.full)):
        decision = kept.view(seat).decision
        if decision is not None:
            owing.append((seat, decision, kept.seq_of(seat, decision)))
    for seat, decision, seq in owing:
        (arose,) = await meetings.log.read(kept.full.id, seq - 1, upto=seq)
        if seconds_of(_line.decode(arose.body).at) <= before:
            return seat, decision
    return None


async def _abandon_sleeping(meetings: Meetings, meeting: str, seat: int, decision: int) -> None:
    def work(draft: Draft, kept: Kept) -> None:
        full = kept.full
        if (
            full.status == RUNNING
            and seat in kept.game.waiting(full)
            and kept.view(seat).decision == decision
        ):
            lifecycle.abandon(draft, NO_DECISION)

    key = derived_key("abandon", meeting, NO_DECISION, seat, decision)
    done = await meetings.act(meeting, work, key)
    if done.events:
        log.info("meeting_abandoned", meeting=meeting, reason=NO_DECISION, seat=seat)


async def _abandon_unstarted(meetings: Meetings, meeting: str) -> None:
    def work(draft: Draft, kept: Kept) -> None:
        if kept.full.status == OPEN:
            lifecycle.abandon(draft, NOT_STARTED)

    done = await meetings.act(meeting, work, derived_key("abandon", meeting, NOT_STARTED))
    if done.events:
        log.info("meeting_abandoned", meeting=meeting, reason=NOT_STARTED)
