"""A Redis that is away, back, or emptied; an API process that is killed: what callers are told."""

import time
from collections.abc import Callable, Iterator
from typing import Any

import httpx
import pytest

from tests.kit.face import Api
from tests.kit.redis_server import RedisServer
from tests.kit.tables import Meeting, Person, running

BORROW = {"type": "bookmaker.borrow", "amount": 10}
Make = Callable[[RedisServer], Api]


@pytest.fixture
def make(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Make]:
    """Starts API processes that end with the test."""
    made: list[Api] = []

    def start(redis: RedisServer) -> Api:
        made.append(Api(redis.url, tmp_path_factory.mktemp("outage")))
        return made[-1]

    yield start
    for api in made:
        api.stop()


def refused(answer: httpx.Response) -> tuple[int, str]:
    return answer.status_code, answer.json()["code"]


def until(answers: Callable[[], bool], seconds: float = 30.0) -> bool:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if answers():
            return True
        time.sleep(0.1)
    return False


def test_while_redis_is_away_calls_are_refused_and_nothing_is_lost(
    make: Make, make_redis: Callable[..., RedisServer]
) -> None:
    redis = make_redis()
    api = make(redis)
    meeting, people = running(api)
    before = meeting.board(people[0])
    redis.settle()
    redis.kill()
    ann = people[0].client
    calls: list[Callable[[], httpx.Response]] = [
        lambda: meeting.give(people[0], BORROW),
        lambda: ann.get(f"{meeting.path}/board"),
        lambda: ann.get("/v1/me"),
        lambda: ann.post("/v1/meetings", json={"game": "bookmaker", "seats": 2}),
        lambda: api.client().post("/v1/players", json={"name": "Eve"}),
        lambda: api.client().get(meeting.path),
        lambda: api.client().get(f"{meeting.path}/log"),
        lambda: api.client().get("/v1/meetings"),
    ]
    for call in calls:
        answer = call()
        assert refused(answer) == (503, "log_unavailable")
        assert int(answer.headers["retry-after"]) > 0
    assert api.client().get("/health/live").status_code == 200
    ready = api.client().get("/health/ready")
    assert refused(ready) == (503, "not_ready")
    assert ready.json()["parts"]["event_log"]["ok"] is False
    assert api.client().get("/v1/games").status_code == 200
    redis.start()
    assert until(lambda: ann.get(f"{meeting.path}/board").status_code == 200)
    assert meeting.board(people[0]) == before
    assert meeting.give(people[0], BORROW).status_code == 200


def test_a_log_that_lost_what_was_seen_is_not_gone_on_with(
    make: Make, make_redis: Callable[..., RedisServer]
) -> None:
    redis = make_redis()
    api = make(redis)
    meeting, people = running(api)
    meeting.board(people[0])
    with redis.client() as client:
        for key in client.scan_iter(f"es:*:{meeting.id}*"):
            client.delete(key)
    for answer in (
        people[0].client.get(f"{meeting.path}/board"),
        meeting.give(people[0], BORROW),
    ):
        assert refused(answer) == (503, "log_diverged")
        assert "retry-after" in answer.headers


def test_what_was_acknowledged_before_a_process_was_killed_is_there(
    make: Make, make_redis: Callable[..., RedisServer]
) -> None:
    redis = make_redis()
    one, two = make(redis), make(redis)
    meeting, people = running(one)
    told: list[Any] = [meeting.give(people[0], BORROW).json()["version"] for _ in range(5)]
    one.kill()
    board = people[0].on(two).get(f"{meeting.path}/board").json()
    assert board["version"] == told[-1]
    assert Meeting(Person(two)).id
