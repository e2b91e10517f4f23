"""Moving what is over from Redis to the archive: written, read back, and only then taken out.

It walks each partition's feed once: a meeting is moved when its last entry is passed, the feed
itself in pieces behind that. Where it ends, or is killed, the next one goes on; what is done twice
is done to the same file and to the same end. So any number may run at once.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Sequence
from datetime import datetime
from typing import Any

import msgspec
from msgspec import Struct

from domain.kernel.lines import GENESIS, chain
from domain.kernel.message import type_of
from domain.racing.events import MeetingAbandoned, MeetingFinished
from service.archive.content import Damaged
from service.archive.files import sweep
from service.logs import get_logger
from service.ports import Diverged, FeedEntry, Head, Line
from service.redis.archived import Archived, Piece
from service.redis.event_log import RedisEventLog

PAGE_ENTRIES = 500
"""Entries of a feed that are looked at in one go."""

PIECE_ENTRIES = 5_000
"""Entries of a feed that are moved in one piece."""

OVER = frozenset((type_of(MeetingFinished), type_of(MeetingAbandoned)))

_log: Any = get_logger("archiving")


class _Last(msgspec.Struct):
    type: str
    at: str


_last = msgspec.json.Decoder(_Last)


class Moved(Struct, kw_only=True):
    """What one walk did: logs moved, logs left in Redis for a fault, feed entries moved."""

    meetings: int = 0
    left: int = 0
    entries: int = 0


class Mover:
    """Moves meetings that have been over for so long.

    Args:
        log: with the archive's folder.
        after_seconds: age of a meeting's last event from which it is moved.
        now: seconds since 1970.
        piece_entries: see PIECE_ENTRIES.
    """

    def __init__(
        self,
        log: RedisEventLog,
        after_seconds: float,
        *,
        now: Callable[[], float] = time.time,
        piece_entries: int = PIECE_ENTRIES,
    ) -> None:
        self._events = log
        self._archived: Archived = log.archived
        self._after_seconds = after_seconds
        self._now = now
        self._piece_entries = piece_entries

    async def step(self) -> Moved:
        """One walk over what has come since the last.

        Raises:
            Foreign, Diverged, LogUnavailable.
            OSError: the folder takes nothing.
        """
        await self._archived.claim()
        assert self._archived.folder is not None, "claimed"
        await asyncio.to_thread(sweep, self._archived.folder.path)
        moved = Moved()
        for partition in range(self._events.partitions):
            await self._walk(partition, moved)
            await self._cut(partition, moved)
        if moved.meetings or moved.entries:
            _log.info("archived", meetings=moved.meetings, entries=moved.entries)
        return moved

    async def _walk(self, partition: int, moved: Moved) -> None:
        """Move what is over up to the first meeting that is too young."""
        position = await self._archived.passed(partition)
        while entries := await self._events.feed(partition, position, PAGE_ENTRIES):
            passed = await self._take(entries, moved)
            if passed:
                position = entries[passed - 1].position
                await self._archived.pass_by(partition, position)
            if passed < len(entries):
                return

    async def _take(self, entries: Sequence[FeedEntry], moved: Moved) -> int:
        """Move the meetings that end in these entries; how many of them are done with.

        A meeting that is not over, or whose last entry is a later one, comes by again.
        """
        meetings = list(dict.fromkeys(entry.meeting for entry in entries))
        found = await asyncio.gather(*map(self._archived.head, meetings))
        heads = dict(zip(meetings, found, strict=True))
        for passed, entry in enumerate(entries):
            told = heads[entry.meeting]
            if told is None or told[1] or told[0].version != entry.first + entry.count - 1:
                continue
            if await self._too_young(entry.meeting, told[0]):
                return passed
            await self._move(entry.meeting, told[0], moved)
        return len(entries)

    async def _too_young(self, meeting: str, head: Head) -> bool:
        """Whether a meeting is over, but not for so long that it is moved."""
        for line in await self._events.read(meeting, head.version - 1, head.version):
            last = _last.decode(line.body)
            if last.type in OVER:
                ended = datetime.fromisoformat(last.at).timestamp()
                return ended > self._now() - self._after_seconds
        return False

    async def _move(self, meeting: str, head: Head, moved: Moved) -> None:
        """Write the log of a meeting that is over, read it back, and take it out of Redis."""
        try:
            lines = await self._events.read(meeting)
            if _last.decode(lines[-1].body).type not in OVER:
                return
            _check(meeting, lines, head)
        except Diverged as fault:
            moved.left += 1
            _log.critical("log_not_archived", meeting=meeting, reason=str(fault))
            return
        assert self._archived.folder is not None, "claimed"
        await self._archived.folder.put_log(meeting, lines)
        if await self._archived.retire(meeting, head):
            moved.meetings += 1
        else:
            moved.left += 1
            _log.critical("log_not_archived", meeting=meeting, reason="it changed meanwhile")

    async def _cut(self, partition: int, moved: Moved) -> None:
        """Move whole pieces of the feed that the walk has passed."""
        assert self._archived.folder is not None, "claimed"
        passed = await self._archived.passed(partition)
        first = await self._archived.cut_at(partition)
        size = self._piece_entries
        while first + size <= passed:  # one entry stays at least: it tells where the feed ends
            entries = [
                entry
                for start in range(first - 1, first - 1 + size, PAGE_ENTRIES)
                for entry in await self._events.feed(
                    partition, start, min(PAGE_ENTRIES, first - 1 + size - start)
                )
            ]
            digest = await self._archived.folder.put_entries(entries)
            if not await self._archived.cut(partition, Piece(first, first + size - 1, digest)):
                return  # another mover was faster
            moved.entries += size
            first += size


async def check_all(log: RedisEventLog) -> AsyncIterator[tuple[str, Damaged | None]]:
    """Read everything that was moved, from the first meeting on: its name, and what is wrong.

    Raises:
        Foreign, LogUnavailable.
    """
    await log.archived.check()
    for partition in range(log.partitions):
        position, seen = 0, set[str]()
        while True:
            try:
                entries = await log.feed(partition, position, PAGE_ENTRIES)
            except Damaged as fault:
                yield f"feed {partition}", fault
                position = await log.archived.end_of_piece(partition, position + 1)
                continue
            if not entries:
                break
            position = entries[-1].position
            for meeting in dict.fromkeys(entry.meeting for entry in entries):
                if meeting not in seen and await log.stored_away(meeting):
                    seen.add(meeting)
                    try:
                        await log.archived.lines(meeting)
                    except Damaged as fault:
                        yield meeting, fault
                    else:
                        yield meeting, None


def _check(meeting: str, lines: Sequence[Line], head: Head) -> None:
    """Hold a log against its own hashes: what is wrong with it shall not look right in a file.

    Raises:
        Diverged.
    """
    digest = GENESIS
    for line in lines:
        digest = chain(digest, line.body)
        if digest != line.digest:
            raise Diverged(f"{meeting}: the hash of line {line.version} is not its own")
    if Head(len(lines), digest) != head:
        raise Diverged(f"{meeting}: its lines and its head differ")
