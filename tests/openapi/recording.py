"""The examples of the document: calls of the true app, recorded; nothing is written by hand.

`python -m tests.openapi.recording` records them anew into openapi/examples. The app runs in memory,
on a clock and a source of chance of its own, so that recording again gives the same bytes.
"""

import asyncio
import json
import re
from collections.abc import Iterable
from contextlib import AsyncExitStack
from datetime import UTC, datetime, timedelta
from hashlib import shake_256
from pathlib import Path
from typing import Any

import httpx
import msgspec

from service import bootstrap
from service.handling import Meetings
from service.http.app import create_app
from service.http.deps import Deps
from service.http.examples import CALLS, PROBLEMS
from service.http.openapi import document
from service.lists import Leaderboards, Lobby
from service.memory.event_log import MemoryEventLog
from service.memory.players import MemoryPlayerStore
from service.memory.views import MemoryViews
from service.players import Players
from service.projecting import Projector
from tests.kit.answers import check_answer
from tests.kit.memory_face import memory_deps

ADMIN = "the-admin-token-of-the-examples"
BEGIN = datetime(2030, 1, 5, 14, 0, tzinfo=UTC)
TICK = timedelta(milliseconds=250)
PATHS = [
    (re.compile(re.sub(r"\{\w+\}", "[^/]+", path)), path, methods)
    for path, methods in document()["paths"].items()
]


class Source:
    """Time that goes on by a quarter of a second at every look, and bytes that follow from it all.

    Args:
        name: what the bytes hang on.
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self._looks = 0
        self._asked = 0

    def now(self) -> str:
        """The time as events carry it."""
        at = self.time().isoformat(timespec="milliseconds")
        return at.replace("+00:00", "Z")

    def time(self) -> datetime:
        """The time."""
        self._looks += 1
        return BEGIN + self._looks * TICK

    def seconds(self) -> float:
        """The time in seconds since 1970."""
        return self.time().timestamp()

    def entropy(self, count: int) -> bytes:
        """So many bytes."""
        self._asked += 1
        return shake_256(f"{self._name} {self._asked}".encode()).digest(count)


class Shop:
    """An app with all that it stands on, for one run of calls.

    Args:
        name: of its source.
        log: the event log.
        probes: what /health/ready looks at beside the views.
        settings: other than the defaults.
    """

    def __init__(
        self,
        name: str,
        log: MemoryEventLog | None = None,
        probes: dict[str, Any] | None = None,
        **settings: Any,
    ) -> None:
        self.source = Source(name)
        self.log = log or MemoryEventLog()
        views = MemoryViews(self.log.partitions)
        lists = Lobby(self.log, views), Leaderboards(self.log, views)
        plain = memory_deps(**settings)
        self.deps: Deps = msgspec.structs.replace(
            plain,
            meetings=Meetings(self.log, self.source.now, self.source.entropy),
            players=Players(MemoryPlayerStore(), self.source.seconds, self.source.entropy),
            lobby=lists[0],
            leaderboards=lists[1],
            readers=lists,
            probes=probes or {},
        )
        self.projector = Projector(self.log, views, bootstrap.projections())
        self.transport = httpx.ASGITransport(app=create_app(self.deps))


class Recorder:
    """Calls of apps, and what is kept of them."""

    def __init__(self) -> None:
        self.calls: dict[str, dict[str, Any]] = {}
        self.problems: dict[str, Any] = {}

    async def call(
        self,
        client: httpx.AsyncClient,
        method: str,
        path: str,
        body: Any = None,
        *,
        keep: str | None = None,
        summary: str = "",
        cut: Any = None,
        **rest: Any,
    ) -> httpx.Response:
        """Call the app.

        Args:
            body: JSON, if there is one.
            keep: the name of the example that it is, if it is one; a refusal is kept by its code.
            summary: what the example shows.
            cut: answer -> the part of it that is kept; None keeps nothing of it.
            rest: as httpx has it.
        """
        if body is not None:
            rest["json"] = body
        answer = await client.request(method, path, **rest)
        check_answer(answer)
        assert keep is None or answer.status_code < 400, answer.text
        if answer.status_code >= 400:
            problem = answer.json()
            told = {"call": f"{method} {path}", **({} if body is None else {"body": body})}
            self.problems.setdefault(problem["code"], {**told, "answer": problem})
        elif keep is not None:
            self._keep(answer, keep, summary, body, cut or (lambda whole: whole))
        return answer

    def _keep(self, answer: httpx.Response, name: str, summary: str, body: Any, cut: Any) -> None:
        request = answer.request
        kept = {
            "summary": summary,
            "call": f"{request.method} {request.url.raw_path.decode()}",
            **({} if body is None else {"body": body}),
            "status": answer.status_code,
        }
        if answer.content:
            media = answer.headers["content-type"].partition(";")[0]
            part = cut(answer.json() if media == "application/json" else answer.text)
            kept["media"] = media
            if part is not None:
                kept["answer"] = part
        operation = operation_of(request.method, request.url.path)
        self.calls.setdefault(operation, {}).setdefault(name, kept)


def operation_of(method: str, path: str) -> str:
    """The operationId of a call; a path without parameters goes before one with."""
    rows = [(form, methods) for at, form, methods in PATHS if at.fullmatch(path)]
    _, methods = min(rows, key=lambda row: "{" in row[0])
    operation: str = methods[method.lower()]["operationId"]
    return operation


class People:
    """Callers of one shop, by name."""

    def __init__(self, shop: Shop, stack: AsyncExitStack) -> None:
        self._shop = shop
        self._stack = stack
        self.ids: dict[str, str] = {}

    async def caller(self, token: str | None) -> httpx.AsyncClient:
        """A caller with this token."""
        headers = {} if token is None else {"Authorization": f"Bearer {token}"}
        client = httpx.AsyncClient(
            transport=self._shop.transport, base_url="http://127.0.0.1:8080", headers=headers
        )
        return await self._stack.enter_async_context(client)

    async def person(self, name: str) -> httpx.AsyncClient:
        """A new player."""
        player, token = await self._shop.deps.players.create(name)
        self.ids[name] = player.id
        return await self.caller(token)

    async def admin(self) -> httpx.AsyncClient:
        """The player `admin`."""
        await self._shop.deps.players.configure_admin(ADMIN, make_only=False)
        return await self.caller(ADMIN)


def as_bytes(value: Any) -> bytes:
    """A file of examples."""
    return json.dumps(value, indent=1, ensure_ascii=False).encode() + b"\n"


async def record() -> dict[Path, bytes]:
    """All files of examples."""
    from tests.openapi import scenes  # which needs what stands here

    recorder = Recorder()
    for scene in scenes.SCENES:
        async with AsyncExitStack() as stack:
            await scene(recorder, stack)
    files = {CALLS / f"{name}.json": as_bytes(kept) for name, kept in recorder.calls.items()}
    return {**files, PROBLEMS: as_bytes(dict(sorted(recorder.problems.items())))}


def write(files: dict[Path, bytes], old: Iterable[Path]) -> None:
    """Write these files, and remove those of old that are none of them."""
    for path in old:
        if path not in files:
            path.unlink()
    for path, content in files.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


if __name__ == "__main__":
    made = asyncio.run(record())
    write(made, CALLS.glob("*.json"))
    print(f"{len(made)} files, {sum(map(len, made.values())) // 1024} KiB")
