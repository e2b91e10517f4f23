"""Litestar, with a short way for the calls of play.

Litestar takes as long to route a call, wrap it and unwrap its answer as all that we do for a board.
So what is plainly a call of play is answered before it: an operation marked `hot`, on a path of its
form without escapes. All else, and whatever looks unusual, goes Litestar's way to the same answer.
"""

import re
from collections.abc import Iterable
from functools import cache
from typing import Any

from litestar import Litestar
from litestar.types import HTTPScope, Receive, Send

from service.http.answering import ALWAYS, answer
from service.http.call import Answer, Call, Documents
from service.http.deps import Deps
from service.http.operation import Operation

_FORM = "/v1/meetings/{meeting}/"
_PATH = re.compile(rb"/v1/meetings/([0-9A-Za-z]+)/([a-z]+)")
_HOST = re.compile(rb"[0-9A-Za-z.-]+(?::[0-9]+)?")

Ways = dict[tuple[str, bytes], Operation]
"""Calls of play, by method and the last part of the path."""


def ways_of(table: Iterable[Operation]) -> Ways:
    """The calls that have the short way."""
    return {
        (operation.method, operation.path.removeprefix(_FORM).encode()): operation
        for operation in table
        if operation.hot and operation.path.startswith(_FORM)
    }


class Face(Litestar):
    """The application; `play` gives it the calls of play."""

    __slots__ = ("_deps", "_documents", "_ways")

    def play(self, deps: Deps, documents: Documents, table: Iterable[Operation]) -> None:
        """Take the short way for calls of this table that have it."""
        self._deps = deps
        self._documents = documents
        self._ways = ways_of(table)

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """See ASGI."""
        call = self._call(scope, receive) if scope["type"] == "http" else None
        if call is None:
            await super().__call__(scope, receive, send)
        else:
            await _send(await answer(call), send)

    def _call(self, scope: HTTPScope, receive: Receive) -> Call | None:
        """The call of play that a request is, if it plainly is one."""
        found = _PATH.fullmatch(scope["raw_path"])
        if found is None or scope["root_path"]:
            return None
        meeting, word = found.groups()
        operation = self._ways.get((scope["method"], word))
        if operation is None:
            return None
        for name, value in scope["headers"]:
            if name == b"host" and not _HOST.fullmatch(value):
                return None
        scope["path_params"] = {"meeting": meeting.decode()}
        return Call(self._deps, self._documents, operation, scope, receive)


async def _send(found: Answer, send: Send) -> None:
    """An answer to GET or POST, as Litestar would send it."""
    headers = [(_raw(name), text.encode("latin-1")) for name, text in found.headers.items()]
    body = found.body
    if body:
        headers.append((b"content-type", found.media.encode()))
    if body or found.status not in (204, 304):
        headers.append((b"content-length", b"%d" % len(body)))
    headers += ALWAYS
    await send({"type": "http.response.start", "status": found.status, "headers": headers})
    await send({"type": "http.response.body", "body": body, "more_body": False})


@cache
def _raw(name: str) -> bytes:
    """The name of a header of ours as it is sent."""
    return name.lower().encode()
