"""The HTTP face in tests: real parts of the server on a real Redis, called over real HTTP.

Every answer is held against the OpenAPI document, so no test can get one that it does not declare.
"""

import json
import re
import socket
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import httpx
import jsonschema_rs

from service.http.openapi import document

PARTITIONS = 4
ADMIN = "the-admin-token-of-these-tests"


class Part:
    """A part of the server as a process, whose lines end in a file.

    Args:
        settings: by field.
        log: where its lines end.
        listener: the socket on which it serves; a projector has none.
    """

    def __init__(
        self, settings: dict[str, Any], log: Path, listener: socket.socket | None = None
    ) -> None:
        fds = () if listener is None else (listener.fileno(),)
        with log.open("ab") as out:
            self._child = subprocess.Popen(
                [
                    sys.executable,
                    "-m",
                    "tests.kit.api_process",
                    json.dumps(settings),
                    *map(str, fds),
                ],
                stdout=out,
                stderr=out,
                cwd=Path(__file__).parents[2],
                pass_fds=fds,
            )

    def kill(self) -> None:
        """End it without a word."""
        self._child.kill()
        self._child.wait()

    def stop(self) -> None:
        """End it as an operator does; its exit code must be that of a good end."""
        if self._child.poll() is None:
            self._child.terminate()
            assert self._child.wait(timeout=30) == 0


class Api(Part):
    """An API process on a loopback port.

    Args:
        redis_url: where the log is.
        data: its data folder, where its lines end too.
        settings: further settings, by field.
    """

    def __init__(self, redis_url: str, data: Path, **settings: Any) -> None:
        data.mkdir(parents=True, exist_ok=True)
        self.data = data
        self.settings = {
            "redis_url": redis_url,
            "data": str(data),
            "fsync": "everysec",
            "partitions": PARTITIONS,
            "admin_token": ADMIN,
            "rate_limit": False,
            **settings,
        }
        self._clients: list[Client] = []
        with socket.create_server(("127.0.0.1", 0), backlog=256) as listener:
            self._address = "http://{}:{}".format(*listener.getsockname())
            self.log = data / f"api-{listener.getsockname()[1]}.log"
            super().__init__(self.settings, self.log, listener)

    def client(self, token: str | None = None) -> "Client":
        """A caller of this process; its connection ends with the process at the latest."""
        client = Client(self._address, token)
        self._clients.append(client)
        return client

    def projector(self) -> Part:
        """A projector with the same settings."""
        return Part(self.settings, self.data / "projector.log")

    def stop(self) -> None:
        """End it and its callers."""
        for client in self._clients:
            client.close()
        super().stop()


class Client(httpx.Client):
    """A caller with a token; every answer must be one that the document declares."""

    def __init__(self, address: str, token: str | None = None) -> None:
        headers = {} if token is None else {"Authorization": f"Bearer {token}"}
        super().__init__(
            transport=httpx.HTTPTransport(verify=False),  # making a TLS context takes long
            base_url=address,
            headers=headers,
            timeout=60,
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


DOCUMENT = document()
_PATHS = sorted(
    (
        (re.compile(re.sub(r"\{\w+\}", "[^/]+", path)), methods)
        for path, methods in DOCUMENT["paths"].items()
    ),
    key=lambda pair: "[^/]+" in pair[0].pattern,
)


def check_answer(response: httpx.Response) -> None:
    """Hold an answer against the document: status, media type, headers, form.

    Raises:
        AssertionError: it is not declared.
    """
    request = response.request
    methods = next((m for form, m in _PATHS if form.fullmatch(request.url.path)), None)
    method = "get" if request.method == "HEAD" else request.method.lower()
    if methods is None or method not in methods:
        assert request.method == "OPTIONS" or response.status_code in (404, 405)
        return
    told = f"{request.method} {request.url.path} -> {response.status_code} {response.text[:500]}"
    answers = methods[method]["responses"]
    assert str(response.status_code) in answers, f"not declared: {told}"
    answer = answers[str(response.status_code)]
    for name, header in answer.get("headers", {}).items():
        assert not header.get("required") or name in response.headers, f"no {name}: {told}"
    if request.method == "HEAD" or "content" not in answer:
        assert not response.content, told
        return
    media = response.headers["content-type"].partition(";")[0]
    assert media in answer["content"], f"{media} is not declared: {told}"
    if media in ("application/json", "application/problem+json"):
        _check_form(json.dumps(answer["content"][media]["schema"]), response, told)
    if response.status_code >= 400:
        code = response.json()["code"]
        assert f"`{code}`" in answer["description"], f"{code} is not declared: {told}"


def _check_form(schema: str, response: httpx.Response, told: str) -> None:
    errors = _validator(schema).iter_errors(response.json())
    found = [f"{error.instance_path}: {error.message[:200]}" for error in errors]
    assert not found, f"{found[:3]} in {told}"


@cache
def _validator(schema: str) -> jsonschema_rs.Draft202012Validator:
    """A validator of a schema of the document, which refers into its components."""
    whole = {**json.loads(schema), "components": DOCUMENT["components"]}
    return jsonschema_rs.Draft202012Validator(whole)
