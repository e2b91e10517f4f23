"""Rates over HTTP: who is counted together, what is not counted, what a refusal says."""

from collections.abc import Callable, Iterator

import httpx
import pytest

from tests.kit.face import ADMIN, Api
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


def test_registration_is_limited_by_address_over_all_processes(make: Make) -> None:
    one, two = make(registrations_per_hour=4), make(registrations_per_hour=4)
    told = [register(api, "192.0.2.1").status_code for api in (one, two) * 4]
    assert told.count(201) == 4
    refused = register(one, "192.0.2.1")
    assert (refused.status_code, refused.json()["code"]) == (429, "rate_limited")
    assert 0 < int(refused.headers["retry-after"]) <= 900
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
    written = people[0].client.post(f"{meeting.path}/seats")
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


def test_rates_may_be_turned_off(make: Make) -> None:
    api = make(rate_limit=False, registrations_per_hour=1)
    answers = [register(api, "192.0.2.1") for _ in range(3)]
    assert [answer.status_code for answer in answers] == [201, 201, 201]
    assert "ratelimit" not in answers[0].headers
