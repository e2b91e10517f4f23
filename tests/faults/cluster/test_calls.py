"""Calls find the master that has their keys, whatever is known of it."""

import asyncio
from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest
from redis.crc import key_slot

from service.redis.apart import Apart
from service.redis.client import Calls, PoolCalls, Refused, Unreachable
from service.redis.cluster import ClusterCalls
from service.redis.gate import GateRefused, check, health
from service.redis.mux import Multiplexed, open_calls, open_waiting
from tests.kit.redis_cluster import Cluster
from tests.kit.redis_server import RedisServer

MakeCluster = Callable[..., Cluster]
KEYS = [f"key-{number}" for number in range(60)]


@pytest.fixture(params=[Multiplexed, PoolCalls, Apart])
async def calls(redis_url: str, request: pytest.FixtureRequest) -> AsyncIterator[Calls]:
    """Calls to an empty Cluster, over each way to a node."""
    one = ClusterCalls(redis_url, request.param)
    yield one
    await one.close()


async def test_every_master_is_found(calls: Calls, redis_server: Cluster) -> None:
    await asyncio.gather(*(calls.call("SET", key, key) for key in KEYS))
    assert await asyncio.gather(*(calls.call("GET", key) for key in KEYS)) == [
        key.encode() for key in KEYS
    ]
    sizes = [await server.call("DBSIZE") for server in await calls.servers()]
    assert len(sizes) == 3
    assert all(sizes)
    assert sum(sizes) == len(KEYS)


async def test_keys_that_have_moved_are_followed_and_the_way_is_learnt(
    make_redis: MakeCluster,
) -> None:
    cluster = make_redis()
    for way in (Multiplexed, PoolCalls, Apart):
        calls = ClusterCalls(cluster.url, way)
        await calls.call("SET", "key", "1")
        source = cluster.owner("key")
        target = next(node for node in cluster.nodes if node is not source)
        cluster.move(key_slot(b"key"), source, target)
        assert await calls.call("INCR", "key") == 2
        with source.client() as old:
            before = old.info("errorstats").get("errorstat_MOVED", {"count": 0})["count"]
            assert before == 1
            await asyncio.gather(*(calls.call("GET", "key") for _ in range(10)))
            assert old.info("errorstats")["errorstat_MOVED"]["count"] == before
            old.config_resetstat()
        await calls.close()


async def test_keys_that_are_on_their_way_are_asked_for_where_they_are(
    make_redis: MakeCluster,
) -> None:
    cluster = make_redis()
    one, two = "{tag}one", "{tag}two"
    source = cluster.owner(one)
    target = next(node for node in cluster.nodes if node is not source)
    ways: list[Calls] = [ClusterCalls(cluster.url, way) for way in (Multiplexed, PoolCalls, Apart)]
    await asyncio.gather(*(ways[0].call("SET", key, 0) for key in (one, two)))
    cluster.begin_move(key_slot(b"tag"), source, target)
    with source.client() as old:
        old.migrate("127.0.0.1", target.port, [one], 0, 5000)
    for calls in ways:
        before = int(await calls.call("GET", one))
        found = await asyncio.gather(*(calls.call("INCR", key) for key in (one, two) * 20))
        assert sorted(found) == sorted([before + n for n in range(1, 21)] * 2)
    await asyncio.gather(*(calls.close() for calls in ways))


async def test_answers_are_those_of_redis(calls: Calls) -> None:
    await calls.call("SET", "text", "x")
    with pytest.raises(Refused, match="WRONGTYPE") as refusal:
        await calls.call("HGET", "text", "field")
    assert refusal.value.code == "WRONGTYPE"
    with pytest.raises(Refused, match="slot"):
        await calls.call("MGET", "a", "b")
    assert await calls.call("EVAL", "return {KEYS[1], ARGV[1]}", 1, "k", "a") == [b"k", b"a"]
    assert await calls.call("EVAL", "return 7", 0) == 7
    assert await calls.call("PING") == b"PONG"


async def test_news_of_many_slots_are_waited_for_at_once(redis_url: str) -> None:
    calls, waiting = open_calls(redis_url), open_waiting(redis_url)
    ask = ("STREAMS", *KEYS, *("0-0" for _ in KEYS))
    assert await waiting.call("XREAD", "COUNT", 5, *ask) is None
    assert await waiting.call("XREAD", "COUNT", 5, "BLOCK", 10, *ask) is None
    asked = asyncio.create_task(waiting.call("XREAD", "COUNT", 5, "BLOCK", 2000, *ask))
    await asyncio.sleep(0.1)
    await calls.call("XADD", KEYS[7], "1-0", "a", "b")
    news = [[KEYS[7].encode(), [[b"1-0", [b"a", b"b"]]]]]
    assert await asked == news
    assert await waiting.call("XREAD", "COUNT", 5, *ask) == news
    await waiting.close()
    await calls.close()


