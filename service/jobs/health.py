"""How the jobs are doing, for /health/ready and /metrics; read from the queue's Redis alone."""

import time

from service.jobs.owed import QUEUES
from service.ports_health import JobsHealth, QueueHealth
from service.redis.wakes import Wakes


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
