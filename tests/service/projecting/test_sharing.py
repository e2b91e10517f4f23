"""A log that several read: what they ask at the same time is asked once, and nobody misses any."""

import asyncio
from collections.abc import Sequence

import pytest

from service.memory.event_log import MemoryEventLog
from service.ports import FeedEntry, Line, LogUnavailable
from service.sharing import SharedReader
from tests.kit.histories import Story, store

PARTITIONS = 4


class Counting(MemoryEventLog):
    """A log that counts what it is asked; `away` makes it refuse."""

    def __init__(self) -> None:
        super().__init__(PARTITIONS)
        self.asked = 0
        self.away = False

    async def follow(
        self, after: Sequence[int], seconds: float, count: int = 500
    ) -> list[FeedEntry]:
        """As the log does."""
        self.asked += 1
        await asyncio.sleep(0)
        if self.away:
            raise LogUnavailable("it is away")
        return await super().follow(after, seconds, count)

    async def read(
        self, meeting: str, after: int = 0, upto: int | None = None, count: int | None = None
    ) -> list[Line]:
        """As the log does."""
        self.asked += 1
        await asyncio.sleep(0)
        return await super().read(meeting, after, upto, count)


@pytest.fixture
def log() -> Counting:
    """An empty one."""
    return Counting()


async def test_the_same_question_is_asked_once(log: Counting) -> None:
    await store(log, Story("m1").open().play(3))
    shared = SharedReader(log)
    entries = await asyncio.gather(*(shared.follow([0] * PARTITIONS, 1) for _ in range(3)))
    assert [len(each) for each in entries] == [4, 4, 4]
    lines = await asyncio.gather(*(shared.read("m1", 1, 3) for _ in range(3)))
    assert [[line.version for line in each] for each in lines] == [[2, 3]] * 3
    assert log.asked == 2


async def test_other_questions_and_later_ones_have_answers_of_their_own(log: Counting) -> None:
    story = Story("m1").open().play(3)
    await store(log, story)
    shared = SharedReader(log)
    one, other = await asyncio.gather(shared.read("m1", 0, 1), shared.read("m1", 0, 2))
    assert (len(one), len(other)) == (1, 2)
    heads = await shared.feed_heads()
    assert await shared.follow(heads, 0) == []
    await store(log, Story("m2").open())
    assert len(await shared.follow(heads, 0)) == 1


async def test_who_waits_hears_what_comes_however_many_others_are_told_to_end(
    log: Counting,
) -> None:
    shared = SharedReader(log)
    waiting = [asyncio.create_task(shared.follow([0] * PARTITIONS, 60)) for _ in range(4)]
    await asyncio.sleep(0.01)
    for ended in (0, 2):
        waiting[ended].cancel()
    await asyncio.sleep(0.01)
    await store(log, Story("m1").open())
    ends = await asyncio.gather(*waiting, return_exceptions=True)
    assert [isinstance(end, asyncio.CancelledError) for end in ends] == [True, False, True, False]
    assert [end for end in ends if isinstance(end, list)] == [
        await log.feed(log.partition("m1"), 0)
    ] * 2
    assert log.asked == 2, "after the first was told to end another asked again"


async def test_all_hear_that_the_log_is_away_and_then_that_it_is_back(log: Counting) -> None:
    log.away = True
    shared = SharedReader(log)
    asked = (shared.follow([0] * PARTITIONS, 1) for _ in range(3))
    ends = await asyncio.gather(*asked, return_exceptions=True)
    assert [type(end) for end in ends] == [LogUnavailable] * 3
    log.away = False
    assert await shared.follow([0] * PARTITIONS, 0) == []
