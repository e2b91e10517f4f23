"""Calls of many tasks over one connection: each gets its own answer, or none."""

import asyncio
import signal
import time
from collections.abc import AsyncIterator, Callable, Coroutine
from random import Random
from typing import Any

import pytest
import uvloop
from redis import Redis

from service.redis import opening
from service.redis.apart import Apart
from service.redis.client import NAME, PoolCalls, Refused, Unreachable
from service.redis.cluster import ClusterCalls
from service.redis.mux import Multiplexed, open_calls, open_waiting
from tests.kit.redis_server import RedisServer

MakeRedis = Callable[..., RedisServer]


@pytest.fixture
async def calls(redis_url: str) -> AsyncIterator[Multiplexed]:
    """Calls to an empty Redis."""
    one = Multiplexed(redis_url)
    yield one
    await one.close()


@pytest.fixture
def client(redis_url: str) -> Any:
    """A plain client beside it."""
    with Redis.from_url(redis_url) as plain:
        yield plain


def connections(client: Any) -> list[dict[str, str]]:
    """Our connections as Redis lists them."""
    return [row for row in client.client_list() if row["name"] == NAME]


async def test_all_tasks_share_one_connection(calls: Multiplexed, client: Any) -> None:
    answers = await asyncio.gather(*(calls.call("ECHO", number) for number in range(500)))
    assert answers == [str(number).encode() for number in range(500)]
    assert len(connections(client)) == 1


async def test_what_is_asked_at_once_is_sent_together(calls: Multiplexed, client: Any) -> None:
    await calls.call("PING")
    await asyncio.gather(*(calls.call("INCR", "n") for _ in range(100)))
    client.config_resetstat()
    reads = client.info("stats")["total_reads_processed"]
    await asyncio.gather(*(calls.call("INCR", "n") for _ in range(100)))
    assert client.info("stats")["total_reads_processed"] - reads <= 3, "not one read a call"


async def test_answers_come_as_redis_gives_them(calls: Multiplexed) -> None:
    assert await calls.call("SET", "a", b"\x00\r\n\xff") == b"OK"
    assert await calls.call("GET", "a") == b"\x00\r\n\xff"
    assert await calls.call("GET", "none") is None
    assert await calls.call("INCR", "n") == 1
    assert await calls.call("MGET", "a", "none") == [b"\x00\r\n\xff", None]
    assert await calls.call("SET", "é", 3, "EX", 100) == b"OK"


async def test_a_refusal_is_that_of_its_own_call(calls: Multiplexed) -> None:
    await calls.call("SADD", "s", "x")
    answers = await asyncio.gather(
        *(calls.call("GET" if number % 3 == 0 else "SCARD", "s") for number in range(30)),
        return_exceptions=True,
    )
    for number, answer in enumerate(answers):
        if number % 3 == 0:
            assert isinstance(answer, Refused)
            assert answer.code == "WRONGTYPE"
        else:
            assert answer == 1


async def test_what_can_not_be_packed_shifts_nobodys_answer(calls: Multiplexed) -> None:
    bad: Any = None
    answers = await asyncio.gather(
        *(calls.call("ECHO", bad if number == 5 else number) for number in range(10)),
        return_exceptions=True,
    )
    assert isinstance(answers[5], TypeError)
    assert [int(answer) for answer in answers if isinstance(answer, bytes)] == [
        *range(5),
        *range(6, 10),
    ]


async def test_cancelled_callers_shift_nobodys_answer(make_redis: MakeRedis) -> None:
    calls = Multiplexed(make_redis().url)
    random = Random(3)

    async def ask(number: int) -> bool:
        words = [str(random.random()) for _ in range(random.randrange(1, 4))]
        answers = [await calls.call("ECHO", f"{number} {word}") for word in words]
        return answers == [f"{number} {word}".encode() for word in words]

    tasks = []
    for number in range(3000):
        tasks.append(asyncio.create_task(ask(number)))
        if random.random() < 0.4:
            tasks[random.randrange(len(tasks))].cancel()
        if random.random() < 0.05:
            await asyncio.sleep(random.choice([0, 0.0005]))
    answers = await asyncio.gather(*tasks, return_exceptions=True)
    kept = [answer for answer in answers if not isinstance(answer, asyncio.CancelledError)]
    assert len(kept) > 500
    assert len(kept) < 3000
    assert all(answer is True for answer in kept)
    await calls.close()


