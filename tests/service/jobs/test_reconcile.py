"""The reconciler and what it tells of the jobs, over a real Redis."""

import time
from collections.abc import AsyncIterator

import pytest
from redis import Redis
from rq import Queue

from domain.racing.lifecycle import abandon
from service.handling import Meetings
from service.jobs.health import queue_health
from service.jobs.owed import QUEUES, SETTLE, TURNS
from service.jobs.reactor import Reactor
from service.jobs.reconcile import Reconciler
from service.jobs.watch import Watch
from service.redis.client import PoolCalls
from service.redis.roster import Roster
from service.redis.wakes import Wakes
from tests.kit.jobs import queue_url, seat_bots, site_of


class Parts:
    """A reactor's parts, moved by hand."""

    def __init__(self, meetings: Meetings, url: str, calls: PoolCalls) -> None:
        site = site_of(url)
        self.url = queue_url(url)
        self.meetings = meetings
        self.wakes = Wakes(calls)
        self.watch = Watch(meetings, self.wakes, site)
        self.reactor = Reactor(meetings.log, self.watch, Roster(calls, "test"))
        self.reconciler = Reconciler(meetings, self.watch, self.wakes, site)

    def jobs(self, queue: str) -> int:
        """RQ jobs that wait for a worker."""
        with Redis.from_url(self.url) as client:
            return Queue(queue, connection=client, serializer="json").count


@pytest.fixture
async def parts(stored_meetings: Meetings, redis_url: str) -> AsyncIterator[Parts]:
    """A reactor that has started on an empty log."""
    calls = PoolCalls(queue_url(redis_url))
    made = Parts(stored_meetings, redis_url, calls)
    await made.reactor.start()
    yield made
    await calls.close()


async def test_what_a_meeting_owes_is_named_when_its_feed_tells_of_a_change(parts: Parts) -> None:
    meeting = await seat_bots(parts.meetings, "steady", "steady")
    await seat_bots(parts.meetings, None, None)
    await parts.reactor.step()
    await parts.reactor.step()
    assert await parts.wakes.waiting(TURNS) == 1
    assert await parts.wakes.next(TURNS, 0.01) == meeting


async def test_a_lost_wake_is_named_again(parts: Parts) -> None:
    meeting = await seat_bots(parts.meetings, "steady", "steady")
    await parts.reactor.step()
    await parts.wakes.next(TURNS, 0.01)
    await parts.reconciler.reconcile()
    assert await parts.wakes.next(TURNS, 0.01) == meeting


async def test_each_queue_without_a_draining_job_gets_one_and_no_more(parts: Parts) -> None:
    for _ in range(3):
        await parts.reconciler.tend()
    assert [parts.jobs(queue) for queue in QUEUES] == [1, 1]


async def test_a_draining_job_that_lives_needs_no_other(parts: Parts) -> None:
    await parts.wakes.beat(TURNS, "alive", time.time() + 60)
    await parts.reconciler.tend()
    assert [parts.jobs(queue) for queue in (TURNS, SETTLE)] == [0, 1]


async def test_several_reactors_start_one_draining_job(
    parts: Parts, stored_meetings: Meetings, redis_url: str
) -> None:
    calls = PoolCalls(queue_url(redis_url))
    second = Parts(stored_meetings, redis_url, calls)
    await parts.reconciler.tend()
    with Redis.from_url(parts.url) as client:
        client.delete("rq:queue:turns")  # taken by a worker, and not yet alive
    await second.reconciler.tend()
    await calls.close()
    assert parts.jobs(TURNS) == 0


async def test_what_is_owed_is_named_again_when_the_queue_was_emptied(parts: Parts) -> None:
    await parts.reconciler.tend()
    meeting = await seat_bots(parts.meetings, "steady", "steady")
    await parts.reactor.step()
    with Redis.from_url(parts.url) as client:
        client.flushdb()
    await parts.reconciler.tend()
    assert await parts.wakes.next(TURNS, 0.01) == meeting


async def test_a_meeting_that_is_over_is_forgotten(parts: Parts) -> None:
    meeting = await seat_bots(parts.meetings, None, None)
    await parts.reactor.step()
    assert list(parts.watch.owed) == [meeting]
    await parts.meetings.act(meeting, lambda draft, _kept: abandon(draft, "test"))
    await parts.reactor.step()
    assert not parts.watch.owed


async def test_health_tells_ages_in_whole_seconds_and_lengths(parts: Parts) -> None:
    nothing = await queue_health(parts.wakes)
    assert nothing.looked_seconds is None
    await seat_bots(parts.meetings, "steady", "steady")
    await parts.reactor.step()
    await parts.reconciler.tend()
    await parts.wakes.publish({TURNS: time.time() - 7.5, SETTLE: None}, time.time() - 2.5)
    await parts.wakes.beat(SETTLE, "alive", time.time() + 60)
    health = await queue_health(parts.wakes)
    assert health.looked_seconds == 2
    turns, settle = health.queues[TURNS], health.queues[SETTLE]
    assert (turns.oldest_seconds, turns.waiting, turns.drains) == (7, 1, 0)
    assert (settle.oldest_seconds, settle.waiting, settle.drains) == (0, 0, 1)
