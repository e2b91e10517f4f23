"""The draining job: one RQ job works off a queue's wakes for up to a minute, many turns a job.

RQ starts, supervises and restarts it; a job for each turn would cost fifteen times as much. It ends
when its time is over, at SIGTERM, or when the worker that forked it is gone, always after the
turns in hand, and what it leaves stays on the list. Two at once are harmless: all they do is append
under ids that follow from their causes.
"""

import asyncio
import contextlib
import os
import signal
import time
from collections.abc import Awaitable, Callable
from uuid import uuid4

import uvloop
from rq import Queue
from rq.timeouts import JobTimeoutException

from domain.racing.forms import UnknownEvent
from service.handling import Meetings, MeetingUnknown
from service.jobs.faults import fault
from service.jobs.owed import SETTLE, TURNS
from service.jobs.settlement import settle
from service.jobs.site import Site
from service.jobs.turns import play
from service.logs import get_logger
from service.ports import Diverged, LogUnavailable
from service.redis.client import PoolCalls, Refused, Unreachable
from service.redis.waiting import waiting_client
from service.redis.wakes import Wakes

JOB_TIMEOUT_SECONDS = 90
"""When RQ ends a draining job that hangs."""

JOB_NAME = "service.jobs.draining.drain"
FAILURE_SECONDS = 3600
VISITS_AT_ONCE = 8
BEAT_SECONDS = 2.0
SILENT_SECONDS = 8.0
"""A draining job that has not said for so long that it lives is taken as dead."""

POP_SECONDS = 1.0
PAUSE_SECONDS = 1.0

Visit = Callable[[Meetings, str, asyncio.Event], Awaitable[bool]]

VISITS: dict[str, Visit] = {TURNS: play, SETTLE: settle}
"""What each queue does in a meeting: (meetings, meeting, stopping) -> may more be owed."""

log = get_logger("jobs.draining")
_worker: list[tuple[Site, int]] = []


def serve(site: Site) -> None:
    """What the jobs that this process forks work for: no URL or password stands in a job."""
    _worker[:] = [(site, os.getpid())]


def rq_queue(queue: str, url: str) -> "Queue":
    """RQ's queue of this name; JSON, so that nobody who writes there can have code unpickled."""
    return Queue(queue, connection=waiting_client(url), serializer="json")


def start_drain(queue: "Queue") -> str:
    """Enqueue a draining job under an id of its own; the id."""
    job_id = f"drain-{queue.name}-{uuid4().hex[:12]}"
    queue.enqueue_call(
        JOB_NAME,
        args=(queue.name,),
        job_id=job_id,
        timeout=JOB_TIMEOUT_SECONDS,
        result_ttl=0,
        failure_ttl=FAILURE_SECONDS,
    )
    return job_id


def drain(queue: str) -> None:
    """The job: drain the queue, then leave a successor if none waits."""
    ((site, worker),) = _worker
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(_drain(queue, site, worker))
    after = rq_queue(queue, site.queue_url)
    with contextlib.closing(after.connection):
        if after.count == 0:
            start_drain(after)


async def _drain(queue: str, site: Site, worker: int) -> None:
    stopping = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stopping.set)
    # The worker forked this process with SIGTERM held back, so that none is lost before here.
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGTERM})
    calls = PoolCalls(site.queue_url)
    orphaned = asyncio.create_task(_end_with(worker, stopping))
    try:
        async with site.meetings() as meetings:
            await Drain(queue, meetings, Wakes(calls), stopping).run(site.drain_seconds)
    finally:
        orphaned.cancel()
        await calls.close()


async def _end_with(worker: int, stopping: asyncio.Event) -> None:
    while os.getppid() == worker:
        await asyncio.sleep(1)
    stopping.set()


class Drain:
    """One run of a draining job.

    Args:
        queue: whose wakes it works off.
        meetings: of this process.
        wakes: the list.
        stopping: set to end it after the turns in hand.
    """

    def __init__(
        self, queue: str, meetings: Meetings, wakes: Wakes, stopping: asyncio.Event
    ) -> None:
        self.queue = queue
        self.id = uuid4().hex
        self._visit = VISITS[queue]
        self._meetings = meetings
        self._wakes = wakes
        self._stopping = stopping
        self._in_hand: set[str] = set()
        self._woken_again: set[str] = set()
        self._away = False
        self._slots = asyncio.Semaphore(VISITS_AT_ONCE)

    async def run(self, seconds: float) -> None:
        """Drain until the time is over or `stopping` is set, and end the turns in hand."""
        beating = asyncio.create_task(self._keep_beating())
        clock = asyncio.get_running_loop().call_later(seconds, self._stopping.set)
        try:
            async with asyncio.TaskGroup() as visits:
                while not self._stopping.is_set():
                    await self._next(visits)
        finally:
            clock.cancel()
            beating.cancel()
            with contextlib.suppress(Refused, Unreachable):
                await self._wakes.rest(self.queue, self.id)

    async def _next(self, visits: asyncio.TaskGroup) -> None:
        """Take the next meeting in hand; one that is already will be visited again."""
        async with self._slots:
            try:
                meeting = await self._wakes.next(self.queue, POP_SECONDS)
            except (Refused, Unreachable) as away:
                if not self._away:
                    log.warning("queue_unavailable", queue=self.queue, detail=str(away))
                self._away = True
                await asyncio.sleep(PAUSE_SECONDS)
                return
            self._away = False
            if meeting is None:
                return
            if meeting in self._in_hand:
                self._woken_again.add(meeting)
                return
            self._in_hand.add(meeting)
            visits.create_task(self._take(meeting))

    async def _take(self, meeting: str) -> None:
        async with self._slots:
            more = await self._try(meeting)
        self._in_hand.discard(meeting)
        if more or meeting in self._woken_again:
            self._woken_again.discard(meeting)
            with contextlib.suppress(Refused, Unreachable):  # the reconciler names it again
                await self._wakes.wake(self.queue, [meeting], time.time())

    async def _try(self, meeting: str) -> bool:
        """Visit; nothing that is wrong with one meeting stops the others."""
        try:
            return await self._visit(self._meetings, meeting, self._stopping)
        except LogUnavailable as away:
            log.warning("log_unavailable", meeting=meeting, detail=str(away))
            await asyncio.sleep(PAUSE_SECONDS)
            return True
        except MeetingUnknown:
            log.warning("meeting_unknown", meeting=meeting)
        except Diverged as lost:
            log.critical("log_diverged", meeting=meeting, detail=str(lost))
        except UnknownEvent as news:  # left to workers that know it; the reconciler names it again
            log.warning("meeting_of_newer_release", meeting=meeting, reason=str(news))
        except JobTimeoutException:
            raise
        except Exception as error:  # its words may hold what nobody may know
            log.error("visit_failed", meeting=meeting, queue=self.queue, **fault(error))
        return False

    async def _keep_beating(self) -> None:
        while True:
            with contextlib.suppress(Refused, Unreachable):
                await self._wakes.beat(self.queue, self.id, time.time() + SILENT_SECONDS)
            await asyncio.sleep(BEAT_SECONDS)
