"""A real redis-server for tests: a child on a unix socket, and on a loopback port where asked."""

import os
import re
import resource
import secrets
import shutil
import signal
import socket
import subprocess
import time
from contextlib import suppress
from pathlib import Path

from redis import Redis

from service.embedded import die_with_parent
from service.redis.mending import mend
from service.redis.server import (
    DURABLE,
    EmbeddedError,
    arguments,
    await_answer,
    find_server,
    socket_folder,
)
from tests.kit.programs import PATIENCE


def programs() -> dict[str, Path]:
    """Every redis-server to test against, by version: the one brought along, and that on PATH."""
    found = {}
    for program in (shutil.which("redis-server"), find_server()):
        if program is not None:
            said = subprocess.run(
                [program, "--version"], check=False, capture_output=True, text=True
            ).stdout
            if version := re.search(r"v=([\d.]+)", said):
                found[version[1]] = Path(program)
    return found


BUS = 10_000
"""So much above its port a node of a cluster listens for the others."""


class RedisServer:
    """One server on a folder; it may be killed and started again on what it left.

    Args:
        folder: where it keeps its files.
        fsync: of its append-only file.
        port: whether it also listens on a loopback port.
        settings: further settings, which win over the others.
        program: which redis-server.
    """

    def __init__(
        self,
        folder: Path,
        *,
        fsync: str = "everysec",
        port: bool = False,
        settings: dict[str, str] | None = None,
        program: Path | None = None,
    ) -> None:
        self.folder = folder
        self.settings = {**DURABLE, "appendfsync": fsync, **(settings or {})}
        self.port = free_port() if port else 0
        self._program = program or find_server()
        self._sockets: Path | None = None
        self._child: subprocess.Popen[bytes] | None = None

    @property
    def socket(self) -> Path:
        """Its unix socket, the same over restarts."""
        assert self._sockets is not None, "not started"
        return self._sockets / "redis.sock"

    @property
    def url(self) -> str:
        """Database 0 through the unix socket."""
        return f"unix://{self.socket}"

    @property
    def tcp_url(self) -> str:
        """Database 0 through the loopback port."""
        assert self.port, "it has no port"
        return f"redis://127.0.0.1:{self.port}/0"

    @property
    def pid(self) -> int:
        """The process id."""
        assert self._child is not None, "not started"
        return self._child.pid

    @property
    def aof(self) -> Path:
        """The file to which it appends: of 6.2 the only one, later the last of several."""
        pieces = sorted((self.folder / "appendonlydir").glob("*.incr.aof"))
        return pieces[-1] if pieces else self.folder / "appendonly.aof"

    def start(self) -> "RedisServer":
        """Start it and wait until it answers; a torn end of its file is cut off as `up` does."""
        self.launch()
        assert self._child is not None
        try:
            try:
                await_answer(self.url, self._child)
            except EmbeddedError:
                if self._child.poll() is None or not mend(self._program, self.folder):
                    raise
                self.launch()
                await_answer(self.url, self._child)
        except EmbeddedError as error:
            raise RuntimeError((self.folder / "redis.log").read_text()[-2000:]) from error
        return self

    def launch(self) -> None:
        """Start it without waiting."""
        self.folder.mkdir(parents=True, exist_ok=True)
        self._sockets = self._sockets or socket_folder()
        settings = {
            "port": str(self.port),
            "bind": "127.0.0.1",
            "unixsocket": str(self.socket),
            "unixsocketperm": "700",
            "dir": str(self.folder),
            **self.settings,
        }
        with (self.folder / "redis.log").open("ab") as log:
            self._child = subprocess.Popen(
                [self._program, *arguments(settings)],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                restore_signals=False,  # so that a file-size limit is an error, not an end
                preexec_fn=die_with_parent(),  # noqa: PLW1509 - tests start it from one thread
            )

    def settle(self) -> None:
        """Wait until all that it answered is in its file.

        With everysec a write is put off for up to two seconds while the disk is slow.
        """
        self.wait_for("aof_buffer_length", 0)

    def kill(self) -> None:
        """End it without a chance to write anything (kill -9); `settle` first, or with everysec
        it may have answered what it did not write.
        """
        if self._child is not None:
            self._child.kill()
            self._child.wait()
            self._child = None

    def restart(self) -> None:
        """Kill it once it has written all, and start it again on what it left."""
        if self._child is not None and self._child.poll() is None:
            self.settle()
        self.kill()
        self.start()

    def signal(self, number: int) -> None:
        """Send it a signal, for instance SIGSTOP."""
        os.kill(self.pid, number)

    def fill_disk(self) -> None:
        """Leave room for 100 bytes more than what it answered takes.

        With everysec it may see only later that there is none: wait for `aof_last_write_status`.
        """
        self.settle()
        self._limit_files(self.aof.stat().st_size + 100)

    def free_disk(self) -> None:
        """End that, and wait until Redis has written what it kept."""
        self._limit_files(resource.RLIM_INFINITY)
        self.wait_for("aof_last_write_status", "ok")

    def _limit_files(self, size: int) -> None:
        resource.prlimit(self.pid, resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))

    def stop(self) -> None:
        """End it cleanly, and remove its socket."""
        if self._child is not None:
            self._child.send_signal(signal.SIGCONT)  # it may stand still
            self._child.terminate()
            try:
                self._child.wait(20)
            except subprocess.TimeoutExpired:
                self.kill()
            self._child = None
        if self._sockets is not None:
            shutil.rmtree(self._sockets, ignore_errors=True)
            self._sockets = None

    def client(self) -> "Redis":
        """A plain synchronous client; close it, or use it in a `with`."""
        return Redis.from_url(self.url)

    def wait_for(self, field: str, value: object, seconds: float = PATIENCE) -> None:
        """Wait until INFO shows this value."""
        until = time.monotonic() + seconds
        with self.client() as client:
            while client.info().get(field) != value:
                assert time.monotonic() < until, f"{field} did not become {value}"
                time.sleep(0.01)


def free_port() -> int:
    """A port that nobody listens on, nor on the port of a cluster's own talk, 10,000 further.

    Both lie below those that outgoing connections get, which could take them meanwhile.
    """
    while True:
        port = secrets.choice(range(12_000, 22_000))
        with suppress(OSError):
            for number in (port, port + BUS):
                socket.create_server(("127.0.0.1", number)).close()
            return port
