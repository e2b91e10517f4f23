"""Projectors and a Redis that die: the views are the fold of the log all the same."""

import asyncio
import sys
from collections.abc import Callable
from random import Random

import pytest

from projections.projection import Projection
from service.ports_views import Views
from service.projecting import Projector
from tests.kit.histories import Story, mingle, season
from tests.kit.redis_server import RedisServer
from tests.kit.viewing import assert_consistent, assert_folded, caught_up, running
from tests.service.projecting.conftest import PARTITIONS, Store, open_store


async def position(views: Views, projection: Projection) -> int:
    """How many feed entries are in a view, or in the first generation that is made of it."""
    state = await views.state(projection.name)
    if not state.versions:
        return 0
    # The first is filled before readers turn to it: it can be killed in the middle as well.
    generation = max(state.versions) if state.live is None else state.live
    return sum((await views.progress(projection.name, generation)).positions)


async def kill_at(redis_url: str, store: Store, projection: Projection, target: int) -> int:
    """Let a projector of its own work until the view is that far, kill it; how far the view is."""
    arguments = ("-m", "tests.kit.projector_process", redis_url, str(PARTITIONS))
    process = await asyncio.create_subprocess_exec(
        sys.executable, *arguments, stdout=asyncio.subprocess.DEVNULL
    )
    try:
        async with asyncio.timeout(60):
            while await position(store[1], projection) < target:
                await asyncio.sleep(0)
    finally:
        process.kill()
        await process.wait()
    return await position(store[1], projection)


async def killed_again_and_again(
    redis_url: str, store: Store, projections: list[Projection], turns: int
) -> None:
    """Each time somewhere in the work on what was written meanwhile."""
    log, views = store
    random = Random(turns)
    told: list[Story] = []
    in_the_middle = 0
    for turn in range(turns):
        before = sum(await log.feed_heads())
        stories = season(100 + turn, meetings=40)
        told += stories
        await mingle(log, stories, seed=turn)
        head = sum(await log.feed_heads())
        target = before + int(random.uniform(0.05, 0.6) * (head - before))
        watched = random.choice(projections)
        in_the_middle += await kill_at(redis_url, store, watched, target) < head
        for generation in (await views.state(watched.name)).versions:
            await assert_consistent(log, views, watched, generation)
    assert in_the_middle, "else nothing was tested"
    print(f"{turns} kills, {in_the_middle} of them in the middle; {head} commands")
    await Projector(log, views, projections).catch_up()
    await assert_folded(log, views, projections, told)


async def test_a_projector_killed_at_any_moment_leaves_nothing_half_done(
    redis_url: str, redis_store: Store, projections: list[Projection]
) -> None:
    await killed_again_and_again(redis_url, redis_store, projections, turns=2)


@pytest.mark.long
async def test_the_same_thirty_times(
    redis_url: str, redis_store: Store, projections: list[Projection]
) -> None:
    await killed_again_and_again(redis_url, redis_store, projections, turns=30)


async def test_a_projector_goes_on_when_redis_is_back(
    make_redis: Callable[..., RedisServer], projections: list[Projection]
) -> None:
    server = make_redis()
    before, after = season(20, meetings=10), season(21, meetings=10)
    async with open_store(server.url) as (log, views):
        async with running(Projector(log, views, projections, look_seconds=0.05)):
            await mingle(log, before, seed=20)
            await caught_up(log, views, projections)
            server.settle()
            server.kill()
            await asyncio.sleep(0.3)  # so that it finds nobody there, and not once only
            server.start()
            await mingle(log, after, seed=21)
            await caught_up(log, views, projections)
        await assert_folded(log, views, projections, [*before, *after])


async def test_a_projector_waits_for_a_redis_that_is_not_there_yet(
    make_redis: Callable[..., RedisServer], projections: list[Projection]
) -> None:
    server = make_redis()
    server.kill()
    async with open_store(server.url) as (log, views):
        async with running(Projector(log, views, projections, look_seconds=0.05)):
            await asyncio.sleep(0.2)
            server.start()
            stories = season(22, meetings=5)
            await mingle(log, stories, seed=22)
            await caught_up(log, views, projections)
        await assert_folded(log, views, projections, stories)


async def test_views_emptied_behind_a_projector_s_back_are_built_again(
    redis_store: Store, projections: list[Projection], redis_server: RedisServer
) -> None:
    log, views = redis_store
    stories = season(23, meetings=8)
    async with running(Projector(log, views, projections, look_seconds=0.05)):
        await mingle(log, stories[:4], seed=23)
        await caught_up(log, views, projections)
        with redis_server.client() as client:
            keys = client.keys("es:{view:*")
            assert isinstance(keys, list)
            client.delete(*keys)
        await mingle(log, stories[4:], seed=24)
        await caught_up(log, views, projections)
    await assert_folded(log, views, projections, stories)
