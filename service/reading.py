"""Reading a view: pages that no insert shifts, how far it is behind, and waiting until it is not.

A list goes on behind the key of the last item read, so a page never shows an item again because
others came in between. Views follow the log at a short distance; `caught_up` waits that out for a
caller who must see what it did just before.
"""

import asyncio
import re
import time
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Generic, TypeVar

import msgspec
from msgspec import Struct

from service.ports import EventLog, LogUnavailable
from service.ports_views import Progress, Slice, Views

CAUGHT_UP_SECONDS = 2.0
"""How long a reader waits for a view at most."""

_PAUSE_SECONDS = (0.002, 0.05)

T = TypeVar("T")


CURRENT, STALLED, INVALID, MISSING = "ok", "stalled", "invalid", "missing"
"""How a view stands: it follows the log; it stands still at an event that can't be folded; it was
made from a log that is lost; there is none to read yet."""


class BadCursor(ValueError):
    """Text that no list gave as its cursor."""


class Page(Struct, Generic[T], frozen=True, kw_only=True):
    """A part of a list; `next_cursor` is null at its end."""

    items: list[T]
    next_cursor: str | None = None


class Lag(Struct, frozen=True, kw_only=True):
    """How a view stands.

    Args:
        entries: of the feeds (commands) that are not in it yet.
        seconds: age of the oldest of these, in whole seconds; 0 without any.
        stalled: partitions that stand still at an entry which can't be folded.
        missing: whether there is nothing to read yet.
        building: whether a generation is being built, beside the live one if there is one.
        invalid: whether it was made from a log that is lost.
    """

    view: str
    entries: int
    seconds: int
    stalled: int
    missing: bool
    building: bool
    invalid: bool

    @property
    def state(self) -> str:
        """How it stands, in one word."""
        if self.missing:
            return MISSING
        if self.invalid:
            return INVALID
        return STALLED if self.stalled else CURRENT


CURSOR = re.compile(r"[0-9A-Za-z.:_-]+~[0-9A-Za-z.:_-]+")
"""What a cursor looks like: a place in an index. Whatever has this form is a place to go on from,
so the OpenAPI document can tell which cursors are malformed."""


def cursor_of(member: str) -> str:
    """The cursor behind this member of an index."""
    return member.replace("|", "~", 1)


def member_of(cursor: str | None) -> str | None:
    """The member that a cursor stands behind.

    Raises:
        BadCursor.
    """
    if cursor is None:
        return None
    if not CURSOR.fullmatch(cursor):
        raise BadCursor("the cursor is none of this list")
    return cursor.replace("~", "|", 1)


class _Dated(Struct):
    at: str


_dated = msgspec.json.Decoder(_Dated)


class ViewReader:
    """A view as it is read.

    Args:
        log: what it follows.
        views: where it is.
        now: seconds since 1970, to tell ages.
    """

    view = ""

    def __init__(self, log: EventLog, views: Views, now: Callable[[], float] = time.time) -> None:
        self._events = log
        self._views = views
        self._now = now

    async def lag(self) -> Lag:
        """How the view stands."""
        state = await self._views.state(self.view)
        at, stalled = [0] * self._views.partitions, 0
        if state.live is not None:
            progress = await self._views.progress(self.view, state.live)
            at, stalled = list(progress.positions), len(progress.stalled)
        heads = await self._events.feed_heads()  # last, so that a view ahead of them is truly so
        behind = {p: head - at[p] for p, head in enumerate(heads) if head > at[p]}
        ages = await asyncio.gather(*(self._age(p, at[p]) for p in behind))
        return Lag(
            view=self.view,
            entries=sum(behind.values()),
            seconds=int(max(ages, default=0.0)),
            stalled=stalled,
            missing=state.live is None,
            building=any(number != state.live for number in state.versions),
            invalid=state.invalid or any(a > head for a, head in zip(at, heads, strict=True)),
        )

    async def caught_up(self, seconds: float = CAUGHT_UP_SECONDS) -> bool:
        """Wait until the view holds all that is in the feeds now; False when that takes too long.

        A partition that stands still is not waited for.
        """
        loop = asyncio.get_running_loop()
        until = loop.time() + min(seconds, CAUGHT_UP_SECONDS)
        heads = await self._events.feed_heads()
        pause, longest = _PAUSE_SECONDS
        while True:
            live = await self._views.live(self.view)
            if live is not None:
                progress = await self._views.progress(self.view, live)
                if all(_is_there(progress, p, head) for p, head in enumerate(heads)):
                    return True
            if loop.time() >= until:
                return False
            await asyncio.sleep(pause)
            pause = min(2 * pause, longest)

    async def read(
        self, index: str, after: str | None, count: int, *, backwards: bool = False
    ) -> Slice:
        """At most `count` members of an index behind one, each with its document.

        Raises:
            LogUnavailable: the view is being built for the first time, or the store is away.
        """
        live = await self._live()
        if live is None:
            return Slice()
        return await self._views.page(
            self.view, live, index, after=after, count=count, backwards=backwards
        )

    async def document(self, id_: str) -> bytes | None:
        """One document; raises what read() raises."""
        return (await self.documents([id_]))[id_]

    async def documents(self, ids: Sequence[str]) -> dict[str, bytes | None]:
        """Documents by id, None where there is none; raises what read() raises."""
        live = await self._live()
        if live is None:
            return dict.fromkeys(ids)
        return await self._views.documents(self.view, live, ids)

    async def _live(self) -> int | None:
        """The generation to read; None where nobody has begun one.

        While the first is being built there is nothing to show that would be true.
        """
        live = await self._views.live(self.view)
        if live is None and (await self._views.state(self.view)).versions:
            live = await self._views.live(self.view)  # it may have been switched to meanwhile
            if live is None:
                raise LogUnavailable(f"the view {self.view} is being built")
        return live

    async def _age(self, partition: int, position: int) -> float:
        """How old the first event behind a position is."""
        for entry in await self._events.feed(partition, position, 1):
            for line in await self._events.read(entry.meeting, entry.first - 1, entry.first):
                at = datetime.fromisoformat(_dated.decode(line.body).at)
                return max(0.0, self._now() - at.timestamp())
        return 0.0


def _is_there(progress: Progress, partition: int, head: int) -> bool:
    return progress.positions[partition] >= head or partition in progress.stalled
