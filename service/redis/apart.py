"""Calls that wait inside Redis for news, each on a connection that no other call waits behind."""

import asyncio
from collections.abc import Sequence
from typing import Any

from service.redis.client import CALL_SECONDS, Calls, First, Part, Refused, Unreachable
from service.redis.opening import ASKING, Opener, ask, packed
from service.redis.wire import Wire


class Apart:
    """`Calls`, each alone on a connection of its own for as long as it lasts.

    There are as many connections as calls were made at the same time; those that are free are used
    again. redis-py's pool does the same for five times the work, which is what one who waits for
    news in Redis adds to the time until it has them.

    Args:
        url: as `Multiplexed` takes it.
        seconds: how long Redis may be silent while a call waits.
    """

    def __init__(self, url: str, *, seconds: float = CALL_SECONDS) -> None:
        self._opener = Opener(url, seconds)
        self._wires: set[Wire] = set()
        self._free: list[Wire] = []
        self._closed = False

    async def call(self, *parts: Part) -> Any:
        """See `Calls`. A task that is cancelled takes its connection with it."""
        return await self._call(packed(parts))

    async def call_asking(self, *parts: Part) -> Any:
        """See `service.redis.cluster.Node`."""
        return await self._call(packed(parts), ASKING)

    def on_return(self, first: First) -> None:
        """Nothing: here connections come and go at any time."""

    async def servers(self) -> Sequence[Calls]:
        """This alone."""
        return (self,)

    async def close(self) -> None:
        """End all connections; calls that wait are Unreachable, and so is each later one."""
        self._closed = True
        await asyncio.gather(*(wire.close() for wire in list(self._wires)))

    async def _call(self, call: bytes, before: bytes = b"") -> Any:
        wire = await self._take()
        try:
            answer = await ask(wire, call, before)
        except BaseException:  # its answer is nobody's, and may be long in coming
            wire.drop()
            raise
        if wire.open:
            self._free.append(wire)
        if isinstance(answer, Refused | Unreachable):
            raise answer
        return answer

    async def _take(self) -> Wire:
        """A connection that nobody uses."""
        while self._free:
            wire = self._free.pop()
            if wire.open:
                return wire
        if self._closed:
            raise Unreachable("the connection to Redis was closed", sent=False)
        wire = await self._opener.open()
        self._wires.add(wire)
        wire.gone.add_done_callback(lambda _: self._wires.discard(wire))
        if self._closed:
            await wire.close()
        return wire
