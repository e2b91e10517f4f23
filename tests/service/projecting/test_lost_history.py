"""A Redis that comes back with less than it had: views never go on from what the log lost."""

import shutil
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random
from typing import Any

import pytest

from projections.projection import Projection
from service.filling import Filler
from service.memory.views import MemoryViews
from service.ports import EventLog
from service.ports_views import Views
from service.projecting import Projector
from tests.kit import histories
from tests.kit.histories import Story, mingle, season
from tests.kit.redis_server import RedisServer
from tests.kit.viewing import assert_consistent, assert_folded, caught_up, running
from tests.service.projecting.conftest import PARTITIONS, Store, open_store

MakeRedis = Callable[..., RedisServer]


async def told_of(log: EventLog, stories: list[Story]) -> list[Story]:
    """The stories as far as a log has them, to be compared with its views."""
    return [story for story in stories if await log.head(story.meeting)]


async def cut_and_look(
    make_redis: MakeRedis, projections: list[Projection], seed: int, rounds: int
) -> None:
    """Cut the end of the append-only file off, anywhere; all is consistent, and goes on."""
    random = Random(seed)
    server = make_redis()
    stories = season(seed, meetings=4 * rounds)
    lost = 0
    for turn in range(rounds):
        some = stories[4 * turn : 4 * turn + 4]
        async with (
            open_store(server.url) as (log, views),
            running(Projector(log, views, projections, look_seconds=0.02)),
        ):
            await mingle(log, some, seed=turn)
            if random.random() < 0.5:
                await caught_up(log, views, projections)
            server.kill()  # in the middle of work, where it is not caught up
        size = server.aof.stat().st_size
        with server.aof.open("r+b") as file:
            file.truncate(size - random.randint(1, min(size // 3, 4_000)))
        server.start()
        async with open_store(server.url) as (log, views):
            lost += await look(log, views, projections)
            left = await told_of(log, stories)
            await Projector(log, views, projections).catch_up()
            await assert_folded(log, views, projections, left)
            for story in some:  # who wrote what was lost writes it again
                await histories.store(log, story)
    assert lost, "else nothing was tested"


async def look(log: EventLog, views: Views, projections: list[Projection]) -> bool:
    """Every generation is what its checkpoints say; whether some are behind the log."""
    behind = False
    for projection in projections:
        for generation in (await views.state(projection.name)).versions:
            await assert_consistent(log, views, projection, generation)
            at = (await views.progress(projection.name, generation)).positions
            behind |= sum(at) < sum(await log.feed_heads())
    return behind


async def test_views_of_a_redis_whose_file_was_cut_are_what_their_checkpoints_say(
    make_redis: MakeRedis, projections: list[Projection]
) -> None:
    await cut_and_look(make_redis, projections, seed=70, rounds=4)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(700, 708))
async def test_the_same_over_many_cuts(
    make_redis: MakeRedis, projections: list[Projection], seed: int
) -> None:
    await cut_and_look(make_redis, projections, seed, rounds=20)


class Apart:
    """A log on one Redis and its views on another, as on a Cluster; the log's may lose its end."""

    def __init__(self, make_redis: MakeRedis, spare: Path) -> None:
        self.logs, self.views = make_redis(fsync="always"), make_redis()
        self._spare = spare

    @asynccontextmanager
    async def open(self) -> AsyncIterator[Store]:
        """Over both."""
        async with open_store(self.logs.url) as (log, _), open_store(self.views.url) as (_, views):
            yield log, views

    def keep(self) -> None:
        """Take a copy of the log as it is now."""
        self.logs.kill()
        shutil.copy(self.logs.aof, self._spare)
        self.logs.start()

    def go_back(self) -> None:
        """Lose what came after the copy."""
        self.logs.kill()
        shutil.copy(self._spare, self.logs.aof)
        self.logs.start()


@pytest.fixture
def apart(make_redis: MakeRedis, tmp_path: Path) -> Apart:
    """Both, empty."""
    return Apart(make_redis, tmp_path / "spare.aof")


@pytest.mark.parametrize("refilled", [False, True])
async def test_views_ahead_of_the_log_are_built_anew_even_if_it_was_written_on_since(
    apart: Apart, projections: list[Projection], refilled: bool
) -> None:
    kept, lost, other = season(71, meetings=12), season(72, meetings=6), season(73, meetings=30)
    async with apart.open() as (log, views):
        await mingle(log, kept, seed=71)
    apart.keep()
    async with apart.open() as (log, views):
        await mingle(log, lost, seed=72)
        await Projector(log, views, projections).catch_up()
        before = await log.feed_heads()
    apart.go_back()
    async with apart.open() as (log, views):
        if refilled:
            await mingle(log, other, seed=73)
        now = await log.feed_heads()
        assert all(a >= b for a, b in zip(now, before, strict=True)) == refilled
        stale = {p.name: await views.live(p.name) for p in projections}
        await Projector(log, views, projections).catch_up()
        for projection in projections:
            state = await views.state(projection.name)
            assert state.live != stale[projection.name]
            assert not state.invalid
        await assert_folded(log, views, projections, [*kept, *(other if refilled else [])])


async def test_a_running_projector_notices_a_log_that_went_back(
    apart: Apart, projections: list[Projection]
) -> None:
    kept, lost, other = season(74, meetings=6), season(75, meetings=6), season(76, meetings=20)
    async with apart.open() as (log, views):
        await mingle(log, kept, seed=74)
    apart.keep()
    async with apart.open() as (log, views):
        async with running(Projector(log, views, projections, look_seconds=0.02)):
            await mingle(log, lost, seed=75)
            await caught_up(log, views, projections)
            apart.go_back()
            await mingle(log, other, seed=76)
            await caught_up(log, views, projections)
        await Projector(log, views, projections).catch_up()
        await assert_folded(log, views, projections, [*kept, *other])


async def test_a_view_that_follows_the_log_is_left_as_it_is(
    apart: Apart, projections: list[Projection]
) -> None:
    async with apart.open() as (log, views):
        await mingle(log, season(77, meetings=6), seed=77)
        await Projector(log, views, projections).catch_up()
    apart.keep()
    apart.go_back()
    async with apart.open() as (log, views):
        for projection in projections:
            live = await views.live(projection.name)
            assert live is not None
            filler = Filler(log, views, projection, live)
            await filler.start()
            assert not filler.gone
            assert not (await views.state(projection.name)).invalid


class Exchanged:
    """Views that may be exchanged for others behind their user's back."""

    def __init__(self, views: Views) -> None:
        self.views = views

    def __getattr__(self, name: str) -> Any:
        return getattr(self.views, name)


async def test_a_filler_of_a_view_that_was_lost_and_begun_anew_gives_way(
    store: Store, projections: list[Projection]
) -> None:
    """The number may be that of before: what the filler knows of it is of the lost one."""
    log, views = store
    projection = projections[2]
    await mingle(log, season(78, meetings=6), seed=78)
    await Projector(log, views, [projection]).catch_up()
    live = await views.live(projection.name)
    assert live is not None
    exchanged = Exchanged(views)
    filler = Filler(log, exchanged, projection, live)
    await filler.start()
    other = MemoryViews(PARTITIONS)
    assert await other.begin(projection.name, projection.version, None) == live
    exchanged.views = other  # the store was emptied
    await mingle(log, season(79, meetings=6), seed=79)
    await filler.step(0)
    assert filler.gone
    assert (await other.contents(projection.name, live)).documents == {}, "not without the first"
