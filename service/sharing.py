"""A log read by several who ask the same at the same time: what they ask is asked once."""

import asyncio
from collections.abc import Awaitable, Callable, Hashable, Sequence
from typing import Any, TypeVar, cast

from service.ports import FeedEntry, Head, Line, LogReader

T = TypeVar("T")

_GIVEN_UP = object()
"""Told where who asked was told to end: somebody else asks again."""


class SharedReader:
    """`LogReader` for the fillers of one process, which wait at the same place of the feeds, then
    read the same lines.

    Who asks while the same question is under way is given its answer: what stands in a log does not
    change, and of news a reader misses none, since it says what it has seen.

    Args:
        log: which is asked.
    """

    def __init__(self, log: LogReader) -> None:
        self._log = log
        self._asked: dict[Hashable, list[asyncio.Future[Any]]] = {}
        self.partitions = log.partitions

    async def head(self, meeting: str) -> Head | None:
        """See `LogReader`."""
        return await self._log.head(meeting)

    async def read(
        self, meeting: str, after: int = 0, upto: int | None = None, count: int | None = None
    ) -> list[Line]:
        """See `LogReader`."""

        async def ask() -> list[Line]:
            # One turn of the loop later, so that it is sent together with what others look up.
            await asyncio.sleep(0)
            return await self._log.read(meeting, after, upto, count)

        return await self._once(("read", meeting, after, upto, count), ask)

    async def feed(self, partition: int, after: int, count: int = 500) -> list[FeedEntry]:
        """See `LogReader`."""
        return await self._log.feed(partition, after, count)

    async def feed_heads(self) -> list[int]:
        """See `LogReader`."""
        return await self._log.feed_heads()

    async def follow(
        self, after: Sequence[int], seconds: float, count: int = 500
    ) -> list[FeedEntry]:
        """See `LogReader`; who joins another waits for as long as that one still does."""
        question = ("follow", tuple(after), seconds, count)
        return await self._once(question, lambda: self._log.follow(question[1], seconds, count))

    async def _once(self, question: Hashable, ask: Callable[[], Awaitable[T]]) -> T:
        while (others := self._asked.get(question)) is not None:
            # A future of its own: who is told to end must not end what others wait for.
            mine = asyncio.get_running_loop().create_future()
            others.append(mine)
            told = await mine
            if isinstance(told, Exception):
                raise told
            if told is not _GIVEN_UP:
                return cast(T, told)
        others = self._asked[question] = []
        told = _GIVEN_UP
        try:
            told = answer = await ask()
        except Exception as error:
            told = error
            raise
        finally:
            del self._asked[question]
            for other in others:
                if not other.done():
                    other.set_result(told)
        return answer
