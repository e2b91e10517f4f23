"""Rates over HTTP: who is counted together, what is not counted, what a refusal says."""

import re
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any

import httpx
import pytest

from tests.kit.face import ADMIN, Api, Client
from tests.kit.redis_server import RedisServer
from tests.kit.tables import Meeting, Person, running

Make = Callable[..., Api]


@pytest.fixture
def make(face_redis: RedisServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Make]:
    """Starts API processes with rates, on a Redis whose buckets are full."""
    made: list[Api] = []
    with face_redis.client() as redis:
        for key in redis.scan_iter("rates:*"):
            redis.delete(key)

    def start(**settings: int | str | list[str]) -> Api:
        rates = {"rate_limit": True, "trusted_proxies": ["127.0.0.0/8"], **settings}
        made.append(Api(face_redis.url, tmp_path_factory.mktemp("rates"), **rates))
        return made[-1]

    yield start
    for api in made:
        api.stop()


def register(api: Api, address: str) -> httpx.Response:
    with api.client() as client:
        headers = {"X-Forwarded-For": address}
        answer: httpx.Response = client.post("/v1/players", json={"name": "Eve"}, headers=headers)
        return answer


def test_what_a_bucket_has_is_told_to_nobody_but_its_caller(make: Make) -> None:
    meeting, (ann, ben) = running(make())
    assert "ratelimit" in ann.client.get("/v1/me").headers
    assert "ratelimit" not in meeting.give(ben, {"type": "bookmaker.borrow", "amount": 10}).headers
    assert "ratelimit" not in ben.client.get("/health/live").headers


def test_registration_is_limited_by_address_over_all_processes(make: Make) -> None:
    one, two = make(registrations_per_hour=4), make(registrations_per_hour=4)
    answers = [register(api, "192.0.2.1") for api in (one, two) * 4]
    assert [answer.status_code for answer in answers] == [201] * 4 + [429] * 4
    waits = [answer.headers["retry-after"] for answer in answers[4:]]
    assert 0 < int(waits[0]) <= 900 < int(waits[1]) <= 1800
    refused = register(one, "192.0.2.1")
    assert (refused.status_code, refused.json()["code"]) == (429, "rate_limited")
    assert int(refused.headers["retry-after"]) > 0
    assert refused.headers["ratelimit-policy"] == '"registrations";q=4;w=3600'
    assert refused.headers["ratelimit"].startswith('"registrations";r=0;t=')
    assert register(one, "192.0.2.2").status_code == 201
    with one.client(ADMIN) as admin:
        headers = {"X-Forwarded-For": "192.0.2.1"}
        answer = admin.post("/v1/players", json={"name": "Ann"}, headers=headers)
        assert answer.status_code == 201


def test_only_trusted_proxies_say_whose_address_it_is(make: Make) -> None:
    api = make(registrations_per_hour=2, trusted_proxies=["127.0.0.1", "198.51.100.0/24"])
    behind = ["203.0.113.9, 192.0.2.7, 198.51.100.3", "10.0.0.1, 192.0.2.7", "192.0.2.7"]
    assert [register(api, told).status_code for told in behind] == [201, 201, 429]
    forged = make(registrations_per_hour=1, trusted_proxies=[])
    told = [register(forged, f"192.0.2.{number}").status_code for number in (1, 2)]
    assert told == [201, 429]


def test_addresses_of_one_network_of_ipv6_count_together(make: Make) -> None:
    api = make(registrations_per_hour=2)
    same = ["2001:db8:1:2::1", "2001:db8:1:2:ffff::9", "2001:db8:1:2::3"]
    assert [register(api, told).status_code for told in same] == [201, 201, 429]
    assert register(api, "2001:db8:1:3::1").status_code == 201
    assert register(api, "::ffff:192.0.2.77").status_code == 201


def test_commands_touch_no_bucket_and_reads_and_writes_have_their_own(make: Make) -> None:
    api = make(reads_per_minute=30, writes_per_minute=60)
    meeting, people = running(api)
    answer = people[0].client.get("/v1/games")
    while answer.status_code == 200:
        assert answer.headers["ratelimit-policy"] == '"reads";q=30;w=60'
        answer = people[0].client.get("/v1/games")
    assert answer.status_code == 429
    borrow = {"type": "bookmaker.borrow", "amount": 10}
    for _ in range(5):
        given = meeting.give(people[0], borrow)
        assert given.status_code == 200
        assert "ratelimit" not in given.headers
    written = people[0].client.post(f"{meeting.path}/seats", json={})
    assert (written.status_code, written.json()) == (200, {"seat": 1})
    assert people[1].client.get("/v1/games").status_code == 200
    assert api.client().get("/health/live").status_code == 200


