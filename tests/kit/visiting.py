"""Processes that visit meetings as draining jobs do, all at the same time, and die where told.

Run as a program it is one of them, on the log at a URL. Each line of its input is a queue, the call
to Redis at which it dies (0: none), whether before that is sent or after it is answered, and the
meetings; it says `done` once it has visited them all.
"""

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from random import Random
from typing import Any

from service.jobs.draining import VISITS
from service.redis.event_log import RedisEventLog
from tests.kit.jobs import open_meetings
from tests.kit.programs import PATIENCE, ROOT

STEPS_MOST = 12
"""Calls to Redis among which a visitor dies."""


class Crew:
    """Visitors of one log; who dies is replaced."""

    def __init__(self, url: str, size: int) -> None:
        self.killed = 0
        self._url = url
        self._size = size
        self._living: list[asyncio.subprocess.Process] = []

    async def visit(self, queue: str, meetings: Sequence[str], random: Random | None) -> None:
        """All visit these meetings at once; with a `random`, half of them die on the way."""
        while len(self._living) < self._size:
            self._living.append(await self._start())
        told = [_line(queue, meetings, random) for _ in self._living]
        for visitor, line in zip(self._living, told, strict=True):
            assert visitor.stdin is not None
            visitor.stdin.write(line)
        await asyncio.gather(*map(self._await_done, list(self._living)))

    async def _start(self) -> asyncio.subprocess.Process:
        pipe = asyncio.subprocess.PIPE
        visitor = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "tests.kit.visiting", self._url),
            stdin=pipe,
            stdout=pipe,
            cwd=ROOT,
        )
        assert visitor.stdout is not None
        async with asyncio.timeout(PATIENCE):
            assert await visitor.stdout.readline() == b"ready\n"
        return visitor

    async def _await_done(self, visitor: asyncio.subprocess.Process) -> None:
        assert visitor.stdout is not None
        async with asyncio.timeout(PATIENCE):
            while (line := await visitor.stdout.readline()) != b"done\n":
                if not line:
                    assert await visitor.wait() == -signal.SIGKILL
                    self._living.remove(visitor)
                    self.killed += 1
                    return

    async def end(self) -> None:
        """End them all."""
        for visitor in self._living:
            visitor.kill()
            await visitor.wait()


@asynccontextmanager
async def visitors(url: str, size: int) -> AsyncIterator[Crew]:
    """A crew on the log at a URL."""
    crew = Crew(url, size)
    try:
        yield crew
    finally:
        await crew.end()


def _line(queue: str, meetings: Sequence[str], random: Random | None) -> bytes:
    dies = random is not None and random.random() < 0.5
    step = random.randint(1, STEPS_MOST) if random is not None and dies else 0
    moment = random.choice(["before", "after"]) if random is not None else "before"
    return f"{queue} {step} {moment} {' '.join(meetings)}\n".encode()


class _Death:
    """Counts the calls to Redis, and ends the process at one of them."""

    def __init__(self, log: RedisEventLog) -> None:
        self.step = 0
        self.moment = ""
        calls: Any = log._calls
        self._call = calls.call
        calls.call = self.call

    async def call(self, *parts: Any) -> Any:
        self.step -= 1
        mine = self.step == 0
        if mine and self.moment == "before":
            os.kill(os.getpid(), signal.SIGKILL)
        answer = await self._call(*parts)
        if mine:
            os.kill(os.getpid(), signal.SIGKILL)
        return answer


async def main(url: str) -> None:
    """Visit until the input ends."""
    go_on = asyncio.Event()
    async with open_meetings(url) as meetings:
        assert isinstance(meetings.log, RedisEventLog)
        death = _Death(meetings.log)
        print("ready", flush=True)
        while line := await asyncio.to_thread(sys.stdin.readline):
            queue, step, death.moment, *names = line.split()
            death.step = int(step)
            visits = (VISITS[queue](meetings, name, go_on) for name in names)
            await asyncio.gather(*visits)
            death.step = 0
            print("done", flush=True)


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
