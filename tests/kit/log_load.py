"""Writers that work on one log at the same time, and remember what was acknowledged to them."""

import asyncio
import time
from collections.abc import Callable, Iterable, Sequence
from random import Random

from service.ports import Appended, Conflict, EventLog, LogUnavailable
from tests.kit.log_lines import START, batch

Done = dict[str, tuple[str, Appended, int]]
"""Command id → meeting, answer, events."""


class Load:
    """Writers on some meetings.

    `done` holds what was acknowledged, `when` at which second, `doubles` how much of it twice.
    """

    def __init__(self, log: EventLog, meetings: Sequence[str], seed: int = 1) -> None:
        self.log = log
        self.meetings = meetings
        self.done: Done = {}
        self.when: dict[str, float] = {}
        self.doubles = 0
        self.refusals = 0
        self.commands = 0
        self._seed = seed

    async def write(self, writers: int, commands: int) -> None:
        """So many commands by each of so many writers, 1 to 4 events each."""
        async with asyncio.TaskGroup() as tasks:
            for _ in range(writers):
                tasks.create_task(self._write(range(commands)))

    async def write_until(self, writers: int, stop: Callable[[], bool]) -> None:
        """Commands by so many writers until `stop` says so."""
        async with asyncio.TaskGroup() as tasks:
            for _ in range(writers):
                tasks.create_task(self._write(iter(stop, True)))

    async def _write(self, turns: Iterable[object]) -> None:
        for _ in turns:
            self.commands += 1
            await self.command(f"command-{self.commands}")

    async def command(self, command_id: str) -> None:
        """One command, decided anew until it is taken, asked again blindly where no answer came."""
        random = Random(f"{self._seed}/{command_id}")  # the same each time it is asked
        meeting = random.choice(self.meetings)
        count = random.randint(1, 4)
        while True:
            try:
                head = await self.log.head(meeting) or START
                lines = batch(head, count, command_id)
                answer = await self.log.append(meeting, head, command_id, "print", lines)
            except Conflict:
                continue
            except LogUnavailable:
                self.refusals += 1
                await asyncio.sleep(0.02)
                continue
            self.done[command_id] = (meeting, answer, count)
            self.when[command_id] = time.monotonic()
            self.doubles += answer.duplicate
            return
