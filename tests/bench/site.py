"""A site under measurement: a Redis of its own, and parts as an operator starts them.

Servers run on one core, Redis and whoever calls on the other.
"""

import asyncio
import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from redis import Redis

from service.redis.gate import check
from service.redis.mux import open_calls
from tests.bench.driving import Driven, Reply, drive
from tests.bench.machine import CLIENT_CORE, SERVER_CORE, pin
from tests.kit.programs import ROOT
from tests.kit.redis_server import RedisServer

PARTITIONS = 16
EVERYSEC, ALWAYS = "everysec", "always"
PATIENCE = 60.0
FD = "FD"
"""Stands in a command for the number of the listening socket that the child inherits."""


class Closing(Protocol):
    """What must be closed in the end."""

    def close(self) -> None:
        """End it."""
        ...


class Child:
    """A program in this Python, on one core; its lines end in a file.

    Args:
        command: its arguments; with FD among them it inherits a socket, on `port`.
        log: where its lines end.
        env: added to the environment, in which no setting of the server is left.
        core: on which it runs.
    """

    def __init__(
        self,
        command: Sequence[str],
        log: Path,
        *,
        env: dict[str, str] | None = None,
        core: int = SERVER_CORE,
    ) -> None:
        clean = {key: text for key, text in os.environ.items() if "HOMESTRETCH" not in key}
        self.log = log
        with socket.create_server(("127.0.0.1", 0), backlog=256) as listener, log.open("ab") as out:
            self.port: int = listener.getsockname()[1]
            fd = listener.fileno()
            told = [str(fd) if part == FD else part for part in command]
            self.process = subprocess.Popen(
                ["taskset", "-c", str(core), sys.executable, *told],
                env={**clean, "PYTHONPATH": str(ROOT), **(env or {})},
                cwd=ROOT,
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=out,
                pass_fds=[fd] if FD in command else [],
            )

    @property
    def pid(self) -> int:
        """Its process id."""
        return self.process.pid

    def drive(self, plans: Sequence[Sequence[bytes]]) -> Driven:
        """Send requests to it, see `driving.drive`."""
        return drive(self.port, plans, self.pid)

    def close(self) -> None:
        """End it."""
        self.process.terminate()
        self.process.wait(PATIENCE)


class Site:
    """A Redis with one policy of writing, and what runs on it.

    Args:
        fsync: the policy.
    """

    def __init__(self, fsync: str = EVERYSEC) -> None:
        self.fsync = fsync
        self._folder = tempfile.TemporaryDirectory(prefix="bench-")
        self.folder = Path(self._folder.name)
        self.redis = RedisServer(self.folder / "redis", fsync=fsync).start()
        pin(self.redis.pid, CLIENT_CORE)
        self.children: list[Child] = []
        asyncio.run(self._found())

    async def _found(self) -> None:
        """Make the store what it is, before anything else stands in it."""
        calls = open_calls(self.url)
        await check(calls, fsync=self.fsync, partitions=PARTITIONS)
        await calls.close()

    @property
    def url(self) -> str:
        """Where the log is."""
        return self.redis.url

    def part(self, *command: str, core: int = SERVER_CORE) -> Child:
        """A part of our server, for instance `work turns`."""
        env = {
            "HOMESTRETCH_REDIS_URL": self.url,
            "HOMESTRETCH_FSYNC": self.fsync,
            "HOMESTRETCH_PARTITIONS": str(PARTITIONS),
            "HOMESTRETCH_DATA": str(self.folder / "data"),
            "HOMESTRETCH_LOG_FORMAT": "json",
            # Counted as anywhere, but nobody is refused.
            "HOMESTRETCH_REGISTRATIONS_PER_HOUR": "1000000",
            "HOMESTRETCH_READS_PER_MINUTE": "10000000",
            "HOMESTRETCH_WRITES_PER_MINUTE": "10000000",
        }
        return self.run("-m", "service.cli", *command, env=env, core=core)

    def api(self) -> Child:
        """One API process."""
        child = self.part("serve", "--fd", FD)
        _await_answer(child)
        return child

    def floor(self) -> Child:
        """The floor of HTTP, on the same Redis."""
        env = {"PYTHONHASHSEED": "0"}
        child = self.run("-m", "tests.bench.floors.http_app", FD, self.url, env=env)
        _await_answer(child)
        return child

    def run(
        self, *command: str, env: dict[str, str] | None = None, core: int = SERVER_CORE
    ) -> Child:
        """A program that ends with the site."""
        log = self.folder / f"{len(self.children)}.log"
        child = Child(command, log, env=env, core=core)
        self.children.append(child)
        return child

    @staticmethod
    def command(*command: str, core: int = SERVER_CORE) -> list[str]:
        """How a program of this Python is called that keeps to one core."""
        return ["taskset", "-c", str(core), sys.executable, *command]

    def close(self) -> None:
        """End all of it."""
        for child in self.children:
            child.close()
        self.redis.stop()
        self._folder.cleanup()


def _await_answer(child: Child) -> None:
    until = time.monotonic() + PATIENCE
    while True:
        try:
            with socket.create_connection(("127.0.0.1", child.port), 0.5) as probe:
                probe.settimeout(5)
                probe.sendall(b"GET /bytes HTTP/1.1\r\nhost: bench\r\n\r\n")
                if probe.recv(12):
                    return
        except OSError:
            pass
        assert child.process.poll() is None, child.log.read_text()[-2000:]
        assert time.monotonic() < until, f"no answer; it said: {child.log.read_text()[-2000:]}"
        time.sleep(0.05)


def redis_of(url: str) -> "Redis":
    """A plain client that waits for as long as we do."""
    return Redis.from_url(url, socket_timeout=PATIENCE)


def checked(replies: Sequence[Reply], *statuses: int) -> list[bytes]:
    """The bodies of answers that must have one of these statuses."""
    for status, body in replies:
        assert status in statuses, f"{status}: {body[:400]!r}"
    return [body for _, body in replies]
