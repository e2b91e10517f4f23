"""The judge of fault tests: reads a log again from its first line and holds it against what callers
were told, whatever was killed or lost meanwhile.

    O1  each acknowledged command is in the log once, in order, without gap; asked again it is
        answered as before
    O2  no command is in the log in part, none that its caller does not know of
    O3  hashes chain from the first line to the head
    O4  the feeds are the union of the logs, without gap
    O5  every view is the fold of the log
    O6  no money comes or goes: every draw and dollar of a meeting that is over is recomputed
    O7  nothing stays owed: bots' turns and settlements come in their time
    O8  what a log lost is reported before it is written on (see tests of lost history)
"""

import asyncio
import json
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from domain.kernel.lines import GENESIS, chain, join
from domain.racing.meeting import FULL, Meeting
from domain.registry import reading_of
from domain.verification import verify
from projections.projection import Projection
from service.bootstrap import projections
from service.jobs.owed import owed_by, seconds_of
from service.jobs.site import Site
from service.keeping import Kept
from service.ports import EventLog, Head, Line
from service.ports_views import Views
from service.redis.event_log import RedisEventLog
from service.redis.mux import open_calls, open_waiting
from service.redis.views import RedisViews
from tests.kit.folding import Shelf
from tests.kit.histories import facts_of
from tests.kit.viewing import caught_up, live_contents

_SITE = Site(meetings=lambda: None, store="", queue_url="")  # type: ignore[arg-type,return-value]


@dataclass
class Told:
    """What a seat of one meeting was told: its acknowledged commands, in order."""

    meeting: str
    seat: int = 1
    commands: list[dict[str, Any]] = field(default_factory=list)


@dataclass
class Sight:
    """What one look found."""

    meetings: int = 0
    over: int = 0
    lines: int = 0
    commands: int = 0
    longest_owed: float = 0.0


@asynccontextmanager
async def open_log(url: str, partitions: int) -> AsyncIterator[tuple[EventLog, Views]]:
    """The log and the views of a Redis or a Cluster."""
    calls, waiting = open_calls(url), open_waiting(url)
    try:
        yield RedisEventLog(calls, waiting, partitions), RedisViews(calls, partitions)
    finally:
        await waiting.close()
        await calls.close()


