"""Buckets of the rate limits in memory: the twin of those in Redis, for one process."""

from bisect import bisect_right, insort
from collections.abc import Callable
from math import ceil, floor
from time import monotonic

from msgspec import Struct

from service.limits import Lease, Policy

_LATE_SECONDS = 2.0


class _Bucket(Struct):
    full: float = 0.0
    promised: list[float] = []


class MemoryBuckets:
    """See service.limits.Buckets."""

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._kept: dict[str, _Bucket] = {}

    async def take(self, bucket: str, policy: Policy) -> Lease:
        """See Buckets; bucket.lua says why it is so."""
        now, step = self._clock(), policy.step
        kept = self._kept.setdefault(bucket, _Bucket())
        kept.full = max(kept.full, now)
        tokens = floor((policy.seconds - (kept.full - now)) / step + 1e-6)
        del kept.promised[: bisect_right(kept.promised, now - _LATE_SECONDS)]
        due = bisect_right(kept.promised, now)
        free, taken = tokens - len(kept.promised), 0
        if free >= 1:
            taken = min(policy.block, max(1, free // 8))
            free -= taken
        elif due and tokens >= 1:
            del kept.promised[0]
            free, taken = 0, 1
        kept.full += taken * step
        empty = kept.full - policy.seconds - now
        if taken:
            wait = empty + (len(kept.promised) + free + 1) * step
            return Lease(taken=taken, left=free, wait=wait)
        wait = max(0.0, empty + (len(kept.promised) + 1) * step)
        if len(kept.promised) >= policy.promises:
            return Lease(taken=0, left=0, wait=wait, shut=0 if due else kept.promised[0] - now)
        wait = max(1, ceil(wait))
        insort(kept.promised, now + wait)
        return Lease(taken=0, left=0, wait=wait)
