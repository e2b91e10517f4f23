"""The log in Redis when answers are lost, Redis is away, killed, or its file is cut."""

import asyncio
import os
import signal
import time
from collections.abc import AsyncIterator, Callable

import pytest

from service.ports import Appended, Diverged, LogUnavailable
from service.redis import faults
from service.redis.event_log import RedisEventLog
from tests.kit.log_lines import START, assert_stored_once, audit, batch, grow
from tests.kit.log_load import Load
from tests.kit.lossy_proxy import LossyProxy
from tests.kit.redis_server import RedisServer

OpenLog = Callable[..., RedisEventLog]
MakeRedis = Callable[..., RedisServer]
MEETINGS = [f"meeting-{number}" for number in range(6)]

HELD_SECONDS = 3.0
"""So long Redis may hold back what it acknowledged; its own clock for that counts whole seconds."""


@pytest.fixture
async def lossy(redis_url: str, redis_server: RedisServer) -> AsyncIterator[LossyProxy]:
    """An empty Redis behind a proxy that loses nothing yet."""
    async with LossyProxy(redis_server.socket, loss=0) as proxy:
        yield proxy


@pytest.mark.parametrize("silent", [False, True], ids=["cut", "silent"])
async def test_a_command_whose_answer_is_lost_is_stored_once(
    redis_url: str,
    redis_server: RedisServer,
    open_log: OpenLog,
    silent: bool,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(faults, "AGAIN_AFTER", (0.005, 0.01))
    loss = 0.05 if silent else 0.3
    async with LossyProxy(redis_server.socket, loss=loss, silent=silent) as proxy:
        load = Load(open_log(proxy.url, seconds=0.3), MEETINGS)
        await load.write(writers=6, commands=8 if silent else 25)
        assert proxy.lost > 0
    logs = await audit(open_log(redis_url), MEETINGS)
    assert len(load.done) == (48 if silent else 150)
    assert sum(map(len, logs.values())) == sum(count for _, _, count in load.done.values())
    assert_stored_once(logs, load.done)


async def test_an_append_whose_answer_is_lost_asks_again_by_itself(
    lossy: LossyProxy, open_log: OpenLog
) -> None:
    log = open_log(lossy.url)
    head = await grow(log, "m", 1)
    lossy.loss = 1.0
    asked = asyncio.create_task(log.append("m", head, "c", "print", batch(head, 2)))
    while not lossy.lost:
        await asyncio.sleep(0.005)
    lossy.loss = 0.0
    assert await asked == Appended(first=2, last=3, duplicate=True)


async def test_an_append_that_gets_no_answer_at_all_says_it_may_be_stored(
    lossy: LossyProxy, redis_url: str, open_log: OpenLog
) -> None:
    log = open_log(lossy.url)
    head = await grow(log, "m", 1)
    lossy.loss = 1.0
    with pytest.raises(LogUnavailable) as refusal:
        await log.append("m", head, "c", "print", batch(head, 2))
    assert refusal.value.maybe_stored
    assert lossy.lost == 3, "the call and two more"
    lossy.loss = 0.0
    again = await log.append("m", head, "c", "print", batch(head, 2))
    assert again == Appended(first=2, last=3, duplicate=True)
    await audit(open_log(redis_url), ["m"])


async def test_a_redis_that_hangs_is_not_waited_for_long(
    make_redis: MakeRedis, open_log: OpenLog
) -> None:
    server = make_redis()
    log = open_log(server.url, seconds=0.2)
    head = await grow(log, "m", 1)
    server.signal(signal.SIGSTOP)
    try:
        with pytest.raises(LogUnavailable) as refusal:
            await log.append("m", head, "c", "print", batch(head))
        assert refusal.value.maybe_stored
        with pytest.raises(LogUnavailable):
            await log.head("m")
    finally:
        server.signal(signal.SIGCONT)
    # What waited in its sockets was done after all, or is done now: once in any case.
    done = await log.append("m", head, "c", "print", batch(head))
    assert (done.first, done.last) == (2, 2)
    assert len((await audit(log, ["m"]))["m"]) == 2


async def test_a_redis_that_is_away_is_told_at_once_and_found_again(
    make_redis: MakeRedis, open_log: OpenLog
) -> None:
    server = make_redis(port=True)
    logs = [open_log(server.url), open_log(server.tcp_url)]
    head = await grow(logs[0], "m", 2)
    for log in logs:
        assert await log.head("m") == head
    server.settle()
    server.kill()
    for log in logs:
        for _ in range(3):
            with pytest.raises(LogUnavailable):
                await log.head("m")
        with pytest.raises(LogUnavailable) as refusal:
            await log.append("m", head, "c", "print", batch(head))
        assert not refusal.value.maybe_stored
        with pytest.raises(LogUnavailable):
            await log.follow([0] * 16, 1)
    server.start()
    for number, log in enumerate(logs):
        head = await log.head("m") or START
        done = await log.append("m", head, f"c{number}", "print", batch(head))
        assert done == Appended(first=3 + number, last=3 + number)
        assert len(await log.follow([0] * 16, 1)) == 2 + number


async def test_a_redis_that_loads_is_told_so(make_redis: MakeRedis, open_log: OpenLog) -> None:
    server = make_redis()
    log = open_log(server.url)
    head = await grow(log, "m", 1)
    with server.client() as client:
        client.mset({f"filling-{number}": os.urandom(10_000) for number in range(1000)})
        client.bgrewriteaof()
    server.wait_for("aof_rewrite_in_progress", 0)
    server.kill()
    await asyncio.sleep(0.05)  # hear of it, so that nothing is sent into the dead connection
    server.settings["key-load-delay"] = "1000"  # microseconds a key; it listens every 2 MB
    server.launch()
    until = time.monotonic() + 20
    text = ""
    while "loading" not in text:
        assert time.monotonic() < until
        with pytest.raises(LogUnavailable) as refusal:
            await log.append("m", head, "c", "print", batch(head))
        text = str(refusal.value)
        await asyncio.sleep(0.01)
    assert not refusal.value.maybe_stored
    server.wait_for("loading", 0)
    done = await log.append("m", head, "c", "print", batch(head))
    assert (done.first, done.last) == (2, 2)


async def killed_under_load(server: RedisServer, load: Load, rounds: int) -> list[float]:
    """Kill a Redis and start it again while writers work; when each kill was."""
    stop = False
    writing = asyncio.create_task(load.write_until(6, lambda: stop))
    kills = []
    for _ in range(rounds):
        before = len(load.done)
        while len(load.done) < before + 60:
            await asyncio.sleep(0.005)
        await asyncio.to_thread(server.kill)
        kills.append(time.monotonic())
        await asyncio.sleep(0.05)
        server.start()
    before = len(load.done)
    while len(load.done) < before + 20:
        await asyncio.sleep(0.005)
    stop = True
    await writing
    return kills


async def test_a_redis_killed_under_load_loses_nothing_acknowledged(
    make_redis: MakeRedis, open_log: OpenLog
) -> None:
    server = make_redis(fsync="always")
    load = Load(open_log(server.url), MEETINGS)
    await killed_under_load(server, load, rounds=3)
    logs = await audit(load.log, MEETINGS)
    assert_stored_once(logs, load.done)
    assert sum(map(len, logs.values())) == sum(count for _, _, count in load.done.values())


async def test_with_everysec_a_killed_redis_loses_at_most_what_a_busy_disk_held_back(
    make_redis: MakeRedis, open_log: OpenLog
) -> None:
    """It writes before it answers, but not while the disk is busy: then for two seconds at most."""
    server = make_redis(fsync="everysec")
    load = Load(open_log(server.url), MEETINGS)
    kills = await killed_under_load(server, load, rounds=3)
    logs = await audit(load.log, MEETINGS)
    notes = b"".join(line.body for lines in logs.values() for line in lines)
    lost = {name for name in load.done if b'"note":"%b"' % name.encode() not in notes}
    for name in lost:
        waited = min(kill - load.when[name] for kill in kills if kill >= load.when[name])
        assert waited < HELD_SECONDS, f"{name} was lost {waited:.1f} s after it was acknowledged"
    kept = {name: told for name, told in load.done.items() if name not in lost}
    assert len(kept) >= 20, "what was acknowledged behind the last kill is there"
    assert_stored_once(logs, kept)


async def test_a_full_disk_refuses_until_there_is_room(
    make_redis: MakeRedis, open_log: OpenLog
) -> None:
    server = make_redis(fsync="everysec")
    log = open_log(server.url)
    head = await grow(log, "m", 3)
    server.fill_disk()
    # Redis acknowledges what it could not write, keeps it, and takes nothing more.
    head = await grow(log, "m", 3)
    server.wait_for("aof_last_write_status", "err")
    with pytest.raises(LogUnavailable, match="disk") as refusal:
        await log.append("m", head, "c", "print", batch(head, 2))
    assert not refusal.value.maybe_stored
    server.free_disk()
    await log.append("m", head, "c", "print", batch(head, 2))
    server.restart()
    assert len((await audit(log, ["m"]))["m"]) == 8


async def test_a_redis_that_always_writes_ends_on_a_full_disk_before_it_acknowledges(
    make_redis: MakeRedis, open_log: OpenLog
) -> None:
    server = make_redis(fsync="always")
    log = open_log(server.url)
    head = await grow(log, "m", 3)
    server.fill_disk()
    with pytest.raises(LogUnavailable) as refusal:
        await log.append("m", head, "c", "print", batch(head, 2))
    assert refusal.value.maybe_stored
    server.restart()
    assert await log.head("m") == head
    assert not (await log.append("m", head, "c", "print", batch(head, 2))).duplicate
    await audit(log, ["m"])


async def test_a_refilled_history_is_not_taken_for_the_old_one(
    redis_url: str, redis_server: RedisServer, open_log: OpenLog
) -> None:
    log = open_log(redis_url)
    seen = await grow(log, "m", 2)
    with redis_server.client() as client:
        client.flushall()
    await log.append("m", START, "other", "print", batch(START, 2, "other"))
    with pytest.raises(Diverged, match="another history"):
        await log.append("m", seen, "c", "print", batch(seen))
