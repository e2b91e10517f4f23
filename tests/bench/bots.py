"""Row 8: meetings of bots alone through RQ, beside bare appends and RQ's own jobs.

Reactor and workers are processes of their own, as `up` starts them. All four games in turn.
"""

import asyncio
import random
import time
from collections.abc import Sequence

import uvloop
from rq import Queue

from domain.racing import lifecycle
from domain.racing.draft import Draft
from domain.racing.meeting import FINISHED
from domain.registry import GAMES
from service.bootstrap import now
from service.handling import Meetings
from service.keeping import Kept
from service.redis.keys import Keys
from tests.bench.floors import loops
from tests.bench.long_logs import open_log
from tests.bench.machine import CLIENT_CORE, SERVER_CORE, on_core
from tests.bench.measuring import Case, Goal, Prepared, Process
from tests.bench.site import ALWAYS, EVERYSEC, PARTITIONS, PATIENCE, Site, redis_of
from tests.kit.jobs import seat_bots

SEATS = 4
RATE = 6
"""Meetings for each second asked for."""

JOBS_RATE = 20
LOOK_SECONDS = 0.005


class Bots:
    """Workers, a reactor and the floors on one Redis."""

    def __init__(self, fsync: str) -> None:
        self.site = Site(fsync)
        self.site.part("work", "turns")
        self.site.part("work", "settle", core=CLIENT_CORE)
        self.site.part("react", core=CLIENT_CORE)
        url = self.site.url
        floors = "tests.bench.floors.loops"
        self.site.run("-m", floors, "fork", f"{url}?db=2")
        self.appends = Process(
            self.site.command("-m", floors, "append", f"{url}?db=3", core=SERVER_CORE)
        )
        self.redis = redis_of(url)
        self.jobs = redis_of(f"{url}?db=2")
        self.chooser = random.Random(1)

    def turns(self, seconds: float) -> float:
        """Turns a second, from the start of the meetings to their end."""
        with on_core(CLIENT_CORE), asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            return runner.run(self._turns(max(len(GAMES), int(RATE * seconds))))

    async def _turns(self, number: int) -> float:
        games = [GAMES[name] for name in sorted(GAMES)]
        async with open_log(self.site.url) as log:
            meetings = Meetings(log, now, random.randbytes)
            opened = [
                await seat_bots(
                    meetings, *["random"] * SEATS, game=games[at % len(games)], start="manual"
                )
                for at in range(number)
            ]
            for meeting in opened:
                await meetings.act(meeting, _start)
            before, began = self._commands(), time.perf_counter()
            ended = await self._end_of(meetings, opened)
            return (self._commands() - before) / (ended - began)

    async def _end_of(self, meetings: Meetings, opened: Sequence[str]) -> float:
        """When the last command came of meetings that all come to their end."""
        until = time.perf_counter() + PATIENCE
        seen, moved, left = self._commands(), time.perf_counter(), list(opened)
        while left:
            await asyncio.sleep(LOOK_SECONDS)
            if (found := self._commands()) != seen:
                seen, moved = found, time.perf_counter()
            elif (await meetings.fresh(left[-1])).full.status == FINISHED:
                left.pop()
            assert time.perf_counter() < until, "the bots find no end"
        return moved

    def _commands(self) -> int:
        with self.redis.pipeline(transaction=False) as pipe:
            for feed in Keys(PARTITIONS).feeds:
                pipe.xlen(feed)
            return sum(pipe.execute())

    def fork(self, seconds: float) -> float:
        """Jobs a second of RQ's own worker."""
        number = max(5, int(JOBS_RATE * seconds))
        queue = Queue(loops.QUEUE, connection=self.jobs)
        with on_core(CLIENT_CORE):
            queue.enqueue(loops.tell, "first")
            assert self.jobs.blpop([loops.DONE], timeout=60), "RQ's worker does nothing"
            began = time.perf_counter()
            queue.enqueue_many(
                [Queue.prepare_data(loops.tell, args=(str(at),)) for at in range(number)]
            )
            for _ in range(number):
                assert self.jobs.blpop([loops.DONE], timeout=60), "RQ's worker stopped"
            return number / (time.perf_counter() - began)

    def close(self) -> None:
        """End all of it."""
        self.appends.close()
        self.redis.close()
        self.jobs.close()
        self.site.close()


def _start(draft: Draft, _kept: Kept) -> None:
    lifecycle.start_meeting(draft)


def prepare() -> Prepared:
    """Cases, goals, and what must be closed."""
    cases: dict[str, Case] = {}
    goals: list[Goal] = []
    sites = []
    for fsync in (EVERYSEC, ALWAYS):
        bots = Bots(fsync)
        sites.append(bots)
        ours = f"bots' turns/s, {fsync}"
        floor, fork = f"floor appends/s, {fsync}", f"RQ's jobs/s, {fsync}"
        cases |= {ours: bots.turns, floor: bots.appends.rate, fork: bots.fork}
        goals += [
            Goal(
                row=f"8 meetings of bots, turns/s, against {what} ({fsync})",
                ours=ours,
                floor=beside,
                line=line,
                stretch=stretch,
                judged=fsync == EVERYSEC,
            )
            for what, beside, line, stretch in (
                ("bare appends", floor, 0.4, 0.7),
                ("RQ's forked jobs", fork, 40.0, 60.0),
            )
        ]
    return cases, goals, sites