async def test_a_lost_connection_is_made_anew(make_redis: MakeRedis) -> None:
    server = make_redis()
    calls = Multiplexed(server.url)
    with server.client() as client:
        for _ in range(5):
            assert await calls.call("ECHO", "x") == b"x"
            (row,) = connections(client)
            asked = [asyncio.create_task(calls.call("ECHO", number)) for number in range(50)]
            await asyncio.sleep(0)
            client.client_kill_filter(_id=row["id"])
            for number, answer in enumerate(await asyncio.gather(*asked, return_exceptions=True)):
                assert answer == str(number).encode() or isinstance(answer, Unreachable)
    await calls.close()


async def test_who_waits_on_a_lost_connection_may_have_been_heard(
    make_redis: MakeRedis,
) -> None:
    server = make_redis()
    calls = Multiplexed(server.url)
    await calls.call("PING")
    server.signal(signal.SIGSTOP)
    waiting = [asyncio.create_task(calls.call("INCR", "n")) for _ in range(3)]
    await asyncio.sleep(0.05)
    server.kill()
    answers = await asyncio.gather(*waiting, return_exceptions=True)
    assert [type(answer) for answer in answers] == [Unreachable] * 3
    assert all(answer.sent for answer in answers if isinstance(answer, Unreachable))
    with pytest.raises(Unreachable) as refusal:
        await calls.call("PING")
    assert not refusal.value.sent
    server.start()
    assert await calls.call("PING") == b"PONG"
    await calls.close()


async def test_what_was_not_sent_on_a_dead_connection_goes_out_on_a_new_one(
    make_redis: MakeRedis,
) -> None:
    server = make_redis()
    calls = Multiplexed(server.url)
    await calls.call("PING")
    for _ in range(5):
        server.restart()  # while this event loop stands still
        (answer,) = await asyncio.gather(calls.call("PING"), return_exceptions=True)
        assert answer == b"PONG" or (isinstance(answer, Unreachable) and answer.sent)
        assert await calls.call("PING") == b"PONG"
    await calls.close()


async def test_a_silent_redis_is_given_up_and_found_again(make_redis: MakeRedis) -> None:
    server = make_redis()
    calls = Multiplexed(server.url, seconds=0.2)
    await calls.call("PING")
    server.signal(signal.SIGSTOP)
    try:
        with pytest.raises(Unreachable, match=r"no answer from Redis for 0\.2 s") as refusal:
            await calls.call("PING")
        assert refusal.value.sent
    finally:
        server.signal(signal.SIGCONT)
    assert await calls.call("PING") == b"PONG"
    await calls.close()


async def test_a_busy_process_gives_up_no_connection(make_redis: MakeRedis) -> None:
    server = make_redis()
    calls = Multiplexed(server.url, seconds=0.2)
    await calls.call("PING")
    for _ in range(3):
        asked = asyncio.create_task(calls.call("BLPOP", "none", "0.1"))
        await asyncio.sleep(0.01)
        time.sleep(0.6)
        assert await asked is None
    with server.client() as client:
        assert client.info("stats")["total_connections_received"] <= 4
    await calls.close()


async def test_more_than_the_system_takes_at_once_is_sent_in_time(make_redis: MakeRedis) -> None:
    server = make_redis()
    calls = Multiplexed(server.url)
    await calls.call("PING")
    server.signal(signal.SIGSTOP)
    texts = [f"{number:06d}" * 20_000 for number in range(60)]
    waiting: list[asyncio.Task[Any]] = []
    for text in texts:
        waiting.append(asyncio.create_task(calls.call("ECHO", text)))
        await asyncio.sleep(0)
    await asyncio.sleep(0.05)
    server.signal(signal.SIGCONT)
    assert await asyncio.gather(*waiting) == [text.encode() for text in texts]
    await calls.close()


async def test_callers_that_come_first_share_one_try_to_connect(
    redis_url: str, client: Any
) -> None:
    calls = Multiplexed(redis_url)
    first = asyncio.create_task(calls.call("PING"))
    others = [asyncio.create_task(calls.call("ECHO", number)) for number in range(5)]
    await asyncio.sleep(0)
    first.cancel()
    assert await asyncio.gather(*others) == [str(number).encode() for number in range(5)]
    assert first.cancelled()
    assert len(connections(client)) == 1
    await calls.close()


async def test_password_and_database_are_told_first(make_redis: MakeRedis) -> None:
    server = make_redis(port=True, settings={"requirepass": "sesame"})
    for url in (
        server.tcp_url.replace("://", "://:sesame@").replace("/0", "/3"),
        server.tcp_url.replace("://", "://default:sesame@").replace("/0", "/3"),
        server.url.replace("://", "://:sesame@") + "?db=3",
    ):
        calls = Multiplexed(url)
        await calls.call("INCR", "n")
        await calls.close()
    with Redis.from_url(server.url.replace("://", "://:sesame@")) as client:
        assert client.info("keyspace").keys() == {"db3"}
    for url in (server.tcp_url, server.tcp_url.replace("://", "://:guess@")):
        calls = Multiplexed(url)
        for _ in range(2):
            with pytest.raises(Refused) as refusal:
                await calls.call("GET", "n")
            assert refusal.value.code in {"NOAUTH", "WRONGPASS"}
        await calls.close()


