"""What the jobs note in the queue's Redis: all of it may be lost, the log tells it again.

jobs:wake:<queue>    sorted set  meetings in which something is owed, by the second of the wake
jobs:drains:<queue>  sorted set  draining jobs, by the second until which each is taken as alive
jobs:start:<queue>   string      a draining job was just started; expires by itself
jobs:owed            hash        for each queue since when the oldest meeting waits; `at` when
                                 that was looked at
"""

from collections.abc import Iterable, Mapping
from typing import Any

from service.redis.client import Calls

START_SECONDS = 5
"""How long a draining job that was just started may take until its first beat."""


class Wakes:
    """Wakes and signs of life of the draining jobs, over calls to the queue's Redis.

    All times are seconds since 1970. Every method raises Refused or Unreachable.
    """

    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    async def wake(self, queue: str, meetings: Iterable[str], now: float) -> None:
        """Name meetings in which something is owed; one that waits already keeps its place."""
        pairs = [part for meeting in meetings for part in (str(now), meeting)]
        if pairs:
            await self._calls.call("ZADD", f"jobs:wake:{queue}", "NX", *pairs)

    async def next(self, queue: str, seconds: float) -> str | None:
        """The meeting that waits longest, taken off the list; None if none comes in that time."""
        found = await self._calls.call("BZPOPMIN", f"jobs:wake:{queue}", str(seconds))
        return None if found is None else found[1].decode()

    async def since(self, queue: str, meeting: str) -> float | None:
        """The second since which a meeting is on the list; None where it is not."""
        found = await self._calls.call("ZSCORE", f"jobs:wake:{queue}", meeting)
        return None if found is None else float(found)

    async def waiting(self, queue: str) -> int:
        """How many meetings wait."""
        return int(await self._calls.call("ZCARD", f"jobs:wake:{queue}"))

    async def beat(self, queue: str, drain: str, until: float) -> None:
        """A draining job lives and will say so again before that second."""
        await self._calls.call("ZADD", f"jobs:drains:{queue}", str(until), drain)

    async def rest(self, queue: str, drain: str) -> None:
        """A draining job is over."""
        await self._calls.call("ZREM", f"jobs:drains:{queue}", drain)

    async def alive(self, queue: str, now: float) -> int:
        """How many draining jobs live; those that fell silent are forgotten."""
        key = f"jobs:drains:{queue}"
        await self._calls.call("ZREMRANGEBYSCORE", key, "-inf", f"({now}")
        return int(await self._calls.call("ZCARD", key))

    async def may_start(self, queue: str) -> bool:
        """Whether the caller alone may start a draining job now, so that not every reactor does."""
        key = f"jobs:start:{queue}"
        return await self._calls.call("SET", key, "1", "NX", "EX", START_SECONDS) is not None

    async def publish(self, oldest: Mapping[str, float | None], now: float) -> bool:
        """Say since when the oldest meeting of each queue waits (None: none does).

        True where nothing was said before: the queue's Redis is new, or was emptied.
        """
        fields: list[str] = ["at", str(now)]
        for queue, since in oldest.items():
            fields += [queue, "" if since is None else str(since)]
        return int(await self._calls.call("HSET", "jobs:owed", *fields)) > 0

    async def published(self) -> dict[str, float | None]:
        """What was said last: `at`, and since when each queue's oldest meeting waits."""
        flat: list[Any] = await self._calls.call("HGETALL", "jobs:owed")
        pairs = zip(flat[::2], flat[1::2], strict=True)
        return {key.decode(): float(value) if value else None for key, value in pairs}
