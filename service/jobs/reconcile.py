"""The reconciler: compares what the log is owed with what is being done, and mends the difference.

It looks at meetings and at how long they have waited, never at RQ's own status of a job. So it
heals whatever was lost: a worker, a wake, the whole of the queue's Redis.
"""

import asyncio
import time

from rq import Queue, Worker

from service.handling import Meetings
from service.jobs.draining import rq_queue, start_drain
from service.jobs.endings import end_if_old
from service.jobs.owed import QUEUES
from service.jobs.site import Site
from service.jobs.watch import Watch
from service.logs import get_logger
from service.redis.wakes import Wakes

TEND_SECONDS = 3.0
"""Time between two looks at whether each queue has a draining job."""

LOOKS_PER_PASS = 500
"""Meetings that owe nothing, as far as is known, and are looked at all the same in one pass."""

log = get_logger("jobs.reconcile")


class Reconciler:
    """One reactor's second thought.

    Args:
        meetings: of this process.
        watch: the meetings that are not over.
        wakes: where what is owed is named.
        site: its limits, and the queue's Redis.
    """

    def __init__(self, meetings: Meetings, watch: Watch, wakes: Wakes, site: Site) -> None:
        self._meetings = meetings
        self._watch = watch
        self._wakes = wakes
        self._site = site
        self._queues = [rq_queue(name, site.queue_url) for name in QUEUES]

    async def reconcile(self) -> None:
        """Derive anew what is owed and name it again; end what has grown too old."""
        owing = self._watch.owing()
        await self._watch.look(owing)
        await self._watch.look(self._watch.longest_unseen(LOOKS_PER_PASS))
        for meeting in self._watch.ageing(time.time()):
            await end_if_old(self._meetings, meeting, self._site)

    async def tend(self) -> None:
        """See to it that each queue has a draining job for each of its workers, and one at least.

        What is owed is named again where wakes may be lost: a new draining job may follow one that
        died with a meeting in hand, and the queue's Redis may have been emptied.
        """
        now, lost = time.time(), False
        for queue in self._queues:
            alive = await self._wakes.alive(queue.name, now)
            missing = await asyncio.to_thread(_missing, queue, alive)
            if missing > 0 and await self._wakes.may_start(queue.name):
                for _ in range(missing):
                    job = await asyncio.to_thread(start_drain, queue)
                    log.info("drain_started", queue=queue.name, job=job)
                lost = True
        lost |= await self._wakes.publish(self._watch.oldest(), time.time())
        if lost:
            await self._watch.wake(self._watch.owing())


def _missing(queue: Queue, alive: int) -> int:
    """How many draining jobs lack: neither alive nor waiting for a worker."""
    return max(1, Worker.count(queue=queue)) - alive - queue.count
