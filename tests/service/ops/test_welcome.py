"""What `homestretch up` says until the server is ready."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest

from service import welcome
from service.http import problems
from service.settings import Settings
from service.supervisor import Supervisor

OK = {"ok": True, "state": "ok"}


@asynccontextmanager
async def answering(answers: list[dict[str, Any] | None]) -> AsyncIterator[int]:
    """The port of a server that tells one after the other how its parts are; None: nothing."""

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        if (parts := answers.pop(0)) is not None:
            ready = all(part["ok"] for part in parts.values())
            writer.write(_ready(parts) if ready else _not_ready(parts))
            await writer.drain()
        writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1")
    async with server:
        yield server.sockets[0].getsockname()[1]


def _ready(parts: dict[str, Any]) -> bytes:
    body = msgspec.json.encode({"status": "ready", "parts": parts})
    return _answer("200 OK", "application/json", body)


def _not_ready(parts: dict[str, Any]) -> bytes:
    body = problems.document(problems.NOT_READY, extra={"parts": parts})
    return _answer("503 Service Unavailable\r\nretry-after: 2", problems.MEDIA, body)


def _answer(status: str, media: str, body: bytes) -> bytes:
    head = f"HTTP/1.1 {status}\r\ncontent-type: {media}\r\ncontent-length: {len(body)}\r\n"
    return f"{head}connection: close\r\n\r\n".encode() + body


async def said(
    answers: list[dict[str, Any] | None], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> list[str]:
    """Its lines between the start and the welcome, where each look is told."""
    monkeypatch.setattr(welcome, "TELL_SECONDS", 0.0)
    lines: list[str] = []
    supervisor = Supervisor([], env={}, say=lambda _, line: lines.append(line), grace_seconds=1)
    async with answering(answers) as port:
        settings = Settings(data=folder)
        await welcome.welcome(settings, port, supervisor, lambda _, line: lines.append(line))
    assert lines[0] == f"starting on http://127.0.0.1:{port}"
    return lines[1 : lines.index("homestretch is ready.") - 1]


async def test_a_start_that_takes_its_time_is_not_told_as_a_fault(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = await said([None, {"event_log": OK}], tmp_path, monkeypatch)
    assert told == ["still starting: waiting for the API"]


async def test_what_is_not_ready_is_named_with_its_state(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    queue = {"ok": False, "reason": "no reactor"}
    view = {"ok": False, "state": "building"}
    answers = [{"event_log": OK, "queue": queue, "lobby": view}, {"event_log": OK}]
    told = await said([*answers], tmp_path, monkeypatch)
    assert told == ["not ready yet: queue (no reactor), lobby (building)"]


async def test_a_log_that_is_unfit_leads_to_the_runbook(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    unfit = {"ok": False, "state": "unfit"}
    (told,) = await said([{"event_log": unfit}, {"event_log": OK}], tmp_path, monkeypatch)
    assert told.startswith("not ready yet: event_log (unfit): ")
    assert told.endswith("the runbook (deploy/runbook.md), under Restore")
