"""Logs over a real Redis, through each way of speaking to it."""

from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack

import pytest

from service.redis.client import CALL_SECONDS, Calls, PoolCalls
from service.redis.event_log import RedisEventLog
from service.redis.mux import Multiplexed, open_waiting

WAYS: dict[str, Callable[..., Calls]] = {"pool": PoolCalls, "mux": Multiplexed}


@pytest.fixture(params=list(WAYS))
def way(request: pytest.FixtureRequest) -> Callable[..., Calls]:
    """How calls travel."""
    return WAYS[request.param]


@pytest.fixture
async def open_calls(way: Callable[..., Calls]) -> AsyncIterator[Callable[..., Calls]]:
    """Opens calls to a URL; closed with the test."""
    async with AsyncExitStack() as stack:

        def open_(url: str, seconds: float = CALL_SECONDS) -> Calls:
            calls = way(url, seconds=seconds)
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
            waiting = open_waiting(url, seconds=seconds)
            stack.push_async_callback(waiting.close)
            return RedisEventLog(open_calls(url, seconds), waiting, partitions=16)

        yield open_
