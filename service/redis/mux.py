"""Calls of all tasks of a process over one connection: what they ask at the same time is sent
together. It takes about a third of the time that a pool of connections does."""

import asyncio
from collections.abc import Sequence
from functools import partial
from typing import Any, cast

from hiredis import pack_command
from redis.asyncio.connection import parse_url

from service.cluster_url import is_cluster
from service.redis.client import (
    BLOCK_SECONDS,
    CALL_SECONDS,
    CONNECT_SECONDS,
    NAME,
    Calls,
    Part,
    PoolCalls,
    Refused,
    Unreachable,
)
from service.redis.cluster import ClusterCalls, Node
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
        parts: dict[str, Any] = dict(parse_url(url))
        self._path: str | None = parts.get("path")
        self._host: str = parts.get("host", "localhost")
        self._port: int = parts.get("port", 6379)
        self._greetings = _greetings(parts)
        self._seconds = seconds
        self._wire: Wire | None = None
        self._retired: set[Wire] = set()
        self._connecting: asyncio.Task[Wire] | None = None
        self._closed = False

    async def call(self, *parts: Part) -> Any:
        """See `Calls`. A task that is cancelled leaves its answer to nobody."""
        return await self._call(_packed(parts))

    async def call_asking(self, *parts: Part) -> Any:
        """See `service.redis.cluster.Node`."""
        return await self._call(_packed(parts), _ASKING)

    async def servers(self) -> Sequence[Calls]:
        """This alone."""
        return (self,)

    async def _call(self, packed: bytes, before: bytes = b"") -> Any:
        wire = self._wire
        answer = None if wire is None else await _ask(wire, packed, before)
        if wire is None or (isinstance(answer, Unreachable) and not answer.sent):
            # There was no connection, or it was found dead before this was sent.
            wire = await self._connected()
            answer = await _ask(wire, packed, before)
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
        loop = asyncio.get_running_loop()
        wire: Wire | None = None
        try:
            async with asyncio.timeout(CONNECT_SECONDS):
                wire = Wire(self._seconds)
                if self._path is not None:
                    await loop.create_unix_connection(lambda: wire, self._path)
                else:
                    await loop.create_connection(lambda: wire, self._host, self._port)
                for greeting in self._greetings:
                    answer = await wire.ask(greeting)
                    if isinstance(answer, Exception):
                        raise answer
        except BaseException as error:
            if wire is not None and wire.open:
                await wire.close()
            if isinstance(error, OSError | Unreachable):
                detail = f"no connection to Redis: {error or 'not in time'}"
                raise Unreachable(detail, sent=False) from error
            raise
        self._wire = wire
        return wire


def _ask(wire: Wire, packed: bytes, before: bytes) -> asyncio.Future[Any]:
    """The answer to one call, with another one right before it."""
    if before:
        wire.ask(before)
    return wire.ask(packed)


def _greetings(parts: dict[str, Any]) -> list[bytes]:
    """What a new connection says first, packed."""
    greetings: list[tuple[Part, ...]] = []
    user, password = parts.get("username"), parts.get("password")
    if password is not None:
        greetings.append(("AUTH", user, password) if user else ("AUTH", password))
    if database := parts.get("db"):
        greetings.append(("SELECT", int(database)))
    greetings.append(("CLIENT", "SETNAME", NAME))
    return [_packed(greeting) for greeting in greetings]


def _packed(parts: tuple[Part, ...]) -> bytes:
    # The library's stub takes tuples of one part alone.
    packed: bytes = pack_command(cast(Any, parts))
    return packed


_ASKING = _packed(("ASKING",))


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
    if is_cluster(url):
        # Each partition is waited for by itself.
        every = partial(PoolCalls, seconds=BLOCK_SECONDS + seconds, connections=PARTITIONS_MAX)
        return ClusterCalls(url, every)
    return PoolCalls(url, seconds=BLOCK_SECONDS + seconds)
