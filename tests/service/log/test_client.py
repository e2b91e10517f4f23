"""A call over the pool of connections, when the task that makes it is told to end."""

import asyncio

import pytest

from service.redis.client import PoolCalls


@pytest.mark.parametrize("turns", range(40))
async def test_a_task_that_is_cancelled_in_a_call_ends_wherever_that_is(
    redis_url: str, turns: int
) -> None:
    """redis-py may swallow it: the task then goes on as if nothing had been said (see `call`)."""
    calls = PoolCalls(redis_url)
    task = asyncio.ensure_future(calls.call("PING"))
    for _ in range(turns):
        await asyncio.sleep(0)
    cancelled = task.cancel()
    (ended,) = await asyncio.gather(task, return_exceptions=True)
    await calls.close()
    if cancelled:
        assert isinstance(ended, asyncio.CancelledError)
    else:
        assert ended == b"PONG"
