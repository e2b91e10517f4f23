"""The anchor: what the log was known to hold, kept in a file where no Redis can take it back.

A Redis that comes back with less than it acknowledged (a power cut, an older copy, another disk)
looks whole to whoever starts on it. So each API process notes every other second, and when it
ends, where every partition ends, and every part with that data folder holds the log against the
note. A partition that fell behind it, or has another history, is read-only until a person decides,
by moving the file away.
"""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Protocol

import msgspec
from msgspec import Struct

from service.archive.files import FOR_OWNER, write_whole
from service.logs import get_logger
from service.ports import Diverged, EventLog, LogUnavailable

FILE = "anchor.json"
LOOK_SECONDS = 2.0
"""Time between two looks, and between two notes: what is lost sooner only those notice who saw it.
One costs some dozens of the cheapest calls, and nothing is written where nothing was appended."""

END_SECONDS = 2.0
"""How long the last note of a process may take."""

_ARCHIVED = ""
"""Of a line that has left Redis: its head stands for it, and the archive may be away."""

log = get_logger("anchors")


class Mark(Struct, frozen=True):
    """The last command of a partition: its position in the feed, its last event with the hash."""

    position: int
    meeting: str
    version: int
    digest: str


class Anchor(Struct, frozen=True, kw_only=True):
    """The log of a store at some time; None for a partition without commands."""

    store: str
    at: str
    marks: list[Mark | None]


class Guarded(EventLog, Protocol):
    """A log that takes nothing more in partitions that fell back."""

    fallen: frozenset[int]


class AnchorDamaged(Exception):
    """The file can't be read: it says nothing of what the log held."""


def read(path: Path) -> Anchor | None:
    """The anchor; None where none was noted.

    Raises:
        AnchorDamaged.
    """
    try:
        return msgspec.json.decode(path.read_bytes(), type=Anchor)
    except FileNotFoundError:
        return None
    except (OSError, msgspec.DecodeError) as fault:
        raise AnchorDamaged(f"{path} can't be read: {fault}") from fault


def write(path: Path, anchor: Anchor) -> None:
    """Put it in the place of the one before, on disk before this returns.

    It counts events that nobody may know of, so it is for the server's user alone.

    Raises:
        OSError.
    """
    write_whole(path, msgspec.json.encode(anchor), FOR_OWNER)


async def take(events: EventLog, store: str, at: str) -> Anchor:
    """Where every partition of the log ends now.

    Raises:
        Diverged, LogUnavailable.
    """
    heads = await events.feed_heads()
    marks = await asyncio.gather(*(_mark(events, p, head) for p, head in enumerate(heads)))
    return Anchor(store=store, at=at, marks=list(marks))


async def _mark(events: EventLog, partition: int, head: int) -> Mark | None:
    if head == 0:
        return None
    (entry,) = await events.feed(partition, head - 1, 1)
    version = entry.first + entry.count - 1
    return Mark(head, entry.meeting, version, await _digest(events, entry.meeting, version) or "")


async def fallen(events: EventLog, store: str, anchor: Anchor) -> frozenset[int]:
    """The partitions that no longer hold what the anchor says.

    Raises:
        LogUnavailable.
    """
    if anchor.store != store or len(anchor.marks) != events.partitions:
        return frozenset(range(events.partitions))
    heads = await events.feed_heads()
    held = await asyncio.gather(
        *(_holds(events, head, mark) for head, mark in zip(heads, anchor.marks, strict=True))
    )
    return frozenset(partition for partition, whole in enumerate(held) if not whole)


async def _holds(events: EventLog, head: int, mark: Mark | None) -> bool:
    if mark is None:
        return True
    if head < mark.position:
        return False
    return await _digest(events, mark.meeting, mark.version) in (mark.digest, _ARCHIVED)


async def _digest(events: EventLog, meeting: str, version: int) -> str | None:
    """The hash of a line as Redis has it; None where it has none."""
    head = await events.head(meeting)
    if head is None or head.version < version:
        return None
    if head.version == version:
        return head.digest
    if await events.stored_away(meeting):
        return _ARCHIVED
    try:
        lines = await events.read(meeting, version - 1, version)
    except Diverged:
        return None
    return lines[0].digest if lines else None


@asynccontextmanager
async def guarding(guard: "Guard", *, noting: bool) -> AsyncIterator[None]:
    """Watch beside whatever is done with the log; what it ended with is noted too."""
    ending = asyncio.Event()
    watching = asyncio.create_task(guard.watch(noting=noting, ending=ending))
    try:
        yield
    finally:
        ending.set()
        await asyncio.wait([watching], timeout=END_SECONDS)
        watching.cancel()
        await asyncio.wait([watching])


class Guard:
    """Holds a log against its anchor, and notes a new one where it may.

    Args:
        path: of the file.
        events: the log; what fell back is told it.
        store: its id.
        now: the time as RFC 3339 UTC.
    """

    def __init__(self, path: Path, events: Guarded, store: str, now: Callable[[], str]) -> None:
        self._path = path
        self._events = events
        self._store = store
        self._now = now

    async def look(self) -> Anchor | None:
        """Find out what fell back, and say so; the anchor that it was held against.

        Raises:
            AnchorDamaged, LogUnavailable.
        """
        anchor = read(self._path)
        found = frozenset[int]()
        if anchor is not None:
            found = await fallen(self._events, self._store, anchor)
        if found and found != self._events.fallen:
            log.critical(
                "log_fell_back",
                partitions=sorted(found),
                known=anchor.at if anchor else "",
                file=str(self._path),
                what="read-only until the longer copy is back, or this file is moved away",
            )
        self._events.fallen = found
        return anchor

    async def note(self) -> None:
        """Note where the log ends, unless it fell back, or is where it was.

        Raises:
            AnchorDamaged, Diverged, LogUnavailable, OSError.
        """
        known = await self.look()
        if self._events.fallen:
            return
        anchor = await take(self._events, self._store, self._now())
        if known is not None and known.marks == anchor.marks:
            return
        await self.look()  # it may have fallen back before its end was taken
        if not self._events.fallen:
            await asyncio.to_thread(write, self._path, anchor)

    async def watch(self, *, noting: bool, ending: asyncio.Event) -> None:
        """Look again and again, or note; once more when it ends."""
        told = ""
        last = False
        while not last:
            last = ending.is_set()
            try:
                await (self.note() if noting else self.look())
                told = ""
            except LogUnavailable:
                pass  # told by others; the next look will do
            except (AnchorDamaged, Diverged, OSError) as fault:
                if str(fault) != told:
                    log.error("anchor_failed", reason=str(fault))
                told = str(fault)
            with suppress(TimeoutError):
                await asyncio.wait_for(ending.wait(), LOOK_SECONDS)
