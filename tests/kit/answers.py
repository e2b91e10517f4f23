"""Every answer in every test is held against the OpenAPI document.

`watch` puts the check behind every httpx client of the process, the product's own too. `Checked`
stands around the app of every API process that a test starts in whatever way (tests.kit.watched),
so that callers which are no httpx of this process (generated clients, browsers, `homestretch`
commands, curl, sockets) can't get an answer either that the document does not declare; what it
finds is told by a file, which `Faults` reads.
"""

import json
import os
import re
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import httpx
import jsonschema_rs

from service.http.openapi import document

Schema = dict[str, Any]
PROBLEM, JSON = "application/problem+json", "application/json"
FAULTS = "undeclared-answers.log"
"""The file that tells what servers answered that the document does not declare."""

FOLDER = "UNDECLARED_ANSWERS"
"""The variable that names its folder to the API processes; without it none is checked."""

DOCUMENT = "DECLARED_ANSWERS"
"""The variable that names the file of another document than that of the server itself."""

ALWAYS = frozenset(
    (
        "access-control-allow-headers",
        "access-control-allow-methods",
        "access-control-allow-origin",
        "access-control-expose-headers",
        "access-control-max-age",
        "cache-control",
        "connection",
        "content-length",
        "content-security-policy",
        "content-type",
        "date",
        "referrer-policy",
        "transfer-encoding",
        "vary",
        "x-content-type-options",
    )
)
"""Headers of HTTP and CORS that need no declaration; every other one needs it."""


FOREIGN = {"of another server": True}
"""Extensions of a request whose answer comes from no server of ours."""


class Undeclared(AssertionError):
    """An answer that the document does not declare."""


class Answers:
    """The answers that a document declares.

    Args:
        form: the document.
    """

    def __init__(self, form: Schema) -> None:
        self._form = form
        self._operations = sorted(
            (
                (re.compile(re.sub(r"\{\w+\}", "[^/]+", path)), path, methods)
                for path, methods in form["paths"].items()
            ),
            key=lambda row: "{" in row[1],
        )
        registry = jsonschema_rs.Registry([("urn:document", form)])
        self._registry = registry
        self._validators: dict[str, jsonschema_rs.Draft202012Validator] = {}

    def check(
        self,
        method: str,
        path: str,
        status: int,
        headers: Mapping[str, str],
        body: bytes | None,
    ) -> None:
        """Hold one answer against the document: status, media type, headers, form, code.

        Args:
            headers: by lower-case name.
            body: None where it is not known (a stream).

        Raises:
            Undeclared: with all that is wrong.
        """
        found = list(self._faults(method, path, status, headers, body))
        if found:
            shown = (body or b"")[:500].decode(errors="replace")
            raise Undeclared(f"{method} {path} -> {status}: {'; '.join(found)}\n{shown}")

    def _faults(
        self, method: str, path: str, status: int, headers: Mapping[str, str], body: bytes | None
    ) -> list[str]:
        if method == "OPTIONS":
            fits = status in (204, 404) and ("allow" in headers) == (status == 204)
            return [] if fits else ["an answer to OPTIONS tells the methods"]
        row = next((row for row in self._operations if row[0].fullmatch(path)), None)
        named = method.lower() if method != "HEAD" else "get"
        if row is None or named not in row[2]:
            if row is None and named == "get" and _for_browser(path, status, headers):
                return []
            return self._no_operation(404 if row is None else 405, status, headers, body)
        answers = row[2][named]["responses"]
        answer = answers.get(str(status))
        if answer is None:
            return [f"only {', '.join(answers)} are declared"]
        where = f"/paths/{_escaped(row[1])}/{named}/responses/{status}"
        faults = self._headers(answer, headers, where)
        if method == "HEAD" or "content" not in answer:
            return [*faults, *(["there is a body"] if body else [])]
        media = headers.get("content-type", "").partition(";")[0]
        if media not in answer["content"]:
            return [*faults, f"{media!r} is not declared"]
        if media in (JSON, PROBLEM) and body is not None:
            faults += self._form_of(body, f"{where}/content/{_escaped(media)}/schema")
        if status >= 400 and body is not None and not faults:
            faults += _code(answer, body, status)
        return faults

    def _no_operation(
        self, wanted: int, status: int, headers: Mapping[str, str], body: bytes | None
    ) -> list[str]:
        """What is wrong with the answer where no operation is: it is a problem document, too."""
        if status != wanted and status != 400:  # 400: a path or Host that can't be read
            return [f"no operation is here, so {wanted} is due"]
        if headers.get("content-type") != PROBLEM and body != b"":
            return ["a refusal is a problem document"]
        return self._form_of(body, "/components/schemas/Problem") if body else []

    def _headers(self, answer: Schema, headers: Mapping[str, str], where: str) -> list[str]:
        declared = {name.lower(): (name, form) for name, form in answer.get("headers", {}).items()}
        faults = [
            f"{name} is not declared"
            for name in headers
            if name not in ALWAYS and name not in declared
        ]
        for low, (name, form) in declared.items():
            at, full = f"{where}/headers/{_escaped(name)}", form
            if "$ref" in form:
                at = form["$ref"].removeprefix("#")
                full = self._form["components"]["headers"][at.rpartition("/")[2]]
            if low in headers:
                whole = full["schema"].get("type") == "integer" and headers[low].isdigit()
                faults += self._errors(int(headers[low]) if whole else headers[low], f"{at}/schema")
            elif full.get("required"):
                faults.append(f"there is no {name}")
        return faults

    def _form_of(self, body: bytes, at: str) -> list[str]:
        try:
            return self._errors(json.loads(body), at)
        except ValueError as error:
            return [f"the body is no JSON ({error})"]

    def _errors(self, value: Any, at: str) -> list[str]:
        validator = self._validators.get(at)
        if validator is None:
            validator = jsonschema_rs.Draft202012Validator(
                {"$ref": f"urn:document#{at}"}, registry=self._registry
            )
            self._validators[at] = validator
        if validator.is_valid(value):
            return []
        errors = list(validator.iter_errors(value))
        return [f"{error.instance_path}: {error.message[:200]}" for error in errors[:3]]


