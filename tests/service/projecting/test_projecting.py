"""The projector: whatever is delivered, however often, by however many, the views are the fold."""

import asyncio
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

import msgspec
import pytest

from projections.lobby import LOBBY
from projections.projection import Projection
from service.filling import Filler
from service.ports import EventLog, FeedEntry
from service.ports_views import Applied, Batch
from service.projecting import Projector
from service.tending import Tending
from tests.kit.histories import Story, mingle, season, store
from tests.kit.viewing import assert_folded, caught_up, live_contents, running
from tests.service.projecting.conftest import Store

MakeProjector = Callable[..., Projector]


class Stutter:
    """A log whose feed tells again what it told before, a little or a lot of it."""

    def __init__(self, log: EventLog, seed: int) -> None:
        self._log = log
        self._random = Random(seed)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._log, name)

    async def follow(
        self, after: Sequence[int], seconds: float, count: int = 500
    ) -> list[FeedEntry]:
        """Sometimes from further back, sometimes only a few, sometimes the same twice."""
        await asyncio.sleep(0)  # what it tells again keeps nobody waiting
        back = [max(0, at - self._random.choice((0, 0, 1, 3, 40))) for at in after]
        entries = await self._log.follow(back, seconds, self._random.choice((1, 2, 5, 50)))
        return entries * self._random.choice((1, 1, 2))


async def test_views_are_the_fold_of_the_log(
    store: Store, projector: Projector, projections: list[Projection]
) -> None:
    stories = season(1)
    await mingle(store[0], stories, seed=1)
    await projector.catch_up()
    await assert_folded(*store, projections, stories)


async def test_views_have_their_first_documents_before_any_event(
    store: Store, projector: Projector, projections: list[Projection]
) -> None:
    await projector.catch_up()
    await assert_folded(*store, projections, [])
    assert (await live_contents(store[1], projections[2])).documents


async def test_to_catch_up_again_changes_nothing(
    store: Store, projector: Projector, projections: list[Projection]
) -> None:
    await mingle(store[0], season(2, meetings=6), seed=2)
    await projector.catch_up()
    before = [await live_contents(store[1], projection) for projection in projections]
    await projector.catch_up()
    assert before == [await live_contents(store[1], projection) for projection in projections]


@pytest.mark.parametrize("seed", range(3))
async def test_entries_told_again_are_not_applied_again(
    store: Store, projections: list[Projection], seed: int
) -> None:
    log, views = store
    stories = season(seed, meetings=12)
    await mingle(log, stories, seed)
    await Projector(Stutter(log, seed), views, projections).catch_up()
    await assert_folded(log, views, projections, stories)


async def test_views_follow_what_is_written(
    store: Store, make_projector: MakeProjector, projections: list[Projection]
) -> None:
    stories = season(4, meetings=12)
    async with running(make_projector(store)):
        await mingle(store[0], stories, seed=4)
        await caught_up(*store, projections)
    await assert_folded(*store, projections, stories)


async def test_two_projectors_at_once_make_the_same_views_as_one(
    store: Store, make_projector: MakeProjector, projections: list[Projection]
) -> None:
    log, views = store
    stories = season(5, meetings=24)
    async with running(
        make_projector((Stutter(log, 1), views)), make_projector((Stutter(log, 2), views))
    ):
        await mingle(log, stories, seed=5)
        await caught_up(log, views, projections)
    await assert_folded(log, views, projections, stories)


async def test_one_filler_that_is_overtaken_goes_on_from_where_the_view_is(store: Store) -> None:
    log, views = store
    live = await views.begin(LOBBY.name, LOBBY.version, None)
    assert live is not None
    slow, fast = (Filler(log, views, LOBBY, live) for _ in range(2))
    await slow.start()
    stories = season(6, meetings=4)
    await mingle(log, stories, seed=6)
    await fast.start()
    heads = await log.feed_heads()
    while not fast.reached(heads):
        await fast.step(0)
    while not slow.reached(heads):
        await slow.step(0)
    assert await views.switch(LOBBY.name, live)
    await assert_folded(log, views, [LOBBY], stories)


async def rebuilt(store: Store, projection: Projection, generation: int) -> None:
    """Wait until readers use this generation."""
    async with asyncio.timeout(30):
        while await store[1].live(projection.name) != generation:
            await asyncio.sleep(0.01)


