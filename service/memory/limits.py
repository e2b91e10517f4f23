"""Buckets of the rate limits in memory: the twin of those in Redis, for one process."""

from collections.abc import Callable
from math import floor
from time import monotonic

from service.limits import Lease


class MemoryBuckets:
    """See service.limits.Buckets."""

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._kept: dict[str, tuple[float, float]] = {}

    async def take(self, bucket: str, size: int, seconds: int, asked: int) -> Lease:
        """See Buckets."""
        now = self._clock()
        tokens, at = self._kept.get(bucket, (float(size), now))
        tokens = min(float(size), tokens + (now - at) * size / seconds)
        taken = min(asked, floor(tokens))
        tokens -= taken
        self._kept[bucket] = (tokens, now)
        left = floor(tokens)
        return Lease(taken=taken, left=left, wait=(left + 1 - tokens) * seconds / size)
