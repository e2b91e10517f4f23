"""Batches told again, late, or by several at once: a generation is what its checkpoints say."""

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from random import Random
from typing import Any

import msgspec
import pytest

from projections.projection import Projection
from service.filling import Filler
from service.folding import fold_entries
from service.ports import EventLog
from service.ports_views import SEEDS, Applied, Batch, Moved, Views
from service.projecting import Projector
from tests.kit.histories import mingle, season
from tests.kit.viewing import assert_consistent, assert_folded
from tests.service.projecting.conftest import Store


async def begun(views: Views, projection: Projection) -> int:
    """A generation with its first documents."""
    number = await views.begin(projection.name, projection.version, None)
    assert number is not None
    seeds = Batch(partition=SEEDS, first=1, last=1, changes=projection.seeds)
    assert await views.apply(projection.name, number, seeds) is Applied.APPLIED
    return number


async def folded(
    store: Store, projection: Projection, generation: int, partition: int, first: int, count: int
) -> Batch | None:
    """The batch of these entries, made from what the generation holds now."""
    log, views = store
    entries = await log.feed(partition, first - 1, count)
    if not entries:
        return None
    return await fold_entries(log, views, projection, generation, entries)


async def under_fire(store: Store, projection: Projection, seed: int, meetings: int) -> set[str]:
    """Tell batches at random until all are applied; what the store answered meanwhile."""
    log, views = store
    random = Random(seed)
    stories = season(seed, meetings=meetings)
    await mingle(log, stories, seed)
    generation = await begun(views, projection)
    heads = await log.feed_heads()
    late: list[Batch] = []
    outcomes = set()
    while True:
        progress = await views.progress(projection.name, generation)
        behind = [p for p, at in enumerate(progress.positions) if at < heads[p]]
        if not behind:
            break
        for _ in range(3):
            partition = random.choice(behind)
            at = progress.positions[partition]
            batch = await folded(
                store, projection, generation, partition, at + 1, random.choice((1, 2, 8))
            )
            assert batch is not None
            late.append(batch)
            if random.random() < 0.3:  # one before it is lost on the way
                early = msgspec.structs.replace(batch, first=at + 2, last=batch.last + 1)
                outcome = await views.apply(projection.name, generation, early)
                outcomes.add(outcome.value)
            wrong = random.choice((-1, 2, 7))
            if at + wrong > 0 and await log.feed(partition, at + wrong - 1, 1):
                with suppress(Moved):  # nothing is folded into documents of another moment
                    batch = await folded(store, projection, generation, partition, at + wrong, 5)
                    assert batch is not None
                    assert not batch.changes
        while late and random.random() < 0.8:  # those that wait come in any order, some again
            told = late[random.randrange(len(late))]
            outcome = await views.apply(projection.name, generation, told)
            outcomes.add(outcome.value)
            now = (await views.progress(projection.name, generation)).positions[told.partition]
            assert (now == told.last) or outcome is not Applied.APPLIED
            if random.random() < 0.5:
                late.remove(told)
        if random.random() < 0.05:
            await assert_consistent(log, views, projection, generation)
    for told in late:
        assert await views.apply(projection.name, generation, told) is Applied.SKIP
    await views.switch(projection.name, generation)
    await assert_folded(log, views, [projection], stories)
    return outcomes


@pytest.mark.parametrize("which", range(3))
async def test_batches_told_again_late_and_out_of_order_change_nothing_twice(
    store: Store, projections: Sequence[Projection], which: int
) -> None:
    outcomes = await under_fire(store, projections[which], seed=200 + which, meetings=14)
    assert {"APPLIED", "SKIP", "GAP"} <= outcomes
    assert ("STALE" in outcomes) == (projections[which].name == "leaderboards")


@pytest.mark.long
@pytest.mark.parametrize("seed", range(300, 330))
async def test_the_same_over_many_more(
    redis_store: Store, projections: Sequence[Projection], seed: int
) -> None:
    outcomes = await under_fire(redis_store, projections[seed % 3], seed, meetings=40)
    assert {"APPLIED", "SKIP", "GAP"} <= outcomes


class Killed(BaseException):
    """The process ends here, without a chance to tidy up."""


class Dying:
    """A log or views on which the process dies: before its n-th call in all, or after it."""

    def __init__(self, inner: EventLog | Views, calls: list[int], *, before: bool) -> None:
        self._inner = inner
        self._calls = calls
        self._before = before

    def __getattr__(self, name: str) -> Any:
        inner = getattr(self._inner, name)
        if not asyncio.iscoroutinefunction(inner):
            return inner

        async def call(*args: Any, **options: Any) -> Any:
            self._calls[0] -= 1
            last = self._calls[0] == 0
            if last and self._before:
                raise Killed
            answer = await inner(*args, **options)
            if last:
                raise Killed
            return answer

        return call


