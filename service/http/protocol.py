"""uvicorn's HTTP as we have it: an answer leaves in one piece, and what can't be read as HTTP is
refused as everything else is, by a problem document.
"""

import asyncio
from typing import Any, cast

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from service.http import problems as p
from service.http.answering import ALWAYS
from service.http.joining import Joined

_BODY = p.document(p.MALFORMED, "This can't be read as a request of HTTP.")
_HEADERS = (
    *ALWAYS,
    (b"cache-control", b"no-store"),
    (b"content-type", p.MEDIA.encode()),
    (b"content-length", b"%d" % len(_BODY)),
    (b"connection", b"close"),
)
_ANSWER = b"HTTP/1.1 400 Bad Request\r\n%s\r\n%s" % (
    b"".join(b"%s: %s\r\n" % header for header in _HEADERS),
    _BODY,
)


class Protocol(HttpToolsProtocol):
    """uvicorn's reading of HTTP by httptools; its own refusal would be plain text."""

    def connection_made(  # type: ignore[override] # as the class above has it
        self, transport: asyncio.Transport
    ) -> None:
        """See asyncio.Protocol."""
        super().connection_made(cast(Any, Joined(transport, self.loop)))

    def send_400_response(self, msg: str) -> None:
        """Refuse and hang up: where the next request would begin is not known."""
        self.transport.write(_ANSWER)
        self.transport.close()
