"""An API process as the server runs it: `python -m tests.kit.api_process <settings as JSON>`.

Settings are those of service.settings by field; `socket` is where it listens, and `projects`
whether this process also keeps the views up to date.
"""

import asyncio
import json
import secrets
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec
import uvicorn

from domain.registry import GAMES
from projections.leaderboards import leaderboards
from projections.lobby import LOBBY
from projections.terms import BuiltIn, Terms
from service.audit import FILE, FileAudit
from service.first_start import ensure_admin
from service.handling import Meetings
from service.http.app import create_app
from service.http.deps import Deps
from service.http.metrics import Metrics
from service.limits import Limits
from service.lists import Leaderboards, Lobby
from service.logs import configure
from service.players import Players
from service.projecting import Projector
from service.redis.client import BLOCK_SECONDS, CALL_SECONDS, PoolCalls
from service.redis.event_log import RedisEventLog
from service.redis.limits import RedisBuckets
from service.redis.players import RedisPlayerStore
from service.redis.views import RedisViews
from service.settings import Settings

PARTITIONS = 4
TERMS = Terms(
    defaults={
        game.id: {
            seats: game.read_options({}, seats) for seats in range(game.seats[0], game.seats[1] + 1)
        }
        for game in GAMES.values()
    },
    bots={
        game.id: {
            bot.name: BuiltIn(player=bot.name, name=bot.name, rating=bot.rating)
            for bot in game.bots.values()
        }
        for game in GAMES.values()
    },
)


def now() -> str:
    """The time as the log writes it."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


async def event_log_probe(log: RedisEventLog) -> dict[str, Any]:
    """Whether the log answers."""
    await log.feed_heads()
    return {"ok": True, "fsync": "everysec"}


async def main(told: dict[str, Any]) -> None:
    """Serve until told to end."""
    socket, projects = told.pop("socket"), told.pop("projects")
    settings = msgspec.convert(told, Settings, dec_hook=lambda kind, value: kind(value))
    configure("json", "debug")
    assert settings.redis_url is not None
    calls = PoolCalls(settings.redis_url)
    waiting = PoolCalls(settings.redis_url, seconds=BLOCK_SECONDS + CALL_SECONDS)
    log = RedisEventLog(calls, waiting, PARTITIONS)
    views = RedisViews(calls, PARTITIONS)
    players = Players(RedisPlayerStore(calls))
    await ensure_admin(players, settings.admin_token, settings.data)
    deps = Deps(
        meetings=Meetings(log, now, secrets.token_bytes),
        players=players,
        lobby=Lobby(log, views),
        leaderboards=Leaderboards(log, views),
        limits=Limits(RedisBuckets(calls)),
        settings=settings,
        probes={"event_log": lambda: event_log_probe(log)},
        audit=FileAudit(settings.data / FILE, now),
        metrics=Metrics(),
    )
    server = uvicorn.Server(
        uvicorn.Config(create_app(deps), uds=socket, log_config=None, access_log=False)
    )
    projector = asyncio.ensure_future(_project(log, views)) if projects else None
    await server.serve()
    if projector is not None:
        projector.cancel()
    await calls.close()
    await waiting.close()


async def _project(log: RedisEventLog, views: RedisViews) -> None:
    await Projector(log, views, [LOBBY, leaderboards(TERMS)]).run()


if __name__ == "__main__":
    told = json.loads(sys.argv[1])
    Path(told["data"]).mkdir(parents=True, exist_ok=True)
    asyncio.run(main(told))
