"""backup.sh and restore.sh: what they write is whole, and they write over nothing."""

import subprocess
from pathlib import Path

import pytest
from redis import Redis

from tests.kit.deployment import DEPLOY, ToldRedis, run_shell
from tests.kit.redis_server import RedisServer, free_port


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
