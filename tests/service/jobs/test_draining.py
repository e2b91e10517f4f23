"""Draining: wakes worked off in process, over a real Redis."""

import asyncio
import time
from collections.abc import AsyncIterator

import pytest

from domain.kernel.lines import canonical, chain
from service.handling import Meetings
from service.jobs.draining import Drain
from service.jobs.owed import SETTLE, TURNS
from service.ports import Line
from service.redis.client import PoolCalls
from service.redis.wakes import Wakes
from tests.kit.jobs import assert_played_rightly, now, queue_url, seat_bots, until


@pytest.fixture
async def wakes(redis_url: str) -> AsyncIterator[Wakes]:
    """The wake lists of an empty queue."""
    calls = PoolCalls(queue_url(redis_url))
    yield Wakes(calls)
    await calls.close()


async def test_wakes_are_taken_in_the_order_in_which_they_came_each_once(wakes: Wakes) -> None:
    await wakes.wake(TURNS, ["second"], 2.0)
    await wakes.wake(TURNS, ["first"], 1.0)
    await wakes.wake(TURNS, ["first", "third"], 3.0)
    assert await wakes.waiting(TURNS) == 3
    assert [await wakes.next(TURNS, 0.01) for _ in range(4)] == ["first", "second", "third", None]


async def test_a_meeting_delivered_again_and_again_is_played_once(
    stored_meetings: Meetings, wakes: Wakes
) -> None:
    """Two draining jobs of each queue at once, each with its own kept state, and twenty wakes."""
    meeting = await seat_bots(stored_meetings, *["random"] * 3, programme=["joker_trot"] * 3)
    stopping = asyncio.Event()
    drains = [
        Drain(
            queue, Meetings(stored_meetings.log, now, stored_meetings.entropy), wakes, stopping
        ).run(60)
        for queue in (TURNS, TURNS, SETTLE, SETTLE)
    ]
    running = [asyncio.ensure_future(drain) for drain in drains]
    delivered = 0
    while delivered < 20 or (await stored_meetings.fresh(meeting)).full.status == "running":
        await wakes.wake(TURNS, [meeting], time.time())
        await wakes.wake(SETTLE, [meeting], time.time())
        delivered += 1
        await asyncio.sleep(0.002)
    stopping.set()
    await asyncio.gather(*running)
    await assert_played_rightly(stored_meetings, meeting)


async def test_a_draining_job_lives_while_it_runs_and_no_longer(
    stored_meetings: Meetings, wakes: Wakes
) -> None:
    stopping = asyncio.Event()
    running = asyncio.ensure_future(Drain(TURNS, stored_meetings, wakes, stopping).run(60))
    while not await wakes.alive(TURNS, time.time()):
        await asyncio.sleep(0.01)
    stopping.set()
    await running
    assert await wakes.alive(TURNS, time.time()) == 0


async def test_a_draining_job_that_falls_silent_is_taken_as_dead(wakes: Wakes) -> None:
    await wakes.beat(TURNS, "one", 100.0)
    assert await wakes.alive(TURNS, 99.0) == 1
    assert await wakes.alive(TURNS, 101.0) == 0


async def test_a_draining_job_ends_when_its_time_is_over_and_leaves_the_rest_on_the_list(
    stored_meetings: Meetings, wakes: Wakes
) -> None:
    meeting = await seat_bots(stored_meetings, *["random"] * 9)
    await wakes.wake(TURNS, [meeting], time.time())
    stopping = asyncio.Event()
    running = asyncio.ensure_future(Drain(TURNS, stored_meetings, wakes, stopping).run(0.1))
    await running
    assert stopping.is_set()
    full = (await stored_meetings.fresh(meeting)).full
    assert await wakes.waiting(TURNS) == (1 if full.table.phase != "settlement" else 0)


async def test_a_meeting_that_nobody_can_read_does_not_stop_the_others(
    stored_meetings: Meetings, wakes: Wakes
) -> None:
    good = await seat_bots(stored_meetings, "steady", "steady")
    bad = await seat_bots(stored_meetings, "steady", "steady")
    head = await stored_meetings.log.head(bad)
    assert head is not None
    line = canonical({"type": "of_a_later_release", "seq": head.version + 1, "meeting": bad})
    await stored_meetings.log.append(
        bad, head, "later", "", [Line(head.version + 1, line, chain(head.digest, line))]
    )
    stopping = asyncio.Event()
    running = asyncio.ensure_future(Drain(TURNS, stored_meetings, wakes, stopping).run(60))
    await wakes.wake(TURNS, ["mnowhere", bad, good], time.time())
    await until(stored_meetings, good, lambda full: full.table.phase == "settlement")
    stopping.set()
    await running
    assert await wakes.waiting(TURNS) == 0
