"""Token buckets: the same over memory and real Redis, shared by processes and leased in blocks."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from service.limits import Buckets, Lease, Limits, Policy, Verdict
from service.memory.limits import MemoryBuckets
from service.ports import LogUnavailable
from service.redis.client import PoolCalls
from service.redis.limits import RedisBuckets
from tests.kit.redis_server import RedisServer

HOUR = 3600
SLOW = Policy(name="slow", quota=10, seconds=HOUR, by="caller")
WIDE = Policy(name="wide", quota=5000, seconds=HOUR, by="caller")


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

    async def take(self, bucket: str, policy: Policy) -> Lease:
        self.asked += 1
        return await self._buckets.take(bucket, policy)


@pytest.fixture(params=["memory", "redis"])
async def buckets(request: pytest.FixtureRequest) -> AsyncIterator[Counted]:
    """Full buckets of each kind."""
    if request.param == "memory":
        yield Counted(MemoryBuckets())
        return
    calls = PoolCalls(request.getfixturevalue("redis_url"))
    yield Counted(RedisBuckets(calls))
    await calls.close()


async def drain(buckets: Buckets, policy: Policy, bucket: str = "b") -> int:
    """Take all that a bucket has; how much it was."""
    taken = 0
    while (lease := await buckets.take(bucket, policy)).taken:
        taken += lease.taken
    return taken


async def test_a_bucket_gives_what_it_has_and_says_when_there_is_more(buckets: Counted) -> None:
    first = await buckets.take("b", SLOW)
    assert (first.taken, first.left) == (1, 9)
    assert first.wait == pytest.approx(HOUR / 10, abs=1), "a full bucket has no more"
    assert await drain(buckets, SLOW) == 9
    refused = await buckets.take("b", SLOW)
    assert (refused.taken, refused.left) == (0, 0)


async def test_a_process_leases_a_block_and_never_most_of_what_is_left(buckets: Counted) -> None:
    lease = await buckets.take("b", WIDE)
    assert (lease.taken, lease.left) == (WIDE.block, WIDE.quota - WIDE.block)
    while lease.left >= 8:
        before = lease.left
        lease = await buckets.take("b", WIDE)
        assert 1 <= lease.taken <= max(1, before // 8 + 1)
    assert lease.taken == 1


async def test_a_bucket_fills_by_itself(buckets: Counted) -> None:
    second = Policy(name="second", quota=100, seconds=1, by="caller")
    first = await drain(buckets, second)
    assert first >= 100
    await asyncio.sleep(0.2)
    assert 1 <= await drain(buckets, second) <= 1000


async def test_buckets_are_apart(buckets: Counted) -> None:
    await drain(buckets, SLOW, "a")
    assert (await buckets.take("b", SLOW)).taken == 1


async def test_processes_share_a_bucket(buckets: Counted) -> None:
    processes = [Limits(buckets) for _ in range(3)]
    verdicts = [await processes[n % 3].spend(SLOW, "ann") for n in range(30)]
    assert sum(verdict.allowed for verdict in verdicts) == SLOW.quota
    assert (await processes[0].spend(SLOW, "ben")).allowed


async def test_callers_at_once_get_no_more_than_there_is(buckets: Counted) -> None:
    processes = [Limits(buckets) for _ in range(2)]
    calls = (processes[n % 2].spend(WIDE, "ann") for n in range(WIDE.quota + 200))
    assert sum(v.allowed for v in await asyncio.gather(*calls)) <= WIDE.quota + 100


async def test_each_of_the_refused_is_told_a_time_of_its_own(buckets: Counted) -> None:
    processes = [Limits(buckets) for _ in range(2)]
    verdicts = [await processes[n % 2].spend(SLOW, "ann") for n in range(15)]
    told = [verdict.wait for verdict in verdicts if not verdict.allowed]
    step = HOUR / SLOW.quota
    assert told == [pytest.approx(step * number, abs=2) for number in range(1, 6)]


async def test_of_callers_that_wait_as_told_nobody_is_refused_twice(buckets: Counted) -> None:
    quick = Policy(name="quick", quota=40, seconds=2, by="caller")
    processes = [Limits(buckets) for _ in range(2)]
    assert sum([(await processes[n % 2].spend(quick, "ann")).allowed for n in range(40)]) == 40

    async def caller(number: int) -> list[Verdict]:
        first = await processes[number % 2].spend(quick, "ann")
        if first.allowed:
            return [first]
        await asyncio.sleep(first.wait)
        return [first, await processes[(number + 1) % 2].spend(quick, "ann")]

    found = await asyncio.gather(*(caller(number) for number in range(30)))
    assert all(verdicts[-1].allowed for verdicts in found)


async def test_one_process_is_asked_as_callers_come_at_once(buckets: Counted) -> None:
    limits = Limits(buckets)
    verdicts = await asyncio.gather(*(limits.spend(WIDE, "ann") for _ in range(WIDE.block)))
    assert all(verdict.allowed for verdict in verdicts)
    assert buckets.asked == 1


async def test_most_calls_ask_nobody(buckets: Counted) -> None:
    limits = Limits(buckets)
    for _ in range(3 * WIDE.block):
        assert (await limits.spend(WIDE, "ann")).allowed
    assert buckets.asked == 3


async def test_a_bucket_that_promises_no_more_is_not_asked_for_a_while(
    buckets: Counted,
) -> None:
    clock = Clock()
    limits = Limits(buckets, clock)
    told = [await limits.spend(SLOW, "ann") for _ in range(50)]
    assert buckets.asked == 10 + 10 + 1, "tokens, promises, and that there are no more of these"
    assert all(HOUR <= verdict.wait <= HOUR + 361 for verdict in told[20:])
    clock.seconds += HOUR / 10 + 1
    await limits.spend(SLOW, "ann")
    assert buckets.asked == 10 + 10 + 2


async def test_it_tells_how_many_calls_may_follow(buckets: Counted) -> None:
    limits = Limits(buckets)
    assert [(await limits.spend(SLOW, "ann")).left for _ in range(10)] == list(range(9, -1, -1))


async def test_tokens_that_a_process_did_not_spend_in_time_are_lost(buckets: Counted) -> None:
    clock = Clock()
    limits = Limits(buckets, clock)
    await limits.spend(WIDE, "ann")
    clock.seconds += HOUR
    await limits.spend(WIDE, "ann")
    assert buckets.asked == 2


async def test_a_bucket_in_redis_ends_when_it_is_full(
    redis_url: str, redis_server: RedisServer
) -> None:
    calls = PoolCalls(redis_url)
    limits = Limits(RedisBuckets(calls))
    for _ in range(25):
        await limits.spend(SLOW, "2001:db8::/64")
    await limits.spend(WIDE, "ann")
    await calls.close()
    with redis_server.client() as redis:
        slow = "rates:{slow:2001:db8::/64}"
        ends = {key.decode(): redis.pttl(key) / 1000 for key in redis.keys("*")}
        assert set(ends) == {slow, f"{slow}:promised", "rates:{wide:ann}"}
        assert HOUR * 0.99 <= ends[slow] <= HOUR
        assert HOUR * 0.99 <= ends[f"{slow}:promised"] <= HOUR + 5
        assert 0 < ends["rates:{wide:ann}"] <= WIDE.block * WIDE.step


async def test_what_a_quick_bucket_gains_is_not_rounded_away(redis_url: str) -> None:
    calls = PoolCalls(redis_url)
    buckets = RedisBuckets(calls)
    rare = Policy(name="rare", quota=2, seconds=1, by="caller")
    await drain(buckets, rare)
    until = asyncio.get_running_loop().time() + 30
    while not (await buckets.take("b", rare)).taken:
        assert asyncio.get_running_loop().time() < until, "asked all the time, it never fills"
    await calls.close()


async def test_where_the_buckets_are_away_nobody_is_refused_and_they_are_not_asked_on() -> None:
    class Away:
        asked = 0

        async def take(self, bucket: str, policy: Policy) -> Lease:
            self.asked += 1
            raise LogUnavailable("away")

    buckets, clock = Away(), Clock()
    limits = Limits(buckets, clock)
    verdicts = await asyncio.gather(*(limits.spend(SLOW, "ann") for _ in range(100)))
    verdicts += [await limits.spend(SLOW, "ben")]
    assert all(verdict.allowed for verdict in verdicts)
    assert buckets.asked == 1
    clock.seconds += 2
    await limits.spend(SLOW, "ann")
    assert buckets.asked == 2
