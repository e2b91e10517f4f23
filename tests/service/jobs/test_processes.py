"""Reactor and workers as processes of their own, ended in every way in the middle of meetings."""

import asyncio
import json
import os
import signal
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from redis import Redis
from rq import Queue
from rq.job import Job, JobStatus

from service.handling import Meetings
from service.jobs.draining import rq_queue, start_drain
from service.jobs.owed import SETTLE, TURNS
from tests.kit.jobs import (
    LONG,
    PARTITIONS,
    assert_played_rightly,
    open_meetings,
    queue_url,
    seat_bots,
    until,
)
from tests.kit.programs import PATIENCE, Program, await_end
from tests.kit.redis_server import RedisServer

Start = Callable[..., Program]


def over(full: Any) -> bool:
    """Whether the meeting is finished."""
    return full.status == "finished"


def past(version: int) -> Callable[[Any], bool]:
    """Whether the log has come that far, or the meeting is finished."""
    return lambda full: full.version >= version or over(full)


def flush(url: str) -> None:
    """Empty the queue's database."""
    with Redis.from_url(queue_url(url)) as client:
        client.flushdb()


async def long_meeting(meetings: Meetings) -> str:
    """One that bots play for some seconds."""
    return await seat_bots(meetings, *["random"] * 8, **LONG)


def horse_of(worker: Program) -> int:
    """The process that runs the worker's draining job."""
    children = Path(f"/proc/{worker.process.pid}/task/{worker.process.pid}/children")
    end = time.monotonic() + 30
    while not (found := children.read_text().split()):
        assert time.monotonic() < end, "the worker has no job"
        time.sleep(0.01)
    return int(found[0])


async def test_bots_play_meetings_to_the_end_by_reactor_and_workers(
    stored_meetings: Meetings, redis_url: str, start: Start
) -> None:
    for words in ("react", "work turns", "work settle"):
        start(words, redis_url)
    played = [
        await seat_bots(stored_meetings, *["steady"] * seats, brocco=True) for seats in (2, 3, 9)
    ]
    for meeting in played:
        await until(stored_meetings, meeting, over)
    await assert_played_rightly(stored_meetings, *played)


async def test_bots_play_on_after_kill_9_of_the_worker(
    stored_meetings: Meetings, redis_url: str, start: Start
) -> None:
    """Another worker starts, as the supervisor would see to; the job of the dead one is no help."""
    start("react", redis_url)
    start("work settle", redis_url)
    worker = start("work turns", redis_url)
    meeting = await long_meeting(stored_meetings)
    await until(stored_meetings, meeting, past(100))
    job = horse_of(worker)
    worker.send(signal.SIGKILL)
    os.kill(job, signal.SIGKILL)
    await_end(job)
    stopped = (await stored_meetings.fresh(meeting)).full.version
    start("work turns", redis_url)
    await until(stored_meetings, meeting, past(stopped + 50), PATIENCE)


async def test_bots_play_on_after_kill_9_of_the_job_alone(
    stored_meetings: Meetings, redis_url: str, start: Start
) -> None:
    start("react", redis_url)
    start("work settle", redis_url)
    worker = start("work turns", redis_url)
    meeting = await long_meeting(stored_meetings)
    await until(stored_meetings, meeting, past(100))
    os.kill(horse_of(worker), signal.SIGKILL)
    stopped = (await stored_meetings.fresh(meeting)).full.version
    await until(stored_meetings, meeting, past(stopped + 50), PATIENCE)


async def test_a_draining_job_whose_time_is_over_leaves_a_successor(
    redis_url: str, start: Start
) -> None:
    """No reactor is there to start one."""
    start("work turns", redis_url, drain_seconds=0.2)
    seen: set[bytes] = set()
    end = time.monotonic() + PATIENCE
    with Redis.from_url(queue_url(redis_url)) as client:
        while len(seen) < 3:
            seen.update(client.zrange("jobs:drains:turns", 0, -1))
            assert time.monotonic() < end, "the worker drains no more"
            await asyncio.sleep(0.02)


async def test_the_job_of_a_worker_that_was_killed_long_ago_is_cleared_away_without_alarm(
    redis_url: str, start: Start
) -> None:
    queue = rq_queue(TURNS, queue_url(redis_url))
    job = Job.fetch(start_drain(queue), queue.connection, serializer="json")
    job.set_status(JobStatus.STARTED)
    queue.empty()
    job.save()
    queue.connection.zadd(queue.started_job_registry.key, {f"{job.id}:a-run": time.time() - 1})
    worker = start("work turns", redis_url)
    end = time.monotonic() + PATIENCE
    while job.get_status() != JobStatus.FAILED:
        assert time.monotonic() < end, "it is not cleared away"
        await asyncio.sleep(0.02)
    queue.connection.close()
    horse_of(worker)  # it goes on to work
    worker.send(signal.SIGTERM)
    assert worker.code() == 0
    assert "rq.registry" not in worker.output


async def test_a_job_whose_worker_was_killed_ends_by_itself(
    stored_meetings: Meetings, redis_url: str, start: Start
) -> None:
    worker = start("work turns", redis_url)
    job = horse_of(worker)
    worker.send(signal.SIGKILL)
    await asyncio.to_thread(await_end, job)


