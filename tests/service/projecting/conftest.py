"""A log and views over one store: in memory, and over a real Redis."""

from collections.abc import AsyncIterator, Callable
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
from service.redis.client import BLOCK_SECONDS, CALL_SECONDS, PoolCalls
from service.redis.event_log import RedisEventLog
from service.redis.views import RedisViews
from tests.kit.histories import TERMS

PARTITIONS = 4

Store = tuple[EventLog, Views]


@pytest.fixture
async def redis_store(redis_url: str) -> AsyncIterator[Store]:
    """Over Redis."""
    calls, waiting = (
        PoolCalls(redis_url),
        PoolCalls(redis_url, seconds=BLOCK_SECONDS + CALL_SECONDS),
    )
    yield RedisEventLog(calls, waiting, PARTITIONS), RedisViews(calls, PARTITIONS)
    await calls.close()
    await waiting.close()


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
