"""The event log in Redis: one script an append, streams of lines, a feed for each partition."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import Any

from service.archive.folder import Folder
from service.ports import (
    KEY_SECONDS,
    RETRY_SECONDS,
    Appended,
    Diverged,
    EventLog,
    FeedEntry,
    FellBack,
    Head,
    KeyReused,
    Line,
    LogUnavailable,
    Snapshot,
    check_batch,
    partition_of,
)
from service.redis import replies
from service.redis.archived import Archived
from service.redis.client import BLOCK_SECONDS, Calls, Part, Unreachable
from service.redis.faults import once, surely
from service.redis.keys import Keys
from service.redis.script import Script

PAGE = 500
"""Lines that one call reads: Redis, and others on the connection, wait meanwhile."""

_APPEND = Script("append.lua")
_SNAPSHOT = Script("snapshot.lua")


class RedisEventLog:
    """`service.ports.EventLog` over Redis ≥ 6.2.

    Args:
        calls: for all calls that answer at once.
        waiting: for those that wait inside Redis for news; its time limit must be longer than
            BLOCK_SECONDS, and no other call may stand behind such a one on a connection.
        partitions: as the store's start-up gate found it. Those in `fallen` take nothing more.
        archive: where old logs are, if this process has an archive.
    """

    def __init__(
        self, calls: Calls, waiting: Calls, partitions: int, archive: Folder | None = None
    ) -> None:
        self.partitions = partitions
        self._calls = calls
        self._waiting = waiting
        self._keys = Keys(partitions)
        self.archived = Archived(calls, self._keys, archive)
        self.fallen = frozenset[int]()

    def partition(self, meeting: str) -> int:
        """The partition of a meeting."""
        return partition_of(meeting, self.partitions)

    def on_return(self, look: Callable[[EventLog], Awaitable[None]]) -> None:
        """Let `look` go first at each Redis that is connected to anew: it is given the log as that
        one has it. While it raises LogUnavailable, nobody else is let through.
        """

        async def first(calls: Calls) -> None:
            try:
                await look(RedisEventLog(calls, calls, self.partitions))
            except LogUnavailable as away:
                raise Unreachable(str(away), sent=False) from away

        self._calls.on_return(first)

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

        A lost answer is asked for again under the same command id; an answer got that way says
        `duplicate`, since what is stored may also be a twin's.

        Raises:
            KeyReused, Conflict, Diverged, FellBack, LogUnavailable.
            ValueError: the lines don't go on from `expected`, or the id would be known for no time.
        """
        check_batch(expected, lines)
        if key_seconds < 1:
            raise ValueError(f"a command id is known for a second or longer, not {key_seconds}")
        args: list[Part] = [expected.version, bytes.fromhex(expected.digest), command_id]
        args += (fingerprint, key_seconds, meeting)
        for line in lines:
            args += (line.body, bytes.fromhex(line.digest))
        return replies.appended(
            meeting, await surely(partial(self._store, command_id, meeting, args))
        )

    async def _store(self, command_id: str, meeting: str, args: list[Part]) -> Any:
        """One try; what fell back since the try before gets none."""
        if self.partition(meeting) in self.fallen:
            raise FellBack("its partition holds less than it did: see the server's log")
        return await _APPEND.run(self._calls, self._keys.append(meeting, command_id), *args)

    async def remember(
        self, meeting: str, command_id: str, fingerprint: str, version: int
    ) -> Appended:
        """Note that a command was answered at this version without events; the first call wins."""
        key = self._keys.key(meeting, command_id)
        value = f"{fingerprint}|{version + 1}|{version}"
        while True:
            noted = await self._call("SET", key, value, "NX", "EX", KEY_SECONDS)
            if noted is not None:
                return Appended(first=version + 1, last=version)
            # What stood there may have expired before it is read: then the note is free again.
            if earlier := await self.seen(meeting, command_id, fingerprint):
                return earlier

    async def seen(self, meeting: str, command_id: str, fingerprint: str) -> Appended | None:
        """What an earlier call of this command id stored."""
        value = await self._call("GET", self._keys.key(meeting, command_id))
        if value is None:
            return None
        known, first, last = value.rsplit(b"|", 2)
        if known != fingerprint.encode():
            raise KeyReused(f"{command_id} stands for another command")
        return Appended(first=int(first), last=int(last), duplicate=True)

    async def head(self, meeting: str) -> Head | None:
        """Where the log ends; None where there is none."""
        version, digest = await self._call("HMGET", self._keys.head(meeting), "v", "h")
        return None if version is None else Head(version=int(version), digest=digest.hex())

    async def stored_away(self, meeting: str) -> bool:
        """Whether the log is over and stands in the archive."""
        found = await self.archived.head(meeting)
        return found is not None and found[1]

    async def read(
        self, meeting: str, after: int = 0, upto: int | None = None, count: int | None = None
    ) -> list[Line]:
        """Lines after…, at most `count`, up to and with `upto`, in order.

        Raises:
            Diverged: a line is missing in between.
            LogUnavailable.
        """
        key = self._keys.log(meeting)
        lines: list[Line] = []
        end = "+" if upto is None else f"{upto}-0"
        wanted = count if count is not None else float("inf")
        while len(lines) < wanted:
            page = int(min(PAGE, wanted - len(lines)))
            start = after + len(lines) + 1
            if upto is not None and start > upto:
                break
            entries = await self._call("XRANGE", key, f"{start}-0", end, "COUNT", page)
            lines += replies.lines(entries, start)
            if not entries:  # the end, or the log has left Redis, be it since the last page
                old = await self.archived.lines(meeting)
                lines += old[start - 1 : upto][: None if count is None else count - len(lines)]
            if len(entries) < page:
                break
        return lines

    async def feed(self, partition: int, after: int, count: int = PAGE) -> list[FeedEntry]:
        """Entries of one partition's feed behind a position, in order.

        Raises:
            Diverged: an entry is missing in between.
            LogUnavailable.
        """
        key = self._keys.feeds[partition]
        entries = await self._call("XRANGE", key, f"{after + 1}-0", "+", "COUNT", count)
        return await self.archived.before(partition, after, count, entries)

    async def feed_heads(self) -> list[int]:
        """The last position of every partition's feed, by partition."""
        asked = (self._call("XREVRANGE", key, "+", "-", "COUNT", 1) for key in self._keys.feeds)
        return [replies.number(last[0][0]) if last else 0 for last in await asyncio.gather(*asked)]

    async def follow(
        self, after: Sequence[int], seconds: float, count: int = PAGE
    ) -> list[FeedEntry]:
        """Entries of all partitions behind these positions; waits for the first.

        At most `count` of each partition, by partition and then in order; [] when nothing came.

        Raises:
            Diverged: a feed ends before the position given, or an entry is missing in between.
            LogUnavailable.
        """
        loop = asyncio.get_running_loop()
        until = loop.time() + seconds
        streams = (*self._keys.feeds, *(f"{position}-0" for position in after))
        while True:
            left = min(until - loop.time(), BLOCK_SECONDS)
            # BLOCK 0 would wait for ever.
            block = ("BLOCK", max(1, int(left * 1000))) if left > 0 else ()
            parts: tuple[Part, ...] = ("XREAD", "COUNT", count, *block, "STREAMS", *streams)
            news = await once(self._waiting.call(*parts))
            if news:
                return await self._news(after, count, news)
            if loop.time() >= until:
                await self._not_behind(after)
                return []

    async def _news(self, after: Sequence[int], count: int, news: list[Any]) -> list[FeedEntry]:
        found = {key.decode(): entries for key, entries in news}
        return [
            entry
            for partition, key in enumerate(self._keys.feeds)
            if key in found
            for entry in await self.archived.before(partition, after[partition], count, found[key])
        ]

    async def _not_behind(self, after: Sequence[int]) -> None:
        """A feed that ends before what its reader has seen would else be silent for long."""
        for partition, head in enumerate(await self.feed_heads()):
            if head < after[partition]:
                raise Diverged(f"the feed of partition {partition} is behind its reader")

    async def save_snapshot(self, meeting: str, snapshot: Snapshot) -> None:
        """Keep a snapshot unless a later one is kept."""
        if "|" in snapshot.form:
            raise ValueError("the name of a form has no |")
        front = f"{snapshot.version}|{snapshot.digest}|{snapshot.form}|".encode()
        keys = (self._keys.snapshot(meeting),)
        value = front + snapshot.payload
        await surely(partial(_SNAPSHOT.run, self._calls, keys, snapshot.version, value))

    async def load_snapshot(self, meeting: str) -> Snapshot | None:
        """The snapshot kept."""
        value = await self._call("GET", self._keys.snapshot(meeting))
        if value is None:
            return None
        version, digest, form, payload = value.split(b"|", 3)
        return Snapshot(int(version), digest.decode(), form.decode(), payload)

    async def _call(self, *parts: Part) -> Any:
        return await surely(partial(self._calls.call, *parts))
