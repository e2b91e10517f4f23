"""Row 10: how far the views are behind the log, and how fast they are built anew.

Lag: a command is appended, up to 200 a second; the projector's process must have applied it to all
three views. Beside it a reader of a feed that answers at once. Rebuild: each view alone, from the
beginning of the feeds, beside XREAD of a hundred, decode, and SET of what was touched.
"""

import asyncio
import select
import socket
import time
from collections.abc import Iterator
from functools import partial
from itertools import count
from pathlib import Path
from statistics import quantiles
from typing import Any, cast

import uvloop
from hiredis import Reader

from domain.registry import GAMES
from service.bootstrap import projections
from service.handling import Meetings
from service.ports import EventLog
from service.projecting import Projector
from service.redis.event_log import RedisEventLog
from service.redis.mux import open_calls
from service.redis.opening import packed
from service.redis.views import RedisViews
from service.tending import Tending
from tests.bench.floors import cards, loops
from tests.bench.long_logs import open_log
from tests.bench.machine import CLIENT_CORE, SERVER_CORE, on_core
from tests.bench.measuring import Case, Goal, Prepared, figure
from tests.bench.playing import meetings_of, open_table
from tests.bench.scripts import Script, script
from tests.bench.site import PARTITIONS, Site, redis_of

PACE_SECONDS = 0.005
SCRIPTS_EACH = 3
LAG, ECHO = "views behind the log", "floor: echo of a feed"
TEN = "ten ms"
FLOOR = "floor: XREAD, decode, SET"
SETS_EACH = 2
"""HSETs of a view's checkpoint for each batch that is applied."""

TABLES, FLOOR_TABLES = 24, 50
FLOOR_EVENTS = 5_000
VIEW = b"v" * 4096


def endless() -> Iterator[Script]:
    """Scripts of all games in turn."""
    found = [
        script(game, number, whole=True) for number in range(SCRIPTS_EACH) for game in sorted(GAMES)
    ]
    for at in count():
        yield found[at % len(found)]


class Lagging:
    """A projector's process on a log, and the echo on a feed of the floor."""

    def __init__(self) -> None:
        self.site = Site()
        self.redis = redis_of(self.site.url)
        self.redis.config_set("notify-keyspace-events", "Kh")
        self.news = News(self.site.redis.socket, "__keyspace@0__:es:{view:*}:g*:at")
        self.site.part("project")
        self.site.run("-m", "tests.bench.floors.loops", "echo", self.site.url)
        self.append = self.redis.register_script(loops.APPEND.read_text())
        self._scripts = endless()
        self._views = projections()
        self._version = 0
        assert self.redis.blpop([loops.DONE], timeout=60), "the echo does not start"

    def lag(self, seconds: float) -> dict[str, float]:
        """Milliseconds from before an append until all views have it."""
        with on_core(CLIENT_CORE), asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            return runner.run(self._lag(max(20, int(seconds / PACE_SECONDS))))

    async def _lag(self, number: int) -> dict[str, float]:
        waits: list[float] = []
        calls = open_calls(self.site.url)
        async with open_log(self.site.url) as log:
            views = RedisViews(calls, PARTITIONS)
            plain, timed = meetings_of(log), meetings_of(cast("EventLog", Timed(log, self, waits)))
            while len(waits) < number:
                one = next(self._scripts)
                meeting = await open_table(plain, one)
                await asyncio.sleep(0.1)
                for step in one.steps[: number - len(waits)]:
                    await timed.command(meeting, step.seat, step.command)
                    await self._check(log, views)
                    await asyncio.sleep(max(0.0, PACE_SECONDS - waits[-1]))
        await calls.close()
        return _figures(waits)

    async def _check(self, log: RedisEventLog, views: RedisViews) -> None:
        """See to it that the views have what was heard."""
        heads = await log.feed_heads()
        for projection in self._views:
            live = await views.live(projection.name)
            assert live is not None, f"{projection.name} is not built"
            at = (await views.progress(projection.name, live)).positions
            assert list(at) == heads, f"{projection.name} is behind"

    def hear_all(self) -> None:
        """Wait until each view has moved its checkpoint."""
        heard: dict[bytes, int] = {}
        while sum(sets >= SETS_EACH for sets in heard.values()) < len(self._views):
            for key in self.news.hear():
                heard[key] = heard.get(key, 0) + 1

    def echo(self, seconds: float) -> dict[str, float]:
        """Milliseconds from before an append until the reader's answer is here."""
        waits = []
        with on_core(CLIENT_CORE):
            for _ in range(max(20, int(seconds / PACE_SECONDS))):
                began = time.perf_counter()
                self._version = self.append(
                    keys=["{p1}:m:1", loops.FEED], args=[self._version, "1", loops.EVENT]
                )
                assert self.redis.blpop([loops.DONE], timeout=30), "the echo is silent"
                waits.append(time.perf_counter() - began)
                time.sleep(max(0.0, PACE_SECONDS - waits[-1]))
        return _figures(waits)

    def close(self) -> None:
        """End all of it."""
        self.news.close()
        self.redis.close()
        self.site.close()


