"""What an operator does about views: look how they stand, build one anew, try again what stalls.

The work itself is that of the projectors that run; here it is asked for and waited for.
"""

import asyncio
from collections.abc import AsyncIterator, Sequence

from msgspec import Struct

from projections.projection import Projection
from service.ports import EventLog
from service.ports_views import Progress, Stall, Views

LOOK_SECONDS = 0.2
"""Between two looks at work that is waited for."""

IDLE_SECONDS = 15.0
"""Work on which nothing moves for so long is in nobody's hands."""


class Generation(Struct, frozen=True, kw_only=True):
    """How a generation of a view stands.

    Args:
        live: whether readers use it.
        applied: feed entries (commands) that are in it.
        entries: those that the feeds hold.
        stalled: where it stands still, by partition.
        open: partitions that have more to come and don't stand still.
    """

    number: int
    version: str
    live: bool
    applied: int
    entries: int
    stalled: dict[int, Stall]
    open: int


class NotDone(Exception):
    """What was asked for has not come about; the text says why."""


class Tending:
    """The views of a store in the hands of an operator.

    Args:
        log: what they follow.
        views: where they are.
        projections: one for each view.
        idle_seconds: see IDLE_SECONDS.
    """

    def __init__(
        self,
        log: EventLog,
        views: Views,
        projections: Sequence[Projection],
        *,
        idle_seconds: float = IDLE_SECONDS,
    ) -> None:
        self.projections = {projection.name: projection for projection in projections}
        self._events = log
        self._views = views
        self._idle_seconds = idle_seconds

    async def look(self, view: str) -> list[Generation]:
        """The generations in use, in the order in which they were begun."""
        state = await self._views.state(view)
        found = []
        for number, version in sorted(state.versions.items()):
            progress = await self._views.progress(view, number)
            heads = await self._events.feed_heads()
            behind = {p for p, at in enumerate(progress.positions) if at < heads[p]}
            found.append(
                Generation(
                    number=number,
                    version=version,
                    live=number == state.live,
                    applied=sum(progress.positions),
                    entries=sum(heads),
                    stalled=progress.stalled,
                    open=len(behind - set(progress.stalled)),
                )
            )
        return found

    async def rebuild(self, view: str) -> int:
        """Begin to build a view anew, or find the build under way; its number.

        Projectors of this release fill it, and readers turn to it once it has caught up. It goes on
        whatever becomes of the caller, and after a projector's end with the next one.

        Raises:
            NotDone: another generation became the live one in this moment.
        """
        state = await self._views.state(view)
        begun = await self._views.begin(view, self.projections[view].version, state.live)
        if begun is None:
            raise NotDone(f"another build of {view} has just taken its place; look again")
        return begun

    async def built(self, view: str, number: int) -> AsyncIterator[Generation]:
        """How a build goes, at every step, until readers use it.

        Raises:
            NotDone: it was given up, stands still, or nobody works on it.
        """
        loop = asyncio.get_running_loop()
        applied, moved = -1, loop.time()
        while True:
            found = [g for g in await self.look(view) if g.number == number]
            if not found:
                raise NotDone(f"build {number} of {view} was given up for a newer one")
            now = found[0]
            if now.applied != applied:
                applied, moved = now.applied, loop.time()
                yield now
            if now.live:
                return
            idle = loop.time() - moved > self._idle_seconds
            if now.stalled and (idle or not now.open):
                raise NotDone(f"build {number} of {view} stands still: {told(now.stalled)}")
            if idle:
                raise NotDone(f"nothing moves: does a projector of version {now.version} run?")
            await asyncio.sleep(LOOK_SECONDS)

    async def give_up(self, view: str) -> list[int]:
        """Give up every build of a view beside the live one, finished by nobody; their numbers."""
        state = await self._views.state(view)
        building = [number for number in sorted(state.versions) if number != state.live]
        for number in building:
            await self._views.invalidate(view, number)
        return building

    async def retry(self, view: str) -> int:
        """Have what stands still tried again at once, and wait; how many partitions moved on.

        Raises:
            NotDone: something stands still again, or nobody tried.
        """
        stalled = {g.number: g.stalled for g in await self.look(view) if g.stalled}
        await self._views.retry(view)
        loop = asyncio.get_running_loop()
        until = loop.time() + self._idle_seconds
        while True:
            left = {}
            for number, stalls in stalled.items():
                progress = await self._views.progress(view, number)
                if progress.stalled:
                    raise NotDone(f"{view} stands still: {told(progress.stalled)}")
                left[number] = _behind(progress, stalls)
            if not any(left.values()):
                return sum(map(len, stalled.values()))
            if loop.time() > until:
                raise NotDone("nobody tried: does a projector of this release run?")
            await asyncio.sleep(LOOK_SECONDS)


def told(stalled: dict[int, Stall]) -> str:
    """Where a view stands still, in words; nothing of the event is in them."""
    return "; ".join(
        f"partition {partition}, entry {stall.position}, meeting {stall.meeting}: {stall.reason}"
        for partition, stall in sorted(stalled.items())
    )


def _behind(progress: Progress, stalls: dict[int, Stall]) -> list[int]:
    """The partitions that have not passed where they stood still."""
    return [p for p, stall in stalls.items() if progress.positions[p] < stall.position]
