"""Calls of all tasks of a process over one connection: what they ask at the same time is sent
together. It takes about a third of the time that a pool of connections does."""

import asyncio
from collections.abc import Sequence
from functools import partial
from typing import Any

from service.cluster_url import is_cluster
from service.redis.apart import Apart
from service.redis.client import (
    BLOCK_SECONDS,
    CALL_SECONDS,
    Calls,
    First,
    Part,
    PoolCalls,
    Refused,
    Unreachable,
)
from service.redis.cluster import ClusterCalls, Node
from service.redis.opening import ASKING, OneWire, Opener, ask, packed
from service.redis.wire import Wire

PARTITIONS_MAX = 1024
"""Most partitions that a log has."""


class Multiplexed:
    """`Calls` over one connection, made when it is needed and made anew when it was lost.

    Only for calls that answer at once: all others wait behind one that blocks.

    Args:
        url: redis://… or unix://…, with user, password and database as redis-py reads them.
        seconds: how long Redis may be silent while a call waits.
    """

    def __init__(self, url: str, *, seconds: float = CALL_SECONDS) -> None:
        self._opener = Opener(url, seconds)
        self._wire: Wire | None = None
        self._retired: set[Wire] = set()
        self._connecting: asyncio.Task[Wire] | None = None
        self._first: First | None = None
        self._closed = False

    async def call(self, *parts: Part) -> Any:
        """See `Calls`. A task that is cancelled leaves its answer to nobody."""
        return await self._call(packed(parts))

    async def call_asking(self, *parts: Part) -> Any:
        """See `service.redis.cluster.Node`."""
        return await self._call(packed(parts), ASKING)

    def on_return(self, first: First) -> None:
        """See `Calls`."""
        self._first = first

    async def servers(self) -> Sequence[Calls]:
        """This alone."""
        return (self,)

    async def _call(self, call: bytes, before: bytes = b"") -> Any:
        wire = self._wire
        answer = None if wire is None else await ask(wire, call, before)
        if wire is None or (isinstance(answer, Unreachable) and not answer.sent):
            # There was no connection, or it was found dead before this was sent.
            wire = await self._connected()
            answer = await ask(wire, call, before)
        if isinstance(answer, Refused) and answer.code == "READONLY":
            # The primary may have moved: the next call looks where the name leads now.
            self._retire(wire)
        if isinstance(answer, Refused | Unreachable):
            raise answer
        return answer

    async def close(self) -> None:
        """End the connection; calls that wait are Unreachable, and so is each later one."""
        self._closed = True
        if self._connecting is not None:
            self._connecting.cancel()
            await asyncio.wait([self._connecting])
        for wire in (*self._retired, self._wire):
            if wire is not None:
                await wire.close()

    def _retire(self, wire: Wire) -> None:
        """Use a connection for nothing new; who waits on it still gets an answer."""
        if wire.open:
            self._retired.add(wire)
            wire.gone.add_done_callback(lambda _: self._retired.discard(wire))
            wire.retire()

    async def _connected(self) -> Wire:
        """A connection that stands; callers that need one at the same time share it."""
        if self._closed:
            raise Unreachable("the connection to Redis was closed", sent=False)
        if self._connecting is None:
            self._connecting = asyncio.create_task(self._connect())
            self._connecting.add_done_callback(self._connect_ended)
        # A caller that gives up must not end what others wait for.
        return await asyncio.shield(self._connecting)

    def _connect_ended(self, task: asyncio.Task[Wire]) -> None:
        self._connecting = None
        if not task.cancelled():
            task.exception()  # those who waited have it; nobody may have

    async def _connect(self) -> Wire:
        wire = await self._opener.open()
        if self._first is not None:
            try:
                await self._first(OneWire(wire))
            except BaseException:
                wire.drop()
                raise
        self._wire = wire
        return wire


def open_calls(url: str, *, seconds: float = CALL_SECONDS) -> Calls:
    """The way to Redis for calls that answer at once; over TLS that is redis-py's pool."""
    if is_cluster(url):
        return ClusterCalls(url, partial(_open_node, seconds=seconds))
    return _open_node(url, seconds)


def _open_node(url: str, seconds: float) -> Node:
    if url.startswith("rediss://"):
        return PoolCalls(url, seconds=seconds)
    return Multiplexed(url, seconds=seconds)


def open_waiting(url: str, *, seconds: float = CALL_SECONDS) -> Calls:
    """The way to Redis for calls that wait there for news, at most BLOCK_SECONDS."""
    if is_cluster(url):  # each partition is waited for by itself
        return ClusterCalls(url, partial(_open_apart, seconds=seconds))
    return _open_apart(url, seconds)


def _open_apart(url: str, seconds: float) -> Node:
    seconds += BLOCK_SECONDS
    if url.startswith("rediss://"):
        return PoolCalls(url, seconds=seconds, connections=PARTITIONS_MAX)
    return Apart(url, seconds=seconds)
