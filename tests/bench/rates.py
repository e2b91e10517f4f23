"""What it costs to count a call: a token of a leased block beside one round trip to Redis.

Each caller makes a tenth of the reads that a minute allows, as busy clients do, then another comes.
"""

import asyncio
import tempfile
import time
from itertools import count
from pathlib import Path

from service.http.rates import policies
from service.limits import Limits
from service.redis.limits import RedisBuckets
from service.redis.mux import Multiplexed
from service.settings import Settings
from tests.bench.measuring import Case, Goal, Prepared
from tests.kit.redis_server import RedisServer

COUNTED = "a counted call"
ROUND_TRIP = "a round trip to Redis"


class Buckets:
    """A Redis, and a process's rates on it."""

    def __init__(self) -> None:
        self.folder = tempfile.TemporaryDirectory()
        self.redis = RedisServer(Path(self.folder.name)).start()
        self.runner = asyncio.Runner()
        self.calls = Multiplexed(self.redis.url)
        self.limits = Limits(RedisBuckets(self.calls))
        self.policy = policies(Settings())["reads"]
        self.callers = count()

    def counted(self, seconds: float) -> float:
        """Calls counted a second."""
        return self.runner.run(self._counted(seconds))

    async def _counted(self, seconds: float) -> float:
        begin, done = time.perf_counter(), 0
        while (spent := time.perf_counter() - begin) < seconds:
            caller = f"caller-{next(self.callers)}"
            for _ in range(self.policy.quota // 10):
                assert (await self.limits.spend(self.policy, caller)).allowed
                done += 1
        return done / spent

    def round_trips(self, seconds: float) -> float:
        """Round trips a second, one after the other."""
        return self.runner.run(self._round_trips(seconds))

    async def _round_trips(self, seconds: float) -> float:
        begin, done = time.perf_counter(), 0
        while (spent := time.perf_counter() - begin) < seconds:
            await self.calls.call("GET", "nothing")
            done += 1
        return done / spent

    def close(self) -> None:
        """End all of it."""
        self.runner.run(self.calls.close())
        self.runner.close()
        self.redis.stop()
        self.folder.cleanup()


def prepare() -> Prepared:
    """Cases, goals, and what must be closed."""
    buckets = Buckets()
    cases: dict[str, Case] = {ROUND_TRIP: buckets.round_trips, COUNTED: buckets.counted}
    goal = Goal(
        row="counting a call costs at most a tenth of a round trip",
        ours=COUNTED,
        floor=ROUND_TRIP,
        line=10.0,
        stretch=30.0,
    )
    return cases, [goal], [buckets]
