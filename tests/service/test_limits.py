"""Token buckets: the same over memory and real Redis, shared by processes and leased in blocks."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from service.limits import Buckets, Lease, Limits, Policy
from service.memory.limits import MemoryBuckets
from service.ports import LogUnavailable
from service.redis.client import PoolCalls
from service.redis.limits import RedisBuckets

HOUR = 3600
SLOW = Policy(name="slow", quota=10, seconds=HOUR, by="caller")
WIDE = Policy(name="wide", quota=500, seconds=HOUR, by="caller")


class Clock:
    """Seconds of a process, as a test tells them."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def __call__(self) -> float:
        return self.seconds


class Counted:
    """Buckets, and how often they were asked."""

    def __init__(self, buckets: Buckets) -> None:
        self._buckets = buckets
        self.asked = 0

    async def take(self, bucket: str, size: int, seconds: int, asked: int) -> Lease:
        self.asked += 1
        return await self._buckets.take(bucket, size, seconds, asked)


@pytest.fixture(params=["memory", "redis"])
async def buckets(request: pytest.FixtureRequest) -> AsyncIterator[Counted]:
    """Full buckets of each kind."""
    if request.param == "memory":
        yield Counted(MemoryBuckets())
        return
    calls = PoolCalls(request.getfixturevalue("redis_url"))
    yield Counted(RedisBuckets(calls))
    await calls.close()


async def test_a_bucket_gives_what_it_has_and_says_when_there_is_more(buckets: Counted) -> None:
    first = await buckets.take("b", 10, HOUR, 7)
    assert (first.taken, first.left) == (7, 3)
    second = await buckets.take("b", 10, HOUR, 7)
    assert (second.taken, second.left) == (3, 0)
    third = await buckets.take("b", 10, HOUR, 1)
    assert (third.taken, third.left) == (0, 0)
    assert 0 < third.wait <= HOUR / 10


async def test_a_bucket_fills_by_itself(buckets: Counted) -> None:
    await buckets.take("b", 100, 1, 100)
    await asyncio.sleep(0.2)
    assert 5 <= (await buckets.take("b", 100, 1, 100)).taken <= 100


async def test_buckets_are_apart(buckets: Counted) -> None:
    await buckets.take("a", 1, HOUR, 1)
    assert (await buckets.take("b", 1, HOUR, 1)).taken == 1


async def test_processes_share_a_bucket(buckets: Counted) -> None:
    processes = [Limits(buckets) for _ in range(3)]
    verdicts = [await processes[n % 3].spend(SLOW, "ann") for n in range(30)]
    assert sum(verdict.allowed for verdict in verdicts) == SLOW.quota
    refused = [verdict for verdict in verdicts if not verdict.allowed]
    assert all(0 < verdict.wait <= HOUR / 10 for verdict in refused)
    assert (await processes[0].spend(SLOW, "ben")).allowed


async def test_callers_at_once_get_no_more_than_there_is(buckets: Counted) -> None:
    processes = [Limits(buckets) for _ in range(2)]
    calls = (processes[n % 2].spend(WIDE, "ann") for n in range(700))
    assert sum(v.allowed for v in await asyncio.gather(*calls)) <= WIDE.quota


async def test_most_calls_ask_nobody(buckets: Counted) -> None:
    limits = Limits(buckets)
    for _ in range(100):
        assert (await limits.spend(WIDE, "ann")).allowed
    assert buckets.asked == 100 // WIDE.block


async def test_an_empty_bucket_is_not_asked_before_it_can_have_more(buckets: Counted) -> None:
    clock = Clock()
    limits = Limits(buckets, clock)
    for _ in range(20):
        await limits.spend(SLOW, "ann")
    asked = buckets.asked
    for _ in range(50):
        assert not (await limits.spend(SLOW, "ann")).allowed
    assert buckets.asked == asked
    clock.seconds += HOUR / 10 + 1
    await limits.spend(SLOW, "ann")
    assert buckets.asked == asked + 1


async def test_it_tells_how_many_calls_may_follow(buckets: Counted) -> None:
    limits = Limits(buckets)
    assert [(await limits.spend(SLOW, "ann")).left for _ in range(10)] == list(range(9, -1, -1))


async def test_where_the_buckets_are_away_nobody_is_refused() -> None:
    class Away:
        async def take(self, bucket: str, size: int, seconds: int, asked: int) -> Lease:
            raise LogUnavailable("away")

    limits = Limits(Away())
    assert (await limits.spend(SLOW, "ann")).allowed