async def died(projector: Projector) -> bool:
    """Whether a projector that catches up dies on its way."""
    try:
        await projector.catch_up()
    except Killed:
        return True
    return False


@pytest.mark.parametrize("before", [True, False])
async def test_a_projector_that_dies_at_any_step_leaves_what_its_checkpoints_say(
    redis_store: Store, projections: list[Projection], before: bool
) -> None:
    """Each of its calls in turn is the last: reads, folds between them, writes, the switch."""
    log, views = redis_store
    stories = season(40, meetings=5)
    await mingle(log, stories, seed=40)
    deaths, steps = 0, 1
    while True:
        left = [steps]
        projector = Projector(
            Dying(log, left, before=before),
            Dying(views, left, before=before),
            projections,
            batch_entries=2,
        )
        if not await died(projector):
            break
        deaths += 1
        steps += 1
        for projection in projections:
            for generation in (await views.state(projection.name)).versions:
                await assert_consistent(log, views, projection, generation)
    assert deaths > 20, "else nothing was tested"
    await assert_folded(log, views, projections, stories)


class Asleep:
    """Views whose user falls asleep before it writes, once."""

    def __init__(self, inner: Views) -> None:
        self._inner = inner
        self.fell_asleep, self.woken = asyncio.Event(), asyncio.Event()
        self.outcomes: list[Applied] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)

    async def apply(self, view: str, generation: int, batch: Batch) -> Applied:
        """Not before it is woken, but for the first documents."""
        if batch.partition != SEEDS:
            self.fell_asleep.set()
            await self.woken.wait()
        outcome = await self._inner.apply(view, generation, batch)
        self.outcomes.append(outcome)
        return outcome


@pytest.mark.parametrize("which", range(3))
async def test_a_projector_that_wakes_up_does_not_write_over_a_newer_one_s_work(
    store: Store, projections: list[Projection], which: int
) -> None:
    log, views = store
    projection = projections[which]
    early, late = season(50, meetings=8), season(51, meetings=8)
    await mingle(log, early, seed=50)
    asleep = Asleep(views)
    sleeper = asyncio.create_task(Projector(log, asleep, [projection]).catch_up())
    await asyncio.wait_for(asleep.fell_asleep.wait(), 30)
    await mingle(log, late, seed=51)
    await Projector(log, views, [projection]).catch_up()
    generation = await views.live(projection.name)
    assert generation is not None
    before = await views.contents(projection.name, generation)
    asleep.woken.set()
    await asyncio.wait_for(sleeper, 30)
    assert asleep.outcomes[1] is Applied.SKIP
    assert await views.contents(projection.name, generation) == before
    await assert_folded(log, views, [projection], [*early, *late])


async def test_a_projector_that_wakes_up_after_a_rebuild_writes_nothing(
    store: Store, projections: list[Projection]
) -> None:
    log, views = store
    stories = season(52, meetings=8)
    projection = projections[2]
    await Projector(log, views, [projection]).catch_up()
    old = await views.live(projection.name)
    assert old is not None
    await mingle(log, stories, seed=52)
    asleep = Asleep(views)
    filler = Filler(log, asleep, projection, old)
    await filler.start()
    step = asyncio.create_task(filler.step(0))
    await asyncio.wait_for(asleep.fell_asleep.wait(), 30)
    begun = await views.begin(projection.name, projection.version, old)
    await Projector(log, views, [projection]).catch_up()
    assert await views.live(projection.name) == begun != old
    asleep.woken.set()
    await asyncio.wait_for(step, 30)
    assert asleep.outcomes[1:] == [Applied.GONE]
    assert filler.gone
    await assert_folded(log, views, [projection], stories)


async def test_a_fold_that_rests_on_standings_changed_meanwhile_is_made_again(
    store: Store, projections: list[Projection]
) -> None:
    """Two projectors, each with results of its own partition, that share their players."""
    log, views = store
    stories = season(53, meetings=30)
    await mingle(log, stories, seed=53)
    projection = projections[2]
    asleep = Asleep(views)
    sleeper = asyncio.create_task(
        Projector(log, asleep, [projection], batch_entries=1000).catch_up()
    )
    await asyncio.wait_for(asleep.fell_asleep.wait(), 30)
    generation = await views.begin(projection.name, projection.version, None)
    assert generation is not None
    heads = await log.feed_heads()
    last = max(p for p, head in enumerate(heads) if head)
    batch = await folded(store, projection, generation, last, 1, heads[last])
    assert batch is not None
    assert await views.apply(projection.name, generation, batch) is Applied.APPLIED
    asleep.woken.set()
    await asyncio.wait_for(sleeper, 30)
    assert Applied.STALE in asleep.outcomes
    await assert_folded(log, views, [projection], stories)
