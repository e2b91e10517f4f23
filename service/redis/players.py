"""Players' records in Redis: one string a player, changed by compare and swap.

players:{<player>}    string    the record as service.players encodes it
"""

from functools import partial

from service.redis.client import Calls
from service.redis.faults import surely
from service.redis.script import Script

_SWAP = Script("swap.lua")


def _key(player: str) -> str:
    return f"players:{{{player}}}"


class RedisPlayerStore:
    """See service.players.PlayerStore."""

    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    async def load(self, player: str) -> bytes | None:
        """See PlayerStore."""
        record: bytes | None = await surely(partial(self._calls.call, "GET", _key(player)))
        return record

    async def swap(self, player: str, old: bytes | None, new: bytes) -> bool:
        """See PlayerStore."""
        keys = (_key(player),)
        return bool(await surely(partial(_SWAP.run, self._calls, keys, old or b"", new)))
