"""Row 7: a bot's turn, from the wake to its move in the log, beside a bare loop that is woken.

A person and a bot sit at a table; the person moves here, then the worker is woken by hand and the
meeting's stream is watched. Worker and loop are processes on a core of their own.
"""

import asyncio
import random
import time
from statistics import median

import uvloop

from domain.racing.meeting import RUNNING
from domain.registry import GAMES
from service.bootstrap import now
from service.handling import Meetings
from service.redis.keys import Keys
from tests.bench.floors import loops
from tests.bench.long_logs import open_log
from tests.bench.machine import CLIENT_CORE, on_core
from tests.bench.measuring import Case, Goal, Prepared
from tests.bench.site import PARTITIONS, Site, redis_of
from tests.kit.jobs import seat_bots

GAME = "ticket-gagnant"
RATE = 20
PAUSE_SECONDS = 0.02
"""The worker goes back to waiting, as between turns."""

TURN, LOOP = "a bot's turn, ms", "floor: woken loop, ms"


class Turns:
    """A worker, a loop, and a table."""

    def __init__(self) -> None:
        self.site = Site()
        self.site.part("work", "turns")
        self.site.run("-m", "tests.bench.floors.loops", "wake", self.site.url)
        self.chooser = random.Random(1)
        self.redis = redis_of(self.site.url)
        self._meeting: str | None = None

    def turns(self, seconds: float) -> float:
        """Milliseconds from a wake to the move in the log, p50."""
        with on_core(CLIENT_CORE), asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            return runner.run(self._turns(max(5, int(RATE * seconds)))) * 1e3

    async def _turns(self, number: int) -> float:
        waits: list[float] = []
        async with open_log(self.site.url) as log:
            meetings = Meetings(log, now, random.randbytes)
            while len(waits) < number:
                if self._meeting is None:
                    self._meeting = await seat_bots(meetings, None, "random", game=GAMES[GAME])
                wait = await self._next(meetings, self._meeting)
                if wait is not None:
                    waits.append(wait)
        return median(waits)

    async def _next(self, meetings: Meetings, meeting: str) -> float | None:
        """Move for the person, or let the bot move; how long that took it."""
        kept = await meetings.fresh(meeting)
        if kept.full.status != RUNNING:
            self._meeting = None
            return None
        game = kept.game
        if game.owes(kept.view(1), 1):
            command = game.bots["random"].decide(kept.view(1), 1, self.chooser)
            await meetings.command(meeting, 1, command)
            return None
        version, stream = kept.head.version, Keys(PARTITIONS).log(meeting)
        await asyncio.sleep(PAUSE_SECONDS)
        began = time.perf_counter()
        self.redis.zadd("jobs:wake:turns", {meeting: began})
        news = self.redis.xread({stream: f"{version}-0"}, count=1, block=20_000)
        passed = time.perf_counter() - began
        assert news, "the bot does not move"
        fresh = await meetings.fresh(meeting)
        assert fresh.head.version > version
        return passed

    def loop(self, seconds: float) -> float:
        """Milliseconds from a wake to the loop's answer, p50."""
        waits = []
        with on_core(CLIENT_CORE):
            for token in range(max(5, int(RATE * seconds))):
                time.sleep(PAUSE_SECONDS)
                began = time.perf_counter()
                self.redis.rpush(loops.WAKE, token)
                answer = self.redis.blpop([loops.DONE], timeout=20)
                waits.append(time.perf_counter() - began)
                assert answer, "the loop does not answer"
                assert int(answer[1]) == token
        return median(waits) * 1e3

    def close(self) -> None:
        """End all of it."""
        self.redis.close()
        self.site.close()


def prepare() -> Prepared:
    """Cases, goals, and what must be closed."""
    turns = Turns()
    cases: dict[str, Case] = {TURN: turns.turns, LOOP: turns.loop}
    goal = Goal(
        row="7 a bot's turn, ms from wake to log, against a woken loop",
        ours=TURN,
        floor=LOOP,
        line=3.0,
        stretch=2.0,
        most=True,
    )
    return cases, [goal], [turns]
