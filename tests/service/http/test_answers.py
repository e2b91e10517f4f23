"""What the test kit takes for an answer that the document declares, and what it does not."""

import contextlib
import json
from pathlib import Path
from typing import Any

import httpx
import pytest

from service.http import problems as p
from service.http.app import create_app
from tests.kit.answers import (
    FAULTS,
    FOREIGN,
    Checked,
    Faults,
    Undeclared,
    check_answer,
    declared,
)
from tests.kit.memory_face import memory_deps

JSON = {"content-type": "application/json"}
PROBLEM = {"content-type": "application/problem+json"}
EMPTY = b'{"items":[],"next_cursor":null}'
BOARD = "/v1/meetings/m0123456789abcdef/board"


def told(reason: Any = p.MALFORMED, **other: Any) -> bytes:
    return json.dumps({**json.loads(p.document(reason)), **other}).encode()


@pytest.mark.parametrize(
    ("method", "path", "status", "headers", "body", "fault"),
    [
        ("GET", "/v1/meetings", 200, JSON, EMPTY, None),
        ("HEAD", "/v1/meetings", 200, JSON, b"", None),
        ("GET", "/v1/meetings", 400, PROBLEM, told(), None),
        ("GET", "/nowhere", 404, PROBLEM, told(p.NOT_FOUND), None),
        ("GET", "/v1/meetings", 202, JSON, EMPTY, "only 200, 400"),
        ("GET", "/v1/meetings", 200, PROBLEM, EMPTY, "'application/problem\\+json' is not"),
        ("GET", "/v1/meetings", 200, JSON, b'{"items":[]}', "next_cursor"),
        ("GET", "/v1/meetings", 200, JSON, b"{", "no JSON"),
        ("GET", "/v1/meetings", 200, {**JSON, "etag": '"1"'}, EMPTY, "etag is not declared"),
        ("GET", BOARD, 304, {}, b"", "there is no ETag"),
        ("GET", BOARD, 304, {"etag": '"1"'}, b"{}", "there is a body"),
        ("GET", "/v1/meetings", 400, PROBLEM, told(p.NOT_HOST), "not_host is not declared"),
        ("GET", "/v1/meetings", 400, PROBLEM, told(status=422), "status and type"),
        ("GET", "/v1/meetings", 400, PROBLEM, told(title=None), "title"),
        ("GET", "/v1/meetings", 401, PROBLEM, told(p.UNAUTHORIZED), "no WWW-Authenticate"),
        ("GET", "/nowhere", 200, JSON, b"{}", "404 is due"),
        ("PUT", "/v1/games", 404, PROBLEM, told(p.NOT_FOUND), "405 is due"),
        ("GET", "/nowhere", 404, {"content-type": "text/html"}, b"gone", "problem document"),
        ("OPTIONS", "/v1/games", 200, {}, b"", "OPTIONS"),
    ],
)
def test_an_answer_is_held_against_the_document(
    method: str, path: str, status: int, headers: dict[str, str], body: bytes, fault: str | None
) -> None:
    if fault is None:
        declared().check(method, path, status, headers, body)
        return
    with pytest.raises(Undeclared, match=fault):
        declared().check(method, path, status, headers, body)


def test_of_a_stream_all_but_the_body_is_checked() -> None:
    declared().check("GET", "/v1/meetings", 200, JSON, None)
    request = httpx.Request("GET", "http://t/v1/meetings")
    stream = httpx.Response(202, stream=httpx.ByteStream(b"never read"), request=request)
    with pytest.raises(Undeclared):
        check_answer(stream)
    assert not stream.is_closed


async def test_every_client_of_the_tests_is_watched() -> None:
    async def undeclared(_scope: Any, _receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 202, "headers": []})
        await send({"type": "http.response.body", "body": b""})

    transport = httpx.ASGITransport(app=undeclared)
    async with httpx.AsyncClient(transport=transport, base_url="http://t") as client:
        with pytest.raises(Undeclared):
            await client.get("/v1/games")


async def test_servers_of_the_tests_write_down_what_they_should_not_have_answered(
    tmp_path: Path,
) -> None:
    faults = Faults(tmp_path)

    async def ask(app: Any, path: str) -> str:
        transport = httpx.ASGITransport(app=Checked(app, tmp_path / FAULTS))
        async with httpx.AsyncClient(transport=transport, base_url="http://t") as client:
            with contextlib.suppress(ZeroDivisionError, AssertionError):
                await client.get(path, extensions=FOREIGN)
        return faults.fresh()

    async def undeclared(_scope: Any, _receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"hm", "more_body": True})
        await send({"type": "http.response.body", "body": b"m"})

    async def broken(_scope: Any, _receive: Any, _send: Any) -> None:
        raise ZeroDivisionError

    async def silent(_scope: Any, _receive: Any, _send: Any) -> None:
        pass

    assert await ask(create_app(memory_deps()), "/health/live") == ""
    assert await ask(undeclared, "/health/live") == (
        "GET /health/live -> 200: '' is not declared\nhmm\n"
    )
    assert await ask(broken, "/v1/games") == "GET /v1/games -> ZeroDivisionError()\n"
    assert await ask(silent, "/v1/games") == "GET /v1/games -> no answer\n"
    assert await ask(create_app(memory_deps()), "/health/live") == ""
