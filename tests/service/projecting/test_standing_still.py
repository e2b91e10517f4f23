"""An event that can't be folded: only its view, and there only its partition, stands still."""

import asyncio
from collections.abc import Sequence

import msgspec
import pytest

from projections.facts import Fact
from projections.lobby import LOBBY
from projections.projection import Projection, Steps
from service.lists import Lobby
from service.ports import EventLog
from service.ports_views import Stall
from service.projecting import Projector
from service.tending import Tending
from tests.kit.histories import Story, finished, store
from tests.kit.viewing import assert_folded, caught_up, running
from tests.service.projecting.conftest import Store


class Picky:
    """A lobby that can't fold one meeting, until it can."""

    def __init__(self, meeting: str) -> None:
        self.meeting: str | None = meeting
        self.projection = msgspec.structs.replace(LOBBY, fold=self._fold)

    def _fold(self, facts: Sequence[Fact]) -> Steps:
        if any(fact.meeting == self.meeting for fact in facts):
            raise KeyError("a secret of the event")
        return LOBBY.fold(facts)


def stories(log: EventLog) -> list[Story]:
    """The second is in the partition of the first, behind it; the third in another."""
    names = [f"m{number}" for number in range(100)]
    mates = [name for name in names if log.partition(name) == log.partition(names[0])]
    other = next(name for name in names if log.partition(name) != log.partition(names[0]))
    return [finished(name, ["bea", "cid"], [1, 2], at=700) for name in (mates[0], mates[1], other)]


@pytest.fixture
async def told(redis_store: Store) -> list[Story]:
    """Three meetings in the log."""
    log, _ = redis_store
    told = stories(log)
    for story in told:
        await store(log, story)
    return told


async def test_only_the_view_that_can_not_fold_stands_still(
    redis_store: Store, projections: list[Projection], told: list[Story]
) -> None:
    log, views = redis_store
    picky = Picky(told[0].meeting)
    await Projector(log, views, [picky.projection, *projections[1:]]).catch_up()
    await assert_folded(log, views, projections[1:], told)
    lobby = Lobby(log, views)
    assert await lobby.get(told[0].meeting) is None
    assert await lobby.get(told[1].meeting) is None, "it comes behind"
    assert await lobby.get(told[2].meeting) is not None, "another partition goes on"


async def test_what_comes_before_the_event_is_applied(redis_store: Store) -> None:
    log, views = redis_store
    first, second, _ = stories(log)
    await store(log, second, 3)
    await store(log, first)
    await store(log, second)
    await Projector(log, views, [Picky(first.meeting).projection]).catch_up()
    summary = await Lobby(log, views).get(second.meeting)
    assert summary is not None
    assert summary.version == 3


async def test_the_stall_is_noted_without_anything_of_the_event(
    redis_store: Store, told: list[Story]
) -> None:
    log, views = redis_store
    await Projector(log, views, [Picky(told[0].meeting).projection]).catch_up()
    live = await views.live("lobby")
    assert live is not None
    stalled = (await views.progress("lobby", live)).stalled
    note = Stall(position=1, meeting=told[0].meeting, reason="KeyError")
    assert stalled == {log.partition(told[0].meeting): note}


async def test_a_stall_is_shown_and_not_waited_for(redis_store: Store, told: list[Story]) -> None:
    log, views = redis_store
    await Projector(log, views, [Picky(told[0].meeting).projection]).catch_up()
    lobby = Lobby(log, views, now=lambda: 1e12)
    lag = await lobby.lag()
    assert lag.stalled == 1
    assert lag.entries == len(told[0].commands) + len(told[1].commands)
    assert lag.seconds > 0
    assert await lobby.caught_up()


async def test_a_stall_ends_when_it_is_tried_again_and_works(
    redis_store: Store, told: list[Story]
) -> None:
    log, views = redis_store
    picky = Picky(told[0].meeting)
    projector = Projector(log, views, [picky.projection], look_seconds=0.05, retry_seconds=3600)
    lobby = Lobby(log, views)
    async with running(projector):
        async with asyncio.timeout(30):
            while (await lobby.lag()).stalled == 0:
                await asyncio.sleep(0.01)
        picky.meeting = None
        assert await Tending(log, views, [LOBBY]).retry("lobby") == 1
        await caught_up(log, views, [LOBBY])
    await assert_folded(log, views, [LOBBY], told)


async def test_a_stall_is_tried_again_by_itself(redis_store: Store, told: list[Story]) -> None:
    log, views = redis_store
    picky = Picky(told[0].meeting)
    projector = Projector(log, views, [picky.projection], retry_seconds=0.1)
    async with running(projector):
        lobby = Lobby(log, views)
        async with asyncio.timeout(30):
            while (await lobby.lag()).stalled == 0:
                await asyncio.sleep(0.01)
        picky.meeting = None
        async with asyncio.timeout(30):
            while (await lobby.lag()).entries:
                await asyncio.sleep(0.01)
    await assert_folded(log, views, [LOBBY], told)


async def test_a_restart_tries_again(redis_store: Store, told: list[Story]) -> None:
    log, views = redis_store
    await Projector(log, views, [Picky(told[0].meeting).projection]).catch_up()
    await Projector(log, views, [LOBBY]).catch_up()
    await assert_folded(log, views, [LOBBY], told)


async def test_an_unknown_shared_event_stops_every_view_at_it(
    redis_store: Store, projections: list[Projection]
) -> None:
    log, views = redis_store
    told = Story("m1").open().sit(1, "bea")
    whole = len(told.commands)
    told.tell({"type": "horse_bolted", "audience": [2], "seat": 2, "hand": ["ace"]})
    told.sit(2, "cid")
    await store(log, told)
    await Projector(log, views, projections).catch_up()
    for projection in projections:
        live = await views.live(projection.name)
        assert live is not None
        progress = await views.progress(projection.name, live)
        note = Stall(position=whole + 1, meeting="m1", reason="UnknownFact horse_bolted")
        assert progress.stalled == {log.partition("m1"): note}
        assert progress.positions[log.partition("m1")] == whole
    summary = await Lobby(log, views).get("m1")
    assert summary is not None
    assert [line.player for line in summary.seats] == ["bea", None]


async def test_a_build_that_stands_still_does_not_take_the_place_of_one_that_runs(
    redis_store: Store, told: list[Story]
) -> None:
    log, views = redis_store
    await Projector(log, views, [LOBBY]).catch_up()
    live = await views.live("lobby")
    broken = msgspec.structs.replace(Picky(told[0].meeting).projection, version="broken")
    await Projector(log, views, [broken]).catch_up()
    assert await views.live("lobby") == live
    await assert_folded(log, views, [LOBBY], told)
