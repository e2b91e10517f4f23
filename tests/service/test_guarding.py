"""A Redis that comes back with less under a running process: found before anybody goes on."""

import asyncio
import os
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from structlog.testing import capture_logs

from service.anchors import FILE
from service.guarding import Guard
from service.ports import Appended, FellBack, Head, LogUnavailable
from service.redis.client import Calls, PoolCalls
from service.redis.event_log import RedisEventLog
from service.redis.mux import open_calls, open_waiting
from tests.kit.log_lines import START, audit, batch, end, grow
from tests.kit.redis_cluster import Cluster
from tests.kit.redis_server import RedisServer

MEETINGS = [f"meeting-{number}" for number in range(24)]


@asynccontextmanager
async def guarded(
    url: str, folder: Path, way: Callable[[str], Calls] = open_calls
) -> AsyncIterator[tuple[RedisEventLog, Guard]]:
    """A log as a part opens it, but for the looks now and then."""
    calls, waiting = way(url), open_waiting(url)
    log = RedisEventLog(calls, waiting, 16)
    guard = Guard(folder / FILE, log, "here", lambda: "2026-05-01T14:00:00.000Z")
    log.on_return(guard.returned)
    try:
        yield log, guard
    finally:
        await waiting.close()
        await calls.close()


async def appended(log: RedisEventLog, meeting: str, head: Head) -> object:
    """What a command gets, from a writer who knows only what is there now."""
    try:
        return await log.append(meeting, head, "on", "print", batch(head))
    except (FellBack, LogUnavailable) as refusal:
        return type(refusal)


async def heads(log: RedisEventLog) -> dict[str, Head]:
    """Where each meeting ends."""
    return {meeting: await log.head(meeting) or START for meeting in MEETINGS}


async def fall_back(server: RedisServer, size: int) -> None:
    """The server dies, and comes back with so much of its file."""
    server.kill()
    await asyncio.sleep(0.05)  # hear of it
    os.truncate(server.aof, size)
    server.start()


async def assert_found_before_anybody_goes_on(
    log: RedisEventLog, before: dict[str, Head], lost: set[str], here: set[str]
) -> None:
    """Many come at once, before anybody has looked; `here` are the meetings of that server."""
    with capture_logs() as said:
        first = await asyncio.gather(*(appended(log, m, before[m]) for m in sorted(here)))
        assert set(first) == {LogUnavailable}
        second = {m: await appended(log, m, before[m]) for m in MEETINGS}
    fallen = {log.partition(meeting) for meeting in lost}
    assert log.fallen == fallen
    assert [line["event"] for line in said] == ["log_fell_back"]
    for meeting, answer in second.items():
        if log.partition(meeting) in fallen:
            assert answer == FellBack
        else:
            assert isinstance(answer, Appended)
    logs = await audit(log, MEETINGS)
    assert all(end(logs[m]) == before[m] for m in MEETINGS if log.partition(m) in fallen)


@pytest.mark.parametrize("way", [open_calls, PoolCalls], ids=["one connection", "pool"])
async def test_a_redis_that_comes_back_with_less_is_found_before_anybody_goes_on(
    make_redis: Callable[..., RedisServer], tmp_path: Path, way: Callable[[str], Calls]
) -> None:
    """Over TLS it is the pool."""
    server = make_redis(fsync="always")
    async with guarded(server.url, tmp_path, way) as (log, guard):
        for meeting in MEETINGS:
            await grow(log, meeting, 2, 1)
        before, size = await heads(log), server.aof.stat().st_size
        await grow(log, MEETINGS[3], 1)
        await grow(log, MEETINGS[7], 2)
        await guard.note()
        await fall_back(server, size)
        lost = {MEETINGS[3], MEETINGS[7]}
        await assert_found_before_anybody_goes_on(log, before, lost, set(MEETINGS))


async def test_so_is_a_master_of_a_cluster(tmp_path: Path) -> None:
    settings: dict[str, Any] = {"cluster-require-full-coverage": "no"}
    cluster = Cluster(tmp_path / "cluster", fsync="always", settings=settings).start()
    try:
        async with guarded(cluster.url, tmp_path) as (log, guard):
            for meeting in MEETINGS:
                await grow(log, meeting, 2, 1)
            owners = {m: cluster.owner(f"es:{{p{log.partition(m):02d}}}:feed") for m in MEETINGS}
            server = owners[MEETINGS[3]]
            before, size = await heads(log), server.aof.stat().st_size
            await grow(log, MEETINGS[3], 1)
            await guard.note()
            await fall_back(server, size)
            await asyncio.to_thread(cluster.await_whole)
            here = {meeting for meeting in MEETINGS if owners[meeting] is server}
            assert here < set(MEETINGS)
            await assert_found_before_anybody_goes_on(log, before, {MEETINGS[3]}, here)
    finally:
        cluster.stop()


async def test_one_that_comes_back_whole_is_gone_on_with_at_once(
    make_redis: Callable[..., RedisServer], tmp_path: Path
) -> None:
    server = make_redis(fsync="always")
    async with guarded(server.url, tmp_path) as (log, guard):
        head = await grow(log, "m", 2, 1)
        await guard.note()
        server.restart()
        for number in range(3):
            try:
                answer = await log.append("m", head, f"on-{number}", "print", batch(head))
                break
            except LogUnavailable:  # what was sent into the connection that had died
                assert number == 0
        assert answer.last == 4
        assert log.fallen == frozenset()


@pytest.mark.parametrize("content", [None, b'{"store":'])
async def test_without_an_anchor_to_go_by_nobody_is_held_up(
    make_redis: Callable[..., RedisServer], tmp_path: Path, content: bytes | None
) -> None:
    if content is not None:
        (tmp_path / FILE).write_bytes(content)
    server = make_redis(fsync="always")
    async with guarded(server.url, tmp_path) as (log, _):
        head = await grow(log, "m", 2)
        await fall_back(server, server.aof.stat().st_size)
        assert isinstance(await appended(log, "m", head), Appended)
