"""How log, queues, archive and views are, as `/health/ready` and `/metrics` ask."""

from collections.abc import Awaitable, Callable
from typing import Any

import msgspec

from service.archive import OFF, OK
from service.http.deps import Probe
from service.jobs.health import queue_health
from service.ports_health import JobsHealth, LogHealth
from service.reading import CURRENT, ViewReader
from service.redis.client import Calls, Refused, Unreachable
from service.redis.event_log import RedisEventLog
from service.redis.gate import LogFacts, health
from service.redis.wakes import Wakes

SILENT_SECONDS = 15
"""A reactor that has not looked for so long is taken as away."""


async def look_at_jobs(wakes: Wakes) -> JobsHealth | None:
    """The queues, None where their Redis is away."""
    try:
        return await queue_health(wakes)
    except (Refused, Unreachable):
        return None


async def look_at_log(calls: Calls, facts: LogFacts, log: RedisEventLog) -> LogHealth:
    """The log; one that fell back is unfit, whatever its Redis says."""
    found = await health(calls, facts)
    if found.state == "ok" and log.fallen:
        detail = f"{len(log.fallen)} partitions fell back behind the anchor"
        return msgspec.structs.replace(found, state="unfit", detail=detail)
    return found


async def log_probe(look: Callable[[], Awaitable[LogHealth]]) -> dict[str, Any]:
    """The log and what it is told to do with what it acknowledges."""
    found = await look()
    told = {"state": found.state, "fsync": found.fsync, "fsync_confirmed": found.fsync_confirmed}
    return {"ok": found.state == "ok", **told}


async def queue_probe(wakes: Wakes) -> dict[str, Any]:
    """Whether a reactor looks after the queues; how much waits in them is not for everybody."""
    looked = (await queue_health(wakes)).looked_seconds
    alive = looked is not None and looked <= SILENT_SECONDS
    return {"ok": alive} if alive else {"ok": False, "reason": "no reactor"}


async def look_at_archive(log: RedisEventLog) -> tuple[str, int]:
    """How the archive stands, in one word, and how much of it is damaged."""
    return await log.archived.state(), await log.archived.damaged()


async def archive_probe(log: RedisEventLog) -> dict[str, Any]:
    """Whether the archive can be read, and all that was read of it was as it must be."""
    state = await log.archived.state()
    return {"ok": state in (OK, OFF), "state": state}


def view_probe(reader: ViewReader) -> Probe:
    """What asks how a view stands."""

    async def probe() -> dict[str, Any]:
        lag = await reader.lag()
        state = lag.state
        return {
            "ok": state == CURRENT,
            "state": state,
            "lag_seconds": lag.seconds,
            "rebuilding": lag.building and not lag.missing,
        }

    return probe
