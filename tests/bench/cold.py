"""Row 4: the first command on a meeting that no process keeps, at version 10,000.

In this process, so that nothing but loading and deciding is in it: beside the same at version 100
(both with a snapshot and a tail), and, without a snapshot, beside reading and folding as many
events of the floor's game. Times are of this process's CPU: nobody's waiting counts.
"""

import asyncio
import secrets
import time
from itertools import islice
from statistics import median

import uvloop
from redis import Redis

from service.bootstrap import now
from service.collector import calm_collector
from service.handling import Meetings
from service.keeping import load
from service.ports import Head
from service.redis.event_log import RedisEventLog
from service.redis.keys import Keys
from tests.bench.floors import cards
from tests.bench.long_logs import open_log, write_long
from tests.bench.machine import SERVER_CORE, on_core
from tests.bench.measuring import Case, Goal, Prepared
from tests.bench.scripts import SEATS, Script, Step, script
from tests.bench.site import PARTITIONS, Site

LONG, SHORT = 10_000, 100
TAIL = 30
"""Events behind the snapshot; one is written every hundred."""

RATE, BARE_RATE = 20, 4
BEHIND_SECONDS = 0.4
GAME = "tuyaux"
AT_LONG, AT_SHORT = "first command at version 10,000, ms", "first command at version 100, ms"
BARE = "first command at version 10,000 without snapshot, ms"
FLOOR = "floor: XRANGE, decode, fold of 10,000, ms"


class Table:
    """A long meeting of which commands are given, each by a process that kept nothing."""

    def __init__(self, meeting: str, one: Script) -> None:
        self.meeting = meeting
        self._steps = iter(one.steps)

    def next(self, number: int) -> list[Step]:
        """The next commands; [] once there are not enough left."""
        found = list(islice(self._steps, number))
        return found if len(found) == number else []


class Cold:
    """Tables at both lengths, and the floor's log."""

    def __init__(self) -> None:
        self.site = Site()
        self.script = script(GAME, 0)
        self._tables: dict[str, Table] = {}
        lines = cards.make_lines(LONG)
        with Redis.from_url(self.site.url) as redis:
            for start in range(0, LONG, 1_000):
                pipe = redis.pipeline(transaction=False)
                for at in range(start, start + 1_000):
                    pipe.xadd("{p}:cards", {"e": lines[at]}, id=f"{at + 1}-0")
                pipe.execute()

    def first(self, name: str, length: int, seconds: float, *, bare: bool = False) -> float:
        """Milliseconds of a first command at this length, p50."""
        number = max(3, int((BARE_RATE if bare else RATE) * seconds))
        with on_core(SERVER_CORE), asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            return runner.run(self._first(name, length, number, bare=bare)) * 1e3

    async def _first(self, name: str, length: int, number: int, *, bare: bool) -> float:
        async with open_log(self.site.url) as log:
            table = self._tables.get(name)
            steps = table.next(number) if table else []
            if table is None or not steps:
                table = self._tables[name] = await self._set(log, length)
                steps = table.next(number)
            waits = []
            for step in steps:
                if bare:
                    with Redis.from_url(self.site.url) as redis:
                        redis.delete(Keys(PARTITIONS).snapshot(table.meeting))
                began = time.process_time()
                await self._give(log, table.meeting, step)
                waits.append(time.process_time() - began)
                # Other viewers and the snapshot follow behind the command.
                await asyncio.sleep(BEHIND_SECONDS if bare else 0.02)
        return median(waits)

    async def _set(self, log: RedisEventLog, length: int) -> Table:
        players = [f"player-{seat}" for seat in range(SEATS)]
        meeting = await write_long(log, self.script, length, players)
        kept = await load(log, meeting)
        assert kept is not None
        await log.save_snapshot(meeting, kept.snapshot())
        table, saved = Table(meeting, self.script), kept.head.version
        head = Head(0, "")
        while head.version < saved + TAIL:
            (step,) = table.next(1)
            head = await self._give(log, meeting, step)
        return table

    @staticmethod
    async def _give(log: RedisEventLog, meeting: str, step: Step) -> Head:
        """A command as the API gives it, by a process that keeps nothing yet."""
        meetings = Meetings(log, now, secrets.token_bytes)
        outcome = await meetings.command(meeting, step.seat, step.command)
        answer = await meetings.answer(outcome, step.seat)
        assert answer.events, "a command without events"
        kept = meetings.shelf.get(meeting)
        assert kept is not None
        assert kept.head.version == outcome.last
        return kept.head

    def floor(self, seconds: float) -> float:
        """Milliseconds of reading and folding the floor's log, p50."""
        waits = []
        with on_core(SERVER_CORE), Redis.from_url(self.site.url) as redis:
            for _ in range(max(3, int(RATE * seconds))):
                began = time.process_time()
                rows = redis.xrange("{p}:cards")
                state = cards.fold(row[b"e"] for _, row in rows)
                waits.append(time.process_time() - began)
                assert state.number > LONG / 4
        return median(waits) * 1e3

    def close(self) -> None:
        """End it."""
        self.site.close()


def prepare() -> Prepared:
    """Cases, goals, and what must be closed."""
    calm_collector()
    cold = Cold()
    cases: dict[str, Case] = {
        AT_LONG: lambda s: cold.first(AT_LONG, LONG, s),
        AT_SHORT: lambda s: cold.first(AT_SHORT, SHORT, s),
        BARE: lambda s: cold.first(BARE, LONG, s, bare=True),
        FLOOR: cold.floor,
    }
    goals = [
        Goal(
            row="4 first command ms at version 10,000 against version 100",
            ours=AT_LONG,
            floor=AT_SHORT,
            line=2.0,
            stretch=1.2,
            most=True,
        ),
        Goal(
            row="4 the same without snapshot, against XRANGE, decode and fold",
            ours=BARE,
            floor=FLOOR,
            line=1.7,
            stretch=1.7,
            most=True,
        ),
    ]
    return cases, goals, [cold]
