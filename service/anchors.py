"""The anchor: what the log was known to hold, kept in a file where no Redis can take it back.

A Redis that comes back with less than it acknowledged (a power cut, an older copy, another disk)
looks whole to whoever starts on it. So each API process notes every other second, and when it
ends, where every partition ends, and every part with that data folder holds the log against the
note. A partition that fell behind it, or has another history, is read-only until a person decides,
by moving the file away.
"""

import asyncio
from pathlib import Path

import msgspec
from msgspec import Struct

from service.archive.files import FOR_OWNER, write_whole
from service.ports import Diverged, EventLog, LogElsewhere

FILE = "anchor.json"
_ARCHIVED = ""
"""Of a line that has left Redis: its head stands for it, and the archive may be away."""


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


async def fallen_here(events: EventLog, anchor: Anchor) -> frozenset[int]:
    """The same of the partitions that this Redis has, which may be a node of a Cluster.

    The last command that is known stands for all before it: they were written in order.

    Raises:
        LogUnavailable.
    """
    held = await asyncio.gather(*(_stands(events, mark) for mark in anchor.marks))
    return frozenset(partition for partition, whole in enumerate(held) if not whole)


async def _stands(events: EventLog, mark: Mark | None) -> bool:
    if mark is None:
        return True
    try:
        return await _digest(events, mark.meeting, mark.version) in (mark.digest, _ARCHIVED)
    except LogElsewhere:
        return True


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