async def test_a_view_rebuilt_under_writes_is_the_live_one_byte_for_byte(
    store: Store, make_projector: MakeProjector, projections: list[Projection]
) -> None:
    log, views = store
    early, late = season(7, meetings=16), season(8, meetings=16)
    tending = Tending(log, views, projections)
    async with running(make_projector(store), make_projector(store)):
        await mingle(log, early, seed=7)
        await caught_up(log, views, projections)
        built = [await tending.rebuild(projection.name) for projection in projections]
        await mingle(log, late, seed=8)
        for projection, generation in zip(projections, built, strict=True):
            await rebuilt(store, projection, generation)
        await caught_up(log, views, projections)
        await assert_folded(log, views, projections, [*early, *late])
        for projection in projections:
            before = await live_contents(views, projection)
            generation = await tending.rebuild(projection.name)
            await rebuilt(store, projection, generation)
            assert await live_contents(views, projection) == before


async def test_readers_keep_the_old_view_until_the_new_one_has_caught_up(
    store: Store, projector: Projector
) -> None:
    log, views = store
    await mingle(log, season(9, meetings=4), seed=9)
    await projector.catch_up()
    old = await views.live(LOBBY.name)
    new = await Tending(*store, [LOBBY]).rebuild(LOBBY.name)
    assert await views.live(LOBBY.name) == old != new
    await projector.catch_up()
    assert await views.live(LOBBY.name) == new


def newer(projections: list[Projection]) -> list[Projection]:
    """The next release's."""
    return [msgspec.structs.replace(projection, version="next") for projection in projections]


async def test_a_new_version_is_built_beside_the_old_one_and_takes_its_place(
    store: Store, projector: Projector, projections: list[Projection]
) -> None:
    log, views = store
    stories = season(10, meetings=6)
    await mingle(log, stories, seed=10)
    await projector.catch_up()
    old = await views.live(LOBBY.name)
    await Projector(log, views, newer(projections)).catch_up()
    state = await views.state(LOBBY.name)
    assert state.live != old
    assert state.versions == {state.live: "next"}
    await assert_folded(log, views, projections, stories)


async def test_a_projector_of_an_old_release_leaves_a_view_to_the_new_one(
    store: Store, make_projector: MakeProjector, projections: list[Projection]
) -> None:
    log, views = store
    stories = season(11, meetings=6)
    async with running(make_projector(store)):
        await mingle(log, stories[:3], seed=11)
        await caught_up(log, views, projections)
        async with running(Projector(log, views, newer(projections), look_seconds=0.05)):
            async with asyncio.timeout(30):
                while set((await views.state(LOBBY.name)).versions.values()) != {"next"}:
                    await asyncio.sleep(0.01)
            live = await views.live(LOBBY.name)
            await mingle(log, stories[3:], seed=11)
            await caught_up(log, views, projections)
            await asyncio.sleep(0.2)  # time for the old one to look several times
            assert await views.live(LOBBY.name) == live
    await assert_folded(log, views, projections, stories)


async def test_a_view_that_knows_of_more_than_the_log_is_marked_and_rebuilt(
    store: Store, projector: Projector, projections: list[Projection]
) -> None:
    log, views = store
    stories = season(12, meetings=6)
    await mingle(log, stories, seed=12)
    await projector.catch_up()
    live = await views.live(LOBBY.name)
    assert live is not None
    head = (await log.feed_heads())[0]
    lost = Batch(partition=0, first=head + 1, last=head + 7)
    assert await views.apply(LOBBY.name, live, lost) is Applied.APPLIED
    await Filler(log, views, LOBBY, live).start()
    assert (await views.state(LOBBY.name)).invalid
    await projector.catch_up()
    state = await views.state(LOBBY.name)
    assert (state.invalid, state.live) == (False, live + 1)
    await assert_folded(log, views, projections, stories)


async def test_a_running_projector_notices_it_too(
    store: Store, make_projector: MakeProjector, projections: list[Projection]
) -> None:
    log, views = store
    await mingle(log, season(13, meetings=3), seed=13)
    live = await views.begin(LOBBY.name, LOBBY.version, None)
    assert live is not None
    await views.apply(LOBBY.name, live, Batch(partition=1, first=1, last=10_000))
    async with running(make_projector(store)):
        async with asyncio.timeout(30):
            while await views.live(LOBBY.name) == live:
                await asyncio.sleep(0.01)
        await caught_up(log, views, projections)


async def test_a_meeting_of_a_game_that_nobody_knows_is_listed_like_any_other(
    store: Store, projector: Projector, projections: list[Projection]
) -> None:
    log, _ = store
    story = Story("m1").open("croquet").tell({"type": "croquet.hooped", "hoop": {"n": [1]}})
    await store_all(log, [story])
    await projector.catch_up()
    await assert_folded(*store, projections, [story])


async def store_all(log: EventLog, stories: Sequence[Story]) -> None:
    """One after the other."""
    for story in stories:
        await store(log, story)
