"""The one place that picks adapters: what the parts of a server stand on, from its settings."""

import secrets
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from functools import lru_cache, partial

from msgspec import Struct

from domain.registry import GAMES
from projections.leaderboards import leaderboards
from projections.lobby import LOBBY
from projections.projection import Projection
from projections.results import results
from projections.terms import BuiltIn, Terms
from service import anchors, guarding, probing
from service.anchors import AnchorDamaged
from service.archive.folder import Folder
from service.archiving import Mover
from service.audit import FILE, FileAudit
from service.guarding import Guard
from service.handling import Meetings
from service.http.deps import Deps
from service.http.metrics import Metrics
from service.jobs.site import DAY_SECONDS, Site
from service.limits import Limits
from service.lists import Leaderboards, Lobby, Results
from service.players import Players
from service.ports import LogUnavailable
from service.redis.client import Calls
from service.redis.event_log import RedisEventLog
from service.redis.gate import GateRefused, LogFacts, check
from service.redis.limits import RedisBuckets
from service.redis.mux import open_calls, open_waiting
from service.redis.players import RedisPlayerStore
from service.redis.views import RedisViews
from service.redis.wakes import Wakes
from service.settings import Settings

HOUR_SECONDS = 3600


class Store(Struct, frozen=True, kw_only=True):
    """The log as the start-up gate found it, and the way to it."""

    calls: Calls
    log: RedisEventLog
    facts: LogFacts

    @property
    def views(self) -> RedisViews:
        """The read models beside the log."""
        return RedisViews(self.calls, self.facts.partitions)


def now() -> str:
    """The time as events carry it: RFC 3339 UTC with milliseconds."""
    second, millisecond = divmod(time.time_ns() // 1_000_000, 1000)
    return f"{_second(second)}.{millisecond:03d}Z"


@lru_cache(maxsize=1)
def _second(second: int) -> str:
    return datetime.fromtimestamp(second, UTC).strftime("%Y-%m-%dT%H:%M:%S")


def log_url(settings: Settings) -> str:
    """The Redis of the log; a part, unlike the whole, must be told it."""
    assert settings.redis_url is not None
    return settings.redis_url


def queue_url(settings: Settings) -> str:
    """The Redis of wakes and RQ."""
    return settings.queue_url or log_url(settings)


@asynccontextmanager
async def open_store(settings: Settings, *, anchoring: bool = False) -> AsyncIterator[Store]:
    """The log, through its gate and held against its anchor; `anchoring` notes new ones.

    Raises:
        GateRefused: it must not, or can't now, hold the log.
    """
    calls, waiting = open_calls(log_url(settings)), open_waiting(log_url(settings))
    try:
        facts = await check(calls, fsync=settings.fsync, partitions=settings.partitions)
        folder = settings.archive_folder
        archive = None if folder is None else Folder(folder, facts.store)
        log = RedisEventLog(calls, waiting, facts.partitions, archive)
        guard = Guard(settings.data / anchors.FILE, log, facts.store, now)
        await _first_look(guard)
        log.on_return(guard.returned)
        async with guarding.guarding(guard, noting=anchoring):
            yield Store(calls=calls, log=log, facts=facts)
    finally:
        await waiting.close()
        await calls.close()


async def _first_look(guard: Guard) -> None:
    try:
        await guard.look()
    except LogUnavailable as away:
        raise GateRefused("HOMESTRETCH_REDIS_URL", str(away), passing=True) from away
    except AnchorDamaged as fault:
        raise GateRefused("HOMESTRETCH_DATA", str(fault)) from fault


@asynccontextmanager
async def open_meetings(settings: Settings) -> AsyncIterator[Meetings]:
    """The meetings of the log, for one event loop; raises what open_store raises."""
    async with open_store(settings) as store:
        yield Meetings(store.log, now, secrets.token_bytes)


@asynccontextmanager
async def open_mover(settings: Settings) -> AsyncIterator[Mover]:
    """What moves old logs to the archive; raises what open_store raises."""
    async with open_store(settings) as store:
        yield Mover(store.log, settings.archive_after * HOUR_SECONDS)


async def site_of(settings: Settings) -> Site:
    """What the reactor and the workers are started with; raises what open_store raises."""
    async with open_store(settings) as store:
        return Site(
            meetings=partial(open_meetings, settings),
            store=store.facts.store,
            queue_url=queue_url(settings),
            drain_seconds=settings.drain_seconds,
            reconcile_seconds=settings.reconcile_seconds,
            idle_seconds=settings.idle_days * DAY_SECONDS,
            mover=partial(open_mover, settings) if _moves(settings) else None,
        )


def _moves(settings: Settings) -> bool:
    """Whether old logs move to the archive by themselves."""
    return settings.archive_folder is not None and settings.archive_after > 0


def terms() -> Terms:
    """What the games say of themselves that ratings rest on."""
    return Terms(
        defaults={
            game.id: {
                seats: game.read_options({}, seats)
                for seats in range(game.seats[0], game.seats[1] + 1)
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


def projections() -> list[Projection]:
    """The read models that the projector keeps."""
    rated = terms()
    return [LOBBY, results(rated), leaderboards(rated)]


def deps_of(settings: Settings, store: Store, queue: Calls) -> Deps:
    """What the HTTP face is given; `queue` is the way to the Redis of the jobs."""
    views = store.views
    lists = (Lobby(store.log, views), Results(store.log, views), Leaderboards(store.log, views))
    look = partial(probing.look_at_log, store.calls, store.facts, store.log)
    return Deps(
        meetings=Meetings(store.log, now, secrets.token_bytes),
        players=Players(RedisPlayerStore(store.calls)),
        lobby=lists[0],
        leaderboards=lists[2],
        results=lists[1],
        limits=Limits(RedisBuckets(store.calls), time.monotonic),
        settings=settings,
        probes={
            "event_log": partial(probing.log_probe, look),
            "queue": partial(probing.queue_probe, Wakes(queue)),
            "archive": partial(probing.archive_probe, store.log),
            **{reader.view: probing.view_probe(reader) for reader in lists},
        },
        readers=lists,
        audit=FileAudit(settings.data / FILE, now),
        look_at_archive=partial(probing.look_at_archive, store.log),
        look_at_log=look,
        look_at_jobs=partial(probing.look_at_jobs, Wakes(queue)),
        metrics=Metrics(),
    )
