"""The Redis that `homestretch up` brings along: a redis-server child of this process.

It listens on a unix socket alone, writes an append-only file into the data folder, and ends with
its parent. One lock on the data folder, held by the supervisor alone, tells a second server from
what a crash left behind; the latter is ended by its recorded pid and start time. Linux only.
"""

import ctypes
import fcntl
import os
import shutil
import signal
import subprocess
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import IO

import msgspec

from service.redis.mending import mend
from service.redis.server import (
    DURABLE,
    NOTE,
    SOCKET_FOLDER,
    EmbeddedError,
    NoRedisServer,
    Record,
    arguments,
    await_answer,
    find_server,
    socket_folder,
    started_at,
)

__all__ = [
    "DataFolderInUse",
    "EmbeddedError",
    "EmbeddedRedis",
    "FolderLock",
    "NoRedisServer",
    "die_with_parent",
]

STOP_SECONDS = 20.0
"""How long a server may take to end, its data written; then it is killed."""

_PR_SET_PDEATHSIG = 1
_LIBC = ctypes.CDLL(None, use_errno=True)


class DataFolderInUse(EmbeddedError):
    """Another server works on this data folder."""


class FolderLock:
    """The right to work on a data folder: one `flock`, which the system gives back at any end.

    Children that are exec'ed don't inherit it; a forked one would, and keep it.
    """

    def __init__(self, data: Path) -> None:
        self._path = data / "lock"
        self._file: IO[str] | None = None

    def acquire(self) -> None:
        """Take it; nothing changes where this object has it.

        Raises:
            DataFolderInUse: another process has it.
        """
        if self._file is not None:
            return
        self._path.parent.mkdir(parents=True, exist_ok=True)
        file = self._path.open("a+")
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            file.seek(0)
            holder = file.read().strip() or "unknown"
            file.close()
            raise DataFolderInUse(
                f"the data folder {self._path.parent} is in use by another server (process "
                f"{holder}): stop that one, or name another folder in HOMESTRETCH_DATA"
            ) from None
        file.truncate(0)
        file.write(f"{os.getpid()}\n")
        file.flush()
        self._file = file

    def release(self) -> None:
        """Give it back."""
        if self._file is not None:
            self._file.close()
            self._file = None


class EmbeddedRedis:
    """A redis-server on one data folder.

    Args:
        data: the data folder; Redis keeps its files in `redis` below it, also its own log.
        fsync: `always` or `everysec`.
        lock: the folder's lock where the caller holds it already; else start() takes it.
    """

    def __init__(
        self, data: Path, *, fsync: str = "always", lock: FolderLock | None = None
    ) -> None:
        self._folder = data / "redis"
        self._note = data / NOTE
        self._fsync = fsync
        self._lock = lock or FolderLock(data)
        self._own_lock = lock is None
        self._sockets: Path | None = None
        self._child: subprocess.Popen[bytes] | None = None

    @property
    def pid(self) -> int | None:
        """The child's process id while it lives."""
        alive = self._child is not None and self._child.poll() is None
        return self._child.pid if alive and self._child else None

    @property
    def url(self) -> str:
        """Where it listens, the same over restarts by this object."""
        if self._sockets is None:
            raise EmbeddedError("the embedded Redis was not started")
        return f"unix://{self._sockets / 'redis.sock'}"

    def start(self) -> str:
        """Start it, wait until it answers, and return its URL; where it lives, only that.

        Called again after the child died by itself, it comes back at the same URL. Must be called
        from the main thread: the child ends with the thread that started it.

        Raises:
            DataFolderInUse, NoRedisServer, EmbeddedError.
        """
        if self.pid is not None:
            return self.url
        if threading.current_thread() is not threading.main_thread():
            raise EmbeddedError("the embedded Redis must be started from the main thread")
        program = find_server()
        self._lock.acquire()
        self._end_leftover()
        self._folder.mkdir(mode=0o700, exist_ok=True)
        if self._sockets is None:
            self._sockets = socket_folder()
        child = self._begin(program, self._sockets)
        try:
            await_answer(self.url, child)
        except EmbeddedError as error:
            self._try_again(program, self._sockets, error)
        return self.url

    def stop(self) -> None:
        """End it cleanly, its data written; the lock, where start() took it, is free then."""
        if self._child is not None:
            self._child.terminate()
            try:
                self._child.wait(STOP_SECONDS)
            except subprocess.TimeoutExpired:
                self._child.kill()
                self._child.wait()
            self._child = None
        if self._sockets is not None:
            shutil.rmtree(self._sockets, ignore_errors=True)
            self._sockets = None
            self._note.unlink(missing_ok=True)
        if self._own_lock:
            self._lock.release()

    def _spawn(self, program: Path, socket: Path) -> subprocess.Popen[bytes]:
        settings = {
            "port": "0",
            "unixsocket": str(socket),
            "unixsocketperm": "700",
            "dir": str(self._folder.resolve()),
            "appendfsync": self._fsync,
            **DURABLE,
        }
        with (self._folder / "redis.log").open("ab") as log:
            return subprocess.Popen(
                [program, *arguments(settings)],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                # Ctrl-C is for the supervisor, which ends this child last.
                process_group=0,
                preexec_fn=die_with_parent(),  # noqa: PLW1509 - start() refuses threads
            )

    def _begin(self, program: Path, sockets: Path) -> subprocess.Popen[bytes]:
        child = self._child = self._spawn(program, sockets / "redis.sock")
        record = Record(child.pid, started_at(child.pid) or 0, str(sockets))
        _write(self._note, msgspec.json.encode(record))
        return child

    def _try_again(self, program: Path, sockets: Path, error: EmbeddedError) -> None:
        """Start it once more where its file had a torn end, which is cut off."""
        try:
            ended = self._child is not None and self._child.poll() is not None
            if not (ended and mend(program, self._folder)):
                raise error
            await_answer(self.url, self._begin(program, sockets))
        except EmbeddedError as fault:
            self.stop()
            raise EmbeddedError(f"{fault}; see {self._folder / 'redis.log'}") from None

    def _end_leftover(self) -> None:
        """End the server of a supervisor that crashed, and clear its socket folder."""
        try:
            record = msgspec.json.decode(self._note.read_bytes(), type=Record)
        except (FileNotFoundError, msgspec.DecodeError):
            return
        for ending in (signal.SIGTERM, signal.SIGKILL):
            until = time.monotonic() + STOP_SECONDS
            if record.started and started_at(record.pid) == record.started:
                os.kill(record.pid, ending)
            while started_at(record.pid) == record.started and time.monotonic() < until:
                time.sleep(0.02)
        folder = Path(record.folder)
        if folder != self._sockets and folder.name.startswith(SOCKET_FOLDER):
            shutil.rmtree(folder, ignore_errors=True)


def die_with_parent(ending: signal.Signals = signal.SIGTERM) -> Callable[[], None]:
    """What a child does before its program starts, to get a signal when its parent ends."""
    parent = os.getpid()

    def before_exec() -> None:
        _LIBC.prctl(_PR_SET_PDEATHSIG, ending, 0, 0, 0)
        if os.getppid() != parent:  # it ended before the line above
            os._exit(1)

    return before_exec


def _write(path: Path, content: bytes) -> None:
    """Replace a file in one step."""
    draft = path.with_suffix(".new")
    draft.write_bytes(content)
    draft.replace(path)
