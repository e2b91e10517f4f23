"""What `homestretch up` says once the server is ready: what runs where, and what to try next."""

import asyncio
import os
import shutil
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import httpx

from service.environment import without_secrets
from service.first_start import FILE
from service.settings import Settings, local_url
from service.supervisor import Say, Supervisor

LOOK_SECONDS = 0.3
TELL_SECONDS = 20.0
"""How long it may take before it is told what is not ready; a good start takes less, unless much
else runs on the machine."""

RUNBOOK = "what to do stands in the runbook (deploy/runbook.md), under Restore"

ANSWER_SECONDS = 5.0


async def welcome(settings: Settings, port: int, supervisor: Supervisor, say: Say) -> None:
    """Wait until every part is ready, and say what there is."""
    url = local_url(settings.host, port)
    say("up", f"starting on {url}")
    await _ready(url, say)
    for line in lines(settings, url, supervisor):
        say("up", line)


def lines(settings: Settings, url: str, supervisor: Supervisor) -> list[str]:
    """What there is, and what to do with it."""
    names = [f"{name} {pid}" for name, pid in supervisor.pids.items()]
    server = f"HOMESTRETCH_URL={url} " if url != Settings().server_url else ""
    program = server + _program()
    found = [
        "",
        "homestretch is ready.",
        f"  server       {url}",
        f"  docs         {url}/docs  (OpenAPI: {url}/openapi.json)",
        f"  log          {_redis(settings)}, fsync {settings.fsync}",
        f"  data folder  {settings.data.resolve()}",
        f"  admin token  {_admin(settings)}",
        f"  processes    {', '.join(names)}",
        "",
        "Try, in a second terminal:",
    ]
    if find_spec("service.commands.demo") is not None:
        found.append(f"  {program} demo --game bookmaker --seats 5")
    return [
        *found,
        f"  curl {url}/v1/games",
        f"  curl {url}/v1/players -H 'Content-Type: application/json' -d '{{\"name\": \"Ann\"}}'",
        f"  {program} --help",
        "",
        "Ctrl-C stops everything.",
    ]


async def _ready(url: str, say: Say) -> None:
    """Return once the server says that it is ready; what is not is told now and then."""
    loop = asyncio.get_running_loop()
    tell = loop.time() + TELL_SECONDS
    async with httpx.AsyncClient(base_url=url, timeout=ANSWER_SECONDS, trust_env=False) as client:
        while True:
            why = await _why_not(client)
            if why is None:
                return
            if loop.time() >= tell:
                say("up", why)
                tell = loop.time() + TELL_SECONDS
            await asyncio.sleep(LOOK_SECONDS)


async def _why_not(client: httpx.AsyncClient) -> str | None:
    """What is to be told of a server that is not ready; None where it is."""
    try:
        answer = await client.get("/health/ready")
        if answer.is_success:
            return None
        parts: dict[str, dict[str, Any]] = answer.json()["parts"]
    except (httpx.HTTPError, ValueError, KeyError):
        return "still starting: waiting for the API"
    waiting = {name: part for name, part in parts.items() if not part["ok"]}
    told = f"not ready yet: {', '.join(_how(*item) for item in waiting.items())}"
    unfit = waiting.get("event_log", {}).get("state") == "unfit"
    return f"{told}: see what the parts say above; {RUNBOOK}" if unfit else told


def _how(name: str, part: dict[str, Any]) -> str:
    """A part that is not ready, and how it is."""
    state = part.get("state") or part.get("reason")
    return f"{name} ({state})" if state else name


def _redis(settings: Settings) -> str:
    if settings.redis_url is None:
        return "embedded Redis"
    return without_secrets(settings.redis_url)


def _admin(settings: Settings) -> str:
    """Where the admin's token is; never the token."""
    if settings.admin_token is not None:
        return "the one in HOMESTRETCH_ADMIN_TOKEN"
    file = settings.data.resolve() / FILE
    return f"in {file}" if file.exists() else "as given at the first start"


def _program() -> str:
    """How this program is called from where it was started."""
    script = Path(sys.executable).with_name("homestretch")
    found = shutil.which("homestretch")
    if found is not None and Path(found).resolve() == script.resolve():
        return "homestretch"
    if script.exists():
        return os.path.relpath(script)
    return f"{os.path.relpath(sys.executable)} -m service.cli"
