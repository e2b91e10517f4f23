"""Calls that wait in Redis: none waits for another, and each gets its own answer, or none."""

import asyncio
import signal
from collections.abc import AsyncIterator, Callable, Coroutine
from random import Random
from typing import Any

import pytest
import uvloop

from service.redis.apart import Apart
from service.redis.client import NAME, Refused, Unreachable
from tests.kit.redis_server import RedisServer

MakeRedis = Callable[..., RedisServer]


@pytest.fixture
async def calls(redis_url: str) -> AsyncIterator[Apart]:
    """Calls to an empty Redis."""
    one = Apart(redis_url)
    yield one
    await one.close()


def connections(server: RedisServer) -> list[dict[str, str]]:
    """Our connections as Redis lists them."""
    with server.client() as client:
        return [row for row in client.client_list() if row["name"] == NAME]


async def _blocked(server: RedisServer, number: int) -> None:
    """Wait until so many calls wait inside Redis."""
    with server.client() as client:
        for _ in range(1000):
            if client.info("clients")["blocked_clients"] == number:
                return
            await asyncio.sleep(0.01)
    raise AssertionError("they do not come to wait")


async def test_no_call_waits_behind_another(make_redis: MakeRedis) -> None:
    server = make_redis()
    calls = Apart(server.url)
    waiting = [asyncio.create_task(calls.call("BLPOP", f"list-{n}", 30)) for n in range(5)]
    await _blocked(server, 5)
    assert await calls.call("PING") == b"PONG"
    for number in (3, 0, 4, 1, 2):
        await calls.call("RPUSH", f"list-{number}", number)
        assert await waiting[number] == [f"list-{number}".encode(), str(number).encode()]
    assert len(connections(server)) == 6
    await calls.close()


async def test_connections_that_are_free_are_used_again(make_redis: MakeRedis) -> None:
    server = make_redis()
    calls = Apart(server.url)
    for number in range(50):
        assert await calls.call("ECHO", number) == str(number).encode()
    assert len(connections(server)) == 1
    await calls.close()
    assert not connections(server)


async def test_who_gives_up_waiting_takes_its_connection_along(make_redis: MakeRedis) -> None:
    """Else the next on it would be given the answer to another's question, or none for long."""
    server = make_redis()
    calls = Apart(server.url)
    waiting = asyncio.create_task(calls.call("BLPOP", "list", 30))
    await _blocked(server, 1)
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    await _blocked(server, 0)
    await calls.call("RPUSH", "list", "x")
    assert await calls.call("LLEN", "list") == 1, "nobody took what nobody waits for"
    await calls.close()


async def test_cancelled_callers_shift_nobodys_answer(make_redis: MakeRedis) -> None:
    calls = Apart(make_redis().url)
    random = Random(3)

    async def ask(number: int) -> bool:
        words = [str(random.random()) for _ in range(random.randrange(1, 4))]
        answers = [await calls.call("ECHO", f"{number} {word}") for word in words]
        return answers == [f"{number} {word}".encode() for word in words]

    tasks: list[asyncio.Task[bool]] = []
    for number in range(600):
        tasks.append(asyncio.create_task(ask(number)))
        if random.random() < 0.4:
            tasks[random.randrange(len(tasks))].cancel()
        if number % 20 == 0:
            await asyncio.gather(*tasks[-15:], return_exceptions=True)
    answers = await asyncio.gather(*tasks, return_exceptions=True)
    kept = [answer for answer in answers if not isinstance(answer, asyncio.CancelledError)]
    assert 100 < len(kept) < 600
    assert all(answer is True for answer in kept)
    await calls.close()


async def test_a_refusal_is_an_answer(calls: Apart) -> None:
    await calls.call("SADD", "s", "x")
    with pytest.raises(Refused) as refusal:
        await calls.call("GET", "s")
    assert refusal.value.code == "WRONGTYPE"
    assert await calls.call("SCARD", "s") == 1


async def test_a_lost_connection_is_made_anew(make_redis: MakeRedis) -> None:
    server = make_redis()
    calls = Apart(server.url)
    waiting = [asyncio.create_task(calls.call("BLPOP", "list", 30)) for _ in range(3)]
    await _blocked(server, 3)
    with server.client() as client:
        for row in connections(server):
            client.client_kill_filter(_id=row["id"])
    for asked in waiting:
        with pytest.raises(Unreachable) as lost:
            await asked
        assert lost.value.sent
    assert await calls.call("PING") == b"PONG"
    assert len(connections(server)) == 1
    await calls.close()


async def test_a_redis_that_is_not_there_is_told_as_such() -> None:
    calls = Apart("unix:///none.sock")
    with pytest.raises(Unreachable) as away:
        await calls.call("PING")
    assert not away.value.sent
    await calls.close()


async def test_a_silent_redis_is_given_up(make_redis: MakeRedis) -> None:
    server = make_redis()
    calls = Apart(server.url, seconds=0.2)
    await calls.call("PING")
    server.signal(signal.SIGSTOP)
    with pytest.raises(Unreachable) as lost:
        await calls.call("PING")
    assert lost.value.sent
    server.signal(signal.SIGCONT)
    assert await calls.call("ECHO", "x") == b"x"
    await calls.close()


async def test_a_closed_one_answers_nobody(make_redis: MakeRedis) -> None:
    server = make_redis()
    calls = Apart(server.url)
    waiting = asyncio.create_task(calls.call("BLPOP", "list", 30))
    await _blocked(server, 1)
    await calls.close()
    with pytest.raises(Unreachable):
        await waiting
    with pytest.raises(Unreachable) as refusal:
        await calls.call("PING")
    assert not refusal.value.sent
    fresh = Apart(server.url)
    asked = asyncio.create_task(fresh.call("PING"))
    await asyncio.sleep(0)
    await fresh.close()
    with pytest.raises(Unreachable):
        await asked
    assert not connections(server)


@pytest.mark.parametrize(
    "case",
    [
        test_no_call_waits_behind_another,
        test_who_gives_up_waiting_takes_its_connection_along,
        test_cancelled_callers_shift_nobodys_answer,
        test_a_lost_connection_is_made_anew,
        test_a_silent_redis_is_given_up,
        test_a_closed_one_answers_nobody,
    ],
)
def test_it_holds_on_the_event_loop_of_the_server_too(
    make_redis: MakeRedis, case: Callable[[MakeRedis], Coroutine[Any, Any, None]]
) -> None:
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(case(make_redis))
