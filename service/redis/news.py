"""Waiting for news in streams of several slots, which a Cluster does not take in one call."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import Any

from service.redis.client import Part, Refused, Unreachable

_Question = tuple[Part, ...]


class News:
    """XREADs, one for each stream, all at the same time; whichever has something first answers.

    The others go on waiting, for at most as long as they were told, and whoever asks the same next
    waits with them: so a connection that waits is not thrown away each time another has news.

    Args:
        ask: the way to the master of a call's keys, on which no call waits for another.
    """

    def __init__(self, ask: Callable[..., Awaitable[Any]]) -> None:
        self._ask = ask
        self._asked: dict[_Question, asyncio.Task[Any]] = {}

    async def read(self, parts: Sequence[Part]) -> list[Any] | None:
        """What XREAD answers: the streams that have news with these, None where there are none.

        Where a part of the masters is away the others are heard; it is told when these have none.

        Raises:
            Refused, Unreachable.
        """
        at = parts.index("STREAMS")
        options, streams = list(parts[1:at]), parts[at + 1 :]
        half = len(streams) // 2
        places = list(zip(streams[:half], streams[half:], strict=True))
        seconds = _take_block(options)
        questions = [(*options, "STREAMS", *place) for place in places]
        failed: dict[_Question, Refused | Unreachable] = {}
        # What is there is told as a whole; where somebody waits already nothing is.
        fresh = [q for q in questions if seconds is None or q not in self._asked]
        answers = await asyncio.gather(*(_told(self._ask("XREAD", *q)) for q in fresh))
        found = _sorted_out(zip(fresh, answers, strict=True), failed)
        if seconds is not None and not found:
            found = await self._wait(questions, seconds, failed)
        if failed and not found:
            raise next(iter(failed.values()))
        return found or None

    async def _wait(
        self,
        questions: Sequence[_Question],
        seconds: float,
        failed: dict[_Question, Refused | Unreachable],
    ) -> list[Any]:
        """The first news within this time; what fails is noted, and the rest waited for."""
        loop = asyncio.get_running_loop()
        until = loop.time() + seconds
        while True:
            left = max(0.001, until - loop.time())
            tasks = {q: self._reading(q, left) for q in questions if q not in failed}
            if not tasks:
                return []
            await asyncio.wait(tasks.values(), timeout=left, return_when=asyncio.FIRST_COMPLETED)
            answers = [(q, task.result()) for q, task in tasks.items() if task.done()]
            found = _sorted_out(answers, failed)
            if found or loop.time() >= until:
                return found

    async def close(self) -> None:
        """End what still waits."""
        waiting = list(self._asked.values())
        for task in waiting:
            task.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)

    def _reading(self, question: _Question, seconds: float) -> asyncio.Task[Any]:
        """The call that waits for this: one that does already, or a new one."""
        if question not in self._asked:
            block = ("BLOCK", max(1, int(seconds * 1000)))
            task = asyncio.create_task(_told(self._ask("XREAD", *block, *question)))
            self._asked[question] = task
            task.add_done_callback(lambda _: self._asked.pop(question))
        return self._asked[question]


def _sorted_out(
    answers: Iterable[tuple[_Question, Any]], failed: dict[_Question, Refused | Unreachable]
) -> list[Any]:
    """The news among answers; failures are noted."""
    found: list[Any] = []
    for question, answer in answers:
        if isinstance(answer, Refused | Unreachable):
            failed[question] = answer
        else:
            found += answer or ()
    return found


async def _told(answer: Awaitable[Any]) -> Any:
    """The answer; a failure is one as well, since nobody may wait for it."""
    try:
        return await answer
    except (Refused, Unreachable) as error:
        return error


def _take_block(options: list[Part]) -> float | None:
    """Take the time to wait out of an XREAD's options; None: it does not wait."""
    if "BLOCK" not in options:
        return None
    at = options.index("BLOCK")
    seconds = int(options[at + 1]) / 1000
    del options[at : at + 2]
    return seconds
