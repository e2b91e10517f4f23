"""Rate limits: token buckets that all processes share, leased in blocks.

A process takes a block of tokens at a time and spends it by itself, so that most calls ask nobody.
A call that is refused is promised the next token that nobody else is, and told when that comes: a
caller that waits so long is not refused twice, however many share its bucket, over however many
processes. Where the buckets can't be reached nobody is refused: what then fails, fails at the log.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Callable
from math import ceil
from time import monotonic
from typing import Protocol

from msgspec import Struct, field

from service.ports import LogError

HELD_MAX = 20_000
"""Callers of whom a process holds tokens; those not seen for longest lose theirs."""

PROMISES = 50
"""How many tokens a bucket promises at most, or those of PROMISED_SECONDS where these are more."""

PROMISED_SECONDS = 5
PROMISES_MAX = 1_000

AWAY_SECONDS = 1.0
"""How long buckets that could not be reached are not asked again."""


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

    @property
    def step(self) -> float:
        """Seconds from one token to the next."""
        return self.seconds / self.quota

    @property
    def promises(self) -> int:
        """How many tokens its bucket promises at most; others are told a time without one."""
        quick = min(PROMISES_MAX, int(PROMISED_SECONDS / self.step))
        return min(self.quota, max(PROMISES, quick))


class Lease(Struct, frozen=True, kw_only=True):
    """What a bucket gave.

    Args:
        taken: tokens.
        left: whole tokens that it still has.
        wait: seconds until there is one more; where none was taken, until the one promised.
        shut: seconds for which it need not be asked, since it has none and promises none.
    """

    taken: int
    left: int
    wait: float
    shut: float = 0.0


class Buckets(Protocol):
    """Where buckets are kept; a call may raise service.ports.LogError."""

    async def take(self, bucket: str, policy: Policy) -> Lease:
        """Take tokens, at most a block of the policy, out of a bucket; or be promised one."""
        ...


class Verdict(Struct, frozen=True, kw_only=True):
    """Whether a call may go on, how many more may follow, and in how many seconds there is one."""

    allowed: bool
    left: int
    wait: int


class _Held(Struct):
    """What a process holds of one bucket; times are of its own clock.

    Args:
        tokens: to spend, until they `end`.
        left: what the bucket had beside these.
        shut: until when the bucket is not asked.
        more: when there may be one that nobody is promised, as it was asked last.
    """

    tokens: int = 0
    end: float = 0.0
    left: int = 0
    shut: float = 0.0
    more: float = 0.0
    asking: asyncio.Lock = field(default_factory=asyncio.Lock)

    def spend(self, policy: Policy, now: float) -> Verdict | None:
        """A verdict that asks nobody, if there is one."""
        if self.tokens and now < self.end:
            self.tokens -= 1
            return Verdict(allowed=True, left=self.tokens + self.left, wait=_whole(policy.step))
        if now < self.shut:
            return Verdict(allowed=False, left=0, wait=_whole(self.more - now))
        return None


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
        self._away = 0.0

    async def spend(self, policy: Policy, caller: str) -> Verdict:
        """Count one call of this caller."""
        bucket = f"{policy.name}:{caller}"
        held = self._held.get(bucket)
        if held is None:
            held = self._held[bucket] = _Held()
            if len(self._held) > HELD_MAX:
                self._held.popitem(last=False)
        else:
            self._held.move_to_end(bucket)
        verdict = held.spend(policy, self._clock())
        if verdict is not None:
            return verdict
        async with held.asking:
            # Who waited here may find what the one before it was given.
            return held.spend(policy, self._clock()) or await self._ask(held, policy, bucket)

    async def _ask(self, held: _Held, policy: Policy, bucket: str) -> Verdict:
        before = self._clock()
        if before < self._away:
            return Verdict(allowed=True, left=0, wait=1)
        try:
            lease = await self._buckets.take(bucket, policy)
        except LogError:
            self._away = self._clock() + AWAY_SECONDS
            return Verdict(allowed=True, left=0, wait=1)
        if lease.taken:
            held.tokens, held.end, held.left = lease.taken - 1, before + policy.seconds, lease.left
            left = held.tokens + held.left
            return Verdict(allowed=True, left=left, wait=_whole(lease.wait))
        # The bucket counts from some moment between these two: rather ask too early than too late.
        held.tokens, held.shut, held.more = 0, before + lease.shut, self._clock() + lease.wait
        return Verdict(allowed=False, left=0, wait=_whole(lease.wait))


def _whole(seconds: float) -> int:
    return max(1, ceil(seconds))
