"""The OpenAPI 3.1 document, written from the table of operations and the types they take and give.

Bodies are closed, answers open. Nothing here is kept by hand beside the code: paths, parameters,
forms and refusals are those that the app runs on.
"""

import json
from collections.abc import Iterable
from typing import Any

from domain.kernel.rejection import Reason
from domain.racing.events import SHARED_EVENTS
from domain.registry import GAMES
from service.http import problems as p
from service.http.components import Components
from service.http.examples import add_examples
from service.http.finishing import finish
from service.http.leading import add_links
from service.http.operation import Form, Operation, Parameter
from service.http.schemas import stored_events
from service.http.table import operations
from service.settings import Settings

Schema = dict[str, Any]
VERSION = "1.0"
TOKEN = "token"
RATE_HEADERS = ("RateLimit", "RateLimit-Policy")

TAGS = {
    "players": "Who plays: names, roles, tokens.",
    "catalogue": "What can be played, in a form that a client can read.",
    "meetings": "One table over its programme of races.",
    "lists": "Lobby, history, leaderboards.",
    "seats": "Who sits where.",
    "play": "Commands.",
    "views": "Board, actions, events, log: what the caller may see.",
    "operations": "Health, metrics, limits, error codes, documents.",
}


def document(settings: Settings | None = None) -> Schema:
    """The document of a server with these settings (the defaults)."""
    return describe(operations(settings or Settings()))


def events_document() -> Schema:
    """openapi/events.json: JSON Schema of every event of every game as stored."""
    return stored_events(GAMES, SHARED_EVENTS)


def as_bytes(value: Schema) -> bytes:
    """A document as it is committed and served."""
    return json.dumps(value, indent=1, ensure_ascii=False).encode() + b"\n"


def describe(table: Iterable[Operation]) -> Schema:
    """The document of these operations."""
    table = tuple(table)
    components = Components(table)
    paths: dict[str, Schema] = {}
    for operation in table:
        described = _operation(operation, components)
        paths.setdefault(operation.path, {})[operation.method.lower()] = described
    add_links(paths, table)
    whole: Schema = {
        "openapi": "3.1.0",
        "info": {
            "title": "Homestretch",
            "version": VERSION,
            "description": "A game server for horse-race board games: event-sourced, open over "
            "HTTP, provably fair. Within /v1 answers may gain fields, enums and event types; "
            "clients ignore what they don't know.",
        },
        "servers": [{"url": "/"}],
        "tags": [{"name": name, "description": words} for name, words in TAGS.items()],
        "paths": paths,
        "components": {
            "schemas": components.schemas,
            "headers": _headers(),
            "securitySchemes": {TOKEN: {"type": "http", "scheme": "bearer"}},
        },
    }
    finish(whole)
    add_examples(whole)
    return whole


def _headers() -> Schema:
    text = {"type": "string"}
    return {
        "RateLimit": {"description": "What the caller's bucket still has.", "schema": text},
        "RateLimit-Policy": {"description": "Size and time of that bucket.", "schema": text},
    }


def _operation(operation: Operation, components: Components) -> Schema:
    form: Schema = {
        "operationId": operation.id,
        "tags": [operation.tag],
        "summary": operation.summary,
        "security": {"none": [], "optional": [{}, {TOKEN: []}], "required": [{TOKEN: []}]}[
            operation.token
        ],
        "parameters": _parameters(operation),
        "responses": _responses(operation, components),
    }
    if operation.meaning:
        form["description"] = operation.meaning
    if operation.bodies:
        form["requestBody"] = {
            "required": operation.body_needed,
            "content": {"application/json": {"schema": components.body(operation)}},
        }
    return form


def _parameters(operation: Operation) -> list[Schema]:
    found = [_parameter(parameter, "path") for parameter in operation.path_parameters]
    found += [_parameter(parameter, "query") for parameter in operation.query]
    names = [*operation.headers, *(("Idempotency-Key",) if operation.keyed else ())]
    return [*found, *(_HEADERS_IN[name] for name in names)]


def _parameter(parameter: Parameter, where: str) -> Schema:
    return {
        "name": parameter.name,
        "in": where,
        "required": where == "path",
        "description": parameter.meaning,
        "schema": parameter.schema,
    }


_HEADERS_IN: dict[str, Schema] = {
    "If-None-Match": {
        "name": "If-None-Match",
        "in": "header",
        "required": False,
        "description": "ETags that the caller has; 304 where one is current.",
        "schema": {"type": "string"},
    },
    "Idempotency-Key": {
        "name": "Idempotency-Key",
        "in": "header",
        "required": False,
        "description": "The same key and body from the same player on the same path is done once "
        "only; a repetition gets the first answer.",
        "schema": {"type": "string", "minLength": 1, "maxLength": 255, "pattern": "^[!-~]+$"},
    },
}


def _responses(operation: Operation, components: Components) -> Schema:
    responses = {
        str(status): _answer(operation, status, form, components)
        for status, form in operation.answers.items()
    }
    by_status: dict[int, list[str]] = {}
    for reason in refusals(operation):
        by_status.setdefault(reason.status, []).append(reason.code)
    for status, codes in sorted(by_status.items()):
        responses[str(status)] = _refused(operation, status, list(dict.fromkeys(codes)))
    return responses


def refusals(operation: Operation) -> list[Reason]:
    """Everything that an operation may refuse with."""
    found: list[Reason] = [p.MALFORMED, p.INTERNAL, *operation.refusals]
    if operation.token != "none":
        found += (p.UNAUTHORIZED, p.LOG_UNAVAILABLE, p.LOG_DIVERGED, p.NEWER_RELEASE)
    if operation.bodies:
        found += (p.BODY_TOO_LARGE, p.UNSUPPORTED_MEDIA_TYPE)
    if operation.keyed:
        found.append(p.KEY_REUSED)
    if operation.rate is not None:
        found.append(p.RATE_LIMITED)
    if operation.play:
        found += [reason for game in GAMES for reason in p.play_reasons(game)]
    return found


def _answer(operation: Operation, status: int, form: Form | None, components: Components) -> Schema:
    answer: Schema = {"description": _WORDS[status]}
    if form is not None:
        schema = components.answer(form)
        answer["content"] = {media: {"schema": schema} for media in form.media}
        answer["content"] |= {media: {"schema": {"type": "string"}} for media in form.text}
    told = operation.answer_headers.get(status, {})
    headers = {name: _header(words) for name, words in told.items()}
    if operation.rate is not None:
        headers |= {name: {"$ref": f"#/components/headers/{name}"} for name in RATE_HEADERS}
    if headers:
        answer["headers"] = headers
    return answer


_WORDS = {
    200: "Done.",
    201: "Made.",
    204: "Done; there is nothing to tell.",
    304: "The caller has the current one.",
}


def _refused(operation: Operation, status: int, codes: list[str]) -> Schema:
    answer: Schema = {
        "description": "One of: " + ", ".join(f"`{code}`" for code in codes) + ".",
        "x-codes": codes,
        "content": {p.MEDIA: {"schema": {"$ref": "#/components/schemas/Problem"}}},
    }
    headers: Schema = {}
    if status == 401:
        headers["WWW-Authenticate"] = _header("The scheme of tokens.")
    if status in (429, 503):
        headers["Retry-After"] = _header("Seconds to wait.")
    if operation.rate is not None:
        headers |= {name: {"$ref": f"#/components/headers/{name}"} for name in RATE_HEADERS}
    if headers:
        answer["headers"] = headers
    return answer


def _header(words: str) -> Schema:
    return {"description": words, "required": True, "schema": {"type": "string"}}
