"""Filling one generation of a view: read the feeds, fold, apply; any number may do it at once.

Nobody is elected: a filler reads how far the generation is, folds what comes next, and the store
refuses what was applied meanwhile. A second filler costs work, never truth.
"""

import asyncio
from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Any

from projections.facts import UnknownFact
from projections.projection import Projection
from service.folding import fold_entries, follows
from service.logs import get_logger
from service.ports import FeedEntry, LogReader, LogUnavailable
from service.ports_views import SEEDS, Applied, Batch, Moved, Progress, Stall, Views

BATCH_ENTRIES = 500
"""Feed entries of a partition that one batch folds at most."""

WAIT_SECONDS = 1.0
"""How long a filler waits for news before it looks after itself."""

RETRY_SECONDS = 30.0
"""How long a partition stands still before it is tried again."""

_log: Any = get_logger("projecting")


class Filler:
    """Fills one generation.

    Args:
        log: where the facts are.
        views: where the documents go.
        projection: what becomes of them.
        generation: which one to fill.
        retry_seconds: see RETRY_SECONDS.
        batch_entries: see BATCH_ENTRIES.
    """

    def __init__(
        self,
        log: LogReader,
        views: Views,
        projection: Projection,
        generation: int,
        *,
        retry_seconds: float = RETRY_SECONDS,
        batch_entries: int = BATCH_ENTRIES,
    ) -> None:
        self.projection = projection
        self.generation = generation
        self.gone = False
        self._events = log
        self._views = views
        self._view = projection.name
        self._retry_seconds = retry_seconds
        self._batch_entries = batch_entries
        self._positions: list[int] = []  # applied, by partition
        self._seen: list[int] = []  # likewise, and passed by where a partition stands still
        self._stalled: dict[int, float] = {}  # partition -> when it is tried again
        self._look_at = 0.0

    async def start(self) -> None:
        """Put the first documents in their place and see how far the generation is.

        A generation that knows of more than the log holds, or of another history, was filled from
        one that is lost: it is marked as invalid, and this filler is done.
        """
        seeds = Batch(partition=SEEDS, first=1, last=1, changes=self.projection.seeds)
        if await self._views.apply(self._view, self.generation, seeds) is Applied.GONE:
            self.gone = True
            return
        self._positions, self._seen = [], []
        self._stalled.clear()
        progress = await self.look()
        if not await follows(self._events, progress):
            _log.critical("view_ahead_of_log", view=self._view, generation=self.generation)
            await self._views.invalidate(self._view, self.generation)
            self.gone = True

    async def look(self) -> Progress:
        """Take up what others have done to the generation.

        One that has gone back was lost and begun anew by others: this filler is done.
        """
        progress = await self._views.progress(self._view, self.generation)
        if any(now < at for now, at in zip(progress.positions, self._positions, strict=False)):
            self.gone = True
        self._positions = list(progress.positions)
        for partition in list(self._stalled):
            if partition not in progress.stalled:  # somebody mended it, or asks to try again
                del self._stalled[partition]
        self._seen = [
            max(seen, at) if partition in self._stalled else at
            for partition, (seen, at) in enumerate(
                zip(self._seen or self._positions, self._positions, strict=True)
            )
        ]
        self._look_at = asyncio.get_running_loop().time() + WAIT_SECONDS
        return progress

    async def step(self, seconds: float = WAIT_SECONDS) -> bool:
        """Wait for news and apply them; whether there were any.

        Raises:
            Diverged, LogUnavailable.
        """
        now = asyncio.get_running_loop().time()
        for partition, when in list(self._stalled.items()):
            if now >= when:
                del self._stalled[partition]
                self._seen[partition] = self._positions[partition]
        entries = await self._events.follow(self._seen, seconds, self._batch_entries)
        for partition, told in groupby(entries, key=lambda entry: entry.partition):
            batch = _following(self._seen[partition], told)
            if batch and not self.gone:
                await self._take(partition, batch)
        if not entries or (self._stalled and now >= self._look_at):
            await self.look()
        return bool(entries)

    def reached(self, heads: Sequence[int]) -> bool:
        """Whether everything up to these positions is applied."""
        return all(at >= head for at, head in zip(self._positions, heads, strict=True))

    def settled(self, heads: Sequence[int]) -> bool:
        """Likewise, but for the partitions that stand still."""
        return all(
            at >= head or partition in self._stalled
            for partition, (at, head) in enumerate(zip(self._positions, heads, strict=True))
        )

    async def _take(self, partition: int, entries: list[FeedEntry]) -> None:
        """Apply entries of one partition; where they can't be folded, find the one that can't."""
        if partition in self._stalled:
            self._seen[partition] = entries[-1].position
            return
        try:
            batch = await fold_entries(
                self._events, self._views, self.projection, self.generation, entries
            )
        except LogUnavailable:
            raise
        except Moved:  # another filler was faster
            await self.look()
            return
        except Exception as fault:  # whatever is wrong with the entry: only this view stops at it
            if len(entries) == 1:
                await self._stall(partition, entries[0], fault)
                return
            for entry in entries:
                if self._positions[partition] == entry.position - 1:
                    await self._take(partition, [entry])
                elif partition in self._stalled:
                    self._seen[partition] = entry.position
            return
        outcome = await self._views.apply(self._view, self.generation, batch)
        if outcome is Applied.APPLIED:
            self._positions[partition] = self._seen[partition] = batch.last
        elif outcome is Applied.GONE:
            self.gone = True
        else:  # another filler was faster: go on from where the generation is now
            await self.look()

    async def _stall(self, partition: int, entry: FeedEntry, fault: Exception) -> None:
        """Stand still before an entry that can't be folded; the note holds nothing of it.

        Unless another filler has applied it meanwhile: then it was folded into documents that hold
        it already, which proves nothing.
        """
        await self.look()
        if self._positions[partition] >= entry.position:
            return
        reason = type(fault).__name__
        if isinstance(fault, UnknownFact):
            reason = f"{reason} {fault}"
        stall = Stall(position=entry.position, meeting=entry.meeting, reason=reason)
        await self._views.stall(self._view, self.generation, partition, stall)
        until = asyncio.get_running_loop().time() + self._retry_seconds
        self._stalled[partition] = until
        self._seen[partition] = entry.position
        _log.error(
            "view_stalled",
            view=self._view,
            partition=partition,
            position=entry.position,
            meeting=entry.meeting,
            reason=reason,
        )


def _following(position: int, entries: Iterable[FeedEntry]) -> list[FeedEntry]:
    """Those entries that go on from a position without a gap; what was told before is left out."""
    batch: list[FeedEntry] = []
    for entry in entries:
        if entry.position == position + len(batch) + 1:
            batch.append(entry)
    return batch