def test_a_client_that_obeys_the_headers_gets_on(make: Make) -> None:
    api = make(writes_per_minute=60)
    ann = Person(api)
    left = 60
    while left:
        answer = ann.client.post("/v1/meetings", json={"game": "bookmaker", "seats": 2})
        assert answer.status_code == 201
        left = int(answer.headers["ratelimit"].partition("r=")[2].partition(";")[0])
    assert Meeting(Person(api)).id


def obey(clients: Any, rounds: int) -> list[int]:
    """Read on through these clients by turns, waiting as told; the status of each call so made.

    Stops after so many refusals; a call that follows one is what the promise was about.
    """
    told: list[int] = []
    while told.count(429) < rounds or told[-1] == 429:
        answer = next(clients).get("/v1/limits")
        told.append(answer.status_code)
        if answer.status_code == 429:
            time.sleep(int(answer.headers["retry-after"]))
    return told


def by_turns(*clients: Client) -> Iterator[Client]:
    while True:
        yield from clients


def test_a_client_that_waits_as_told_is_never_refused_twice(make: Make) -> None:
    one, two = (make(reads_per_minute=60) for _ in range(2))
    people = [Person(one) for _ in range(4)]
    clients = [by_turns(person.client, person.on(two)) for person in people]
    with ThreadPoolExecutor(len(people)) as pool:
        for told in pool.map(lambda own: obey(own, 3), clients):
            assert told.count(200) >= 60
            assert (429, 429) not in set(pairwise(told))


def test_callers_that_share_an_address_and_wait_as_told_are_not_refused_twice(make: Make) -> None:
    one, two = (make(reads_per_minute=300) for _ in range(2))
    clients = [api.client() for api in (one, two) * 6]
    answer = clients[0].get("/v1/limits")
    while answer.status_code == 200:
        answer = clients[0].get("/v1/limits")
    time.sleep(int(answer.headers["retry-after"]))

    def call(number: int) -> list[int]:
        first = clients[number].get("/v1/limits")
        if first.status_code == 429:
            time.sleep(int(first.headers["retry-after"]))
        other = clients[(number + 1) % len(clients)]  # of the other process
        return [first.status_code, other.get("/v1/limits").status_code]

    with ThreadPoolExecutor(len(clients)) as pool:
        told = list(pool.map(call, range(len(clients))))
    assert [first for first, _ in told].count(429) >= 1
    assert all(second == 200 for first, second in told if first == 429)


def test_reads_without_a_token_count_by_address(make: Make) -> None:
    api = make(reads_per_minute=10)
    with api.client() as client:

        def read(address: str) -> int:
            answer = client.get("/v1/limits", headers={"X-Forwarded-For": address})
            status: int = answer.status_code
            return status

        assert [read("192.0.2.1") for _ in range(11)] == [200] * 10 + [429]
        assert read("192.0.2.2") == 200
    ann = Person(api)
    own = ann.client.get("/v1/limits", headers={"X-Forwarded-For": "192.0.2.1"})
    assert own.status_code == 200
    assert own.headers["ratelimit"].startswith('"reads";r=9;t=')


def test_every_answer_tells_of_its_bucket_in_the_form_of_the_draft(make: Make) -> None:
    api = make(reads_per_minute=2)
    answers = [api.client().get("/v1/limits") for _ in range(3)]
    assert [answer.status_code for answer in answers] == [200, 200, 429]
    for answer in answers:
        assert re.fullmatch(r'"reads";r=\d+;t=[1-9]\d*', answer.headers["ratelimit"])
        assert answer.headers["ratelimit-policy"] == '"reads";q=2;w=60'
    waits = answers[2].headers["ratelimit"].partition("t=")[2]
    assert answers[2].headers["retry-after"] == waits
    assert answers[2].json()["bucket"] == "reads"
    assert "retry-after" not in answers[1].headers


def test_what_does_not_need_redis_is_answered_while_it_is_away(
    make: Make, make_redis: Callable[..., RedisServer], tmp_path: Any
) -> None:
    redis = make_redis()
    api = Api(redis.url, tmp_path, rate_limit=True, reads_per_minute=1)
    try:
        assert api.client().get("/v1/games").status_code == 200
        assert api.client().get("/v1/games").status_code == 429
        redis.kill()
        for _ in range(3):
            answer = api.client().post("/v1/players", json={"name": "Eve"})
            assert (answer.status_code, answer.json()["code"]) == (503, "log_unavailable")
    finally:
        api.stop()


def test_rates_may_be_turned_off(make: Make) -> None:
    api = make(rate_limit=False, registrations_per_hour=1)
    answers = [register(api, "192.0.2.1") for _ in range(3)]
    assert [answer.status_code for answer in answers] == [201, 201, 201]
    assert "ratelimit" not in answers[0].headers
