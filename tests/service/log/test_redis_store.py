"""What stands in Redis, and what the append script refuses before it writes anything."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from redis import Redis
from redis.exceptions import ResponseError

from service.limits import Policy
from service.ports import KEY_SECONDS, Diverged, LogUnavailable
from service.redis.client import PoolCalls, Refused
from service.redis.event_log import RedisEventLog
from service.redis.faults import answer_for
from service.redis.keys import Keys
from service.redis.limits import RedisBuckets
from tests.kit.log_lines import START, assert_stored_once, audit, batch, end, grow
from tests.kit.log_load import Load
from tests.kit.redis_server import RedisServer

OpenLog = Callable[..., RedisEventLog]
MakeRedis = Callable[..., RedisServer]
KEYS = Keys(16)


def contents(client: Redis) -> dict[bytes, Any]:
    """All keys and what they hold."""
    return {key: client.dump(key) for key in client.scan_iter(count=1000)}


async def test_what_is_stored_stands_as_documented(redis_url: str, open_log: OpenLog) -> None:
    log = open_log(redis_url)
    lines = batch(START, 2, "é")
    await log.append("m", START, "c", "print", lines, key_seconds=77)
    with Redis.from_url(redis_url) as client:
        first, second = client.xrange(KEYS.log("m"))
        digests = [bytes.fromhex(line.digest) for line in lines]
        assert first == (b"1-0", {b"d": lines[0].body, b"h": digests[0], b"c": b"c"})
        assert second == (b"2-0", {b"d": lines[1].body, b"h": digests[1]})
        assert client.hgetall(KEYS.head("m")) == {b"v": b"2", b"h": digests[1]}
        assert client.get(KEYS.key("m", "c")) == b"print|1|2"
        assert 70 < client.ttl(KEYS.key("m", "c")) <= 77
        feed = client.xrange(KEYS.feeds[log.partition("m")])
        assert feed == [(b"1-0", {b"m": b"m", b"v": b"1", b"n": b"2"})]
        assert client.dbsize() == 4


async def test_a_remembered_answer_is_known_for_two_days(redis_url: str, open_log: OpenLog) -> None:
    await open_log(redis_url).remember("m", "c", "print", 3)
    with Redis.from_url(redis_url) as client:
        assert client.get(KEYS.key("m", "c")) == b"print|4|3"
        assert KEY_SECONDS - 10 < client.ttl(KEYS.key("m", "c")) <= KEY_SECONDS


@pytest.mark.parametrize("name", ["log", "head", "key", "feed"])
async def test_a_key_of_another_type_is_refused_before_anything_is_written(
    redis_url: str, open_log: OpenLog, name: str
) -> None:
    log = open_log(redis_url)
    head = await grow(log, "m", 2)
    keys = dict(zip(("log", "head", "key", "feed"), KEYS.append("m", "c"), strict=True))
    with Redis.from_url(redis_url) as client:
        client.delete(keys[name])
        client.sadd(keys[name], "something else")
        before = contents(client)
        with pytest.raises(Diverged, match="something else"):
            await log.append("m", head, "c", "print", batch(head))
        assert contents(client) == before


@pytest.mark.parametrize(
    "damage",
    [
        lambda client: client.xdel(KEYS.log("m"), "3-0"),
        lambda client: client.xdel(KEYS.log("m"), "2-0"),
        lambda client: client.delete(KEYS.log("m")),
        lambda client: client.delete(KEYS.head("m")),
        lambda client: client.hset(KEYS.head("m"), "h", b"x" * 32),
        lambda client: client.xadd(KEYS.log("m"), {"d": "x"}, id="4-0"),
        lambda client: (
            client.xadd(KEYS.log("m"), {"d": "x"}, id="9-0"),
            client.xdel(KEYS.log("m"), "9-0"),
        ),
    ],
    ids=["end gone", "line gone", "log gone", "head gone", "other head", "line more", "id spent"],
)
async def test_a_damaged_log_is_not_continued(
    redis_url: str, open_log: OpenLog, damage: Callable[[Redis], object]
) -> None:
    log = open_log(redis_url)
    head = await grow(log, "m", 3)
    with Redis.from_url(redis_url) as client:
        damage(client)
        before = contents(client)
        with pytest.raises(Diverged):
            await log.append("m", head, "c", "print", batch(head))
        assert contents(client) == before


async def test_a_line_that_is_gone_is_not_read_over(redis_url: str, open_log: OpenLog) -> None:
    log = open_log(redis_url)
    await grow(log, "m", 5)
    with Redis.from_url(redis_url) as client:
        client.xdel(KEYS.log("m"), "3-0")
    with pytest.raises(Diverged, match="line 3 is missing"):
        await log.read("m", 1)
    assert len(await log.read("m", 3)) == 2


async def test_a_feed_never_gives_a_position_twice(redis_url: str, open_log: OpenLog) -> None:
    log = open_log(redis_url)
    await grow(log, "m", 1, 1)
    mine = log.partition("m")
    with Redis.from_url(redis_url) as client:
        client.xdel(KEYS.feeds[mine], "2-0")
    await grow(log, "m", 1)
    assert [entry.position for entry in await log.feed(mine, 2)] == [3]
    after = [0] * 16
    with pytest.raises(Diverged, match="entry 2 is missing"):
        await log.feed(mine, 0)
    with pytest.raises(Diverged, match="entry 2 is missing"):
        await log.follow(after, 1)


async def test_a_flushed_script_cache_is_never_noticed(redis_url: str, open_log: OpenLog) -> None:
    load = Load(open_log(redis_url), ["m", "n", "o"])
    with Redis.from_url(redis_url) as client:
        stop = False

        async def flush() -> None:
            while not stop:
                client.script_flush()
                await asyncio.sleep(0.001)

        flushing = asyncio.create_task(flush())
        await load.write(writers=4, commands=50)
        stop = True
        await flushing
    assert len(load.done) == 200
    assert load.refusals == 0
    assert_stored_once(await audit(load.log, load.meetings), load.done)


async def test_a_full_memory_refuses_whole_commands_until_there_is_more(
    make_redis: MakeRedis, open_log: OpenLog
) -> None:
    server = make_redis()
    log = open_log(server.url)
    with server.client() as client:
        client.config_set("maxmemory", client.info()["used_memory"] + 600_000)
        head = START

        async def fill() -> None:
            nonlocal head
            while True:
                lines = batch(head, 7, "x" * 2000)
                await log.append("m", head, f"c{head.version}", "print", lines)
                head = end(lines)

        with pytest.raises(LogUnavailable, match="memory") as refusal:
            await fill()
        assert not refusal.value.maybe_stored
        assert head.version > 0
        assert await log.head("m") == head
        assert set(await audit(log, ["m"])) == {"m"}
        client.config_set("maxmemory", client.info()["used_memory"] // 2)
        with pytest.raises(LogUnavailable, match="memory"):
            await log.remember("m", "later", "print", 1)
        client.config_set("maxmemory", 0)
    await grow(log, "m", 7)
    assert len((await audit(log, ["m"]))["m"]) == head.version + 7


async def test_a_replica_refuses_and_a_primary_again_takes(
    make_redis: MakeRedis, open_log: OpenLog
) -> None:
    server = make_redis()
    log = open_log(server.url)
    head = await grow(log, "m", 2)
    with server.client() as client:
        client.replicaof("127.0.0.1", "1")
        with pytest.raises(LogUnavailable, match="replica") as refusal:
            await log.append("m", head, "c", "print", batch(head))
        assert not refusal.value.maybe_stored
        client.replicaof("NO", "ONE")
    await log.append("m", head, "c", "print", batch(head))
    await audit(log, ["m"])


async def test_too_few_replicas_refuse_without_a_trace(
    make_redis: MakeRedis, open_log: OpenLog
) -> None:
    server = make_redis(settings={"min-replicas-to-write": "1"})
    log = open_log(server.url)
    with pytest.raises(LogUnavailable, match="replicas") as refusal:
        await log.append("m", START, "c", "print", batch(START))
    assert not refusal.value.maybe_stored
    assert await log.head("m") is None


async def test_a_redis_busy_with_a_script_refuses_without_a_trace(
    make_redis: MakeRedis, open_log: OpenLog
) -> None:
    server = make_redis(settings={"lua-time-limit": "5"})
    log = open_log(server.url)
    head = await grow(log, "m", 1)
    with server.client() as client, server.client() as other:
        looping = asyncio.create_task(
            asyncio.to_thread(client.eval, "while redis.call('PING') do end", 0)
        )
        await asyncio.sleep(0.1)
        with pytest.raises(LogUnavailable, match="slow script") as refusal:
            await log.append("m", head, "c", "print", batch(head))
        assert not refusal.value.maybe_stored
        other.script_kill()
        with pytest.raises(ResponseError, match="killed"):
            await looping
    await log.append("m", head, "d", "print", batch(head))
    await audit(log, ["m"])


async def test_a_user_without_the_right_is_told_so(
    make_redis: MakeRedis, open_log: OpenLog
) -> None:
    server = make_redis()
    with server.client() as client:
        client.execute_command("ACL", "SETUSER", "reader", "on", ">sesame", "~*", "+@read")
    log = open_log(server.url.replace("://", "://reader:sesame@"))
    with pytest.raises(LogUnavailable, match="lacks a right") as refusal:
        await log.append("m", START, "c", "print", batch(START))
    assert not refusal.value.maybe_stored
    assert "sesame" not in str(refusal.value)


async def test_a_cluster_without_the_slot_refuses_without_a_trace(
    make_redis: MakeRedis, open_log: OpenLog
) -> None:
    log = open_log(make_redis(port=True, settings={"cluster-enabled": "yes"}).url)
    with pytest.raises(LogUnavailable, match="cluster is down") as refusal:
        await log.append("m", START, "c", "print", batch(START))
    assert not refusal.value.maybe_stored


def test_an_error_that_nobody_knows_may_have_come_after_a_write() -> None:
    answer = answer_for(Refused("ERR Error running script: @user_script:1: something new"))
    assert isinstance(answer, LogUnavailable)
    assert answer.maybe_stored


async def test_all_keys_of_a_call_live_in_one_slot_of_a_cluster(
    make_redis: MakeRedis, open_log: OpenLog
) -> None:
    server = make_redis(port=True, settings={"cluster-enabled": "yes"})
    with server.client() as client:
        client.execute_command("CLUSTER", "ADDSLOTS", *range(16384))
        while "cluster_state:ok" not in str(client.execute_command("CLUSTER", "INFO")):
            await asyncio.sleep(0.02)
    log = open_log(server.url)
    load = Load(log, ["m", "n", "o"])
    await load.write(writers=2, commands=20)
    assert_stored_once(await audit(log, load.meetings), load.done)
    calls = PoolCalls(server.url)
    rare = Policy(name="rare", quota=1, seconds=60, by="caller")
    leases = [await RedisBuckets(calls).take("rare:2001:db8::/64", rare) for _ in range(3)]
    await calls.close()
    assert [(lease.taken, lease.wait > 1) for lease in leases] == [(1, True), (0, True), (0, True)]
