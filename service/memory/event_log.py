"""The event log in memory: what tests and simulations use; it promises what the one in Redis does.

It serves one event loop and ends with the process.
"""

import asyncio
import time
from collections.abc import Callable, Sequence

from domain.kernel.lines import GENESIS
from service.ports import (
    KEY_SECONDS,
    RETRY_SECONDS,
    Appended,
    Conflict,
    Diverged,
    FeedEntry,
    Head,
    KeyReused,
    Line,
    Snapshot,
    check_batch,
    partition_of,
)

_EMPTY = Head(version=0, digest=GENESIS)


class MemoryEventLog:
    """`service.ports.EventLog` in memory; `clock` gives seconds and only tells when ids expire."""

    def __init__(self, partitions: int = 16, clock: Callable[[], float] = time.monotonic) -> None:
        self.partitions = partitions
        self._clock = clock
        self._logs: dict[str, list[Line]] = {}
        self._keys: dict[tuple[str, str], tuple[float, str, Appended]] = {}
        self._feeds: list[list[FeedEntry]] = [[] for _ in range(partitions)]
        self._snapshots: dict[str, Snapshot] = {}
        self._followers: set[asyncio.Future[None]] = set()

    def partition(self, meeting: str) -> int:
        """The partition of a meeting."""
        return partition_of(meeting, self.partitions)

    async def append(
        self,
        meeting: str,
        expected: Head,
        command_id: str,
        fingerprint: str,
        lines: Sequence[Line],
        key_seconds: int = RETRY_SECONDS,
    ) -> Appended:
        """Store the events of one command, all or none.

        Raises:
            KeyReused, Conflict, Diverged.
            ValueError: the lines don't go on from `expected`, or the id would be known for no time.
        """
        check_batch(expected, lines)
        if key_seconds < 1:
            raise ValueError(f"a command id is known for a second or longer, not {key_seconds}")
        if known := self._known(meeting, command_id, fingerprint):
            return known
        head = self._head(meeting)
        if head.version > expected.version:
            raise Conflict(head.version)
        if head.version < expected.version:
            raise Diverged(f"{meeting}: the log can't be continued: it is behind its writer")
        if head != expected:
            raise Diverged(f"{meeting}: the log can't be continued: it has another history")
        self._logs.setdefault(meeting, []).extend(lines)
        done = Appended(first=lines[0].version, last=lines[-1].version)
        self._note(meeting, command_id, fingerprint, done, key_seconds)
        self._tell(meeting, done.first, len(lines))
        return done

    async def remember(
        self, meeting: str, command_id: str, fingerprint: str, version: int
    ) -> Appended:
        """Note that a command was answered at this version without events; the first call wins."""
        if known := self._known(meeting, command_id, fingerprint):
            return known
        done = Appended(first=version + 1, last=version)
        self._note(meeting, command_id, fingerprint, done, KEY_SECONDS)
        return done

    async def seen(self, meeting: str, command_id: str, fingerprint: str) -> Appended | None:
        """What an earlier call of this command id stored."""
        return self._known(meeting, command_id, fingerprint)

    async def head(self, meeting: str) -> Head | None:
        """Where the log ends; None where there is none."""
        return self._head(meeting) if meeting in self._logs else None

    async def stored_away(self, meeting: str) -> bool:
        """Whether the log stands in the archive: there is none."""
        return False

    async def read(
        self, meeting: str, after: int = 0, upto: int | None = None, count: int | None = None
    ) -> list[Line]:
        """Lines after…, at most `count`, up to and with `upto`, in order."""
        lines = self._logs.get(meeting, [])[after:upto]
        return lines if count is None else lines[:count]

    async def feed(self, partition: int, after: int, count: int = 500) -> list[FeedEntry]:
        """Entries of one partition's feed behind a position, in order."""
        return self._feeds[partition][after : after + count]

    async def feed_heads(self) -> list[int]:
        """The last position of every partition's feed, by partition."""
        return [len(feed) for feed in self._feeds]

    async def follow(
        self, after: Sequence[int], seconds: float, count: int = 500
    ) -> list[FeedEntry]:
        """Entries of all partitions behind these positions; waits for the first.

        At most `count` of each partition, by partition and then in order; [] when nothing came.

        Raises:
            Diverged: a feed ends before the position given.
        """
        loop = asyncio.get_running_loop()
        until = loop.time() + seconds
        while True:
            news = [
                entry
                for feed, position in zip(self._feeds, after, strict=True)
                for entry in feed[position : position + count]
            ]
            left = until - loop.time()
            if news or left <= 0:
                break
            told = loop.create_future()
            self._followers.add(told)
            try:
                await asyncio.wait([told], timeout=left)
            finally:
                self._followers.discard(told)
        if not news and any(len(feed) < at for feed, at in zip(self._feeds, after, strict=True)):
            raise Diverged("a feed is behind its reader")
        return news

    async def save_snapshot(self, meeting: str, snapshot: Snapshot) -> None:
        """Keep a snapshot unless a later one is kept."""
        if "|" in snapshot.form:
            raise ValueError("the name of a form has no |")
        kept = self._snapshots.get(meeting)
        if kept is None or kept.version <= snapshot.version:
            self._snapshots[meeting] = snapshot

    async def load_snapshot(self, meeting: str) -> Snapshot | None:
        """The snapshot kept."""
        return self._snapshots.get(meeting)

    def _head(self, meeting: str) -> Head:
        lines = self._logs.get(meeting)
        return Head(lines[-1].version, lines[-1].digest) if lines else _EMPTY

    def _known(self, meeting: str, command_id: str, fingerprint: str) -> Appended | None:
        """What a command id stands for, unless its time is over."""
        until, known, done = self._keys.get((meeting, command_id), (0.0, "", None))
        if done is None:
            return None
        if until <= self._clock():
            del self._keys[meeting, command_id]
            return None
        if known != fingerprint:
            raise KeyReused(f"{meeting}: the command id stands for another command")
        return Appended(done.first, done.last, duplicate=True)

    def _note(
        self, meeting: str, command_id: str, fingerprint: str, done: Appended, seconds: float
    ) -> None:
        self._keys[meeting, command_id] = (self._clock() + seconds, fingerprint, done)

    def _tell(self, meeting: str, first: int, count: int) -> None:
        """One entry in the feed, and all who follow wake up."""
        partition = self.partition(meeting)
        feed = self._feeds[partition]
        feed.append(FeedEntry(partition, len(feed) + 1, meeting, first, count))
        for told in self._followers:
            if not told.done():
                told.set_result(None)
