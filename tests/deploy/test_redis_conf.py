"""deploy/redis.conf: a real Redis takes it, the server takes that Redis, and no worse one."""

import asyncio
import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from redis import Redis

from service.bootstrap import open_store
from service.redis.gate import GateRefused, LogFacts
from service.redis.server import DURABLE, EmbeddedError, find_server
from service.redis.waiting import waiting_client
from service.settings import read_settings
from tests.kit.deployment import DEPLOY, PASSWORD, ToldRedis, run_shell, shell_blocks
from tests.kit.redis_server import free_port, programs
from tests.kit.tls import certificates, tls_words, with_tls

CONF = DEPLOY / "redis.conf"
Start = Callable[..., ToldRedis]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Starts a Redis with these words; it ends with the test."""
    begun: list[ToldRedis] = []

    def begin(*words: str, program: Path | None = None) -> ToldRedis:
        begun.append(ToldRedis(words, tmp_path / "redis", free_port(), program))
        return begun[-1].start()

    yield begin
    for redis in begun:
        redis.stop()


def passed(url: str, fsync: str = "always") -> LogFacts:
    """What a part's start finds of this Redis; GateRefused where it must not hold the log."""
    settings = read_settings({"HOMESTRETCH_REDIS_URL": url, "HOMESTRETCH_FSYNC": fsync})

    async def look() -> LogFacts:
        async with open_store(settings) as store:
            return store.facts

    return asyncio.run(look())


@pytest.mark.parametrize("program", programs().values(), ids=programs())
def test_a_part_accepts_a_redis_that_is_started_with_it(start: Start, program: Path) -> None:
    redis = start(str(CONF), program=program)
    facts = passed(f"redis://127.0.0.1:{redis.port}/0")
    assert facts.fsync_confirmed


def test_it_says_all_that_the_embedded_redis_is_told() -> None:
    lines = [line.split(maxsplit=1) for line in CONF.read_text().splitlines() if line[:1].isalpha()]
    told = {name: "" if value == '""' else value for name, value in lines}
    assert {name: told.get(name) for name in DURABLE} == DURABLE


WORSE = [
    ("appendonly yes", "appendonly no", "appendonly"),
    ("appendfsync always", "appendfsync everysec", "HOMESTRETCH_FSYNC"),
    ("no-appendfsync-on-rewrite no", "no-appendfsync-on-rewrite yes", "no-appendfsync-on-rewrite"),
    ("maxmemory-policy noeviction", "maxmemory-policy allkeys-lru", "maxmemory-policy"),
]


@pytest.mark.parametrize(("line", "worse", "named"), WORSE, ids=[named for *_, named in WORSE])
def test_each_line_that_it_must_have_is_looked_at(
    start: Start, tmp_path: Path, line: str, worse: str, named: str
) -> None:
    conf = tmp_path / "redis.conf"
    conf.write_text(re.sub(rf"^{line}$", worse, CONF.read_text(), flags=re.MULTILINE))
    assert worse in conf.read_text()
    redis = start(str(conf))
    with pytest.raises(GateRefused) as refused:
        passed(f"redis://127.0.0.1:{redis.port}/0")
    assert refused.value.setting == named
    assert not refused.value.passing


def test_all_that_it_must_have_is_held_here() -> None:
    must = CONF.read_text().partition("--- must")[2].partition("--- should")[0]
    lines = [line for line in must.splitlines() if line[:1].isalpha()]
    assert sorted(lines) == sorted(line for line, *_ in WORSE)


def mended(folder: Path, tools: Path) -> str:
    """What the runbook's mending of this folder prints."""
    tools.mkdir(exist_ok=True)
    if not (tools / "redis-check-aof").exists():
        (tools / "redis-check-aof").symlink_to(find_server())
    (block,) = shell_blocks("Redis does not start")
    path = os.pathsep.join([str(tools), os.environ["PATH"]])
    return run_shell(block, {"REDIS_FOLDER": str(folder), "PATH": path})


def test_a_torn_file_is_refused_and_mended_and_a_whole_one_left(
    start: Start, tmp_path: Path
) -> None:
    redis, tools = start(str(CONF)), tmp_path / "tools"
    file = redis.folder / "appendonly.aof"
    with Redis(port=redis.port) as client:
        client.set("whole", 1)
        client.eval("redis.call('SET', 'b', '1') redis.call('SET', 'c', '1')", 0)
    redis.kill()
    before = file.read_bytes()
    assert mended(redis.folder, tools) == ""
    assert file.read_bytes() == before
    os.truncate(file, len(before) - 20)
    with pytest.raises(EmbeddedError, match="ended at its start"):
        redis.start()
    assert "bytes of a torn end cut off" in mended(redis.folder, tools)
    with Redis(port=redis.start().port) as client:
        assert client.keys() == [b"whole"]


def test_a_password_is_used_and_a_wrong_one_refused(start: Start) -> None:
    redis = start(str(CONF), "--requirepass", PASSWORD)
    assert passed(f"redis://:{PASSWORD}@127.0.0.1:{redis.port}/0").fsync == "always"
    for url in (f"redis://:wrong@127.0.0.1:{redis.port}/0", f"redis://127.0.0.1:{redis.port}/0"):
        with pytest.raises(GateRefused) as refused:
            passed(url)
        assert "wrong" not in str(refused.value)


def test_tls_is_spoken_and_a_stranger_s_certificate_refused(start: Start, tmp_path: Path) -> None:
    certificates(tmp_path, "ours", "other")
    port = free_port()
    words = [str(CONF), "--requirepass", PASSWORD, *tls_words(tmp_path, "ours", port)]
    start(*words, program=with_tls())
    url = f"rediss://:{PASSWORD}@localhost:{port}/0?ssl_ca_certs={tmp_path}/ours.crt"
    assert passed(url).fsync_confirmed
    queue = waiting_client(url.replace("/0?", "/1?"))
    assert queue.ping()
    queue.close()
    with pytest.raises(GateRefused) as refused:
        passed(url.replace("ours.crt", "other.crt"))
    assert refused.value.passing, "it may be another machine's fault, and is tried again"
