"""The meetings that one process keeps, never shown or refused from behind the log's head."""

import asyncio
from collections import OrderedDict
from collections.abc import Coroutine
from typing import Any

from service.keeping import Kept, load
from service.ports import Diverged, EventLog, FellBack, LogUnavailable

KEPT_MAX = 5_000
"""Meetings kept; the one used longest ago goes first."""

SNAPSHOT_EVENTS = 100
"""A snapshot is written when the log has gone on so far since the last."""


SETTLE_SECONDS = 0.05
"""How long after a long meeting was loaded its other viewers are brought up."""


class MeetingUnknown(Exception):
    """There is no meeting of this id."""


class Shelf:
    """Kept meetings by id, each with a lock that its writers hold.

    A log that was found behind, or with another history than, what this process has seen stays
    refused here: lost history is never silently continued.

    Args:
        log: where they are stored.
    """

    def __init__(self, log: EventLog) -> None:
        self.log = log
        self._kept: OrderedDict[str, Kept] = OrderedDict()
        self._locks: dict[str, asyncio.Lock] = {}
        self._diverged: dict[str, str] = {}
        self._settling: set[str] = set()
        self._tasks: set[asyncio.Task[None]] = set()

    def lock(self, meeting: str) -> asyncio.Lock:
        """The lock of a meeting's writers."""
        lock = self._locks.get(meeting)
        if lock is None:
            lock = self._locks[meeting] = asyncio.Lock()
        return lock

    def get(self, meeting: str) -> Kept | None:
        """The meeting as kept, if it is."""
        return self._kept.get(meeting)

    def take_off(self, meeting: str) -> None:
        """Forget the kept state: what was decided on it is not so until the log says so."""
        self._kept.pop(meeting, None)

    def put_back(self, meeting: str, kept: Kept) -> None:
        """Keep a state that the log is known to hold, with a snapshot now and then."""
        self._kept[meeting] = kept
        behind = kept.head.version - kept.snapshot_version
        if behind >= SNAPSHOT_EVENTS and meeting not in self._settling:
            self._save(meeting, kept)

    @property
    def lost(self) -> int:
        """How many meetings are refused here because their log lost or changed its history."""
        return len(self._diverged)

    def diverged(self, meeting: str, what: str) -> Diverged:
        """Note that a log has lost or changed its history; the exception to raise."""
        self._diverged[meeting] = what
        return Diverged(what)

    def refused(self, meeting: str, found: Diverged) -> Diverged:
        """The exception to raise where the log takes nothing more of a meeting."""
        if isinstance(found, FellBack):
            return FellBack(str(found))  # it may be read, and written once a person has decided
        return self.diverged(meeting, str(found))

    async def keep(self, meeting: str) -> Kept:
        """The meeting kept, loaded if need be; the caller holds its lock.

        Raises:
            MeetingUnknown, Diverged, LogUnavailable.
        """
        if meeting in self._diverged:
            raise Diverged(self._diverged[meeting])
        kept = self._kept.get(meeting)
        if kept is not None:
            self._kept.move_to_end(meeting)
            return kept
        kept = await load(self.log, meeting)
        if kept is None:
            self._locks.pop(meeting, None)
            raise MeetingUnknown(meeting)
        self._kept[meeting] = kept
        if kept.long:
            self._background(self._settle(meeting, kept))
        while len(self._kept) > KEPT_MAX:
            old, _ = self._kept.popitem(last=False)
            lock = self._locks.get(old)
            if lock is not None and not lock.locked():
                del self._locks[old]
        return kept

    async def catch_up(self, meeting: str, kept: Kept) -> bool:
        """Fold what the log has beyond the kept state; whether there was anything.

        Raises:
            Diverged, LogUnavailable.
            UnknownEvent: a newer release has gone on with the meeting.
        """
        head = await self.log.head(meeting)
        if head is None or head.version < kept.head.version:
            raise self.diverged(meeting, "the log is behind what this process has seen")
        if head.version == kept.head.version:
            if head.digest != kept.head.digest:
                raise self.diverged(meeting, "the log has another history than was seen here")
            return False
        lines = await self.log.read(meeting, kept.head.version)
        try:
            kept.extend(lines)
        except BaseException:  # half of it may be folded
            self.take_off(meeting)
            raise
        return True

    async def is_ahead(self, meeting: str, kept: Kept, *, dirty: bool) -> bool:
        """Whether the log has more than the kept state, which is then caught up with.

        A dirty state has folded what the log does not hold: it is thrown away.

        Raises:
            Diverged, LogUnavailable, UnknownEvent.
        """
        if not dirty:
            return await self.catch_up(meeting, kept)
        self.take_off(meeting)
        return (await self.keep(meeting)).head != kept.head

    async def known(self, meeting: str) -> Kept:
        """The meeting kept, maybe behind the log: good enough to accept, not to refuse or show.

        Raises:
            MeetingUnknown, Diverged, LogUnavailable.
        """
        kept = self._kept.get(meeting)
        if kept is not None:
            return kept
        async with self.lock(meeting):
            return await self.keep(meeting)

    async def fresh(self, meeting: str) -> Kept:
        """The meeting kept, not behind the log's head as of this call.

        Raises:
            MeetingUnknown, Diverged, LogUnavailable.
        """
        head = await self.log.head(meeting)
        if head is None and meeting not in self._kept:
            raise MeetingUnknown(meeting)
        kept = self._kept.get(meeting)
        if kept is not None and kept.head == head:
            return kept
        async with self.lock(meeting):
            kept = await self.keep(meeting)
            await self.catch_up(meeting, kept)
            return kept

    async def _settle(self, meeting: str, kept: Kept) -> None:
        """Bring all viewers of a long meeting up, behind those who wait for one of them.

        Then there is a snapshot, and the next process has it easier.
        """
        self._settling.add(meeting)
        try:
            await asyncio.sleep(SETTLE_SECONDS)
            for viewer in kept.views:
                kept.view(viewer)
                await asyncio.sleep(0)
        finally:
            self._settling.discard(meeting)
        if self._kept.get(meeting) is kept:  # else a command is on its way, which will save it
            self._save(meeting, kept)

    def _save(self, meeting: str, kept: Kept) -> None:
        snapshot = kept.snapshot()

        async def save() -> None:
            try:
                await self.log.save_snapshot(meeting, snapshot)
            except LogUnavailable:
                kept.snapshot_version = 0  # tried again after the next command

        self._background(save())

    def _background(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
