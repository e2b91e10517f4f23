"""The projector: keeps every view up to date, and builds one anew beside the one in use.

Plain cursors over the feeds of all partitions; the checkpoints stand with the views. Any number of
projectors may run. A generation of another version than the projection's means a rebuild; only a
projector that starts begins one for that reason, so that two releases do not build in turns.
"""

import asyncio
from collections.abc import Sequence
from typing import Any

from projections.projection import Projection
from service.filling import BATCH_ENTRIES, RETRY_SECONDS, WAIT_SECONDS, Filler
from service.logs import get_logger
from service.ports import Diverged, LogReader, LogUnavailable
from service.ports_views import Views, ViewState
from service.sharing import SharedReader

LOOK_SECONDS = 1.0
"""How often a projector looks which generations there are."""

PAUSE_SECONDS = (0.05, 5.0)
"""The first and the longest pause after a failure; each is twice the one before."""

_log: Any = get_logger("projecting")


class Projector:
    """Keeps views up to date.

    Args:
        log: where the facts are.
        views: where the documents go.
        projections: one for each view.
        look_seconds: see LOOK_SECONDS.
        retry_seconds: how long a partition of a view that stands still waits for another try.
        batch_entries: feed entries of a partition that are applied at once at most.
    """

    def __init__(
        self,
        log: LogReader,
        views: Views,
        projections: Sequence[Projection],
        *,
        look_seconds: float = LOOK_SECONDS,
        retry_seconds: float = RETRY_SECONDS,
        batch_entries: int = BATCH_ENTRIES,
    ) -> None:
        self._events = SharedReader(log)
        self._views = views
        self._projections = {projection.name: projection for projection in projections}
        self._look_seconds = look_seconds
        self._retry_seconds = retry_seconds
        self._batch_entries = batch_entries
        self._settled: set[str] = set()  # views whose version was compared at the start
        self._tasks: dict[tuple[str, int], asyncio.Task[None]] = {}

    async def run(self) -> None:
        """Work until cancelled. Redis may go away and come back meanwhile."""
        pause, longest = PAUSE_SECONDS
        try:
            while not _ending():
                try:
                    for projection in self._projections.values():
                        await self._tend(projection)
                    pause = PAUSE_SECONDS[0]
                    await asyncio.sleep(self._look_seconds)
                except LogUnavailable as away:
                    _log.warning("projector_waits", reason=str(away), seconds=pause)
                    await asyncio.sleep(pause)
                    pause = min(2 * pause, longest)
        finally:
            await self._end(list(self._tasks))

    async def catch_up(self) -> None:
        """Bring all views to where the feeds are now, and switch to those built; then return.

        For one-off work: nothing else of this projector may run at the same time.

        Raises:
            Diverged, LogUnavailable.
        """
        for projection in self._projections.values():
            while True:
                wanted = await self._wanted(projection)
                if all([await self._fill_up(projection, number) for number in wanted]):
                    break

    async def _wanted(self, projection: Projection) -> list[int]:
        """The generations to fill; one is begun where that is needed."""
        name, version = projection.name, projection.version
        state = await self._views.state(name)
        for generation in state.left:
            await self._views.retire(name, generation)
        wanted = _to_fill(state, version)
        if self._must_begin(projection, state, wanted):
            begun = await self._views.begin(name, version, state.live)
            if begun is not None:  # else another projector was faster
                _log.info("view_begun", view=name, generation=begun, version=version)
            wanted = _to_fill(await self._views.state(name), version)
        self._settled.add(name)
        return wanted

    def _must_begin(self, projection: Projection, state: ViewState, wanted: list[int]) -> bool:
        if wanted:
            return False
        if state.live is None:
            return True
        is_ours = state.versions[state.live] == projection.version
        return is_ours or projection.name not in self._settled

    async def _tend(self, projection: Projection) -> None:
        """See to it that each generation of a view that this release fills is being filled."""
        name = projection.name
        wanted = {(name, number) for number in await self._wanted(projection)}
        ours = {key for key in self._tasks if key[0] == name}
        await self._end([key for key in ours if key not in wanted or self._tasks[key].done()])
        for key in wanted - set(self._tasks):
            filler = self._filler(projection, key[1])
            self._tasks[key] = asyncio.create_task(self._fill(filler), name=f"fill {name} {key[1]}")

    async def _end(self, keys: Sequence[tuple[str, int]]) -> None:
        tasks = [self._tasks.pop(key) for key in keys]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _filler(self, projection: Projection, generation: int) -> Filler:
        return Filler(
            self._events,
            self._views,
            projection,
            generation,
            retry_seconds=self._retry_seconds,
            batch_entries=self._batch_entries,
        )

    async def _fill(self, filler: Filler) -> None:
        """Fill a generation until it is given up; failures are waited out."""
        name, generation = filler.projection.name, filler.generation
        first, longest = PAUSE_SECONDS
        pause = first
        while not (filler.gone or _ending()):
            try:
                await filler.start()
                is_live = await self._offer(filler, await self._events.feed_heads())
                while not (filler.gone or _ending()):
                    heads = [] if is_live else await self._events.feed_heads()
                    await filler.step(WAIT_SECONDS)
                    is_live = is_live or await self._offer(filler, heads)
                    pause = first
            except LogUnavailable as away:
                _log.warning("view_waits", view=name, generation=generation, reason=str(away))
            except Diverged:  # the start that follows finds out whether the view must be rebuilt
                _log.exception("view_feed_diverged", view=name, generation=generation)
            except Exception:
                _log.exception("view_failed", view=name, generation=generation)
            if not (filler.gone or _ending()):
                await asyncio.sleep(pause)
                pause = min(2 * pause, longest)

    async def _fill_up(self, projection: Projection, generation: int) -> bool:
        """Fill a generation up to where the feeds are now; False if it was given up meanwhile."""
        filler = self._filler(projection, generation)
        await filler.start()
        heads = await self._events.feed_heads()
        while not filler.gone and not filler.settled(heads):
            await filler.step(0)
        if not filler.gone:
            await self._offer(filler, heads)
        return not filler.gone

    async def _offer(self, filler: Filler, heads: Sequence[int]) -> bool:
        """Let readers turn to the generation if it is built, up to where the feeds were before.

        The store has the last word: readers never turn to one that is behind what they use. Where
        they have none, or one from a lost log, what stands still keeps the rest from nobody.
        """
        name, generation = filler.projection.name, filler.generation
        state = await self._views.state(name)
        if state.live == generation:
            return True
        bare = state.live is None or state.invalid
        built = filler.settled(heads) if bare else filler.reached(heads)
        if filler.gone or not built:
            return False
        switched = await self._views.switch(name, generation)
        if switched:
            _log.info("view_switched", view=name, generation=generation)
        return switched


def _to_fill(state: ViewState, version: str) -> list[int]:
    """The generations of this version, the live one first; one that is invalid is left alone."""
    return sorted(
        number
        for number, known in state.versions.items()
        if known == version and not (state.invalid and number == state.live)
    )


def _ending() -> bool:
    """Whether this task was told to end.

    asyncio.wait_for, in which redis-py sends, loses a cancellation that comes as it returns (Python
    3.11); so whoever works in a loop asks.
    """
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0
