"""The HTTP face: a Litestar application over the table of operations.

Handlers take the request raw and give bytes; what they share is in `service.http.running`. Litestar
routes, and tells 404 and 405 where no operation is; calls of play have a shorter way
(`service.http.face`).
"""

from collections.abc import Mapping
from typing import Any
from urllib.parse import unquote

from litestar import Request, Response
from litestar.enums import HttpMethod, ScopeType
from litestar.handlers import HTTPRouteHandler
from litestar.response.base import ASGIResponse
from litestar.response.streaming import ASGIStreamingResponse
from litestar.types import Message, Scope

from service.http import problems as p
from service.http.answering import ALWAYS, answer
from service.http.call import Answer, Call, Documents
from service.http.deps import Deps
from service.http.docs.lost import for_browser
from service.http.docs.site import Site
from service.http.face import Face
from service.http.metrics import Metrics
from service.http.openapi import as_bytes, describe
from service.http.operation import Operation
from service.http.refusing import answer_to
from service.http.table import operations

TAKEN = "Accept, Authorization, Content-Type, Idempotency-Key, If-None-Match, Last-Event-ID"
METHODS = "DELETE, GET, HEAD, OPTIONS, PATCH, POST"

_PREFLIGHT = (
    (b"access-control-allow-methods", METHODS.encode()),
    (b"access-control-allow-headers", TAKEN.encode()),
    (b"access-control-max-age", b"86400"),
)

_Request = Request[Any, Any, Any]


def create_app(deps: Deps) -> Face:
    """The application on these parts; it neither opens nor closes any of them."""
    table = operations(deps.settings)
    document = describe(table)
    documents = Documents(openapi=as_bytes(document), site=Site(document))
    by_path: dict[str, dict[str, Operation]] = {}
    for operation in table:
        by_path.setdefault(_litestar_path(operation), {})[operation.method] = operation
    face = Face(
        route_handlers=[_route(path, here, deps, documents) for path, here in by_path.items()],
        exception_handlers={Exception: _refuse(deps.metrics)},
        before_send=[_finish],
        openapi_config=None,
        logging_config=None,
        request_max_body_size=None,
    )
    face.play(deps, documents, table)
    return face


def _litestar_path(operation: Operation) -> str:
    path = operation.path
    for parameter in operation.path_parameters:
        path = path.replace(f"{{{parameter.name}}}", f"{{{parameter.name}:str}}")
    return path


def _route(
    path: str, here: Mapping[str, Operation], deps: Deps, documents: Documents
) -> HTTPRouteHandler:
    """All methods of a path in one handler: of several Litestar would tell OPTIONS only the first.

    HEAD is GET without its body.
    """

    async def handle(request: _Request) -> ASGIResponse:
        method = request.scope["method"]
        head = method == "HEAD"
        operation = here["GET" if head else method]
        if unquote(request.scope["raw_path"].decode("latin-1")) != request.scope["path"]:
            # Litestar also takes a slash at the end, or two for one: a path has one form only.
            raise p.Refusal(p.NOT_FOUND)
        call = Call(deps, documents, operation, request.scope, request.receive)
        return await _sent(await answer(call), head=head)

    methods = [HttpMethod(method) for method in here]
    if "GET" in here:
        methods.append(HttpMethod.HEAD)
    return HTTPRouteHandler(path, http_method=methods, status_code=200)(handle)


async def _sent(answer: Answer, *, head: bool) -> ASGIResponse:
    """An answer as Litestar sends it. The first part of many is read before anything is sent."""
    headers = dict(answer.headers)
    if answer.body or answer.parts is not None:
        headers["content-type"] = answer.media  # Litestar would add a charset to any text
    rest: dict[str, Any] = {
        "status_code": answer.status,
        "headers": headers,
        "is_head_response": head,
    }
    if answer.parts is None or head:
        return ASGIResponse(body=b"" if head else answer.body, **rest)
    parts = answer.parts
    first = await anext(parts)

    async def all_of_them() -> Any:
        yield first
        async for part in parts:
            yield part

    return ASGIStreamingResponse(iterator=all_of_them(), **rest)


def _refuse(metrics: Metrics) -> Any:
    """Answers where no operation is: 404, 405, a broken Host; under /docs browsers get a page."""

    def refuse(request: _Request, error: Exception) -> Response[bytes]:
        answer = answer_to(error)
        if answer.status == 404 and request.scope["method"] in ("GET", "HEAD"):
            accept = request.headers.get("accept")
            answer = for_browser(request.scope["raw_path"], accept) or answer
        metrics.unmatched(answer.status)
        return Response(
            content=answer.body,
            status_code=answer.status,
            media_type=answer.media,
            headers={**answer.headers, "Cache-Control": "no-store"},
        )

    return refuse


async def _finish(message: Message, scope: Scope) -> None:
    """Headers of every answer: any origin may read it, without cookies."""
    if message["type"] == "http.response.start":
        headers = [*message["headers"], *ALWAYS]
        if scope["type"] == ScopeType.HTTP and scope["method"] == "OPTIONS":
            headers += _PREFLIGHT
        message["headers"] = headers
