"""Views compared with a fold of the log from scratch, byte for byte."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from typing import Any

from redis import Redis

from projections.projection import Projection
from service.ports import EventLog
from service.ports_views import Contents, Views
from service.projecting import Projector
from tests.kit.folding import Shelf
from tests.kit.histories import Story, facts_of
from tests.kit.programs import PATIENCE


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
    async with asyncio.timeout(PATIENCE):
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


async def assert_consistent(
    log: EventLog, views: Views, projection: Projection, generation: int
) -> None:
    """A generation holds what its checkpoints say: the fold of the feeds up to them, no more."""
    before = await views.progress(projection.name, generation)
    contents = await views.contents(projection.name, generation)
    assert await views.progress(projection.name, generation) == before, "it is in motion"
    shelf = Shelf.of(projection)
    for partition, position in enumerate(before.positions):
        mark = ""
        for entry in await log.feed(partition, 0, position) if position else ():
            lines = await log.read(entry.meeting, entry.first - 1, entry.first + entry.count - 1)
            shelf.fold(projection, facts_of((line.body for line in lines), projection))
            mark = lines[-1].digest
        assert before.marks.get(partition, "") == mark
    if not contents.documents and not sum(before.positions):
        return  # killed before its first documents
    assert contents.documents == shelf.documents, projection.name
    assert contents.indexes == shelf.indexes, projection.name


def stored(client: Redis, view: str, generation: int) -> dict[str, Any]:
    """Every byte that Redis keeps of a generation, by what its keys end in."""
    stem = f"es:{{view:{view}}}:g{generation}:"
    found: dict[str, Any] = {}
    keys = client.keys(f"{stem}*")
    assert isinstance(keys, list)
    for key in keys:
        short = key.decode().removeprefix(stem)
        kind = client.type(key)
        if kind == b"hash":
            found[short] = client.hgetall(key)
        elif kind == b"set":
            found[short] = client.smembers(key)
        else:
            assert kind == b"zset", f"{key!r} is a {kind!r}"
            found[short] = client.zrange(key, 0, -1, withscores=True)
    return found