def _escaped(step: str) -> str:
    return step.replace("~", "~0").replace("/", "~1").replace("{", "%7B").replace("}", "%7D")


def _for_browser(path: str, status: int, headers: Mapping[str, str]) -> bool:
    """Whether this leads a browser to a page under /docs, or tells it that none is there."""
    if not path.startswith("/docs/"):
        return False
    if status == 308:
        return path.rstrip("/") == headers.get("location")
    return status == 404 and headers.get("content-type", "").startswith("text/html")


def _code(answer: Schema, body: bytes, status: int) -> list[str]:
    """What is wrong with the problem that a refusal tells, beside its form."""
    told = json.loads(body)
    faults = []
    if f"`{told['code']}`" not in answer["description"]:
        faults.append(f"the code {told['code']} is not declared")
    if told["status"] != status or told["type"] != f"/problems/{told['code']}":
        faults.append("status and type are not those of the answer")
    return faults


@cache
def declared() -> Answers:
    """The answers of the server under test."""
    told = os.environ.get(DOCUMENT)
    return Answers(document() if told is None else json.loads(Path(told).read_text()))


# ---------------------------------------------------------------------- clients


def check_answer(response: httpx.Response) -> None:
    """Hold an answer against the document; of a stream all but its body.

    Raises:
        Undeclared.
    """
    request = response.request
    body = response.content if response.is_closed else None
    declared().check(request.method, request.url.path, response.status_code, response.headers, body)


def ours(client: httpx.Client | httpx.AsyncClient, request: httpx.Request) -> bool:
    """Whether it is our server that answers."""
    made_up = isinstance(client._transport, httpx.MockTransport)
    return not made_up and not FOREIGN.keys() <= request.extensions.keys()


def watch(set_attribute: Callable[[Any, str, Any], None]) -> None:
    """Check every answer that any httpx client of this process gets from a server.

    A client of a made-up server (`httpx.MockTransport`) is left alone, and a FOREIGN request.

    Args:
        set_attribute: as of pytest's MonkeyPatch.
    """
    plain, asynchronous = httpx.Client.send, httpx.AsyncClient.send

    def send(self: httpx.Client, request: httpx.Request, **rest: Any) -> httpx.Response:
        response = plain(self, request, **rest)
        if ours(self, request):
            check_answer(response)
        return response

    async def send_async(
        self: httpx.AsyncClient, request: httpx.Request, **rest: Any
    ) -> httpx.Response:
        response = await asynchronous(self, request, **rest)
        if ours(self, request):
            check_answer(response)
        return response

    set_attribute(httpx.Client, "send", send)
    set_attribute(httpx.AsyncClient, "send", send_async)


# ---------------------------------------------------------------------- servers


class Checked:
    """An ASGI app whose answers are checked as they leave; what is wrong ends in a file.

    Args:
        app: the app.
        faults: the file.
    """

    def __init__(self, app: Any, faults: Path) -> None:
        self._app = app
        self._faults = faults

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """As ASGI has it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        path = scope["path"]  # the app may write another one in its place
        head: dict[str, Any] = {}
        parts: list[bytes] = []

        async def sent(message: Any) -> None:
            if message["type"] == "http.response.start":
                head.update(message)
            else:
                parts.append(message.get("body", b""))
                if not message.get("more_body", False):
                    self._check(scope["method"], path, head, b"".join(parts))
            await send(message)

        try:
            await self._app(scope, receive, sent)
        except Exception as error:  # who runs the app answers 500 in its place
            self._write(f"{scope['method']} {path} -> {error!r}")
            raise
        if not head:
            self._write(f"{scope['method']} {path} -> no answer")

    def _check(self, method: str, path: str, head: Mapping[str, Any], body: bytes) -> None:
        headers = {
            name.decode("latin-1").lower(): value.decode("latin-1")
            for name, value in head["headers"]
        }
        try:
            declared().check(method, path, head["status"], headers, body)
        except Undeclared as found:
            self._write(str(found))

    def _write(self, fault: str) -> None:
        with self._faults.open("a") as file:
            file.write(f"{fault}\n")


class Faults:
    """What servers on this machine answered that the document does not declare.

    Args:
        folder: the one that FOLDER names to them.
    """

    def __init__(self, folder: Path) -> None:
        self._file = folder / FAULTS
        self._read = 0

    def fresh(self) -> str:
        """What came since it was asked last; nothing where all was declared."""
        if not self._file.exists():
            return ""
        with self._file.open() as file:
            file.seek(self._read)
            told = file.read()
            self._read = file.tell()
        return told