class Oracle:
    """Judges one log, as often as asked; what it once found whole may not change any more.

    Args:
        partitions: of the log.
    """

    def __init__(self, partitions: int = 16) -> None:
        self._partitions = partitions
        self._seen: dict[str, list[Line]] = {}
        self._judged: set[str] = set()
        self._longest = 0.0
        self.looks = 0

    def look(self, url: str, told: Sequence[Told], *, quiet: bool = False) -> Sight:
        """See `judge`; for tests that are not asynchronous."""

        async def look() -> Sight:
            async with open_log(url, self._partitions) as (log, views):
                return await self.judge(log, views, told, quiet=quiet)

        return asyncio.run(look())

    async def judge(
        self, log: EventLog, views: Views, told: Sequence[Told], *, quiet: bool = False
    ) -> Sight:
        """Judge the log while others write (O1 to O4, O6, O7), or once nobody does (O5 as well).

        Raises:
            AssertionError: something is lost, double, in part, or not in order.
        """
        # What was told by now must be there by now: this is noted before anything is read.
        asked = [(one.meeting, one.seat, list(one.commands)) for one in told if one.meeting]
        counts = await self._feeds(log)
        sight = Sight(meetings=len(counts))
        for meeting in counts:
            if meeting in self._judged and not quiet:
                lines = self._seen[meeting]
                assert await log.head(meeting) == Head(len(lines), lines[-1].digest)
            else:
                lines = await self._lines(log, meeting)
            assert len(lines) >= counts[meeting], f"{meeting} is behind its feed"
            assert not quiet or len(lines) == counts[meeting], f"{meeting} is ahead of its feed"
            sight.lines += len(lines)
            if meeting not in self._judged and is_over(lines):
                self._judge_whole(meeting, lines)
            sight.over += meeting in self._judged
        for meeting, seat, commands in asked:
            assert meeting in self._seen or not commands, f"{meeting} was acknowledged and is lost"
            found = commands_of(self._seen.get(meeting, []), seat)
            assert found[: len(commands)] == commands, f"{meeting}: lost, doubled or changed"
            assert not quiet or len(found) == len(commands), f"{meeting}: one nobody was told of"
            sight.commands += len(commands)
        if quiet:
            assert self._judged == set(counts), "a meeting is not over"
            await self._views(log, views)
        sight.longest_owed = self._longest
        self.looks += 1
        return sight

    async def _feeds(self, log: EventLog) -> dict[str, int]:
        """O4, O2: how many lines of each meeting the feeds tell of."""
        counts: dict[str, int] = {}
        for partition, head in enumerate(await log.feed_heads()):
            position = 0
            while position < head:
                for entry in await log.feed(partition, position):
                    position += 1
                    assert entry.position == position
                    assert log.partition(entry.meeting) == partition
                    before = counts.get(entry.meeting, 0)
                    assert entry.first == before + 1, f"{entry.meeting}: a command is missing"
                    counts[entry.meeting] = before + entry.count
        return counts

    async def _lines(self, log: EventLog, meeting: str) -> list[Line]:
        """O3: what the log has beyond what was seen; what was seen must stand as it did."""
        seen = self._seen.setdefault(meeting, [])
        head = await log.head(meeting)
        assert head is not None, f"{meeting} has no head"
        lines = await log.read(meeting, upto=head.version)
        assert lines[: len(seen)] == seen, f"{meeting}: what was read before has changed"
        digest = seen[-1].digest if seen else GENESIS
        for line in lines[len(seen) :]:
            digest = chain(digest, line.body)
            assert line.digest == digest, f"{meeting} {line.version}: the chain is broken"
        assert Head(len(lines), digest) == head, f"{meeting}: log and head differ"
        self._seen[meeting] = lines
        return lines

    def _judge_whole(self, meeting: str, lines: list[Line]) -> None:
        """O6 and O7 of a meeting that is over."""
        report = verify(with_hashes(lines))
        assert report.ok, f"{meeting}: {report.problems}"
        self._longest = max(self._longest, longest_owed(lines))
        self._judged.add(meeting)

    async def _views(self, log: EventLog, views: Views) -> None:
        """O5."""
        made: list[Projection] = projections()
        await caught_up(log, views, made)
        for projection in made:
            shelf = Shelf.of(projection)
            for lines in self._seen.values():
                shelf.fold(projection, facts_of([line.body for line in lines], projection))
            contents = await live_contents(views, projection)
            assert contents.documents == shelf.documents, projection.name
            assert contents.indexes == shelf.indexes, projection.name


def with_hashes(lines: Sequence[Line]) -> list[bytes]:
    """Lines as the export writes them."""
    return [join(line.body, line.digest) + b"\n" for line in lines]


def is_over(lines: Sequence[Line]) -> bool:
    """Whether a log ends with the end of its meeting."""
    return json.loads(lines[-1].body)["type"] in ("meeting_finished", "meeting_abandoned")


def commands_of(lines: Sequence[Line], seat: int) -> list[dict[str, Any]]:
    """The commands of a seat that a log carries, in order."""
    found = []
    for line in lines:
        event = json.loads(line.body)
        if event.get("seat") == seat and "command" in event:
            found.append(event["command"])
        elif "command" in (own := event.get("private", {}).get(str(seat), {})):
            found.append(own["command"])
    return found


def longest_owed(lines: Sequence[Line], people: Sequence[int] = (1,)) -> float:
    """The longest time in seconds that a worker owed something, as the log's own times tell."""
    kept = Kept(reading_of(lines[0].body), Meeting(viewer=FULL), Head(0, ""))
    kept.full.seats = []
    longest, since = 0.0, None
    for line in lines:
        event = json.loads(line.body)
        at = seconds_of(event["at"])
        if since is not None and event.get("seat") not in people:
            longest = max(longest, at - since)
            since = None
        kept.extend([line])
        if kept.full.seats and owed_by(kept, _SITE).queue is not None:
            since = at if since is None else since
    return longest
