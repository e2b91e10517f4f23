"""Buckets of the rate limits in Redis, so that all processes share them.

rates:{<bucket>}    hash    n tokens, t when that was so (ms); gone when it would be full
"""

from service.limits import Lease
from service.redis.client import Calls
from service.redis.faults import once
from service.redis.script import Script

_TAKE = Script("bucket.lua")


class RedisBuckets:
    """See service.limits.Buckets."""

    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    async def take(self, bucket: str, size: int, seconds: int, asked: int) -> Lease:
        """See Buckets."""
        keys = (f"rates:{{{bucket}}}",)
        taken, left, wait = await once(_TAKE.run(self._calls, keys, size, seconds * 1000, asked))
        return Lease(taken=taken, left=left, wait=wait / 1000)
