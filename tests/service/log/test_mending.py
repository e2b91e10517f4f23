"""An append-only file with a torn end: what comes after it is as safe as what came before.

It is mended by the module and by deploy/mend.sh, which do the same to every file here.
"""

import os
import re
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from redis import Redis

from service.embedded import EmbeddedRedis
from service.redis.event_log import RedisEventLog
from service.redis.mending import TORN_MAX, mend
from service.redis.server import EmbeddedError, find_server
from tests.kit.deployment import DEPLOY
from tests.kit.log_lines import audit, grow
from tests.kit.redis_server import RedisServer, programs

OpenLog = Callable[..., RedisEventLog]
Mender = Callable[[Path, Path], int]


def by_script(program: Path, folder: Path) -> int:
    """What deploy/mend.sh does, by the check of this redis-server; as `mend` tells it."""
    tools = folder.with_name(f"{folder.name}-tools")
    tools.mkdir(exist_ok=True)
    (tools / "redis-check-aof").unlink(missing_ok=True)
    (tools / "redis-check-aof").symlink_to(program)
    done = subprocess.run(
        [DEPLOY / "mend.sh", folder],
        env={**os.environ, "PATH": f"{tools}{os.pathsep}{os.environ['PATH']}"},
        check=False,
        capture_output=True,
        text=True,
        errors="replace",
    )
    if done.returncode:
        raise EmbeddedError(done.stderr)
    cut = re.fullmatch(r"mend: (\d+) bytes of a torn end cut off .*\n", done.stdout)
    assert cut or not done.stdout
    return int(cut[1]) if cut else 0


@pytest.fixture(params=[mend, by_script], ids=["module", "script"])
def mended(request: pytest.FixtureRequest) -> Mender:
    """Each way to mend a folder's file."""
    made: Mender = request.param
    return made


def last_transaction(file: Path) -> range:
    """Where the last whole transaction of the file lies."""
    return range(file.read_bytes().rindex(b"*1\r\n$5\r\nMULTI\r\n"), file.stat().st_size)


@pytest.mark.parametrize("place", [0.05, 0.5, 0.97])
async def test_what_is_acknowledged_after_a_torn_end_outlives_the_next_start_too(
    make_redis: Callable[..., RedisServer], open_log: OpenLog, place: float
) -> None:
    """Redis alone leaves the torn transaction open, and the next start takes its half for whole."""
    server = make_redis(fsync="always")
    log = open_log(server.url)
    await grow(log, "m", 2, 3, 2)
    server.kill()
    torn = last_transaction(server.aof)
    os.truncate(server.aof, torn.start + int(place * len(torn)))
    server.start()
    log = open_log(server.url)
    assert len(await log.read("m")) == 5
    with server.client() as client:
        client.set("later", "1")
    await grow(log, "m", 1, 2)
    await grow(log, "other", 3)
    acknowledged = await audit(log, ["m", "other"])
    for _ in range(2):
        server.restart()
        log = open_log(server.url)
        assert await audit(log, ["m", "other"]) == acknowledged
    assert "CRITICAL" not in (server.folder / "redis.log").read_text()


def test_the_redis_that_comes_along_starts_again_on_a_torn_file(tmp_path: Path) -> None:
    redis = EmbeddedRedis(tmp_path / "data", fsync="always")
    try:
        for turn in range(3):
            with Redis.from_url(redis.start()) as client:
                assert client.get("a") == (str(turn - 1).encode() if turn else None)
                client.set("a", turn)
                client.eval("redis.call('SET', 'b', '1') redis.call('SET', 'c', '1')", 0)
            assert redis.pid is not None
            os.kill(redis.pid, signal.SIGKILL)
            while redis.pid is not None:
                time.sleep(0.01)
            file = tmp_path / "data" / "redis" / "appendonly.aof"
            os.truncate(file, file.stat().st_size - 20)
    finally:
        redis.stop()


