"""What can't be read as HTTP at all is refused as everything else is: by a problem document."""

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from service.http import problems as p
from service.http.answering import ALWAYS

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

    def send_400_response(self, msg: str) -> None:
        """Refuse and hang up: where the next request would begin is not known."""
        self.transport.write(_ANSWER)
        self.transport.close()