async def test_who_gives_up_waiting_takes_nothing_from_others(redis_url: str) -> None:
    calls, waiting = open_calls(redis_url), open_waiting(redis_url)
    ask = ("XREAD", "COUNT", 5, "BLOCK", 2000, "STREAMS", "one", "two", "0-0", "0-0")
    asked = [asyncio.create_task(waiting.call(*ask)) for _ in range(3)]
    await asyncio.sleep(0.1)
    asked[0].cancel()
    await asyncio.sleep(0)
    await calls.call("XADD", "two", "1-0", "a", "b")
    assert (await asked[1]) == (await asked[2]) == [[b"two", [[b"1-0", [b"a", b"b"]]]]]
    await waiting.close()
    await calls.close()


async def test_nobody_there_is_told_and_a_closed_one_answers_nobody(redis_server: Cluster) -> None:
    nobody = open_calls("redis+cluster://127.0.0.1:1,127.0.0.1:2")
    for _ in range(2):
        with pytest.raises(Unreachable) as refusal:
            await nobody.call("GET", "x")
        assert not refusal.value.sent
    await nobody.close()
    calls = open_calls(redis_server.url)
    await calls.call("PING")
    await calls.close()
    with pytest.raises(Unreachable):
        await calls.call("GET", "x")


async def test_the_second_node_named_will_do(redis_server: Cluster) -> None:
    calls = open_calls(f"redis+cluster://127.0.0.1:1,127.0.0.1:{redis_server.nodes[2].port}")
    assert await calls.call("GET", "x") is None
    await calls.close()


# ---------------------------------------------------------------------- the gate


async def test_an_empty_cluster_becomes_a_log(calls: Calls) -> None:
    facts = await check(calls, fsync="everysec", partitions=16)
    assert facts.fsync_confirmed
    assert await check(calls, fsync="everysec", partitions=16) == facts
    found = await health(calls, facts)
    assert found.state == "ok"
    each = [int(await memory_of(server)) for server in await calls.servers()]
    assert found.memory_bytes is not None
    assert found.memory_bytes > 2 * min(each), "that of all masters"


async def memory_of(server: Any) -> str:
    """What a server uses."""
    lines = (await server.call("INFO", "memory")).decode().splitlines()
    return str(next(line for line in lines if line.startswith("used_memory:")).split(":")[1])


@pytest.mark.parametrize("key", ["a", "b", "c", "d"])
async def test_a_cluster_of_other_things_is_refused(calls: Calls, key: str) -> None:
    await calls.call("SET", key, "else")
    with pytest.raises(GateRefused, match="holds other things"):
        await check(calls, fsync="everysec", partitions=16)


async def test_one_master_that_is_unfit_is_enough(make_redis: MakeCluster) -> None:
    cluster = make_redis()
    calls = open_calls(cluster.url)
    facts = await check(calls, fsync="everysec", partitions=16)
    with cluster.nodes[2].client() as client:
        client.config_set("maxmemory-policy", "allkeys-lru")
        assert (await health(calls, facts)).state == "unfit"
        with pytest.raises(GateRefused, match="noeviction"):
            await check(calls, fsync="everysec", partitions=16)
        client.config_set("maxmemory-policy", "noeviction")
        client.config_set("appendfsync", "no")
        with pytest.raises(GateRefused, match="is no"):
            await check(calls, fsync="everysec", partitions=16)
    cluster.nodes[1].kill()
    assert (await health(calls, facts)).state == "unreachable"
    await calls.close()


async def test_a_node_alone_is_no_log(redis_server: Cluster) -> None:
    calls = open_calls(redis_server.nodes[0].tcp_url)
    with pytest.raises(GateRefused, match=r"redis\+cluster://") as refusal:
        await check(calls, fsync="everysec", partitions=16)
    assert refusal.value.setting == "HOMESTRETCH_REDIS_URL"
    await calls.close()


async def test_a_redis_that_is_no_cluster_is_told_so(tmp_path_factory: Any) -> None:
    server = RedisServer(tmp_path_factory.mktemp("redis"), port=True).start()
    try:
        calls = open_calls(server.tcp_url.replace("redis:", "redis+cluster:"))
        with pytest.raises(GateRefused, match="cluster support disabled"):
            await check(calls, fsync="everysec", partitions=16)
        await calls.close()
    finally:
        server.stop()
