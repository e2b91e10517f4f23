"""Answers leave in one piece: head and body as one write, one packet, one system call.

uvicorn writes the head of an answer and then its body, and each write goes to the system at once.
"""

import asyncio
from typing import Any


class Joined:
    """A transport that holds back the first thing written until the next, or the next turn of the
    event loop: where no body follows at once (a stream's may be long in coming) nobody waits.

    Args:
        transport: the connection's own; what is not written is as it does it.
        loop: its event loop.
    """

    def __init__(self, transport: asyncio.Transport, loop: asyncio.AbstractEventLoop) -> None:
        self._transport = transport
        self._loop = loop
        self._held = b""
        self.is_closing = transport.is_closing
        self.get_extra_info = transport.get_extra_info

    def __getattr__(self, name: str) -> Any:
        return getattr(self._transport, name)

    def write(self, data: bytes) -> None:
        """See asyncio.Transport."""
        if self._held:
            data, self._held = self._held + data, b""
            self._transport.write(data)
        else:
            self._held = data
            self._loop.call_soon(self._flush)

    def close(self) -> None:
        """See asyncio.Transport: what was written is still sent."""
        self._flush()
        self._transport.close()

    def _flush(self) -> None:
        if self._held:
            data, self._held = self._held, b""
            self._transport.write(data)