def test_a_file_that_is_whole_is_left_as_it_is(
    make_redis: Callable[..., RedisServer], mended: Mender
) -> None:
    server = make_redis(fsync="always")
    with server.client() as client:
        client.eval("redis.call('SET', 'b', '1') redis.call('SET', 'c', '1')", 0)
    server.kill()
    before = server.aof.read_bytes()
    assert mended(find_server(), server.folder) == 0
    assert server.aof.read_bytes() == before
    assert mended(find_server(), server.folder / "nowhere") == 0


def test_a_file_that_is_damaged_far_from_its_end_is_not_cut(
    make_redis: Callable[..., RedisServer], mended: Mender
) -> None:
    server = make_redis(fsync="always")
    with server.client() as client:
        client.set("a", "1")
        client.set("b", b"x" * (TORN_MAX + 1))
    server.kill()
    whole = server.aof.read_bytes()
    server.aof.write_bytes(whole.replace(b"$1\r\na", b"?1\r\na", 1))
    with pytest.raises(EmbeddedError, match="is damaged"):
        mended(find_server(), server.folder)
    assert server.aof.stat().st_size == len(whole)


@pytest.mark.parametrize("program", programs().values(), ids=programs())
async def test_a_torn_end_is_found_behind_pieces_that_are_whole(
    make_redis: Callable[..., RedisServer], open_log: OpenLog, mended: Mender, program: Path
) -> None:
    """From Redis 7 the file is several: a snapshot, and what came after it."""
    server = make_redis(fsync="always", program=program)
    log = open_log(server.url)
    await grow(log, "m", 2)
    with server.client() as client:
        client.bgrewriteaof()
    server.wait_for("aof_rewrite_in_progress", 0)
    server.wait_for("aof_rewrite_scheduled", 0)
    await grow(log, "m", 3)
    server.kill()
    torn = last_transaction(server.aof)
    os.truncate(server.aof, torn.stop - 20)
    assert mended(program, server.folder) == len(torn) - 20
    assert mended(program, server.folder) == 0
    server.start()
    assert len(await open_log(server.url).read("m")) == 2


@pytest.mark.parametrize("changed", [0x01, 0x80])
def test_a_file_that_is_damaged_before_a_whole_transaction_is_not_cut(
    make_redis: Callable[..., RedisServer], mended: Mender, changed: int
) -> None:
    """Behind a changed byte stands what was acknowledged: it is not cut off as if it were torn."""
    server = make_redis(fsync="always")
    with server.client() as client:
        for number in range(5):
            client.eval(f"redis.call('SET', 'b{number}', '1') redis.call('SET', 'c', '1')", 0)
    server.kill()
    data = bytearray(server.aof.read_bytes())
    data[data.index(b"$2\r\nb2")] ^= changed
    server.aof.write_bytes(data)
    with pytest.raises(EmbeddedError, match="is damaged"):
        mended(find_server(), server.folder)
    assert server.aof.read_bytes() == data


def test_a_torn_end_of_any_length_is_cut_by_both_to_the_same_bytes(
    make_redis: Callable[..., RedisServer], tmp_path: Path
) -> None:
    """Also where a player's words look like the end of a transaction, or are no text at all."""
    server = make_redis(fsync="always")
    words = ["EXEC\\r\\n*1\\r\\n", "\\0\\255\\254"]
    with server.client() as client:
        for word in words:
            client.eval(f"redis.call('SET', 'a', '{word}') redis.call('SET', 'c', '1')", 0)
    server.kill()
    whole = server.aof.read_bytes()
    last = last_transaction(server.aof)
    for end in (last.start, *range(last.start + 1, last.stop, 7), last.stop):
        left = []
        for way in (mend, by_script):
            folder = tmp_path / f"{end}-{way.__name__}"
            folder.mkdir()
            (folder / server.aof.name).write_bytes(whole[:end])
            cut = way(find_server(), folder)
            left.append((folder / server.aof.name).read_bytes())
            assert cut == end - len(left[-1])
        assert left[0] == left[1] == whole[: last.stop if end == last.stop else last.start]