class News:
    """Tells of keys that changed. A bare socket: what a client library does to tell of the six
    changes of one command takes as long as a good part of what is measured.

    Args:
        path: the socket of Redis.
        pattern: of the channels.
    """

    def __init__(self, path: Path, pattern: str) -> None:
        self._reader = Reader()
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.settimeout(30)
        self._socket.connect(str(path))
        self._socket.sendall(packed(("PSUBSCRIBE", pattern)))
        assert next(iter(self.hear())) == pattern.encode(), "no answer to PSUBSCRIBE"

    def hear(self) -> list[bytes]:
        """The channels of the next news; waits for the first."""
        self._reader.feed(self._socket.recv(65536))
        heard = []
        while (told := self._reader.gets()) is not False:
            heard.append(told[-2])
        return heard

    def hear_out(self) -> None:
        """Take what is left of earlier news."""
        while select.select([self._socket], [], [], 0)[0]:
            self.hear()

    def close(self) -> None:
        """End it."""
        self._socket.close()


class Timed:
    """A log whose appends wait for the views: what else a command costs is no lag of theirs.

    Args:
        log: it.
        lagging: hears the views.
        waits: takes the seconds.
    """

    def __init__(self, log: RedisEventLog, lagging: Lagging, waits: list[float]) -> None:
        self._log = log
        self._lagging = lagging
        self._waits = waits

    def __getattr__(self, name: str) -> Any:
        """All else is the log's."""
        return getattr(self._log, name)

    async def append(self, *told: Any, **rest: Any) -> Any:
        """See service.ports.EventLog."""
        self._lagging.news.hear_out()
        began = time.perf_counter()
        done = await self._log.append(*told, **rest)
        self._lagging.hear_all()
        self._waits.append(time.perf_counter() - began)
        return done


class Building:
    """A log of many meetings, whose views are built anew, and the floor's feed."""

    def __init__(self) -> None:
        self.site = Site()
        self.redis = redis_of(self.site.url)
        with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            runner.run(self._write())
        self.events = sum(
            self.redis.xlen(key) for key in self.redis.scan_iter("es:*:log:*", count=1000)
        )
        lines = cards.make_lines(FLOOR_EVENTS)
        pipe = self.redis.pipeline(transaction=False)
        for at, line in enumerate(lines):
            pipe.xadd(loops.FEED, {"m": at % FLOOR_TABLES, "v": at, "e": line})
        pipe.execute()

    async def _write(self) -> None:
        async with open_log(self.site.url) as log:
            for _, one in zip(range(TABLES), endless(), strict=False):
                meetings = meetings_of(log)
                await _play(meetings, one)

    def build(self, view: str, _seconds: float) -> float:
        """Events a second of building a view anew."""
        with on_core(SERVER_CORE), asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            return runner.run(self._build(view))

    async def _build(self, view: str) -> float:
        (projection,) = (each for each in projections() if each.name == view)
        calls = open_calls(self.site.url)
        try:
            async with open_log(self.site.url) as log:
                views = RedisViews(calls, PARTITIONS)
                if (await views.state(view)).live is not None:
                    await Tending(log, views, [projection]).rebuild(view)
                began = time.perf_counter()
                await Projector(log, views, [projection]).catch_up()
                passed = time.perf_counter() - began
                heads = await log.feed_heads()
                live = await views.live(view)
                assert live is not None
                assert list((await views.progress(view, live)).positions) == heads
                return self.events / passed
        finally:
            await calls.close()

    def floor(self, seconds: float) -> float:
        """Events a second of the floor."""
        last: bytes | str = "0"
        events, began = 0, time.perf_counter()
        with on_core(SERVER_CORE), self.redis.pipeline(transaction=False) as pipe:
            while time.perf_counter() - began < seconds:
                got: Any = self.redis.xread({loops.FEED: last}, count=100)
                if not got:
                    last = "0"
                    continue
                entries = got[0][1]
                last = entries[-1][0]
                touched = set()
                for _, fields in entries:
                    cards.decode(fields[b"e"])
                    touched.add(fields[b"m"])
                for meeting in touched:
                    pipe.set(b"{p1}:view:" + meeting, VIEW)
                pipe.set("{p1}:cursor", last)
                pipe.execute()
                events += len(entries)
        return events / (time.perf_counter() - began)

    def close(self) -> None:
        """End it."""
        self.redis.close()
        self.site.close()


async def _play(meetings: Meetings, one: Script) -> None:
    meeting = await open_table(meetings, one)
    for step in one.steps:
        await meetings.command(meeting, step.seat, step.command)


def _figures(waits: list[float]) -> dict[str, float]:
    cuts = quantiles(waits, n=100, method="inclusive")
    return {"p50 ms": cuts[49] * 1e3, "p99 ms": cuts[98] * 1e3}


def prepare() -> Prepared:
    """Cases, goals, and what must be closed."""
    lagging, building = Lagging(), Building()
    views = [projection.name for projection in projections()]
    cases: dict[str, Case] = {
        TEN: lambda _: 10.0,
        LAG: lagging.lag,
        ECHO: lagging.echo,
        FLOOR: building.floor,
    }
    for view in views:
        cases[_rebuild(view)] = partial(building.build, view)
    goals = [
        Goal(
            row="10 all views behind the log, p50 ms, against an echo",
            ours=figure(LAG, "p50 ms"),
            floor=figure(ECHO, "p50 ms"),
            line=3.0,
            stretch=2.0,
            most=True,
        ),
        Goal(
            row="10 all views behind the log, p99 ms, against 10 ms",
            ours=figure(LAG, "p99 ms"),
            floor=TEN,
            line=1.0,
            stretch=0.5,
            most=True,
        ),
        *(
            Goal(
                row=f"10 rebuild of {view}, events/s, against XREAD, decode, SET",
                ours=_rebuild(view),
                floor=FLOOR,
                line=0.4,
                stretch=0.7,
            )
            for view in views
        ),
    ]
    return cases, goals, [lagging, building]


def _rebuild(view: str) -> str:
    return f"rebuild of {view}, events/s"
