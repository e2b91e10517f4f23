"""Row 12: Redis memory of whole meetings of Bookmaker, over the bytes of their canonical lines.

All that lasts is counted: streams, feeds, heads, snapshots, and what the views keep. The keys of
commands are taken away first, as after two days.
"""

import asyncio

import uvloop
from redis import Redis

from service.bootstrap import projections
from service.projecting import Projector
from service.redis.mux import open_calls
from service.redis.views import RedisViews
from tests.bench.long_logs import open_log
from tests.bench.measuring import Case, Goal, Prepared, figure
from tests.bench.playing import meetings_of, open_table
from tests.bench.scripts import script
from tests.bench.site import PARTITIONS, Site, redis_of

GAME = "bookmaker"
MEETINGS = 20
CASE = "memory"
IN_REDIS, CANONICAL = "bytes of Redis an event", "bytes of its line"


def measure(seconds: float) -> dict[str, float]:
    """Play, project, forget the keys, and weigh."""
    site = Site()
    try:
        with redis_of(site.url) as redis:
            before = _used(redis)
            with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
                events, size = runner.run(_play(site, max(2, min(MEETINGS, int(40 * seconds)))))
            for key in redis.scan_iter("es:*:key:*", count=1000):
                redis.delete(key)
            return {
                IN_REDIS: (_used(redis) - before) / events,
                CANONICAL: size / events,
                **{f"of it {what}": part / events for what, part in _parts(redis).items()},
            }
    finally:
        site.close()


async def _play(site: Site, number: int) -> tuple[int, int]:
    """Whole meetings and their views; how many events, and how long their lines are."""
    calls = open_calls(site.url)
    events = size = 0
    async with open_log(site.url) as log:
        meetings = meetings_of(log)
        for at in range(number):
            one = script(GAME, at % 6, whole=True)
            meeting = await open_table(meetings, one)
            for step in one.steps:
                await meetings.command(meeting, step.seat, step.command)
            lines = await log.read(meeting)
            events += len(lines)
            size += sum(len(line.body) for line in lines)
        await Projector(log, RedisViews(calls, PARTITIONS), projections()).catch_up()
    await calls.close()
    return events, size


def _used(redis: Redis) -> int:
    redis.memory_purge()
    return int(redis.info("memory")["used_memory_dataset"])


def _parts(redis: Redis) -> dict[str, int]:
    """Bytes by kind of key."""
    found: dict[str, int] = {}
    for key in redis.scan_iter(count=1000):
        kind = "views" if b"{view" in key else key.decode().split(":")[2]
        found[kind] = found.get(kind, 0) + int(redis.memory_usage(key, samples=0) or 0)
    return found


def prepare() -> Prepared:
    """Cases, goals, and what must be closed."""
    cases: dict[str, Case] = {CASE: measure}
    goal = Goal(
        row="12 bytes of Redis an event, against its canonical line",
        ours=figure(CASE, IN_REDIS),
        floor=figure(CASE, CANONICAL),
        line=1.6,
        stretch=1.35,
        most=True,
    )
    return cases, [goal], []
