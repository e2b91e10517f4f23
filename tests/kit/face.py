"""The HTTP face in tests: real API processes on a real Redis, called over real HTTP.

Every answer is held against the OpenAPI document, so no test can get one that it does not declare.
"""

import json
import re
import socket
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

import httpx
from jsonschema import Draft202012Validator
from referencing import Registry, Resource
from referencing.jsonschema import DRAFT202012

from service.http.openapi import document

START_SECONDS = 30.0
ADMIN = "the-admin-token-of-these-tests"


class Api:
    """One API process, on a unix socket.

    Args:
        redis_url: where the log is.
        data: its data folder.
        settings: further settings, by field.
        projects: whether it keeps the views up to date.
    """

    def __init__(
        self, redis_url: str, data: Path, *, projects: bool = False, **settings: Any
    ) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="homestretch-api-")
        self.socket = Path(self._folder.name) / "api.sock"
        self.log = data / f"{self.socket.parent.name}.log"
        data.mkdir(parents=True, exist_ok=True)
        told = {
            "redis_url": redis_url,
            "data": str(data),
            "socket": str(self.socket),
            "projects": projects,
            "admin_token": ADMIN,
            "rate_limit": False,
            **settings,
        }
        with self.log.open("wb") as out:
            self._child = subprocess.Popen(
                [sys.executable, "-m", "tests.kit.api_process", json.dumps(told)],
                stdout=out,
                stderr=out,
                cwd=Path(__file__).parents[2],
            )
        self._clients: list[Client] = []
        self._await_answer()

    def _await_answer(self) -> None:
        until = time.monotonic() + START_SECONDS
        while time.monotonic() < until and self._child.poll() is None:
            with socket.socket(socket.AF_UNIX) as probe, suppress(OSError):
                probe.connect(str(self.socket))
                return
            time.sleep(0.05)
        raise AssertionError(f"no API process came up:\n{self.log.read_text()[-3000:]}")

    def client(self, token: str | None = None) -> "Client":
        """A caller of this process; its connection ends with the process at the latest."""
        client = Client(httpx.HTTPTransport(uds=str(self.socket)), token)
        self._clients.append(client)
        return client

    def kill(self) -> None:
        """End it without a word."""
        self._child.kill()
        self._child.wait()

    def stop(self) -> None:
        """End it, its callers and its folder."""
        for client in self._clients:
            client.close()
        self._child.terminate()
        self._child.wait(timeout=20)
        self._folder.cleanup()


class Client(httpx.Client):
    """A caller with a token; every answer must be one that the document declares."""

    def __init__(self, transport: httpx.BaseTransport, token: str | None = None) -> None:
        headers = {} if token is None else {"Authorization": f"Bearer {token}"}
        super().__init__(
            transport=transport,
            base_url="http://homestretch.test",
            headers=headers,
            timeout=20,
            event_hooks={"response": [self._check]},
        )

    @staticmethod
    def _check(response: httpx.Response) -> None:
        response.read()
        check_answer(response)

    def send_raw(self, method: str, path: str, body: bytes, **headers: str) -> httpx.Response:
        """A body as it stands, as JSON unless told otherwise."""
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        return self.request(
            method, path, content=body, headers={"Content-Type": "application/json", **named}
        )


@cache
def _declared() -> tuple[list[tuple[re.Pattern[str], dict[str, Any]]], Any]:
    described = document()
    resource = Resource(contents=described, specification=DRAFT202012)
    registry = Registry().with_resource("doc:", resource)
    paths = [
        (re.compile(re.sub(r"\{\w+\}", "[^/]+", path)), methods)
        for path, methods in described["paths"].items()
    ]
    paths.sort(key=lambda pair: "[^/]+" in pair[0].pattern)
    return paths, registry


def check_answer(response: httpx.Response) -> None:
    """Hold an answer against the document: status, media type, headers, form.

    Raises:
        AssertionError: it is not declared.
    """
    paths, registry = _declared()
    request = response.request
    path = request.url.path
    methods = next((methods for form, methods in paths if form.fullmatch(path)), None)
    method = "get" if request.method == "HEAD" else request.method.lower()
    if methods is None or method not in methods:
        assert request.method == "OPTIONS" or response.status_code in (404, 405)
        return
    answers = methods[method]["responses"]
    told = f"{request.method} {path} -> {response.status_code} {response.text[:500]}"
    assert str(response.status_code) in answers, f"not declared: {told}"
    answer = answers[str(response.status_code)]
    for name, header in answer.get("headers", {}).items():
        assert not header.get("required") or name in response.headers, f"no {name}: {told}"
    if request.method == "HEAD" or "content" not in answer:
        assert not response.content, told
        return
    media = response.headers["content-type"].partition(";")[0]
    assert media in answer["content"], f"{media} is not declared: {told}"
    if media.endswith("json") and media != "application/x-ndjson":
        pointer = _schema_pointer(answer["content"][media]["schema"])
        validator = Draft202012Validator(pointer, registry=registry)
        errors = [
            f"{e.json_path}: {e.message[:200]}" for e in validator.iter_errors(response.json())
        ]
        assert not errors, f"{errors[:3]} in {told}"
        if response.status_code >= 400:
            code = response.json()["code"]
            assert f"`{code}`" in answer["description"], f"{code} is not declared: {told}"


def _schema_pointer(schema: Any) -> Any:
    """The schema with its references into the document."""
    if isinstance(schema, list):
        return [_schema_pointer(part) for part in schema]
    if isinstance(schema, dict):
        return {
            key: f"doc:{part}" if key == "$ref" else _schema_pointer(part)
            for key, part in schema.items()
        }
    return schema
