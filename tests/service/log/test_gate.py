"""The gate lets no Redis pass that could lose or hide what it acknowledged."""

import asyncio
import os
from collections.abc import AsyncIterator, Callable

import pytest
from redis import Redis

from service.redis import gate
from service.redis.client import Calls, PoolCalls
from service.redis.gate import GateRefused, LogFacts, check, health
from service.redis.keys import META
from service.redis.mux import open_calls
from tests.kit.redis_server import RedisServer

MakeRedis = Callable[..., RedisServer]


@pytest.fixture
async def shared(redis_url: str) -> AsyncIterator[Calls]:
    """Calls to an empty Redis that is fit."""
    calls = PoolCalls(redis_url)
    yield calls
    await calls.close()


async def passed(calls: Calls, fsync: str = "everysec", partitions: int = 16) -> LogFacts:
    """What the gate finds."""
    return await check(calls, fsync=fsync, partitions=partitions)


async def test_an_empty_redis_becomes_a_log(shared: Calls, redis_server: RedisServer) -> None:
    facts = await passed(shared)
    assert facts.fsync == "everysec"
    assert facts.fsync_confirmed
    assert (facts.partitions, facts.layout) == (16, 1)
    with redis_server.client() as client:
        assert facts.version == client.info()["redis_version"]
    assert await shared.call("HGETALL", META) == [
        *(b"layout", b"1", b"partitions", b"16"),
        *(b"store", facts.store.encode()),
    ]
    assert await passed(shared) == facts, "the same store the next time"


async def test_a_log_with_meetings_passes(shared: Calls) -> None:
    facts = await passed(shared)
    await shared.call("SET", "es:{p00}:anything", "x")
    assert await passed(shared) == facts


@pytest.mark.parametrize(
    ("settings", "named", "words"),
    [
        ({"appendonly": "no"}, "appendonly", "append-only"),
        ({"appendfsync": "always"}, "HOMESTRETCH_FSYNC", "says everysec, but appendfsync"),
        ({"appendfsync": "no"}, "HOMESTRETCH_FSYNC", "is no"),
        ({"no-appendfsync-on-rewrite": "yes"}, "no-appendfsync-on-rewrite", "rewritten"),
        ({"maxmemory-policy": "allkeys-lru"}, "maxmemory-policy", "noeviction"),
        ({"maxmemory-policy": "volatile-ttl"}, "maxmemory-policy", "noeviction"),
    ],
    ids=lambda value: "-".join(value) if isinstance(value, dict) else None,
)
async def test_an_unfit_setting_is_refused_by_its_name(
    make_redis: MakeRedis, settings: dict[str, str], named: str, words: str
) -> None:
    calls = PoolCalls(make_redis(settings=settings).url)
    try:
        with pytest.raises(GateRefused, match=words) as refusal:
            await passed(calls)
        assert refusal.value.setting == named
        assert not refusal.value.passing
        assert await calls.call("EXISTS", META) == 0, "a refused store is left as it is"
    finally:
        await calls.close()


async def test_always_is_passed_where_it_is_stated(make_redis: MakeRedis) -> None:
    calls = PoolCalls(make_redis(fsync="always").url)
    try:
        assert (await passed(calls, fsync="always")).fsync == "always"
        with pytest.raises(GateRefused) as refusal:
            await passed(calls, fsync="everysec")
        assert refusal.value.setting == "HOMESTRETCH_FSYNC"
    finally:
        await calls.close()


async def test_a_store_of_other_things_is_refused(shared: Calls) -> None:
    await shared.call("SET", "something", "else")
    with pytest.raises(GateRefused, match="holds other things") as refusal:
        await passed(shared)
    assert refusal.value.setting == "HOMESTRETCH_REDIS_URL"
    assert await shared.call("DBSIZE") == 1


async def test_a_meta_key_of_another_type_is_refused(shared: Calls) -> None:
    await shared.call("SET", META, "else")
    with pytest.raises(GateRefused) as refusal:
        await passed(shared)
    assert refusal.value.setting == "HOMESTRETCH_REDIS_URL"


async def test_another_layout_is_refused(shared: Calls) -> None:
    await passed(shared)
    await shared.call("HSET", META, "layout", 2)
    with pytest.raises(GateRefused, match="layout 2, this release reads layout 1"):
        await passed(shared)


async def test_another_number_of_partitions_is_refused(shared: Calls) -> None:
    await passed(shared)
    with pytest.raises(GateRefused, match="says 8, but the log was made with 16") as refusal:
        await passed(shared, partitions=8)
    assert refusal.value.setting == "HOMESTRETCH_PARTITIONS"


async def test_a_redis_that_forbids_config_is_judged_by_what_it_shows(
    make_redis: MakeRedis,
) -> None:
    for settings, named in (
        ({}, None),
        ({"maxmemory-policy": "allkeys-lru"}, "maxmemory-policy"),
        ({"appendonly": "no"}, "appendonly"),
    ):
        server = make_redis(settings=settings)
        with server.client() as client:
            client.execute_command("ACL", "SETUSER", "default", "-config")
        calls = PoolCalls(server.url)
        try:
            if named is None:
                facts = await passed(calls, fsync="always")
                assert not facts.fsync_confirmed
                assert not (await health(calls, facts)).fsync_confirmed
            else:
                with pytest.raises(GateRefused) as refusal:
                    await passed(calls)
                assert refusal.value.setting == named
        finally:
            await calls.close()


