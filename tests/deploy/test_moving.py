"""The runbook's way to a Redis Cluster: three masters as compose.cluster.yaml starts them."""

import asyncio
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from redis import Redis
from redis.cluster import RedisCluster

from service.bootstrap import open_meetings
from service.settings import read_settings
from tests.kit.deployment import (
    DEPLOY,
    PASSWORD,
    ToldRedis,
    compose,
    run_shell,
    shell_blocks,
)
from tests.kit.jobs import seat_bots
from tests.kit.redis_server import free_port

CLUSTER = compose("compose.yaml", "compose.cluster.yaml")["services"]
AUTH = {"REDISCLI_AUTH": PASSWORD}


def here(words: list[str]) -> list[str]:
    """The words of a service with this tree's configuration."""
    conf = str(DEPLOY / "redis.conf")
    return [re.sub(r"^/.*redis\.conf$", conf, word) for word in words[1:]]


@pytest.fixture
def masters(tmp_path: Path) -> Iterator[list[ToldRedis]]:
    """The three, not yet joined."""
    nodes = []
    for name in ("node-1", "node-2", "node-3"):
        words = here(CLUSTER[name]["command"])
        nodes.append(ToldRedis(words, tmp_path / name, free_port()).start())
    yield nodes
    for node in nodes:
        node.stop()


@pytest.fixture
def old(tmp_path: Path) -> Iterator[ToldRedis]:
    """The Redis that held the log so far."""
    words = [str(DEPLOY / "redis.conf"), "--requirepass", PASSWORD]
    redis = ToldRedis(words, tmp_path / "old", free_port()).start()
    yield redis
    redis.stop()


def join(masters: list[ToldRedis]) -> str:
    """What the service `cluster` prints, told where these masters are."""
    kind, option, text = CLUSTER["cluster"]["command"]
    assert (kind, option) == ("sh", "-ec")
    for number, node in enumerate(masters, 1):
        text = text.replace(f"10.80.0.1{number}:6379", f"127.0.0.1:{node.port}")
    return run_shell(text, AUTH)


async def told_meetings(port: int, count: int) -> list[str]:
    """Meetings in a log; their ids."""
    url = f"redis://:{PASSWORD}@127.0.0.1:{port}/0"
    async with open_meetings(read_settings({"HOMESTRETCH_REDIS_URL": url})) as meetings:
        return [await seat_bots(meetings, "steady", None) for _ in range(count)]


async def versions(settings: dict[str, str], ids: list[str]) -> list[int]:
    """How long the logs of these meetings are."""
    async with open_meetings(read_settings(settings)) as meetings:
        return [len(await meetings.log.read(meeting)) for meeting in ids]


def everything(client: Any) -> dict[bytes, bytes]:
    """Every key with its value as it is stored."""
    return {key: client.dump(key) for key in client.scan_iter(count=1000)}


def test_a_log_moves_to_a_cluster_key_by_key(masters: list[ToldRedis], old: ToldRedis) -> None:
    made = join(masters)
    assert "All 16384 slots covered" in made
    assert "Performing hash slots allocation" in made
    assert "Performing hash slots allocation" not in join(masters), (
        "one that is whole is left alone"
    )
    ids = asyncio.run(told_meetings(old.port, 20))

    copy, compare = shell_blocks("Move to a Cluster")
    env = {**AUTH, "NODE": f"127.0.0.1:{masters[0].port}", "OLD": f"127.0.0.1:{old.port}"}
    run_shell(copy, env)
    *each, whole = re.findall(r"(\d+)$", run_shell(compare, env), re.MULTILINE)
    assert len(each) == 3
    assert sum(map(int, each)) == int(whole) > 60
    cluster = RedisCluster(host="127.0.0.1", port=masters[0].port, password=PASSWORD)
    with Redis(port=old.port, password=PASSWORD) as single:
        assert everything(cluster) == everything(single)
    cluster.close()

    alone = {"HOMESTRETCH_REDIS_URL": f"redis://:{PASSWORD}@127.0.0.1:{old.port}/0"}
    told = CLUSTER["api"]["environment"]["HOMESTRETCH_REDIS_URL"]
    for number, node in enumerate(masters, 1):
        told = told.replace(f"10.80.0.1{number}:6379", f"127.0.0.1:{node.port}")
    spread = {**alone, "HOMESTRETCH_REDIS_URL": told, "HOMESTRETCH_QUEUE_URL": "redis://queues"}
    assert asyncio.run(versions(spread, ids)) == asyncio.run(versions(alone, ids))