async def test_a_replica_is_left_for_where_the_name_leads_now(make_redis: MakeRedis) -> None:
    server = make_redis()
    calls = Multiplexed(server.url)
    await calls.call("SET", "a", 1)
    with server.client() as client:
        (before,) = connections(client)
        client.replicaof("127.0.0.1", "1")
        answers = await asyncio.gather(
            calls.call("GET", "a"),
            calls.call("SET", "a", 2),
            calls.call("GET", "a"),
            return_exceptions=True,
        )
        assert answers[0] == answers[2] == b"1"
        assert isinstance(answers[1], Refused)
        assert answers[1].code == "READONLY"
        client.replicaof("NO", "ONE")
        await calls.call("SET", "a", 3)
        (after,) = connections(client)
        assert before["id"] != after["id"]
    await calls.close()


async def test_a_closed_one_answers_nobody(make_redis: MakeRedis) -> None:
    server = make_redis()
    calls = Multiplexed(server.url)
    await calls.call("PING")
    server.signal(signal.SIGSTOP)
    waiting = asyncio.create_task(calls.call("PING"))
    await asyncio.sleep(0.02)
    await calls.close()
    with pytest.raises(Unreachable):
        await waiting
    server.signal(signal.SIGCONT)
    with pytest.raises(Unreachable) as refusal:
        await calls.call("PING")
    assert not refusal.value.sent
    await calls.close()
    fresh = Multiplexed(server.url)
    asked = asyncio.create_task(fresh.call("PING"))
    await asyncio.sleep(0)
    await fresh.close()
    with pytest.raises((Unreachable, asyncio.CancelledError)):
        await asked


@pytest.mark.parametrize(
    "words", [b"HTTP/1.1 400 Bad Request\r\n\r\n", b"+OK\r\n+OK\r\n+OK\r\n", b""]
)
async def test_what_is_no_redis_is_unreachable(
    words: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(opening, "CONNECT_SECONDS", 0.2)

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(words)
        await reader.read(-1)
        writer.close()

    stranger = await asyncio.start_server(serve, "127.0.0.1", 0)
    port = stranger.sockets[0].getsockname()[1]
    calls = Multiplexed(f"redis://127.0.0.1:{port}/0", seconds=0.2)
    for _ in range(2):
        with pytest.raises(Unreachable):
            await calls.call("PING")
    await calls.close()
    stranger.close()
    await stranger.wait_closed()


async def test_a_name_that_leads_nowhere_is_unreachable() -> None:
    calls = Multiplexed("redis://nowhere.invalid:6379/0")
    with pytest.raises(Unreachable) as refusal:
        await calls.call("PING")
    assert not refusal.value.sent
    await calls.close()


async def test_the_way_fits_the_url_and_the_call() -> None:
    ways: list[tuple[Any, type]] = [
        (open_calls("redis://localhost:1/0"), Multiplexed),
        (open_calls("unix:///none.sock"), Multiplexed),
        (open_calls("rediss://localhost:1/0"), PoolCalls),
        (open_waiting("redis://localhost:1/0"), Apart),
        (open_waiting("unix:///none.sock"), Apart),
        (open_waiting("rediss://localhost:1/0"), PoolCalls),
        (open_calls("redis+cluster://localhost:1"), ClusterCalls),
        (open_waiting("rediss+cluster://localhost:1"), ClusterCalls),
    ]
    for way, kind in ways:
        assert isinstance(way, kind)
        await way.close()


@pytest.mark.parametrize(
    "case",
    [
        test_cancelled_callers_shift_nobodys_answer,
        test_a_lost_connection_is_made_anew,
        test_who_waits_on_a_lost_connection_may_have_been_heard,
        test_what_was_not_sent_on_a_dead_connection_goes_out_on_a_new_one,
        test_a_silent_redis_is_given_up_and_found_again,
        test_a_busy_process_gives_up_no_connection,
        test_more_than_the_system_takes_at_once_is_sent_in_time,
        test_password_and_database_are_told_first,
        test_a_replica_is_left_for_where_the_name_leads_now,
        test_a_closed_one_answers_nobody,
    ],
)
def test_it_holds_on_the_event_loop_of_the_server_too(
    make_redis: MakeRedis, case: Callable[[MakeRedis], Coroutine[Any, Any, None]]
) -> None:
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(case(make_redis))
