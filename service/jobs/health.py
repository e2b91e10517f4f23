"""How the jobs are doing, for /health/ready and /metrics; read from the queue's Redis alone."""

import time

from msgspec import Struct

from service.jobs.owed import QUEUES
from service.redis.wakes import Wakes


class QueueHealth(Struct, frozen=True, kw_only=True):
    """One queue. Counts are for the metrics of the operator, not for what everybody may read.

    Args:
        oldest_seconds: for how long the oldest meeting with work for this queue has stood still, in
            whole seconds; 0 where none does.
        waiting: meetings on its wake list.
        drains: draining jobs that live.
    """

    oldest_seconds: int
    waiting: int
    drains: int


class JobsHealth(Struct, frozen=True, kw_only=True):
    """All queues.

    Args:
        looked_seconds: whole seconds since a reactor looked last; None: none ever did. Past a few
            seconds no reactor runs, and `oldest_seconds` is not to be believed.
        queues: by name.
    """

    looked_seconds: int | None
    queues: dict[str, QueueHealth]


async def queue_health(wakes: Wakes) -> JobsHealth:
    """How the jobs are doing now.

    Raises:
        Refused, Unreachable: the queue's Redis is away.
    """
    now = time.time()
    published = await wakes.published()
    queues = {}
    for queue in QUEUES:
        since = published.get(queue)
        queues[queue] = QueueHealth(
            oldest_seconds=0 if since is None else _whole(now - since),
            waiting=await wakes.waiting(queue),
            drains=await wakes.alive(queue, now),
        )
    at = published.get("at")
    return JobsHealth(looked_seconds=None if at is None else _whole(now - at), queues=queues)


def _whole(seconds: float) -> int:
    return max(0, int(seconds))
