"""The guard: holds the log against its anchor, as long as a part runs, and notes new ones."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Protocol

from service.anchors import Anchor, AnchorDamaged, fallen, fallen_here, read, take, write
from service.logs import get_logger
from service.ports import Diverged, EventLog, LogUnavailable

LOOK_SECONDS = 2.0
"""Time between two looks, and between two notes: what is lost sooner only those notice who saw it.
One costs some dozens of the cheapest calls, and nothing is written where nothing was appended."""

END_SECONDS = 2.0
"""How long the last note of a process may take."""

_TOLD: dict[Path, tuple[frozenset[int], str]] = {}
"""What this process said already of a file's log: it opens the log several times, and so does each
job that a worker forks, where once is enough."""

log = get_logger("anchors")


class Guarded(EventLog, Protocol):
    """A log that takes nothing more in partitions that fell back."""

    fallen: frozenset[int]


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

    async def returned(self, events: EventLog) -> None:
        """Look at a Redis that is connected to anew, before anything else is asked of it.

        One that came back with less is thus found before anybody goes on from what it has.

        Raises:
            LogUnavailable: it fell back, or can't be asked; whoever waited for it may ask again.
        """
        try:
            anchor = read(self._path)
        except AnchorDamaged:
            return  # told by who watches
        found = frozenset[int]() if anchor is None else await fallen_here(events, anchor)
        if not found <= self._events.fallen:
            self._fell_back(found | self._events.fallen, anchor)
            raise LogUnavailable("the log fell back: see the server's log")

    async def look(self) -> Anchor | None:
        """Find out what fell back, and say so; the anchor that it was held against.

        Raises:
            AnchorDamaged, LogUnavailable.
        """
        anchor = read(self._path)
        found = frozenset[int]()
        if anchor is not None:
            found = await fallen(self._events, self._store, anchor)
        self._fell_back(found, anchor)
        return anchor

    def _fell_back(self, found: frozenset[int], anchor: Anchor | None) -> None:
        """Take these as fallen, and say so where that is new."""
        known = anchor.at if anchor else ""
        if not found:
            _TOLD.pop(self._path, None)
        elif _TOLD.get(self._path) != (found, known):
            _TOLD[self._path] = (found, known)
            log.critical(
                "log_fell_back",
                partitions=sorted(found),
                known=known,
                file=str(self._path),
                what="read-only until the longer copy is back, or this file is moved away: see "
                "the runbook (deploy/runbook.md), Restore",
            )
        self._events.fallen = found

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
