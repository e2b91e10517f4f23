"""Row 5: from a log to the state: our own lines and games, beside the floor and a library.

The floor is a hand-written card game in an envelope of its own, one XRANGE; the library is
`eventsourcing` with events in memory (POPO). Ours are whole meetings of all four games in turn.
Rates are for each second of CPU of the process that replays.
"""

import asyncio
import sys
import time
from itertools import cycle
from pathlib import Path

import uvloop
from redis import Redis

from domain.kernel.lines import GENESIS
from domain.racing.meeting import FULL, Meeting
from domain.registry import GAMES, reading_of
from service.collector import calm_collector
from service.keeping import Kept, as_lines
from service.ports import Head, Line
from service.redis.event_log import RedisEventLog
from service.showing import replay
from tests.bench.floors import cards
from tests.bench.long_logs import open_log, with_log
from tests.bench.machine import SERVER_CORE, on_core
from tests.bench.measuring import Case, Goal, Prepared, Process
from tests.bench.moves import PEERS, Recorded
from tests.bench.site import Site

EVENTS = 1_000
OURS, OURS_MEMORY = "replay, all games", "replay, all games, lines in memory"
FLOOR, POPO = "floor: XRANGE, decode, fold", "eventsourcing POPO"


class Replay:
    """A meeting of each game in Redis and in memory, and the floor's log."""

    def __init__(self) -> None:
        self.site = Site()
        self.recorded = []
        self.lines: list[list[Line]] = []
        for game in GAMES.values():
            recorded = Recorded(game, 0)
            meeting = recorded.begin()
            for seat, command in recorded.given:
                meeting.give(seat, command)
            self.recorded.append(meeting)
            self.lines.append(as_lines(meeting.events, Head(0, GENESIS)))
        self.kept = [
            Kept(reading_of(lines[0].body), Meeting(viewer=FULL), Head(0, GENESIS))
            for lines in self.lines
        ]
        with_log(self.site.url, self._store)
        lines = cards.make_lines(EVENTS)
        with Redis.from_url(self.site.url) as redis:
            for at, line in enumerate(lines, 1):
                redis.xadd("{p}:cards", {"e": line}, id=f"{at}-0")

    async def _store(self, log: RedisEventLog) -> None:
        for number, lines in enumerate(self.lines):
            await log.append(str(number), Head(0, GENESIS), "bench", "bench", lines)

    def ours(self, seconds: float) -> float:
        """Events a second out of Redis."""
        with on_core(SERVER_CORE), asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            return runner.run(self._ours(seconds))

    async def _ours(self, seconds: float) -> float:
        async with open_log(self.site.url) as log:
            began, events = time.process_time(), 0
            for turn, number in enumerate(cycle(range(len(self.recorded)))):
                lines = await log.read(str(number))
                state = replay(lines, self.kept[number], FULL)
                events += len(lines)
                if turn < len(self.recorded):
                    assert state == self.recorded[number].full, "another state than was recorded"
                if time.process_time() - began > seconds:
                    break
            return events / (time.process_time() - began)

    def in_memory(self, seconds: float) -> float:
        """Events a second out of memory."""
        with on_core(SERVER_CORE):
            began, events = time.process_time(), 0
            for number in cycle(range(len(self.recorded))):
                state = replay(self.lines[number], self.kept[number], FULL)
                events += len(self.lines[number])
                assert state.version == len(self.lines[number])
                if time.process_time() - began > seconds:
                    break
            return events / (time.process_time() - began)

    def floor(self, seconds: float) -> float:
        """Events a second of the floor."""
        with on_core(SERVER_CORE), Redis.from_url(self.site.url) as redis:
            began, events = time.process_time(), 0
            while time.process_time() - began < seconds:
                rows = redis.xrange("{p}:cards")
                state = cards.fold(row[b"e"] for _, row in rows)
                assert state.number > EVENTS / 4
                events += len(rows)
            return events / (time.process_time() - began)

    def close(self) -> None:
        """End it."""
        self.site.close()


def prepare() -> Prepared:
    """Cases, goals, and what must be closed.

    Raises:
        FileNotFoundError: the library is not installed beside ours.
    """
    python = Path(sys.prefix) / "peers" / "bin" / "python"
    if not python.exists():
        raise FileNotFoundError("the peers are not installed: make bench does it")
    peer = Process([str(python), str(PEERS / "aggregates.py")])
    calm_collector()
    replayed = Replay()
    cases: dict[str, Case] = {
        OURS: replayed.ours,
        FLOOR: replayed.floor,
        POPO: peer.rate,
        OURS_MEMORY: replayed.in_memory,
    }
    goals = [
        Goal(row=f"5 replay, events/s, against {floor}", ours=ours, floor=floor, line=a, stretch=b)
        for ours, floor, a, b in (
            (OURS, POPO, 5.0, 7.0),
            (OURS, FLOOR, 0.55, 0.8),
            (OURS_MEMORY, POPO, 15.0, 25.0),
        )
    ]
    return cases, goals, [peer, replayed]
