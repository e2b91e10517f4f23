"""Rate limits: token buckets that all processes share, leased in blocks.

A process takes a block of tokens at a time and spends it by itself, so that most calls ask nobody.
A bucket that is empty is not asked again before it can have a token. Where the buckets can't be
reached nobody is refused: what then fails, fails at the log.
"""

from collections import OrderedDict
from collections.abc import Callable
from math import ceil
from time import monotonic
from typing import Protocol

from msgspec import Struct

from service.ports import LogUnavailable

HELD_MAX = 20_000
"""Callers of whom a process holds tokens; those not seen for longest lose theirs."""


class Lease(Struct, frozen=True, kw_only=True):
    """What a bucket gave: tokens taken, whole tokens left, seconds until there is one more."""

    taken: int
    left: int
    wait: float


class Buckets(Protocol):
    """Where buckets are kept; a call may raise service.ports.LogUnavailable."""

    async def take(self, bucket: str, size: int, seconds: int, asked: int) -> Lease:
        """Take up to so many tokens from a bucket that an empty one fills in so many seconds."""
        ...


class Policy(Struct, frozen=True, kw_only=True):
    """One rate: `quota` calls by one caller in `seconds`; `by` says who a caller is, in words."""

    name: str
    quota: int
    seconds: int
    by: str

    @property
    def block(self) -> int:
        """How many tokens a process takes at a time."""
        return max(1, self.quota // 50)


class Verdict(Struct, frozen=True, kw_only=True):
    """Whether a call may go on, how many more may follow, and when there is one more."""

    allowed: bool
    left: int
    wait: int


class _Held(Struct):
    tokens: int = 0
    left: int = 0
    until: float = 0.0


class Limits:
    """The rates of one server.

    Args:
        buckets: where they are shared.
        clock: seconds, of this process alone.
    """

    def __init__(self, buckets: Buckets, clock: Callable[[], float] = monotonic) -> None:
        self._buckets = buckets
        self._clock = clock
        self._held: OrderedDict[str, _Held] = OrderedDict()

    async def spend(self, policy: Policy, caller: str) -> Verdict:
        """Count one call of this caller."""
        bucket = f"{policy.name}:{caller}"
        held = self._held.setdefault(bucket, _Held())
        self._held.move_to_end(bucket)
        if len(self._held) > HELD_MAX:
            self._held.popitem(last=False)
        now = self._clock()
        if held.tokens == 0 and now >= held.until:
            try:
                lease = await self._buckets.take(bucket, policy.quota, policy.seconds, policy.block)
            except LogUnavailable:
                return Verdict(allowed=True, left=0, wait=policy.seconds)
            held.tokens += lease.taken
            held.left = lease.left
            held.until = now if lease.left else now + lease.wait
        if held.tokens == 0:
            return Verdict(allowed=False, left=0, wait=max(1, ceil(held.until - now)))
        held.tokens -= 1
        wait = max(1, ceil(policy.seconds / policy.quota))
        return Verdict(allowed=True, left=held.tokens + held.left, wait=wait)
