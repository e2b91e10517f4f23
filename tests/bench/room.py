"""`python -m tests.bench.room`: how much room meetings take in Redis, before and after they move.

Bots play whole meetings of all games; their logs, feeds, snapshots and views are put into a Redis
of the run's own, then everything that is over moves to an archive. The memory is Redis's own
`used_memory`; command ids are left out, since they end by themselves within two days.
"""

import argparse
import asyncio
import tempfile
import time
from pathlib import Path
from random import Random

from redis import Redis

from domain.registry import GAMES
from service.archiving import PIECE_ENTRIES, Mover
from service.bootstrap import projections
from service.keeping import load
from service.projecting import Projector
from service.redis.event_log import RedisEventLog
from service.redis.views import RedisViews
from service.tending import Tending
from tests.kit.archiving import append, open_log
from tests.kit.meetings import Played, by_bots
from tests.kit.redis_server import RedisServer

PARTITIONS = 2
A_DAY = 1_000
DAYS = 365


def meeting(number: int) -> Played:
    """A meeting of the game whose turn it is, with as many seats as come next."""
    game = list(GAMES.values())[number % len(GAMES)]
    fewest, most = game.seats
    seats = fewest + number // len(GAMES) % (most - fewest + 1)
    seed = number.to_bytes(32, "big")
    story = Played(game.id, meeting=f"m{number:016x}", seats=seats, seed=seed, name="A Cup")
    for seat in range(1, seats + 1):
        story.sit_bot(seat, "random")
    return story.begin().play(by_bots(Random(number), ("steady", "random")))


def memory(client: Redis) -> int:
    """What Redis uses now."""
    client.memory_purge()
    return int(client.info("memory")["used_memory"])


def drop_command_ids(client: Redis) -> None:
    """As their time does."""
    for key in client.scan_iter("es:*:key:*", count=5000):
        client.delete(key)


async def fill(log: RedisEventLog, meetings: int) -> tuple[int, int]:
    """Put meetings into a log, each with its last snapshot; how many lines, and their bytes."""
    lines = size = 0
    for number in range(1, meetings + 1):
        story = meeting(number)
        await append(log, story)
        kept = await load(log, story.full.id)
        assert kept is not None
        await log.save_snapshot(story.full.id, kept.snapshot())
        written = story.lines()
        lines, size = lines + len(written), size + sum(map(len, written))
    return lines, size


async def run(meetings: int, folder: Path) -> dict[str, float]:
    """The figures, in bytes a meeting or as their names say."""
    server = RedisServer(folder / "redis").start()
    try:
        async with open_log(server.url, folder / "archive", PARTITIONS) as log:
            with server.client() as client:
                return await measure(log, client, meetings, folder / "archive")
    finally:
        server.stop()


async def measure(
    log: RedisEventLog, client: Redis, meetings: int, archive: Path
) -> dict[str, float]:
    """See `run`."""
    start = memory(client)
    lines, size = await fill(log, meetings)
    drop_command_ids(client)
    with_logs = memory(client)
    views = RedisViews(log._calls, PARTITIONS)
    await Projector(log, views, projections()).catch_up()
    with_views = memory(client)
    entries = sum(await log.feed_heads())
    began = time.perf_counter()
    piece = min(PIECE_ENTRIES, entries // PARTITIONS // 4)
    moved = await Mover(log, 0, piece_entries=piece).step()
    move_seconds = time.perf_counter() - began
    after = memory(client)
    tending = Tending(log, views, projections())
    began = time.perf_counter()
    for projection in projections():
        await tending.rebuild(projection.name)
    await Projector(log, views, projections()).catch_up()
    rebuild_seconds = time.perf_counter() - began
    assert moved.meetings == meetings
    files = [path.stat().st_size for path in archive.rglob("*.gz")]
    feeds = [f"es:{{p{p:02d}}}:feed" for p in range(PARTITIONS)]
    feed_left = sum(int(client.memory_usage(feed) or 0) for feed in feeds)
    return {
        "lines a meeting": lines / meetings,
        "bytes of lines": size / meetings,
        "in Redis: log, feed, snapshot": (with_logs - start) / meetings,
        "in Redis: views": (with_views - with_logs) / meetings,
        "left in Redis after the move": (after - start) / meetings,
        "  of it views": (with_views - with_logs) / meetings,
        "  of it the newest piece of the feeds": feed_left / meetings,
        "in the archive": sum(files) / meetings,
        "meetings moved a second": meetings / move_seconds,
        "meetings rebuilt a second (all views)": meetings / rebuild_seconds,
    }


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="room", description=__doc__)
    parser.add_argument("--meetings", type=int, default=200)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        found = asyncio.run(run(args.meetings, Path(folder)))
    for name, value in found.items():
        print(f"{name:<40} {value:>12,.0f}")
    year = A_DAY * DAYS
    feed = found["  of it the newest piece of the feeds"]
    before = found["in Redis: log, feed, snapshot"] + found["in Redis: views"]
    print(f"\na year at {A_DAY:,} meetings a day, in GB:")
    print(f"{'Redis without an archive':<40} {before * year / 1e9:>12.1f}")
    left = found["left in Redis after the move"] - feed
    print(f"{'Redis with one':<40} {left * year / 1e9:>12.1f}")
    print(f"{'the archive':<40} {found['in the archive'] * year / 1e9:>12.1f}")


if __name__ == "__main__":
    main()
