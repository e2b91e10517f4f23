"""backup.sh and restore-cluster.sh on three masters: what was in one Cluster is in another."""

import asyncio
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from redis.crc import REDIS_CLUSTER_HASH_SLOTS, key_slot

from service.redis.event_log import RedisEventLog
from service.redis.gate import check
from service.redis.mux import open_calls, open_waiting
from tests.kit.deployment import PASSWORD, run_shell, shell_blocks
from tests.kit.log_lines import audit, grow
from tests.kit.redis_cluster import Cluster
from tests.kit.redis_server import free_port

MEETINGS = [f"meeting-{number}" for number in range(12)]
MakeCluster = Callable[..., Cluster]


@pytest.fixture
def make_cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[MakeCluster]:
    """Starts Clusters; they end with the test."""
    made: list[Cluster] = []

    def make(**options: Any) -> Cluster:
        made.append(Cluster(tmp_path_factory.mktemp("cluster"), **options))
        return made[-1].start()

    yield make
    for cluster in made:
        cluster.stop()


async def in_log(url: str, *, writing: bool) -> Any:
    """What the log there holds, after some was written where wanted."""
    calls, waiting = open_calls(url), open_waiting(url)
    try:
        await check(calls, fsync="everysec", partitions=16)
        log = RedisEventLog(calls, waiting, 16)
        for meeting in MEETINGS if writing else ():
            await grow(log, meeting, 2, 1, 3)
        return await audit(log, MEETINGS)
    finally:
        await waiting.close()
        await calls.close()


def contents(cluster: Cluster) -> dict[bytes, bytes]:
    """Every key of all masters, as it is stored."""
    found: dict[bytes, bytes] = {}
    for node in cluster.nodes:
        with node.client() as client:
            found |= {key: client.dump(key) for key in client.scan_iter(count=1000)}
    return found


def backed_up(url: str, folder: Path) -> Path:
    """The folder that a back-up made."""
    block, _ = shell_blocks("Back up")
    return Path(run_shell(block, {"BACKUPS": str(folder), "HOMESTRETCH_REDIS_URL": url}).strip())


def restored(backup: Path, cluster: Cluster, folder: Path, **env: str) -> str:
    """What is said when a back-up is laid into a Cluster by the runbook."""
    block = next(text for text in shell_blocks("Restore") if "restore-cluster" in text)
    node = f"127.0.0.1:{cluster.nodes[1].port}"
    where = {"BACKUP": str(backup), "NODE": node, "FOLDER": str(folder), "PORT": str(free_port())}
    return run_shell(block, {**where, **env})


def test_a_cluster_is_backed_up_and_restored_into_one_of_other_masters(
    make_cluster: MakeCluster, tmp_path: Path
) -> None:
    old = make_cluster()
    told = asyncio.run(in_log(old.url, writing=True))
    assert sum(map(len, told.values())) == 6 * len(MEETINGS)
    before = contents(old)
    slot = key_slot(b"es:{p03}:feed")
    old.move(slot, old.owner("es:{p03}:feed"), old.nodes[0])
    backup = backed_up(old.url, tmp_path / "backups")
    assert backup.stat().st_mode & 0o777 == 0o700
    assert len(list(backup.glob("*.rdb"))) == 3
    assert [path.name for path in backup.parent.iterdir()] == [backup.name]
    old.kill()
    new = make_cluster(masters=4)
    said = restored(backup, new, tmp_path / "room")
    assert said == f"{len(before)} keys in the back-up, {len(before)} in the Cluster\n"
    assert contents(new) == before
    assert asyncio.run(in_log(new.url, writing=False)) == told
    assert asyncio.run(in_log(new.url, writing=True)) != told, "it is gone on with"
    assert list((tmp_path / "room").iterdir()) == []
    with pytest.raises(AssertionError, match="holds data already"):
        restored(backup, new, tmp_path / "room")


def test_passwords_are_used_and_a_file_of_one_redis_goes_the_same_way(
    make_cluster: MakeCluster, make_redis: Callable[..., Any], tmp_path: Path
) -> None:
    one = make_redis()
    told = asyncio.run(in_log(one.url, writing=True))
    file = backed_up(one.url, tmp_path / "one")
    new = make_cluster(settings={"masterauth": PASSWORD})
    for node in new.nodes:
        with node.client() as client:
            client.config_set("requirepass", PASSWORD)
    restored(file, new, tmp_path / "room", REDISCLI_AUTH=PASSWORD)
    for user in ("", "default"):
        url = new.url.replace("://", f"://{user}:{PASSWORD}@")
        assert asyncio.run(in_log(url, writing=False)) == told
        assert len(list(backed_up(url, tmp_path / f"{user}-backups").glob("*.rdb"))) == 3


def refused(url: str, folder: Path) -> str:
    """Why nothing was backed up; nothing is left of it."""
    done = subprocess.run(
        ["sh", "deploy/backup.sh", folder],
        env={"PATH": run_shell('echo "$PATH"', {}).strip(), "HOMESTRETCH_REDIS_URL": url},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert list(folder.iterdir()) == []
    return done.stderr


def test_a_master_without_keys_is_restored_like_any_other(
    make_cluster: MakeCluster, tmp_path: Path
) -> None:
    old, new = make_cluster(), make_cluster()
    with old.client() as client:
        client.set("alone", "1")
    backup = backed_up(old.url, tmp_path / "backups")
    said = restored(backup, new, tmp_path / "room")
    assert said == "1 keys in the back-up, 1 in the Cluster\n"


def test_nothing_is_copied_that_would_miss_a_part(
    make_cluster: MakeCluster, tmp_path: Path
) -> None:
    cluster = make_cluster(settings={"cluster-require-full-coverage": "no"})
    _, source, target = cluster.nodes  # the first is asked first, and knows nothing of it
    slot = REDIS_CLUSTER_HASH_SLOTS // 2
    assert cluster.owner_of(slot) is source
    taker = cluster.begin_move(slot, source, target)
    assert "on their way" in refused(cluster.url, tmp_path)
    for node in (target, source):
        with node.client() as client:
            client.execute_command("CLUSTER SETSLOT", slot, "NODE", taker)
    cluster.await_whole()
    cluster.nodes[2].kill()
    until = time.monotonic() + 60
    for node in cluster.nodes[:2]:
        with node.client() as client:
            while client.execute_command("CLUSTER INFO")["cluster_slots_ok"] == "16384":
                assert time.monotonic() < until, "nobody misses the master"
                time.sleep(0.05)
    assert "a master is away" in refused(cluster.url, tmp_path)
