"""Buckets of the rate limits in Redis, so that all processes share them.

rates:{<bucket>}           string      when it will be full (see bucket.lua); gone by then
rates:{<bucket>}:promised  sorted set  the moments at which promised tokens are due; gone with them
"""

from service.limits import Lease, Policy
from service.redis.client import Calls
from service.redis.faults import once
from service.redis.script import Script

_TAKE = Script("bucket.lua")
_MICRO = 1_000_000


class RedisBuckets:
    """See service.limits.Buckets."""

    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    async def take(self, bucket: str, policy: Policy) -> Lease:
        """See Buckets."""
        key = f"rates:{{{bucket}}}"
        asked = (policy.quota, policy.seconds * _MICRO, policy.block, policy.promises)
        taken, left, wait, shut = await once(
            _TAKE.run(self._calls, (key, f"{key}:promised"), *asked)
        )
        return Lease(taken=taken, left=left, wait=wait / _MICRO, shut=shut / _MICRO)
