"""Views compared with a fold of the log from scratch, byte for byte."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress

from projections.projection import Projection
from service.ports import EventLog
from service.ports_views import Contents, Views
from service.projecting import Projector
from tests.kit.folding import Shelf
from tests.kit.histories import Story, facts_of


async def live_contents(views: Views, projection: Projection) -> Contents:
    """What readers see."""
    live = await views.live(projection.name)
    assert live is not None
    return await views.contents(projection.name, live)


async def assert_folded(
    log: EventLog, views: Views, projections: Sequence[Projection], stories: Sequence[Story]
) -> None:
    """Every live view is what a fold of the stored lines makes, meeting after meeting."""
    for projection in projections:
        shelf = Shelf.of(projection)
        for story in stories:
            bodies = [line.body for line in await log.read(story.meeting)]
            shelf.fold(projection, facts_of(bodies, projection))
        contents = await live_contents(views, projection)
        assert contents.documents == shelf.documents, projection.name
        assert contents.indexes == shelf.indexes, projection.name


async def caught_up(log: EventLog, views: Views, projections: Sequence[Projection]) -> None:
    """Wait until all live views are where the feeds are."""
    heads = tuple(await log.feed_heads())
    async with asyncio.timeout(30):
        for projection in projections:
            while True:
                live = await views.live(projection.name)
                if live is not None:
                    progress = await views.progress(projection.name, live)
                    assert not progress.stalled
                    if progress.positions == heads:
                        break
                await asyncio.sleep(0.01)


@asynccontextmanager
async def running(*projectors: Projector) -> AsyncIterator[None]:
    """Projectors at work; cancelled at the end."""
    tasks = [asyncio.create_task(projector.run()) for projector in projectors]
    try:
        yield
    finally:
        for task in tasks:
            task.cancel()
        for task in tasks:
            with suppress(asyncio.CancelledError):
                await task
