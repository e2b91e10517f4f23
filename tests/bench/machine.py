"""Cores and processes: what is measured on one core, what measures on the other."""

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

_CORES = sorted(os.sched_getaffinity(0))
SERVER_CORE, CLIENT_CORE = _CORES[0], _CORES[-1]
"""Servers under measurement run on the one; Redis and who calls on the other."""


def pin(pid: int, core: int) -> None:
    """Keep all threads of a process, and its children to come, on one core."""
    for thread in os.listdir(f"/proc/{pid}/task"):
        with contextlib.suppress(ProcessLookupError):
            os.sched_setaffinity(int(thread), {core})


@contextlib.contextmanager
def on_core(core: int) -> Iterator[None]:
    """Run this thread on one core meanwhile."""
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {core})
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def cpu_seconds(pid: int) -> float:
    """Seconds of CPU (user and system) that a process and its living descendants have used.

    By the scheduler's own count, which knows nanoseconds; `stat` knows hundredths of a second.
    """
    total, waiting = 0, [pid]
    while waiting:
        one = waiting.pop()
        with contextlib.suppress(OSError):
            for thread in os.listdir(f"/proc/{one}/task"):
                task = Path(f"/proc/{one}/task/{thread}")
                total += int((task / "schedstat").read_text().split()[0])
                waiting += map(int, (task / "children").read_text().split())
    return total / 1e9
