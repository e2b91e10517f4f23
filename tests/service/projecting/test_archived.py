"""Views of a log whose old parts stand in the archive: built anew from there to the same bytes."""

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
from redis import Redis

from projections.projection import Projection
from service.ports import LogUnavailable
from service.projecting import Projector
from service.redis.event_log import RedisEventLog
from service.redis.views import RedisViews
from service.tending import Tending
from tests.kit.archiving import mover, open_log
from tests.kit.histories import mingle, season
from tests.kit.redis_server import RedisServer
from tests.kit.viewing import assert_folded, stored
from tests.service.projecting.conftest import PARTITIONS


@pytest.fixture
def client(redis_server: RedisServer) -> Iterator[Redis]:
    """A look at the keys."""
    with redis_server.client() as client:
        yield client


@pytest.fixture
async def log(redis_url: str, tmp_path: Path) -> AsyncIterator[RedisEventLog]:
    """A log with an archive."""
    async with open_log(redis_url, tmp_path / "archive", PARTITIONS) as log:
        yield log


async def test_a_view_rebuilt_from_the_archive_is_the_live_one_in_every_byte(
    log: RedisEventLog, projections: list[Projection], client: Redis
) -> None:
    """Meetings go on ending while old ones move, so the rebuilt ones are made from both places."""
    views = RedisViews(log._calls, PARTITIONS)
    projector = Projector(log, views, projections, batch_entries=7)
    old, new = season(70, meetings=30), season(71, meetings=10)
    await mingle(log, old, seed=70)
    await projector.catch_up()
    moved = await mover(log).step()
    assert moved.meetings > 15
    assert moved.entries > 100
    await mingle(log, new, seed=71)
    await projector.catch_up()
    live = {p.name: await views.live(p.name) for p in projections}
    before = {name: stored(client, name, g) for name, g in live.items() if g is not None}
    tending = Tending(log, views, projections)
    begun = {p.name: await tending.rebuild(p.name) for p in projections}
    await Projector(log, views, projections, batch_entries=23).catch_up()
    for name, bytes_kept in before.items():
        assert await views.live(name) == begun[name] != live[name]
        assert stored(client, name, begun[name]) == bytes_kept, name
    await assert_folded(log, views, projections, old + new)


async def test_a_view_in_use_needs_no_archive_to_be_gone_on_with(
    log: RedisEventLog, projections: list[Projection], redis_url: str
) -> None:
    views = RedisViews(log._calls, PARTITIONS)
    old, new = season(73, meetings=20), season(74, meetings=10)
    await mingle(log, old, seed=73)
    await Projector(log, views, projections).catch_up()
    live = [await views.live(projection.name) for projection in projections]
    await mover(log).step()
    await mingle(log, new, seed=74)
    async with open_log(redis_url, None, PARTITIONS) as without:
        await Projector(without, views, projections).catch_up()
    assert live == [await views.live(projection.name) for projection in projections]
    await assert_folded(log, views, projections, old + new)


async def test_a_view_waits_for_an_archive_that_is_away_and_skips_nothing(
    log: RedisEventLog, projections: list[Projection], redis_url: str
) -> None:
    views = RedisViews(log._calls, PARTITIONS)
    stories = season(72, meetings=20)
    await mingle(log, stories, seed=72)
    await mover(log).step()
    async with open_log(redis_url, None, PARTITIONS) as without:
        with pytest.raises(LogUnavailable):
            await Projector(without, views, projections).catch_up()
    await Projector(log, views, projections).catch_up()
    await assert_folded(log, views, projections, stories)
