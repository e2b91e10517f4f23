"""Slots move from one master to another while meetings are written, and masters go and come."""

import asyncio
from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from redis.crc import key_slot

from service.ports import Appended, EventLog, FeedEntry, LogUnavailable
from service.redis import cluster as routing
from service.redis.event_log import RedisEventLog
from tests.kit.log_lines import assert_stored_once, audit, batch, grow
from tests.kit.log_load import Load
from tests.kit.redis_cluster import Cluster
from tests.kit.redis_server import RedisServer

MakeCluster = Callable[..., Cluster]
OpenLog = Callable[..., RedisEventLog]
MEETINGS = [f"meeting-{number}" for number in range(12)]


def feed_of(log: EventLog, meeting: str) -> str:
    """The key of the feed that a meeting is in."""
    return f"es:{{p{log.partition(meeting):02d}}}:feed"


def places(cluster: Cluster, feed: str) -> tuple[int, RedisServer, RedisServer]:
    """The slot of a feed, the master that has it, and one that does not."""
    source = cluster.owner(feed)
    target = next(node for node in cluster.nodes if node is not source)
    return key_slot(feed.encode()), source, target


async def following(log: EventLog, seen: list[FeedEntry]) -> None:
    """Read all feeds, for ever."""
    positions = [0] * log.partitions
    while True:
        try:
            news = await log.follow(positions, 1.0, 50)
        except LogUnavailable:
            await asyncio.sleep(0.05)
            continue
        for entry in news:
            assert entry.position == positions[entry.partition] + 1, "without gap, none twice"
            positions[entry.partition] = entry.position
        seen += news


@pytest.mark.parametrize("moves", [8, pytest.param(80, marks=pytest.mark.long)])
async def test_slots_move_while_meetings_run(
    make_redis: MakeCluster, open_log: OpenLog, moves: int
) -> None:
    """Key by key and in handfuls; nothing is lost or done twice, no reader misses any."""
    cluster = make_redis(fsync="everysec")
    log, reader = open_log(cluster.url), open_log(cluster.url)
    load, random = Load(log, MEETINGS), Random(moves)
    await load.write(writers=4, commands=10)
    seen: list[FeedEntry] = []
    stop = False
    async with asyncio.TaskGroup() as tasks:
        writing = tasks.create_task(load.write_until(8, lambda: stop))
        reading = tasks.create_task(following(reader, seen))
        keys = 0
        for _ in range(moves):
            feed = feed_of(log, random.choice(MEETINGS))
            place = await asyncio.to_thread(places, cluster, feed)
            keys += await asyncio.to_thread(cluster.move, *place, random.choice([1, 5, 100]))
            before = len(load.done)
            while len(load.done) < before + 10:
                await asyncio.sleep(0.005)
        stop = True
        await writing
        total = sum(await log.feed_heads())
        while len(seen) < total:
            await asyncio.sleep(0.01)
        reading.cancel()
    assert keys > 10 * moves
    logs = await audit(log, MEETINGS)
    assert sum(map(len, logs.values())) == sum(count for _, _, count in load.done.values())
    assert_stored_once(logs, load.done)
    print(f"{moves} moves of {keys} keys under {len(load.done)} commands; refused {load.refusals}")


async def test_in_the_middle_of_a_move_logs_are_read_and_appends_are_told_to_wait(
    make_redis: MakeCluster, open_log: OpenLog, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A part of a partition's keys here, a part there: no script may run on either master."""
    monkeypatch.setattr(routing, "MOVING_SECONDS", 0.2)
    cluster = make_redis()
    log = open_log(cluster.url)
    heads = {"m": await grow(log, "m", 2, 1)}
    other = next(f"n{n}" for n in range(999) if log.partition(f"n{n}") == log.partition("m"))
    heads[other] = await grow(log, other, 1)
    slot, source, target = places(cluster, feed_of(log, "m"))
    cluster.begin_move(slot, source, target)
    with source.client() as old:
        keys: list[Any] = old.execute_command("CLUSTER GETKEYSINSLOT", slot, 99)
        some = [key for key in keys if key.endswith(":m")]  # its log, its head
        old.migrate("127.0.0.1", target.port, some[:1], 0, 5000)
    for meeting, head in heads.items():
        assert await log.head(meeting) == head
        assert len(await log.read(meeting)) == head.version
    with pytest.raises(LogUnavailable, match="another master") as refusal:
        await log.append("m", heads["m"], "c", "print", batch(heads["m"]))
    assert not refusal.value.maybe_stored
    monkeypatch.setattr(routing, "MOVING_SECONDS", 30)
    asked = asyncio.create_task(log.append("m", heads["m"], "c", "print", batch(heads["m"])))
    await asyncio.sleep(0.1)
    await asyncio.to_thread(cluster.move, slot, source, target)
    assert await asked == Appended(first=4, last=4)
    await audit(log, list(heads))


async def test_while_a_master_is_away_the_partitions_of_the_others_go_on(
    make_redis: MakeCluster, open_log: OpenLog
) -> None:
    cluster = make_redis(settings={"cluster-require-full-coverage": "no"})
    log = open_log(cluster.url)
    dead = cluster.nodes[0]
    gone = {m for m in MEETINGS if cluster.owner(feed_of(log, m)) is dead}
    assert gone < set(MEETINGS)
    for meeting in MEETINGS:
        await grow(log, meeting, 1)
    seen = await log.follow([0] * 16, 5)
    while len(seen) < len(MEETINGS):
        seen += await log.follow(ends(seen), 5)
    dead.kill()
    for meeting in MEETINGS:
        if meeting in gone:
            with pytest.raises(LogUnavailable):
                await log.head(meeting)
        else:
            await grow(log, meeting, 1)
    more = len(MEETINGS) - len(gone)
    news = seen[:]
    while len(news) < len(seen) + more:
        news += await log.follow(ends(news), 5)
    with pytest.raises(LogUnavailable):
        await log.follow(ends(news), 0.1)
    dead.start()
    await asyncio.to_thread(cluster.await_whole)
    for meeting in gone:
        await grow(log, meeting, 1)
    await audit(log, MEETINGS)


def ends(seen: list[FeedEntry]) -> list[int]:
    """Up to where these entries go, by partition."""
    positions = [0] * 16
    for entry in seen:
        positions[entry.partition] = max(positions[entry.partition], entry.position)
    return positions
