"""The roster: which meetings of a partition are not over, up to which position of its feed.

    jobs:roster:<store>:<pNN>
        hash  "@" the position; every other field a meeting that is not over

It spares a reactor that starts the way through the whole feed. It stands in the queue's Redis and
may be lost: a missing one is made anew from the feed. Meeting ids hold no "@".
"""

from collections.abc import Collection

from msgspec import Struct

from service.redis.client import Calls, Part
from service.redis.script import Script

_SCRIPT = Script("roster.lua")
_ANEW = -1


class Entry(Struct, frozen=True):
    """The roster of one partition as it was kept."""

    position: int
    meetings: list[str]


class Roster:
    """The rosters of all partitions of one log, over calls to the queue's Redis.

    Every method raises Refused or Unreachable.
    """

    def __init__(self, calls: Calls, store: str) -> None:
        self._calls = calls
        self._stem = f"jobs:roster:{store}:p"

    async def load(self, partition: int) -> Entry | None:
        """What was kept; None where it is lost."""
        flat = await self._calls.call("HGETALL", self._key(partition))
        fields = {flat[i].decode(): flat[i + 1] for i in range(0, len(flat), 2)}
        position = fields.pop("@", None)
        return None if position is None else Entry(int(position), list(fields))

    async def advance(
        self, partition: int, before: int, after: int, join: Collection[str], over: Collection[str]
    ) -> bool:
        """Note what the feed told between two positions; False where the roster is lost."""
        args: list[Part] = [before, after, len(join), *join, *over]
        return bool(await _SCRIPT.run(self._calls, (self._key(partition),), *args))

    async def save(self, partition: int, position: int, meetings: Collection[str]) -> None:
        """Write it anew."""
        await self.advance(partition, _ANEW, position, meetings, ())

    def _key(self, partition: int) -> str:
        return f"{self._stem}{partition:02d}"
