"""Programs that a test starts, reads line by line and ends by their process id."""

import os
import queue
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

PATIENCE = 120.0
"""Seconds that a test waits for what must come; nothing is judged by how long it took."""

ROOT = Path(__file__).parents[2]

MODULES = os.pathsep.join((str(ROOT / "tests" / "kit" / "watched"), str(ROOT)))
"""PYTHONPATH of every Python that a test starts: what it serves is held against the document."""


class Program:
    """A running program whose output is collected.

    Args:
        command: arguments of this Python.
        env: added to the environment, in which no setting of homestretch is left.
        cwd: where it runs.
        fds: open files that it inherits under the same numbers.
    """

    def __init__(
        self,
        command: Sequence[str],
        *,
        env: Mapping[str, str] | None = None,
        cwd: Path = ROOT,
        fds: Sequence[int] = (),
    ) -> None:
        clean = {key: text for key, text in os.environ.items() if "HOMESTRETCH" not in key}
        self.process = subprocess.Popen(
            [sys.executable, *command],
            env={**clean, "PYTHONPATH": MODULES, **(env or {})},
            cwd=cwd,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            process_group=0,
            pass_fds=fds,
        )
        self.lines: list[str] = []
        self._fresh: list[str] = []
        self._queue: queue.Queue[str | None] = queue.Queue()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self._queue.put(line.rstrip("\n"))
        self._queue.put(None)

    def line(self, text: str) -> str:
        """The next line that has this text in it, of those not yet asked for."""
        until = time.monotonic() + PATIENCE
        while True:
            for at, line in enumerate(self._fresh):
                if text in line:
                    return self._fresh.pop(at)
            try:
                came = self._queue.get(timeout=max(0.0, until - time.monotonic()))
            except queue.Empty:
                came = None
            assert came is not None, f"no line with {text!r} came; there were:\n{self.output}"
            self._take(came)

    def _take(self, line: str) -> None:
        self.lines.append(line)
        self._fresh.append(line)

    @property
    def output(self) -> str:
        """All lines taken so far."""
        return "\n".join(self.lines)

    def send(self, number: signal.Signals) -> None:
        """A signal to the program itself."""
        self.process.send_signal(number)

    def code(self) -> int:
        """The code with which it ends; the rest of its output is taken."""
        try:
            code = self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            code = None
        else:
            self._reader.join(PATIENCE)
        while not self._queue.empty():
            if (line := self._queue.get()) is not None:
                self._take(line)
        assert code is not None, f"the program does not end; it said:\n{self.output}"
        return code

    def close(self) -> None:
        """End it however it is."""
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        self._reader.join(PATIENCE)
        assert self.process.stdout is not None
        self.process.stdout.close()


@contextmanager
def homestretch_on(data: Path) -> Iterator[Callable[..., Program]]:
    """Starts `homestretch` with these words on a data folder and a free port, with settings by name
    without their prefix; all that was started ends with the block."""
    programs: list[Program] = []

    def begin(*words: str, **settings: str) -> Program:
        told = {"DATA": str(data), "PORT": "0", **settings}
        env = {f"HOMESTRETCH_{name}": text for name, text in told.items()}
        programs.append(Program(["-m", "service.cli", *words], env=env))
        return programs[-1]

    try:
        yield begin
    finally:
        for program in programs:
            if program.process.poll() is None:
                program.send(signal.SIGTERM)
                program.code()
            program.close()


def url_of(program: Program) -> str:
    """Where `homestretch up` listens, once it is ready."""
    program.line("homestretch is ready.")
    found = re.search(r"http://[\d.:]+", program.line("  server  "))
    assert found is not None
    return found[0]


def is_alive(pid: int) -> bool:
    """Whether a process runs; one that ended and was not yet looked at does not."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state not in "ZX"


def await_end(pid: int) -> None:
    """Return once a process has ended."""
    until = time.monotonic() + PATIENCE
    while is_alive(pid):
        assert time.monotonic() < until, f"process {pid} does not end"
        time.sleep(0.02)
