"""Reactor and workers for tests: the site they serve, meetings of bots, and their processes.

Run as a program it is one part: react or work, with log URL, queue URL, queue, drain's seconds.
"""

import asyncio
import os
import signal
import sys
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from functools import partial
from typing import Any

from domain.kernel.game import Game
from domain.kernel.message import Event, type_of
from domain.racing import lifecycle
from domain.racing.draft import Draft, chance_of
from domain.racing.events import RaceClosed
from domain.racing.meeting import Meeting
from domain.registry import GAMES
from service import logs
from service.handling import Meetings
from service.jobs.reactor import react
from service.jobs.site import Site
from service.jobs.worker import work
from service.keeping import Kept
from service.ports import Line
from service.redis.client import PoolCalls
from service.redis.event_log import RedisEventLog
from service.redis.gate import check
from tests.kit.log_lines import audit
from tests.kit.programs import Program

PARTITIONS = 2
BOOKMAKER = GAMES["bookmaker"]
LONG = {"programme": ["plain", "joker", "trot", "joker_trot"] * 2}
"""A programme that takes bots some seconds."""

PROMISED_SECONDS = 35.0
"""In this time bots play again whatever was ended: the promise of the design."""


def now() -> str:
    """The time as the log writes it."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


@asynccontextmanager
async def open_meetings(url: str) -> AsyncIterator[Meetings]:
    """The meetings of the log in this Redis."""
    calls, waiting = PoolCalls(url), PoolCalls(url, seconds=5)
    try:
        await check(calls, fsync="everysec", partitions=PARTITIONS)
        yield Meetings(RedisEventLog(calls, waiting, PARTITIONS), now, os.urandom)
    finally:
        await calls.close()
        await waiting.close()


def queue_url(url: str) -> str:
    """The queue's database beside the log's."""
    return f"{url}?db=1"


def site_of(url: str, **limits: Any) -> Site:
    """A site on one Redis: the log in database 0, the queue in database 1."""
    return Site(
        meetings=partial(open_meetings, url), store="test", queue_url=queue_url(url), **limits
    )


async def seat_bots(
    meetings: Meetings,
    *bots: str | None,
    game: Game = BOOKMAKER,
    start: str = "when_full",
    seats: int | None = None,
    **options: Any,
) -> str:
    """Open a meeting with these bots in its (first) seats, None for a person; its id."""
    count = seats or len(bots)
    read = game.read_options(options, count)
    opened = await meetings.open(
        game, options=read, seats=count, host="host", name=None, start=start
    )
    for bot in bots:

        def sit(draft: Draft, _kept: Kept, bot: str | None = bot) -> None:
            name = bot or "Ann"
            kind = "human" if bot is None else "bot"
            lifecycle.take_seat(draft, None, player=name, name=name, kind=kind, bot=bot)

        await meetings.act(opened.meeting, sit)
    return opened.meeting


async def until(
    meetings: Meetings,
    meeting: str,
    reached: Callable[[Meeting], bool],
    seconds: float = 60.0,
) -> Meeting:
    """The full meeting once it has come that far."""
    end = time.monotonic() + seconds
    while True:
        full = (await meetings.fresh(meeting)).full
        if reached(full):
            return full
        assert time.monotonic() < end, f"{full.status}, race {full.race}, version {full.version}"
        await asyncio.sleep(0.02)


async def assert_played_rightly(meetings: Meetings, *played: str) -> list[Event]:
    """All events of the log, whose meetings are these, finished, and without a fault.

    Each effect is there once, chained and in the feed, and every draw and dollar is right.
    """
    logs = await audit(meetings.log, played)
    return [event for m in played for event in _without_fault(await meetings.fresh(m), logs[m])]


def _without_fault(kept: Kept, lines: list[Line]) -> list[Event]:
    events: list[Event] = [kept.read(line) for line in lines]
    races = list(range(1, len(kept.full.options["programme"]) + 1))
    assert [e.race for e in events if isinstance(e, RaceClosed)] == races
    types = Counter(map(type_of, events))
    assert types["bookmaker.race_settled"] == len(races)
    assert types["bookmaker.loans_repaid"] <= 1
    assert types["meeting_finished"] == 1
    assert kept.game.audit(events, chance_of(kept.full)) == []
    return events


def part(words: str, url: str, drain_seconds: float = 50) -> Program:
    """A process of its own: "react", "work turns" or "work settle"."""
    program, _, queue = words.partition(" ")
    where = [url, queue_url(url), queue, str(drain_seconds)]
    return Program(["-m", "tests.kit.jobs", program, *where])


def main() -> None:
    """Run one part until SIGTERM."""
    program, url, queue_at, queue, drain_seconds = sys.argv[1:]
    logs.configure("json", part=f"{program} {queue}".strip())
    site = Site(
        meetings=partial(open_meetings, url),
        store="test",
        queue_url=queue_at,
        drain_seconds=float(drain_seconds),
    )
    if program == "work":
        work(queue, site)
    else:
        asyncio.run(_react(site))


async def _react(site: Site) -> None:
    stopping = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stopping.set)
    await react(site, stopping)


if __name__ == "__main__":
    main()
