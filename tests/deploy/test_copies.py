"""backup.sh and restore.sh: what they write is whole, and they write over nothing."""

import os
import signal
import subprocess
import time
from pathlib import Path

import pytest
from redis import Redis

from tests.kit.deployment import DEPLOY, PASSWORD, ToldRedis, run_env, run_shell
from tests.kit.programs import ROOT
from tests.kit.redis_server import RedisServer, free_port
from tests.kit.tls import certificates, tls_words, with_tls

LOG = "meetings/0a/a-meeting.0123456789abcdef.ndjson.gz"
"""A file of an archive."""


def backed_up(url: str, folder: Path, *words: str) -> Path:
    """The file that a back-up made."""
    text = f"deploy/backup.sh {folder} {' '.join(words)}"
    return Path(run_shell(text, {"HOMESTRETCH_REDIS_URL": url}).strip())


def test_a_copy_of_all_databases_is_what_a_new_redis_starts_with(
    redis_url: str, redis_server: RedisServer, tmp_path: Path
) -> None:
    with redis_server.client() as client:
        client.set("log", "1")
    with Redis.from_url(f"{redis_url}?db=1") as client:
        client.set("queue", "2")
    file = backed_up(redis_url, tmp_path / "backups")
    assert file.stat().st_mode & 0o777 == 0o600
    run_shell(f"deploy/restore.sh {file} {tmp_path / 'new'}", {})
    new = ToldRedis([str(DEPLOY / "redis.conf")], tmp_path / "new", free_port()).start()
    for number, (key, value) in enumerate({"log": b"1", "queue": b"2"}.items()):
        with Redis(port=new.port, db=number) as client:
            assert client.keys() == [key.encode()]
            assert client.get(key) == value
    new.stop()


@pytest.mark.parametrize(
    ("told", "why"),
    [
        ({}, "HOMESTRETCH_ARCHIVE is not set"),
        ({"HOMESTRETCH_ARCHIVE": "/no/such/folder"}, "there is no folder /no/such/folder"),
    ],
)
def test_an_archive_that_is_not_copied_is_said(
    redis_url: str, tmp_path: Path, told: dict[str, str], why: str
) -> None:
    text = f"deploy/backup.sh {tmp_path} 2>&1"
    *_, said, file = run_shell(text, {"HOMESTRETCH_REDIS_URL": redis_url, **told}).splitlines()
    assert said.startswith(f"backup: no archive copied: {why}")
    assert [str(path) for path in tmp_path.iterdir()] == [file]


def test_where_the_archive_is_copied_nothing_is_said(redis_url: str, tmp_path: Path) -> None:
    (tmp_path / "archive").mkdir()
    (tmp_path / "archive" / "store").write_text("a mark")
    env = {"HOMESTRETCH_REDIS_URL": redis_url, "HOMESTRETCH_ARCHIVE": str(tmp_path / "archive")}
    told = run_shell(f"deploy/backup.sh {tmp_path / 'backups'} 2>&1", env)
    assert "no archive" not in told
    assert (tmp_path / "backups" / "archive" / "store").read_text() == "a mark"


@pytest.fixture
def archived(redis_url: str, tmp_path: Path) -> dict[str, str]:
    """The environment of a back-up of an archive that has one log."""
    log = tmp_path / "archive" / LOG
    log.parent.mkdir(parents=True)
    log.write_text("the whole log")
    return {"HOMESTRETCH_REDIS_URL": redis_url, "HOMESTRETCH_ARCHIVE": str(tmp_path / "archive")}


def test_a_copy_of_the_archive_that_was_cut_short_is_mended(
    archived: dict[str, str], tmp_path: Path
) -> None:
    broken = tmp_path / "backups" / "archive" / LOG
    broken.parent.mkdir(parents=True)
    broken.write_text("the wh")  # newer than what it is a copy of
    run_shell(f"deploy/backup.sh {tmp_path / 'backups'}", archived)
    assert broken.read_text() == "the whole log"


def test_a_copy_that_cannot_be_finished_leaves_no_file_of_its_name(
    archived: dict[str, str], tmp_path: Path
) -> None:
    log = tmp_path / "archive" / LOG
    log.write_bytes(bytes(4_000_000))
    text = f"ulimit -f 2000; trap '' XFSZ; deploy/backup.sh {tmp_path / 'backups'}"
    with pytest.raises(AssertionError, match="File too large"):
        run_shell(text, archived)
    folder = tmp_path / "backups" / "archive"
    assert [path for path in folder.rglob("*") if path.is_file()] == []


