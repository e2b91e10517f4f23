"""A view built anew beside the one in use: killed, resumed, given up; the bytes it comes to."""

import asyncio
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager

import msgspec
import pytest
from redis import Redis

from projections.lobby import LOBBY
from projections.projection import Projection
from service.filling import Filler
from service.lists import Lobby
from service.projecting import Projector
from service.redis.views import LINGER_SECONDS
from service.tending import NotDone, Tending
from tests.kit.histories import mingle, season
from tests.kit.redis_server import RedisServer
from tests.kit.viewing import assert_consistent, assert_folded, caught_up, running, stored
from tests.service.projecting.conftest import PARTITIONS, Store

MakeProjector = Callable[..., Projector]


@pytest.fixture
def client(redis_server: RedisServer) -> Iterator[Redis]:
    """A look at the keys."""
    with redis_server.client() as client:
        yield client


@asynccontextmanager
async def projector_process(url: str) -> AsyncIterator[asyncio.subprocess.Process]:
    """A projector of its own, killed at the end (kill -9 by its pid)."""
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        *("-m", "tests.kit.projector_process", url, str(PARTITIONS)),
        stdout=asyncio.subprocess.DEVNULL,
    )
    try:
        yield process
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()


async def test_a_rebuilt_view_is_the_live_one_in_every_byte_that_redis_keeps(
    redis_store: Store, make_projector: MakeProjector, projections: list[Projection], client: Redis
) -> None:
    """Also its checkpoints: the live one filled entry by entry, the rebuilt in large batches."""
    log, views = redis_store
    stories = season(60, meetings=40)
    async with running(make_projector(redis_store, batch_entries=1)):
        await mingle(log, stories, seed=60)
        await caught_up(log, views, projections)
    live = {p.name: await views.live(p.name) for p in projections}
    before = {name: stored(client, name, g) for name, g in live.items() if g is not None}
    tending = Tending(log, views, projections)
    begun = {p.name: await tending.rebuild(p.name) for p in projections}
    await Projector(log, views, projections, batch_entries=1000).catch_up()
    for projection in projections:
        name = projection.name
        assert await views.live(name) == begun[name] != live[name]
        assert stored(client, name, begun[name]) == before[name], name
        assert set(before[name]) >= {"at", "docs", "names"}
        assert {f"ix:{n.decode()}" for n in before[name]["names"]} == {
            short for short in before[name] if short.startswith("ix:")
        }
    await assert_folded(log, views, projections, stories)


async def kill_half_way(url: str, store: Store, view: str, generation: int) -> tuple[int, ...]:
    """Let a projector build until something but not all is done, and kill it; how far that is."""
    _, views = store
    head = sum(await store[0].feed_heads())
    async with projector_process(url), asyncio.timeout(60):
        while sum((await views.progress(view, generation)).positions) < head / 5:
            await asyncio.sleep(0)
    return (await views.progress(view, generation)).positions


async def test_a_build_killed_half_way_goes_on_where_it_was_and_readers_notice_nothing(
    redis_url: str, redis_store: Store, projections: list[Projection], client: Redis
) -> None:
    log, views = redis_store
    stories = season(61, meetings=120)
    await mingle(log, stories, seed=61)
    await Projector(log, views, projections).catch_up()
    whole = await listed(redis_store)
    tending = Tending(log, views, projections)
    half = 0
    for projection in projections:
        name = projection.name
        live = await views.live(name)
        assert live is not None
        before = stored(client, name, live)
        generation = await tending.rebuild(name)
        done = await kill_half_way(redis_url, redis_store, name, generation)
        if await views.live(name) == live:
            half += 1
            await assert_consistent(log, views, projection, generation)
            assert await listed(redis_store) == whole
            assert await tending.rebuild(name) == generation, "it is gone on with"
        await Projector(log, views, projections).catch_up()
        assert await views.live(name) == generation
        now = (await views.progress(name, generation)).positions
        assert all(at >= was for at, was in zip(now, done, strict=True))
        assert stored(client, name, generation) == before
        assert await listed(redis_store) == whole
    assert half, "else nothing was tested"
    await assert_folded(log, views, projections, stories)


