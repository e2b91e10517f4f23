"""A log and views over one store: in memory, and over a real Redis."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest

from projections.leaderboards import leaderboards
from projections.lobby import LOBBY
from projections.projection import Projection
from projections.results import results
from service.memory.event_log import MemoryEventLog
from service.memory.views import MemoryViews
from service.ports import EventLog
from service.ports_views import Views
from service.projecting import Projector
from service.redis.event_log import RedisEventLog
from service.redis.mux import open_calls, open_waiting
from service.redis.views import RedisViews
from tests.kit.histories import TERMS

PARTITIONS = 4

Store = tuple[EventLog, Views]


@asynccontextmanager
async def open_store(url: str) -> AsyncIterator[Store]:
    """Over the Redis at a URL."""
    calls, waiting = open_calls(url), open_waiting(url)
    try:
        yield RedisEventLog(calls, waiting, PARTITIONS), RedisViews(calls, PARTITIONS)
    finally:
        await waiting.close()
        await calls.close()


@pytest.fixture
async def redis_store(redis_url: str) -> AsyncIterator[Store]:
    """Over Redis."""
    async with open_store(redis_url) as store:
        yield store


@pytest.fixture(params=["memory", "redis"])
def store(request: pytest.FixtureRequest) -> Store:
    """Each in its turn."""
    if request.param == "memory":
        return MemoryEventLog(PARTITIONS), MemoryViews(PARTITIONS)
    made: Store = request.getfixturevalue("redis_store")
    return made


@pytest.fixture
def projections() -> list[Projection]:
    """All of them."""
    return [LOBBY, results(TERMS), leaderboards(TERMS)]


@pytest.fixture
def projector(store: Store, projections: list[Projection]) -> Projector:
    """One that is not running."""
    return Projector(*store, projections)


@pytest.fixture
def make_projector(projections: list[Projection]) -> Callable[..., Projector]:
    """Projectors that look after themselves often."""

    def make(store: Store, **options: Any) -> Projector:
        return Projector(*store, projections, **{"look_seconds": 0.05, **options})

    return make