async def test_a_replica_is_refused(make_redis: MakeRedis) -> None:
    server = make_redis()
    with server.client() as client:
        client.replicaof("127.0.0.1", "1")
    calls = PoolCalls(server.url)
    with pytest.raises(GateRefused, match="read-only replica") as refusal:
        await passed(calls)
    assert refusal.value.setting == "replicaof"
    await calls.close()


async def test_a_redis_whose_disk_is_full_is_refused(make_redis: MakeRedis) -> None:
    server = make_redis()
    calls = PoolCalls(server.url)
    facts = await passed(calls)
    server.fill_disk()
    await calls.call("SET", "es:{p00}:anything", "x" * 1000)
    server.wait_for("aof_last_write_status", "err")
    with pytest.raises(GateRefused, match="last write") as refusal:
        await passed(calls)
    assert refusal.value.setting == "appendonly"
    assert (await health(calls, facts)).state == "unfit"
    server.free_disk()
    assert await passed(calls) == facts
    await calls.close()


async def test_a_redis_that_loads_is_refused_for_the_moment(make_redis: MakeRedis) -> None:
    server = make_redis()
    with server.client() as client:
        client.mset({f"es:{{p00}}:{number}": os.urandom(10_000) for number in range(1000)})
        client.bgrewriteaof()
    server.wait_for("aof_rewrite_in_progress", 0)
    server.kill()
    server.settings["key-load-delay"] = "1000"  # microseconds a key; it listens every 2 MB
    server.launch()
    calls = PoolCalls(server.url)
    detail = "can't be reached"
    while "can't be reached" in detail:  # it does not listen yet
        with pytest.raises(GateRefused) as refusal:
            await passed(calls)
        detail = refusal.value.detail
        assert refusal.value.passing
        await asyncio.sleep(0.01)
    assert "loading" in detail
    await calls.close()


async def test_a_cluster_that_is_not_whole_is_refused_for_the_moment(make_redis: MakeRedis) -> None:
    """Its masters may be starting still."""
    server = make_redis(port=True, settings={"cluster-enabled": "yes"})
    for slots, words in ((0, "no masters"), (3, "CLUSTERDOWN")):
        with server.client() as client:
            for slot in range(slots):
                client.execute_command("CLUSTER ADDSLOTS", slot)
        calls = open_calls(f"redis+cluster://127.0.0.1:{server.port}")
        with pytest.raises(GateRefused, match=words) as refusal:
            await passed(calls)
        assert refusal.value.passing
        await calls.close()


async def test_an_old_redis_is_refused(shared: Calls, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gate, "OLDEST", (99, 0))
    with pytest.raises(GateRefused, match=r"Redis \d+\.\d+\.\d+ is too old"):
        await passed(shared)


async def test_a_redis_that_is_away_or_asks_a_password_is_refused(make_redis: MakeRedis) -> None:
    server = make_redis(settings={"requirepass": "sesame"})
    for url, passing in (
        (server.url, False),
        (server.url.replace("redis.sock", "none.sock"), True),
        (server.url.replace("unix://", "unix://:guess@"), False),
    ):
        calls = PoolCalls(url)
        with pytest.raises(GateRefused) as refusal:
            await passed(calls)
        await calls.close()
        assert refusal.value.setting == "HOMESTRETCH_REDIS_URL"
        assert refusal.value.passing is passing
        assert "guess" not in str(refusal.value)
    calls = PoolCalls(server.url.replace("unix://", "unix://:sesame@"))
    assert (await passed(calls)).partitions == 16
    await calls.close()


async def test_health_tells_how_the_log_is(make_redis: MakeRedis) -> None:
    server = make_redis()
    calls = PoolCalls(server.url)
    facts = await passed(calls)
    now = await health(calls, facts)
    assert (now.state, now.fsync, now.fsync_confirmed, now.detail) == ("ok", "everysec", True, "")
    with Redis.from_url(server.url) as client:
        client.config_set("maxmemory", client.info()["used_memory"] // 2)
        assert "full" in (await health(calls, facts)).detail
        client.config_set("maxmemory", "0")
        client.config_set("maxmemory-policy", "allkeys-lru")
        assert "maxmemory-policy" in (await health(calls, facts)).detail
        client.config_set("maxmemory-policy", "noeviction")
        client.replicaof("127.0.0.1", "1")
        assert "replica" in (await health(calls, facts)).detail
        client.replicaof("NO", "ONE")
        found = await health(calls, facts)
        assert (found.state, found.memory_bytes_max) == ("ok", None)
        client.config_set("maxmemory", 1_000_000_000)
        found = await health(calls, facts)
        assert found.memory_bytes_max == 1_000_000_000 > (found.memory_bytes or 0) > 0
        client.flushall()
        assert "another store" in (await health(calls, facts)).detail
    server.kill()
    assert (await health(calls, facts)).state == "unreachable"
    await calls.close()