async def listed(store: Store) -> list[bytes]:
    """The whole lobby as readers see it."""
    found: list[bytes] = []
    cursor = None
    while True:
        page = await Lobby(*store).list(cursor=cursor, limit=100)
        found += map(msgspec.json.encode, page.items)
        cursor = page.next_cursor
        if cursor is None:
            return found


async def test_readers_never_see_half_a_view_while_it_is_rebuilt_again_and_again(
    redis_store: Store, make_projector: MakeProjector, projections: list[Projection]
) -> None:
    log, views = redis_store
    stories = season(62, meetings=40)
    await mingle(log, stories, seed=62)
    tending = Tending(log, views, projections)
    async with running(make_projector(redis_store, batch_entries=5)):
        await caught_up(log, views, projections)
        whole = await listed(redis_store)
        assert len(whole) == len(stories)
        for _ in range(4):
            generation = await tending.rebuild("lobby")
            reads = 0
            async with asyncio.timeout(60):
                while await views.live("lobby") != generation:
                    assert await listed(redis_store) == whole
                    reads += 1
            assert reads
            assert await listed(redis_store) == whole


async def test_what_a_newer_release_left_half_built_is_cleaned_away_by_the_next_switch(
    redis_store: Store, client: Redis
) -> None:
    log, views = redis_store
    stories = season(63, meetings=6)
    await mingle(log, stories, seed=63)
    await Projector(log, views, [LOBBY]).catch_up()
    live = await views.live("lobby")
    assert live is not None
    half = await views.begin("lobby", "never finished", live)
    assert half is not None
    tending = Tending(log, views, [LOBBY])
    begun = await tending.rebuild("lobby")
    projector = Projector(log, views, [LOBBY])
    await projector.catch_up()
    await projector.catch_up()
    assert [g.number for g in await tending.look("lobby")] == [begun]
    assert (await views.state("lobby")).left == ()
    for key in client.scan_iter(f"es:{{view:lobby}}:g{half}:*"):
        assert 0 < int(client.ttl(key)) <= LINGER_SECONDS  # type: ignore[arg-type]


async def test_a_build_that_nobody_works_on_is_told_as_such(store: Store) -> None:
    log, views = store
    await mingle(log, season(65, meetings=2), seed=65)
    await Projector(log, views, [LOBBY]).catch_up()
    tending = Tending(log, views, [LOBBY], idle_seconds=0.1)
    generation = await tending.rebuild("lobby")
    with pytest.raises(NotDone, match="does a projector of version 1 run"):
        [step async for step in tending.built("lobby", generation)]
    await Projector(log, views, [LOBBY]).catch_up()
    steps = [step async for step in tending.built("lobby", generation)]
    assert [(step.live, step.applied == step.entries) for step in steps] == [(True, True)]
    later = await tending.rebuild("lobby")
    await Projector(log, views, [LOBBY]).catch_up()
    assert later != generation
    with pytest.raises(NotDone, match="given up"):
        [step async for step in tending.built("lobby", generation)]


async def test_a_build_is_given_up_on_request_and_its_keys_vanish(
    redis_store: Store, client: Redis
) -> None:
    log, views = redis_store
    stories = season(64, meetings=6)
    await mingle(log, stories, seed=64)
    await Projector(log, views, [LOBBY]).catch_up()
    live = await views.live("lobby")
    newer = msgspec.structs.replace(LOBBY, version="next")
    tending = Tending(log, views, [newer])
    half = await tending.rebuild("lobby")
    filler = Filler(log, views, newer, half, batch_entries=1)
    await filler.start()
    assert await filler.step(0)
    assert await tending.give_up("lobby") == [half]
    assert await tending.give_up("lobby") == []
    await Projector(log, views, [LOBBY]).catch_up()
    assert await views.live("lobby") == live
    kept = list(client.scan_iter(f"es:{{view:lobby}}:g{half}:*"))
    assert kept
    assert all(int(client.ttl(key)) > 0 for key in kept)  # type: ignore[arg-type]
    await Projector(log, views, [newer]).catch_up()  # the release that wants it begins anew
    assert (await views.state("lobby")).versions == {await views.live("lobby"): "next"}
