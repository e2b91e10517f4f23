"""One call on its way: what was read of it, and the answer it gets."""

from collections.abc import AsyncIterator, Mapping, Sequence
from typing import Any

import msgspec
from litestar.types import Receive, Scope

from service.handling import Key
from service.http.deps import Deps
from service.http.docs.site import Site
from service.http.operation import Operation
from service.http.params import MEETING_ID
from service.http.problems import UNAUTHORIZED, Refusal
from service.keeping import Kept
from service.limits import Policy, Verdict
from service.players import Login, Player

_encode = msgspec.json.Encoder(order="deterministic").encode
# Maps are sorted: a process that decided an event and one that read it answer the same bytes.


class Answer(msgspec.Struct, kw_only=True):
    """A status, headers, and a body: bytes, or parts that come one after the other."""

    status: int = 200
    body: bytes = b""
    media: str = "application/json"
    headers: dict[str, str] = msgspec.field(default_factory=dict)
    parts: AsyncIterator[bytes] | None = None


def as_json(value: Any, status: int = 200, headers: Mapping[str, str] | None = None) -> Answer:
    """An answer whose body is this value (Structs, dicts) as JSON; its headers are its own."""
    return Answer(status=status, body=_encode(value), headers=dict(headers or {}))


class Listed(msgspec.Struct, frozen=True, kw_only=True):
    """A page of a list; `next_cursor` is null at the end."""

    items: Sequence[Any]
    next_cursor: str | None


def page(items: Sequence[Any], next_cursor: str | None = None) -> Answer:
    """A page of a list."""
    return as_json(Listed(items=items, next_cursor=next_cursor))


class Documents(msgspec.Struct, frozen=True, kw_only=True):
    """The OpenAPI document as JSON, and the pages for people."""

    openapi: bytes
    site: Site


class Call:
    """What is known of a call; the steps of `service.http.running` fill it in order.

    Args:
        deps: the core and the stores.
        documents: what the server tells of itself.
        operation: what is called.
        scope: of ASGI.
        receive: of ASGI; the body comes out of it.
    """

    __slots__ = (
        "deps",
        "documents",
        "headers",
        "input",
        "kept",
        "key",
        "login",
        "operation",
        "player",
        "query",
        "receive",
        "scope",
        "verdict",
    )

    def __init__(
        self,
        deps: Deps,
        documents: Documents,
        operation: Operation,
        scope: Scope,
        receive: Receive,
    ) -> None:
        self.deps = deps
        self.documents = documents
        self.operation = operation
        self.scope = scope
        self.receive = receive
        self.headers = headers_of(scope)
        self.login: Login | None = None
        self.verdict: tuple[Policy, Verdict] | None = None
        self.kept: Kept | None = None
        self.player: Player | None = None
        self.input: Any = None
        self.query: Mapping[str, Any] = {}
        self.key: Key | None = None

    def path(self, name: str) -> str:
        """A part of the path, as text."""
        part: str = self.scope["path_params"][name]
        return part

    @property
    def caller(self) -> Player:
        """Who calls.

        Raises:
            Refusal: nobody we know (401).
        """
        if self.login is None:
            raise Refusal(UNAUTHORIZED, headers={"WWW-Authenticate": "Bearer"})
        return self.login.player

    @property
    def caller_id(self) -> str | None:
        """The id of who calls, if anybody."""
        return None if self.login is None else self.login.player.id

    def about(self) -> dict[str, Any]:
        """What lines of the log are about meanwhile; see `service.logs.bound`."""
        named = self.scope["path_params"].get("meeting", "")
        return {
            # What is no id may be a secret gone astray.
            "meeting": named if MEETING_ID.fullmatch(named) else None,
            "player": self.caller_id,
            "command_id": None if self.key is None else self.key.command_id,
        }

    def caller_has(self, role: str) -> bool:
        """Whether somebody calls who has this role."""
        return self.login is not None and self.login.player.has(role)

    @property
    def meeting(self) -> Kept:
        """The meeting that the path names, found by the operation's `subject`."""
        assert self.kept is not None, "the operation has no meeting for a subject"
        return self.kept


def headers_of(scope: Scope) -> dict[str, str]:
    """The headers of a request by lower-case name; one that comes twice is joined by commas."""
    headers: dict[str, str] = {}
    for raw_name, raw_value in scope["headers"]:
        name, value = raw_name.decode("latin-1").lower(), raw_value.decode("latin-1")
        headers[name] = f"{headers[name]}, {value}" if name in headers else value
    return headers
