"""Connections to one Redis: opened, greeted, and what is sent over them."""

import asyncio
from collections.abc import Sequence
from typing import Any, cast

from hiredis import pack_command
from redis.asyncio.connection import parse_url

from service.redis.client import (
    CONNECT_SECONDS,
    NAME,
    Calls,
    First,
    Part,
    Refused,
    Unreachable,
)
from service.redis.wire import Wire


class Opener:
    """Opens connections to the Redis of a URL.

    Args:
        url: redis://… or unix://…, with user, password and database as redis-py reads them.
        seconds: how long Redis may be silent on them while a call waits.
    """

    def __init__(self, url: str, seconds: float) -> None:
        parts: dict[str, Any] = dict(parse_url(url))
        self._path: str | None = parts.get("path")
        self._host: str = parts.get("host", "localhost")
        self._port: int = parts.get("port", 6379)
        self._greetings = _greetings(parts)
        self._seconds = seconds

    async def open(self) -> Wire:
        """A connection that stands.

        Raises:
            Refused, Unreachable.
        """
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
        return wire


class OneWire:
    """`Calls` over a connection that stands; once it is lost, so are they."""

    def __init__(self, wire: Wire) -> None:
        self._wire = wire

    async def call(self, *parts: Part) -> Any:
        """See `Calls`."""
        answer = await self._wire.ask(packed(parts))
        if isinstance(answer, Refused | Unreachable):
            raise answer
        return answer

    def on_return(self, first: First) -> None:
        """Nothing: no other is made."""

    async def servers(self) -> Sequence[Calls]:
        """This alone."""
        return (self,)

    async def close(self) -> None:
        """Nothing: it is another's."""


def ask(wire: Wire, call: bytes, before: bytes = b"") -> asyncio.Future[Any]:
    """The answer to one packed call, with another one right before it."""
    if before:
        wire.ask(before)
    return wire.ask(call)


def packed(parts: tuple[Part, ...]) -> bytes:
    """A call as it is sent."""
    # The library's stub takes tuples of one part alone.
    call: bytes = pack_command(cast(Any, parts))
    return call


ASKING = packed(("ASKING",))


def _greetings(parts: dict[str, Any]) -> list[bytes]:
    """What a new connection says first, packed."""
    greetings: list[tuple[Part, ...]] = []
    user, password = parts.get("username"), parts.get("password")
    if password is not None:
        greetings.append(("AUTH", user, password) if user else ("AUTH", password))
    if database := parts.get("db"):
        greetings.append(("SELECT", int(database)))
    greetings.append(("CLIENT", "SETNAME", NAME))
    return [packed(greeting) for greeting in greetings]