async def test_an_emptied_queue_is_filled_again_from_the_log(
    stored_meetings: Meetings, redis_url: str, start: Start
) -> None:
    """Nothing is left of wakes, jobs and roster, and no worker had the meeting in hand."""
    start("react", redis_url)
    start("work settle", redis_url)
    worker = start("work turns", redis_url)
    meeting = await long_meeting(stored_meetings)
    await until(stored_meetings, meeting, past(100))
    worker.send(signal.SIGTERM)
    assert worker.code() == 0
    stopped = (await stored_meetings.fresh(meeting)).full.version
    flush(redis_url)
    start("work turns", redis_url)
    await until(stored_meetings, meeting, past(stopped + 50), PATIENCE)


async def test_everything_goes_on_when_the_queue_is_emptied_under_it(
    stored_meetings: Meetings, redis_url: str, start: Start
) -> None:
    for words in ("react", "work turns", "work settle"):
        start(words, redis_url)
    meeting = await long_meeting(stored_meetings)
    for version in (50, 200, 400):
        await until(stored_meetings, meeting, past(version), PATIENCE)
        flush(redis_url)
    await until(stored_meetings, meeting, over)
    await assert_played_rightly(stored_meetings, meeting)


@pytest.mark.parametrize("emptied", [False, True], ids=["roster kept", "roster lost"])
async def test_a_new_reactor_finds_what_is_owed_from_the_time_when_there_was_none(
    emptied: bool, stored_meetings: Meetings, redis_url: str, start: Start
) -> None:
    reactor = start("react", redis_url)
    start("work settle", redis_url)
    start("work turns", redis_url)
    first = await seat_bots(stored_meetings, "steady", "steady")
    await until(stored_meetings, first, over)
    reactor.send(signal.SIGKILL)
    reactor.code()
    second = await seat_bots(stored_meetings, "steady", "steady")
    if emptied:
        flush(redis_url)
    reactor = start("react", redis_url)
    await until(stored_meetings, second, over, PATIENCE)
    made = PARTITIONS if emptied else 0
    assert f'"rosters_made":{made}' in reactor.line("reactor_started")


async def test_several_reactors_and_workers_are_harmless(
    stored_meetings: Meetings, redis_url: str, start: Start
) -> None:
    for words in ("react", "work turns", "work settle") * 2:
        start(words, redis_url)
    meeting = await seat_bots(stored_meetings, *["random"] * 4, **LONG)
    await until(stored_meetings, meeting, over)
    await assert_played_rightly(stored_meetings, meeting)


async def test_sigterm_ends_a_worker_after_the_turn_in_hand(
    stored_meetings: Meetings, redis_url: str, start: Start
) -> None:
    """The meeting waits on the list, a successor in the queue, and no command is cut in two."""
    start("react", redis_url)
    start("work settle", redis_url)
    worker = start("work turns", redis_url)
    meeting = await long_meeting(stored_meetings)
    await until(stored_meetings, meeting, past(100))
    job = horse_of(worker)
    worker.send(signal.SIGTERM)
    assert worker.code() == 0
    await_end(job)
    with Redis.from_url(queue_url(redis_url)) as client:
        assert client.zcard("jobs:drains:turns") == 0
        assert Queue(TURNS, connection=client, serializer="json").count == 1
    full = (await stored_meetings.fresh(meeting)).full
    start("work turns", redis_url)
    await until(stored_meetings, meeting, past(full.version + 1))


async def test_the_meeting_goes_on_after_kill_9_of_redis(
    make_redis: Callable[..., RedisServer], start: Start
) -> None:
    server = make_redis()
    parts = [start(words, server.url) for words in ("react", "work turns", "work settle")]
    async with open_meetings(server.url) as meetings:
        meeting = await long_meeting(meetings)
        await until(meetings, meeting, past(100))
    await asyncio.to_thread(server.restart)
    async with open_meetings(server.url) as meetings:
        await until(meetings, meeting, over)
        await assert_played_rightly(meetings, meeting)
    for part in parts:
        part.send(signal.SIGTERM)
        assert part.code() == 0
    told = [json.loads(line) for part in parts for line in part.lines]
    assert not [line for line in told if line["level"] in ("error", "critical")], "it heals itself"
    assert [line for line in told if line["level"] == "warning"], "and is told"


def touch(path: str) -> None:
    """What a stranger's job would do."""
    Path(path).touch()


@pytest.mark.parametrize("serializer", ["json", "pickle"])
async def test_a_worker_runs_nothing_but_draining_jobs(
    serializer: str, redis_url: str, start: Start, tmp_path: Path
) -> None:
    mark = tmp_path / "ran"
    with Redis.from_url(queue_url(redis_url)) as client:
        queue = Queue(SETTLE, connection=client, serializer=serializer)
        strange = queue.enqueue(f"{__name__}.touch", str(mark), failure_ttl=60)
        worker = start("work settle", redis_url)
        worker.line(strange.id)
        start("react", redis_url)
        end = time.monotonic() + PATIENCE
        while not client.zcard("jobs:drains:settle"):
            assert time.monotonic() < end, "the worker drains no more"
            await asyncio.sleep(0.05)
    assert not mark.exists()
