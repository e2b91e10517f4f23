"""The short way of calls of play gives the answers of Litestar's way."""

import re
from typing import Any

import httpx
import pytest

from service.http.app import create_app
from service.http.face import Face, ways_of
from service.http.table import operations
from service.settings import Settings
from tests.kit.memory_face import memory_deps

RATE = {"ratelimit", "content-length"}
"""Headers whose value hangs on when the call comes; the length of a body is seen by itself."""


class Both:
    """An app asked by both ways."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.monkeypatch = monkeypatch
        self.app = create_app(memory_deps())
        self.taken: list[bool] = []
        way = Face._call

        def noted(face: Face, scope: Any, receive: Any) -> Any:
            call = way(face, scope, receive)
            self.taken.append(call is not None)
            return call

        monkeypatch.setattr(Face, "_call", noted)
        transport = httpx.ASGITransport(app=self.app)
        self.client = httpx.AsyncClient(transport=transport, base_url="http://t")

    async def ask(self, method: str, path: str, **rest: Any) -> httpx.Response:
        """The answer by the short way where it has one; Litestar's must be the same."""
        short = await self.client.request(method, path, **rest)
        with self.monkeypatch.context() as patch:
            patch.setattr(Face, "_call", lambda *_: None)
            long = await self.client.request(method, path, **rest)
        assert short.status_code == long.status_code
        assert shown(short) == shown(long)
        assert short.content == long.content
        return short


def shown(answer: httpx.Response) -> dict[str, str]:
    """The headers that must be the same."""
    return {name: value for name, value in answer.headers.items() if name not in RATE}


@pytest.fixture
def both(monkeypatch: pytest.MonkeyPatch) -> Both:
    return Both(monkeypatch)


def test_all_calls_of_play_have_it() -> None:
    table = operations(Settings())
    assert len(ways_of(table)) == sum(operation.hot for operation in table)


async def test_answers_and_refusals_are_those_of_litestars_way(both: Both) -> None:
    made = (await both.client.post("/v1/players", json={"name": "Ann"})).json()
    who = {"Authorization": f"Bearer {made['token']}"}
    wish = {"game": "change-horses", "seats": 2}
    opened = await both.client.post("/v1/meetings", json=wish, headers=who)
    path = f"/v1/meetings/{opened.json()['id']}"
    await both.client.post(f"{path}/seats", headers=who)
    both.taken.clear()
    board = await both.ask("GET", f"{path}/board", headers=who)
    assert board.status_code == 200
    cached = {**who, "If-None-Match": board.headers["etag"]}
    assert (await both.ask("GET", f"{path}/board", headers=cached)).status_code == 304
    for method, end, rest, status in (
        ("GET", "actions", {"headers": who}, 200),
        ("GET", "actions", {}, 401),
        ("GET", "events?limit=2", {"headers": who}, 200),
        ("GET", "events?limit=none", {"headers": who}, 400),
        ("POST", "commands", {"headers": who, "json": {"type": "no.such"}}, 400),
        ("POST", "commands", {"headers": who, "content": b"{"}, 415),
    ):
        answer = await both.ask(method, f"{path}/{end}", **rest)
        assert answer.status_code == status, answer.text
        assert re.fullmatch(r"application/(problem\+)?json", answer.headers["content-type"])
    assert (await both.ask("GET", "/v1/meetings/m0/board")).status_code == 404
    assert all(both.taken)


@pytest.mark.parametrize(
    ("path", "host"),
    [
        ("/v1/meetings/m%30/board", "t"),
        ("/v1/meetings/m0/board/", "t"),
        ("/v1/meetings//m0/board", "t"),
        ("/v1/meetings/m0/board", "no host!"),
    ],
)
async def test_what_looks_unusual_goes_litestars_way(both: Both, path: str, host: str) -> None:
    await both.ask("GET", path, headers={"Host": host})
    assert both.taken == [False]


@pytest.mark.parametrize("method", ["HEAD", "OPTIONS", "DELETE"])
async def test_other_methods_go_litestars_way(both: Both, method: str) -> None:
    await both.ask(method, "/v1/meetings/m0/board")
    assert both.taken == [False]