def test_what_is_whole_in_the_copy_is_not_lost_with_the_archive_and_drafts_stay_out(
    archived: dict[str, str], tmp_path: Path
) -> None:
    archive, copies = tmp_path / "archive", tmp_path / "backups" / "archive"
    for mark in ("first", "other"):
        (archive / "store").write_text(mark)
        run_shell(f"deploy/backup.sh {tmp_path / 'backups'}", archived)
        assert (copies / "store").read_text() == mark
        (archive / LOG).write_text("damaged")
        (archive / LOG).with_name(".draft-1").write_text("half")
    files = sorted(str(path.relative_to(copies)) for path in copies.rglob("*") if path.is_file())
    assert files == [LOG, "store"]
    assert (copies / LOG).read_text() == "the whole log"


def test_one_that_is_asked_to_end_leaves_nothing(redis_server: RedisServer, tmp_path: Path) -> None:
    with redis_server.client() as client:
        for number in range(100):
            client.set(f"key-{number}", os.urandom(20_000))  # more than is kept for the next piece
        client.config_set("repl-diskless-sync", "yes")
        client.config_set("repl-diskless-sync-delay", 0)
        client.config_set("rdb-key-save-delay", 1_000_000)  # microseconds for each
    process = subprocess.Popen(
        ["sh", "-c", 'exec deploy/backup.sh "$0"', tmp_path],
        env=run_env({"HOMESTRETCH_REDIS_URL": redis_server.url}),
        cwd=ROOT,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        until = time.monotonic() + 60
        while not list(tmp_path.glob("homestretch-*.part")):
            assert process.poll() is None, "it has ended"
            assert time.monotonic() < until, "it does not begin"
            time.sleep(0.02)
    finally:
        os.killpg(process.pid, signal.SIGTERM)
    assert process.wait(60) == 1
    assert list(tmp_path.iterdir()) == []


def test_what_a_killed_one_left_goes_and_what_another_writes_now_stays(
    redis_url: str, tmp_path: Path
) -> None:
    for name in ("left", "written"):
        (tmp_path / f"homestretch-{name}.part").write_text("REDIS")
    os.utime(tmp_path / "homestretch-left.part", (0, 0))
    file = backed_up(redis_url, tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == {file.name, "homestretch-written.part"}


def test_the_certificate_that_the_server_trusts_is_trusted(
    tmp_path: Path,
) -> None:
    program = with_tls()
    certificates(tmp_path, "ours", "other")
    port = free_port()
    words = ["--requirepass", PASSWORD, *tls_words(tmp_path, "ours", port)]
    redis = ToldRedis(
        [str(DEPLOY / "redis.conf"), *words], tmp_path / "redis", free_port(), program
    )
    redis.start()
    tools = f"{program.parent}{os.pathsep}{os.environ['PATH']}"

    def backed_up_by(authority: str) -> str:
        url = f"rediss://:{PASSWORD}@localhost:{port}/0?ssl_ca_certs={tmp_path}/{authority}.crt"
        env = {"HOMESTRETCH_REDIS_URL": url, "PATH": tools}
        return run_shell(f"deploy/backup.sh {tmp_path / 'backups'}", env)

    try:
        assert Path(backed_up_by("ours").strip()).read_bytes()[:5] == b"REDIS"
        with pytest.raises(AssertionError, match="certificate verify failed"):
            backed_up_by("other")
    finally:
        redis.stop()


def test_the_newest_copies_stay(redis_url: str, tmp_path: Path) -> None:
    for hour in range(5):
        (tmp_path / f"homestretch-20200101T0{hour}0000Z.rdb").write_bytes(b"REDIS")
    newest = backed_up(redis_url, tmp_path, "2")
    kept = sorted(path.name for path in tmp_path.iterdir())
    assert kept == ["homestretch-20200101T040000Z.rdb", newest.name]


def test_a_redis_that_is_away_leaves_no_file(tmp_path: Path) -> None:
    with pytest.raises(AssertionError):
        backed_up(f"redis://127.0.0.1:{free_port()}/0", tmp_path)
    assert list(tmp_path.iterdir()) == []


def refused(*words: str | Path) -> str:
    """Why nothing was restored."""
    done = subprocess.run(
        [DEPLOY / "restore.sh", *words], capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    return done.stderr


@pytest.mark.parametrize("there", ["appendonly.aof", "appendonlydir", "dump.rdb"])
def test_nothing_is_restored_over_data(tmp_path: Path, there: str) -> None:
    file = tmp_path / "copy.rdb"
    file.write_bytes(b"REDIS0009")
    (tmp_path / "redis").mkdir()
    (tmp_path / "redis" / there).write_bytes(b"older, or better")
    assert f"holds data ({there})" in refused(file, tmp_path / "redis")
    assert [path.name for path in (tmp_path / "redis").iterdir()] == [there]


def test_what_is_no_copy_is_not_restored(tmp_path: Path) -> None:
    file = tmp_path / "copy.rdb"
    file.write_bytes(b"something else")
    assert "is no back-up" in refused(file, tmp_path / "redis")
    assert not (tmp_path / "redis").exists()
