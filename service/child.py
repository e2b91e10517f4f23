"""One child process: its lines as they come, its end, and its end with this process."""

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping

from msgspec import Struct

from service.embedded import die_with_parent

LINE_MAX = 65_536


class Part(Struct, frozen=True, kw_only=True):
    """A child process to keep running.

    Args:
        name: before each of its lines.
        command: program and arguments.
        fds: open files that it inherits under the same numbers.
    """

    name: str
    command: tuple[str, ...]
    fds: tuple[int, ...] = ()


class Child:
    """A running program. Needs an event loop, and `look` called at each SIGCHLD.

    Args:
        part: which program.
        env: its whole environment.
        each: gets each line that it, or a child of its own, writes.
    """

    def __init__(self, part: Part, *, env: Mapping[str, str], each: Callable[[str], None]) -> None:
        self._process = subprocess.Popen(
            part.command,
            env=env,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            pass_fds=part.fds,
            process_group=0,  # Ctrl-C is for this process, which ends its children in order
            preexec_fn=_before_exec(),  # noqa: PLW1509 - this process has one thread
        )
        assert self._process.stdout is not None
        self._pipe = self._process.stdout
        self._each = each
        self._rest = b""
        self._loop = asyncio.get_running_loop()
        self.ended: asyncio.Future[int] = self._loop.create_future()
        os.set_blocking(self._pipe.fileno(), False)
        self._loop.add_reader(self._pipe.fileno(), self._read)
        self.look()

    @property
    def pid(self) -> int:
        """Its process id, which is its process group's too."""
        return self._process.pid

    def look(self) -> None:
        """Note its end, if it has ended: `ended` then has its code, after its last lines."""
        if self.ended.done() or self._process.poll() is None:
            return
        while self._read():
            pass
        self.ended.set_result(self._process.returncode)

    def ask_to_end(self) -> None:
        """SIGTERM, to the program alone: it ends its own children in its own way."""
        self._process.terminate()

    def kill(self) -> None:
        """SIGKILL, to its whole process group."""
        if not self.ended.done():
            os.killpg(self.pid, signal.SIGKILL)

    def close(self) -> None:
        """Read no more, though a child of its own may still write."""
        if not self._pipe.closed:
            self._loop.remove_reader(self._pipe.fileno())
            self._pipe.close()

    def _read(self) -> bool:
        """Take what there is to read; whether there may be more."""
        if self._pipe.closed:
            return False
        try:
            data = os.read(self._pipe.fileno(), LINE_MAX)
        except BlockingIOError:
            return False
        *lines, self._rest = (self._rest + data).split(b"\n")
        if self._rest and (not data or len(self._rest) > LINE_MAX):
            lines, self._rest = [*lines, self._rest], b""
        for line in lines:
            self._each(line.decode(errors="replace").rstrip("\r"))
        if not data:
            self.close()
        return bool(data)


def _before_exec() -> Callable[[], None] | None:
    """Where the system can do it (Linux), let a child be killed when this process ends."""
    return die_with_parent(signal.SIGKILL) if sys.platform == "linux" else None
