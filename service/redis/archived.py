"""What Redis keeps of that which stands in the archive, and how it is read from there.

Of a meeting its head stays, marked; of a piece of a feed its last position and its hash. So what
the archive gives is held against something that is not in the archive.
"""

import asyncio
from bisect import bisect_left
from collections.abc import Callable
from functools import partial
from secrets import token_hex
from typing import Any

from msgspec import Struct

from service.archive import AWAY, DAMAGED, OFF, OK
from service.archive.content import Damaged, Foreign
from service.archive.folder import FOREIGN, Folder
from service.ports import FeedEntry, Head, Line, LogUnavailable
from service.redis import replies
from service.redis.client import Calls, Part
from service.redis.faults import surely
from service.redis.keys import META, UNBELIEVED, Keys
from service.redis.script import Script

ARCHIVE = "archive"
"""The field of the store's own record that says that it has an archive."""

_RETIRE = Script("retire.lua")
_CUT = Script("cut.lua")
_PASSED = Script("passed.lua")


class Piece(Struct, frozen=True):
    """A piece of a feed in the archive."""

    first: int
    last: int
    digest: bytes


class Archived:
    """The archive as the log in Redis knows it.

    Args:
        calls: the way to Redis.
        keys: of the log.
        folder: where the files are; None where this process has no archive.
    """

    def __init__(self, calls: Calls, keys: Keys, folder: Folder | None) -> None:
        self.folder = folder
        self._calls = calls
        self._keys = keys
        self._pieces: dict[int, list[Piece]] = {}
        self._damaged: set[str] = set()

    # ------------------------------------------------------------------ reading

    async def head(self, meeting: str) -> tuple[Head, bool] | None:
        """Where a log ends, and whether it has left Redis; None where there is none."""
        version, digest, gone = await self._call("HMGET", self._keys.head(meeting), "v", "h", "a")
        if version is None:
            return None
        return Head(int(version), digest.hex()), gone is not None

    async def lines(self, meeting: str) -> list[Line]:
        """The whole log if it has left Redis, else [].

        Raises:
            Damaged, LogUnavailable.
        """
        found = await self.head(meeting)
        if found is None or not found[1]:
            return []
        load = partial(self._here().log, meeting, found[0])
        lines: list[Line] = await self._believed(meeting, load)
        return lines

    async def before(
        self, partition: int, after: int, count: int, entries: list[Any]
    ) -> list[FeedEntry]:
        """The entries that Redis gave for what stands behind a position, and those before them that
        have left it, at most `count`.

        Raises:
            Diverged: one is missing in between.
            LogUnavailable.
        """
        old: list[FeedEntry] = []
        while entries and len(old) < count and _before(entries[0]) > after + len(old):
            more = await self.entries(partition, after + len(old), count - len(old))
            if not more:
                break
            old += more
        at = after + len(old)
        rest = [entry for entry in entries if _before(entry) >= at] if old else entries
        return old + replies.feed(partition, at, rest[: count - len(old)])

    async def entries(self, partition: int, after: int, count: int) -> list[FeedEntry]:
        """Entries of a feed behind a position, as far as they stand in one piece in the archive.

        [] where none do.

        Raises:
            Damaged, LogUnavailable.
        """
        piece = await self._piece_with(partition, after + 1)
        if piece is None:
            return []
        number = piece.last - piece.first + 1
        load = partial(self._here().entries, partition, piece.first, number, piece.digest)
        found: list[FeedEntry] = await self._believed(f"p{partition:02d}/{piece.first}", load)
        start = after + 1 - piece.first
        return found[start : start + count]

    async def end_of_piece(self, partition: int, position: int) -> int:
        """Where the piece ends that has this position of a feed."""
        piece = await self._piece_with(partition, position)
        return position if piece is None else piece.last

    async def _piece_with(self, partition: int, position: int) -> Piece | None:
        known = self._pieces.setdefault(partition, [])
        if not known or known[-1].last < position:
            start = len(known)
            noted = await self._call("LRANGE", self._keys.pieces(partition), start, -1)
            for value in noted[len(known) - start :]:  # others may have read them meanwhile
                last, digest = value.split(b"|", 1)
                first = known[-1].last + 1 if known else 1
                known.append(Piece(first, int(last), digest))
        at = bisect_left(known, position, key=lambda piece: piece.last)
        return known[at] if at < len(known) else None

    def _here(self) -> Folder:
        if self.folder is None:
            raise LogUnavailable("it stands in the archive, and this process has none")
        return self.folder

    async def _believed(self, name: str, load: Callable[[], Any]) -> Any:
        """What the archive gives; that something is damaged is noted for all to see."""
        try:
            found = await load()
        except Damaged:
            self._damaged.add(name)
            await self._call("SADD", UNBELIEVED, name)
            raise
        if name in self._damaged:
            self._damaged.discard(name)
            await self._call("SREM", UNBELIEVED, name)
        return found

    async def damaged(self) -> int:
        """How many files were found to be damaged."""
        return int(await self._call("SCARD", UNBELIEVED))

    async def state(self) -> str:
        """How the archive stands, in one word.

        Raises:
            LogUnavailable: Redis can't be asked.
        """
        claimed = await self._call("HGET", META, ARCHIVE) is not None
        if not claimed:
            return OFF if self.folder is None else OK
        try:
            await self.check()
        except (Foreign, OSError):
            return AWAY
        except LogUnavailable:
            if self.folder is None:
                return AWAY
            raise
        return DAMAGED if await self.damaged() else OK

    # ------------------------------------------------------------------ moving

    async def claim(self) -> None:
        """See to it that the folder is this store's archive, for good from the first time on.

        Raises:
            Foreign: it is another's, or the store has its archive elsewhere.
            OSError, LogUnavailable.
        """
        folder = self._here()
        there = await asyncio.to_thread(folder.token)
        noted = await self._call("HGET", META, ARCHIVE)
        made = False
        if there is None and noted is None:
            made = await asyncio.to_thread(folder.mark, token_hex(16))
            there = await asyncio.to_thread(folder.token)
        if there is not None and noted is None:
            await self._call("HSETNX", META, ARCHIVE, there)
            noted = await self._call("HGET", META, ARCHIVE)
        if there is None or noted.decode() != there:
            if made:
                folder.unmark()  # another folder was faster
            raise Foreign(FOREIGN)

    async def check(self) -> None:
        """See whether the folder is this store's archive.

        Raises:
            Foreign, OSError, LogUnavailable.
        """
        there = await asyncio.to_thread(self._here().token)
        noted = await self._call("HGET", META, ARCHIVE)
        if there is None or noted is None or noted.decode() != there:
            raise Foreign(FOREIGN)

    async def retire(self, meeting: str, head: Head) -> bool:
        """Take a log out of Redis that stands in the archive up to this head; False: not now."""
        keys = (
            self._keys.log(meeting),
            self._keys.head(meeting),
            self._keys.snapshot(meeting),
        )
        digest = bytes.fromhex(head.digest)
        done: int = await surely(partial(_RETIRE.run, self._calls, keys, head.version, digest))
        return done >= 0

    async def passed(self, partition: int) -> int:
        """Up to where the feed was looked at for meetings that are over."""
        return int(await self._call("GET", self._keys.passed(partition)) or 0)

    async def pass_by(self, partition: int, position: int) -> None:
        """Note that; it never goes back."""
        await surely(partial(_PASSED.run, self._calls, (self._keys.passed(partition),), position))

    async def cut_at(self, partition: int) -> int:
        """The first position that is still in Redis."""
        noted = await self._call("LRANGE", self._keys.pieces(partition), -1, -1)
        return int(noted[0].split(b"|", 1)[0]) + 1 if noted else 1

    async def cut(self, partition: int, piece: Piece) -> bool:
        """Take a piece of a feed out of Redis that stands in the archive; False: not now."""
        keys = (self._keys.feeds[partition], self._keys.pieces(partition))
        note = b"%d|%s" % (piece.last, piece.digest)
        run = partial(_CUT.run, self._calls, keys, piece.first, piece.last, note)
        return bool(await surely(run))

    async def _call(self, *parts: Part) -> Any:
        return await surely(partial(self._calls.call, *parts))


def _before(entry: list[Any]) -> int:
    """The position before an entry."""
    return replies.number(entry[0]) - 1
