"""How the log speaks to Redis: one small interface, `call`, and its form over redis-py's pool.

Nothing here repeats a call: redis-py's retries are off, because a call that is repeated below the
one who asked is repeated without its knowledge. All time limits of the connections stand here.
"""

import asyncio
import re
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Protocol

from redis.asyncio import BlockingConnectionPool
from redis.asyncio.connection import AbstractConnection, parse_url
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import ConnectionError as NotConnected
from redis.exceptions import RedisError
from redis.exceptions import TimeoutError as NotInTime

Part = str | bytes | int
"""What a call is made of."""

CALL_SECONDS = 3.0
"""How long a call may wait for its answer."""

CONNECT_SECONDS = 2.0
"""How long a connection may take to stand."""

BLOCK_SECONDS = 2.0
"""Longest wait inside Redis; shorter than the time limit of the connection that waits."""

NAME = "homestretch"
"""How our connections are called in Redis's own list of clients."""

_CODE = re.compile(r"\b(OOM|READONLY|MISCONF|NOREPLICAS|WRONGTYPE|LOADING|MASTERDOWN)\b")


class Refused(Exception):
    """Redis answered with an error; `code` is its word, e.g. WRONGTYPE, also out of a script."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.code = text.partition(" ")[0]
        if self.code == "ERR" and (inner := _CODE.search(text)):
            self.code = inner[0]


class Unreachable(Exception):
    """No answer came; `sent` tells whether the call may have reached Redis."""

    def __init__(self, detail: str, *, sent: bool) -> None:
        super().__init__(detail)
        self.sent = sent


class Calls(Protocol):
    """A way to Redis that many tasks share. It recovers by itself once Redis is back."""

    async def call(self, *parts: Part) -> Any:
        """The answer to one command, as it came: bytes, int, list or None.

        Raises:
            Refused, Unreachable.
        """
        ...

    def on_return(self, first: "First") -> None:
        """Let `first` go first on each connection made from now on: it is given the way over that
        one alone. What it raises (Refused, Unreachable) is told to all who wait for it.
        """
        ...

    async def servers(self) -> "Sequence[Calls]":
        """The way to each Redis that holds a part of the keys; where one holds all, this itself.

        Raises:
            Refused, Unreachable.
        """
        ...

    async def close(self) -> None:
        """End all connections; calls that wait are Unreachable."""
        ...


First = Callable[[Calls], Awaitable[None]]
"""What goes first on a connection."""


class PoolCalls:
    """Calls over connections of redis-py, one call a connection at a time: for calls that block."""

    def __init__(self, url: str, *, seconds: float = CALL_SECONDS, connections: int = 50) -> None:
        options: dict[str, Any] = {
            **parse_url(url),
            "max_connections": connections,
            "timeout": seconds,
            "retry": Retry(NoBackoff(), 0),
            "socket_timeout": seconds,
            "socket_connect_timeout": CONNECT_SECONDS,
            "protocol": 2,
            "client_name": NAME,
            "redis_connect_func": self._greet,
        }
        self._first: First | None = None
        self._refused = 0  # connections that it let nobody use
        self._pool = BlockingConnectionPool(**options)

    async def call(self, *parts: Part) -> Any:
        """See `Calls`. A task that is cancelled takes its connection with it.

        Before Python 3.12 `asyncio.wait_for`, by which redis-py sends, may swallow that a task is
        cancelled: it would go on, and wait for the next answer, though it was told to end.
        """
        return await self._call(parts)

    async def call_asking(self, *parts: Part) -> Any:
        """See `service.redis.cluster.Node`."""
        return await self._call(("ASKING",), parts)

    async def _call(self, *calls: Sequence[Part]) -> Any:
        task = asyncio.current_task()
        assert task is not None, "called in a task"
        told = task.cancelling()
        try:
            return await self._on_one_connection(*calls)
        finally:
            if task.cancelling() > told:
                raise asyncio.CancelledError

    async def _on_one_connection(self, *calls: Sequence[Part]) -> Any:
        refused = self._refused
        try:
            connection = await self._pool.get_connection()  # type: ignore[no-untyped-call]
        except (RedisError, OSError) as error:
            raise _told(error, sent=False) from error
        try:
            if self._refused != refused:  # what is refused to one is to all who waited then
                raise Unreachable("another connection was refused meanwhile", sent=False)
            answer = None
            for parts in calls:
                await connection.send_command(*parts)
                answer = await connection.read_response()
            return answer
        except RedisError as error:
            raise _told(error, sent=True) from error
        finally:
            await self._pool.release(connection)

    def on_return(self, first: First) -> None:
        """See `Calls`."""
        self._first = first

    async def _greet(self, connection: AbstractConnection) -> None:
        """What a new connection is told first, as redis-py would by itself, and asked."""
        await connection.on_connect()
        if self._first is not None:
            try:
                await self._first(_OneConnection(connection))
            except (Refused, Unreachable) as fault:
                self._refused += 1
                raise NotConnected(str(fault)) from fault

    async def servers(self) -> Sequence[Calls]:
        """This alone."""
        return (self,)

    async def close(self) -> None:
        """End all connections."""
        await self._pool.disconnect()


class _OneConnection:
    """`Calls` over one connection of redis-py, one after the other."""

    def __init__(self, connection: AbstractConnection) -> None:
        self._connection = connection
        self._turn = asyncio.Lock()

    async def call(self, *parts: Part) -> Any:
        """See `Calls`."""
        async with self._turn:
            try:
                await self._connection.send_command(*parts, check_health=False)
                return await self._connection.read_response()
            except RedisError as error:
                raise _told(error, sent=False) from error

    def on_return(self, first: First) -> None:
        """Nothing: no other is made."""

    async def servers(self) -> Sequence[Calls]:
        """This alone."""
        return (self,)

    async def close(self) -> None:
        """Nothing: it is the pool's."""


def _told(error: BaseException, *, sent: bool) -> Refused | Unreachable:
    """What redis-py raised, in our words.

    It cuts the code off the text of an error that Redis answered, and wraps one that came while the
    connection was made.
    """
    links = (error, error.__cause__, error.__context__)
    if code := next(filter(None, (getattr(link, "status_code", None) for link in links)), None):
        return Refused(f"{code} {error}")
    if isinstance(error, (NotConnected, NotInTime, OSError)):
        what = "answer from" if sent else "connection to"
        return Unreachable(f"no {what} Redis: {error}", sent=sent)
    return Refused(str(error))
