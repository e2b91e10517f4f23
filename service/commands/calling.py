"""How commands of the terminal call a server: one client, and its refusals as one line of text."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx

from service.commands import CommandError
from service.settings import Settings

SECONDS = 30.0


@contextmanager
def calling(settings: Settings, url: str | None = None) -> Iterator[httpx.Client]:
    """A client of the server named by `url`, else by the settings; no proxy is between.

    Raises:
        CommandError: the server can't be reached, or ended the answer before its end.
    """
    base = (url or settings.server_url).rstrip("/")
    headers = {"Authorization": f"Bearer {settings.token}"} if settings.token else {}
    try:
        with httpx.Client(
            base_url=base, headers=headers, timeout=SECONDS, trust_env=False
        ) as client:
            yield client
    except (httpx.InvalidURL, httpx.UnsupportedProtocol) as error:
        raise CommandError(f"{base} is no URL of a server") from error
    except httpx.ConnectError as error:
        raise CommandError(
            f"no server answers at {base}; start one with `homestretch up`"
        ) from error
    except httpx.HTTPError as error:
        raise CommandError(f"the server at {base} did not answer in full: {error}") from error


def expect(answer: httpx.Response, status: int = 200) -> None:
    """Let an answer pass.

    Raises:
        CommandError: it has another status; the text is what the problem document says.
    """
    if answer.status_code == status:
        return
    answer.read()
    problem: Any = {}
    if answer.headers.get("content-type", "").startswith("application/problem+json"):
        problem = answer.json()
    told = problem.get("detail") or problem.get("title") or answer.reason_phrase
    code = f" ({problem['code']})" if "code" in problem else ""
    raise CommandError(f"the server refused: {answer.status_code} {told}{code}")
