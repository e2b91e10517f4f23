"""The fixtures of tests made for one Redis, over a Cluster of three masters."""

from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AsyncExitStack
from typing import Any

import pytest

from service.redis import mux
from service.redis.client import CALL_SECONDS, Calls
from service.redis.event_log import RedisEventLog
from tests.kit.redis_cluster import Cluster
from tests.service.projecting.conftest import (  # noqa: F401 - fixtures of this folder too
    Store,
    make_projector,
    projections,
    redis_store,
)


@pytest.fixture(scope="session")
def redis_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """One Cluster for all tests that neither end nor move it; take `redis_url` to use it."""
    cluster = Cluster(tmp_path_factory.mktemp("cluster"))
    try:
        yield cluster.start()
    finally:
        cluster.stop()


@pytest.fixture
def redis_url(redis_server: Cluster) -> str:
    """An empty Cluster."""
    redis_server.flush()
    return redis_server.url


@pytest.fixture
def make_redis(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[..., Cluster]]:
    """Starts Clusters of the test's own; they end with the test."""
    made: list[Cluster] = []

    def make(**options: Any) -> Cluster:
        made.append(Cluster(tmp_path_factory.mktemp("cluster"), **options))
        return made[-1].start()

    yield make
    for cluster in made:
        cluster.stop()


@pytest.fixture
async def open_calls() -> AsyncIterator[Callable[..., Calls]]:
    """Opens calls to a URL; closed with the test."""
    async with AsyncExitStack() as stack:

        def open_(url: str, seconds: float = CALL_SECONDS) -> Calls:
            calls = mux.open_calls(url, seconds=seconds)
            stack.push_async_callback(calls.close)
            return calls

        yield open_


@pytest.fixture
async def open_log(
    open_calls: Callable[..., Calls],
) -> AsyncIterator[Callable[..., RedisEventLog]]:
    """Opens a log of 16 partitions at a URL; closed with the test."""
    async with AsyncExitStack() as stack:

        def open_(url: str, seconds: float = CALL_SECONDS) -> RedisEventLog:
            waiting = mux.open_waiting(url, seconds=seconds)
            stack.push_async_callback(waiting.close)
            return RedisEventLog(open_calls(url, seconds), waiting, partitions=16)

        yield open_


@pytest.fixture
def store(redis_store: Store) -> Store:  # noqa: F811 - the fixture above
    """Over the Cluster alone."""
    return redis_store
