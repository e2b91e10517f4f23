"""Idempotency-Key: the same call is done once only, and a repetition gets the first answer."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import cycle
from typing import Any

import httpx
import pytest

from tests.kit.face import Api, Client
from tests.kit.redis_server import RedisServer
from tests.kit.tables import Meeting, Person, running

TWINS = 20
BORROW = {"type": "bookmaker.borrow", "amount": 10}
ODDS = b'{"type":"bookmaker.set_odds","odds":%b}'


def refused(answer: httpx.Response) -> tuple[int, str]:
    return answer.status_code, answer.json()["code"]


def twins(person: Person, apis: tuple[Api, Api], path: str, body: Any) -> list[httpx.Response]:
    """The answers to the same call made many times at once, in two processes."""
    clients = [person.on(api) for api, _ in zip(cycle(apis), range(TWINS), strict=False)]
    for client in clients:
        client.get("/v1/limits")

    def call(client: Any) -> httpx.Response:
        answer: httpx.Response = client.post(path, json=body, headers={"Idempotency-Key": "once"})
        return answer

    with ThreadPoolExecutor(TWINS) as pool:
        return list(pool.map(call, clients))


Call = Callable[[Person, Meeting], tuple[str, Any]]
CALLS: dict[str, tuple[Call, int]] = {
    "open": (lambda ann, _: ("/v1/meetings", {"game": "bookmaker", "seats": 2}), 201),
    "sit": (lambda ann, meeting: (f"{meeting.path}/seats", {"nonce": "x"}), 201),
    "bot": (lambda ann, meeting: (f"{meeting.path}/seats", {"bot": "steady"}), 201),
    "reserve": (lambda ann, meeting: (f"{meeting.path}/seats", {"player": "admin"}), 201),
    "abandon": (lambda ann, meeting: (f"{meeting.path}/abandon", {}), 200),
}


@pytest.mark.parametrize("name", list(CALLS))
def test_twins_have_one_effect_and_one_answer(api: Api, other: Api, name: str) -> None:
    ann = Person(api)
    meeting = Meeting(ann)
    path, body = CALLS[name][0](ann, meeting)
    answers = twins(ann, (api, other), path, body)
    assert {answer.status_code for answer in answers} == {CALLS[name][1]}
    assert len({answer.content for answer in answers}) == 1
    if name == "open":
        assert len({answer.headers["location"] for answer in answers}) == 1
    else:
        assert meeting.summary()["version"] == 2


def test_twins_of_a_start_have_one_effect_and_one_answer(api: Api, other: Api) -> None:
    ann = Person(api)
    meeting = Meeting(ann).seat(ann, ann)
    answers = twins(ann, (api, other), f"{meeting.path}/start", {})
    assert {answer.status_code for answer in answers} == {200}
    assert len({answer.content for answer in answers}) == 1


def test_twins_of_a_command_have_one_effect_and_one_answer(api: Api, other: Api) -> None:
    meeting, people = running(api)
    version = meeting.board(people[0])["version"]
    answers = twins(people[0], (api, other), f"{meeting.path}/commands", BORROW)
    assert {answer.status_code for answer in answers} == {200}
    assert len({answer.content for answer in answers}) == 1
    board = meeting.board(people[0])
    assert board["version"] == version + 1
    assert board["seats"][0]["loan"] == 10


def test_a_repetition_gets_the_answer_as_of_then(api: Api, other: Api) -> None:
    meeting, people = running(api)
    key = {"Idempotency-Key": "first"}
    first = meeting.give(people[0], BORROW, **key)
    meeting.give(people[0], BORROW)
    meeting.give(people[1], BORROW)
    assert meeting.give(people[0], BORROW, **key).content == first.content
    again = people[0].on(other).post(f"{meeting.path}/commands", json=BORROW, headers=key)
    assert again.content == first.content


def test_a_repetition_is_answered_though_the_call_would_be_refused_by_now(api: Api) -> None:
    ann = Person(api)
    meeting = Meeting(ann)
    key = {"Idempotency-Key": "k"}

    def post(what: str, body: Any = None) -> httpx.Response:
        return ann.client.post(f"{meeting.path}/{what}", json=body or {}, headers=key)

    first = [
        post("seats"),
        post("seats", {}),
        ann.client.post(f"{meeting.path}/seats", json={"seat": 2}),
    ]
    assert [answer.status_code for answer in first] == [201, 201, 201]
    started = post("start")
    assert post("start").content == started.content
    over = post("abandon")
    assert post("abandon").content == over.content
    assert post("start").content == started.content
    assert post("seats").content == first[0].content


def test_a_call_that_changed_nothing_is_repeated_as_it_was(api: Api) -> None:
    ann = Person(api)
    meeting = Meeting(ann).seat(ann)
    key = {"Idempotency-Key": "again"}
    first = ann.client.post(f"{meeting.path}/seats", json={}, headers=key)
    assert (first.status_code, first.json()) == (200, {"seat": 1})
    ann.client.delete(f"{meeting.path}/seats/1")
    again = ann.client.post(f"{meeting.path}/seats", json={}, headers=key)
    assert (again.status_code, again.json()) == (200, {"seat": 1})


def test_a_key_with_another_body_is_reused(api: Api, other: Api) -> None:
    meeting, people = running(api)
    key = {"Idempotency-Key": "mine"}
    assert meeting.give(people[0], BORROW, **key).status_code == 200
    for body in ({**BORROW, "amount": 20}, {**BORROW, "seat": 1}, {**BORROW, "amount": 5}):
        assert refused(meeting.give(people[0], body, **key)) == (422, "idempotency_key_reused")
        there = people[0].on(other).post(f"{meeting.path}/commands", json=body, headers=key)
        assert refused(there) == (422, "idempotency_key_reused")
    path = "/v1/meetings"
    bodies = [{"game": "bookmaker", "seats": seats} for seats in (2, 3)]
    answers = [people[0].client.post(path, json=body, headers=key) for body in bodies]
    assert [answer.status_code for answer in answers] == [201, 422]


def test_the_same_body_written_otherwise_is_the_same_call(api: Api) -> None:
    meeting, people = running(api)
    bodies = (
        b'{"type":"bookmaker.borrow","amount":10}',
        b' {"amount": 1e1, "type": "bookmaker.borrow"}\n',
    )
    answers = [
        people[0].client.send_raw(
            "POST", f"{meeting.path}/commands", raw, **{"Idempotency-Key": "same"}
        )
        for raw in bodies
    ]
    assert answers[0].content == answers[1].content


@pytest.mark.parametrize(
    ("one", "two"),
    [
        (b'{"type":"bookmaker.borrow","amount":10}', b'{"amount":1e1,"type":"bookmaker.borrow"}'),
        (b'{"type":"bookmaker.borrow","amount":10.0}', b'{"type":"bookmaker.borrow","amount":10}'),
        (
            b'{"type":"bookmaker.borrow","amount":100E-1}',
            b'{"type":"bookmaker.b\\u006frrow","amount":10}',
        ),
        (
            ODDS % b'{"red":3,"blue":2.50,"green":2,"yellow":2.5}',
            ODDS % b'{"yellow":2.5,"green":2.0,"blue":25e-1,"red":3}',
        ),
    ],
)
def test_a_body_is_what_it_decodes_to(api: Api, other: Api, one: bytes, two: bytes) -> None:
    meeting, (ann, _) = running(
        api, arranged={"draws": {"bookmaker": [1]}}, options={"odds_step": 0.5}
    )
    path, key = f"{meeting.path}/commands", {"Idempotency-Key": "same"}
    first = ann.client.send_raw("POST", path, one, **key)
    assert first.status_code == 200, first.text
    assert ann.on(other).send_raw("POST", path, two, **key).content == first.content
    assert ann.client.send_raw("POST", path, two, **key).content == first.content


def test_options_in_another_order_are_the_same_body_and_numbers_too_large_another(
    api: Api,
) -> None:
    ann, key = Person(api), {"Idempotency-Key": "open"}
    first = b'{"game":"bookmaker","seats":2,"options":{"cash":500,"brocco":true}}'
    again = b'{"options":{"brocco":true,"cash":5e2},"seats":2.0,"game":"bookmaker"}'
    huge = b'{"game":"bookmaker","seats":2,"options":{"cash":1e300,"brocco":true}}'
    answers = [ann.client.send_raw("POST", "/v1/meetings", b, **key) for b in (first, again, huge)]
    assert answers[0].status_code == 201
    assert answers[1].content == answers[0].content
    assert refused(answers[2])[0] == 400


def test_a_path_has_one_form_so_that_no_call_is_done_again_under_another(api: Api) -> None:
    ann = Person(api)
    meeting = Meeting(ann)
    key = {"Idempotency-Key": "slash"}
    seats = f"{meeting.path}/seats"
    assert ann.client.post(seats, json={"seat": 1}, headers=key).status_code == 201
    for path in (f"{seats}/", seats.replace("/v1/", "/v1//"), f"/{seats}", "/v1/meetings/"):
        answer = ann.client.post(path, json={"seat": 1}, headers=key)
        assert refused(answer) == (404, "not_found")
    assert ann.client.post(
        seats.replace("seats", "se%61ts"), json={"seat": 1}, headers=key
    ).is_success
    assert meeting.summary()["version"] == 2


def test_a_key_is_kept_for_a_day_and_longer(api: Api, face_redis: RedisServer) -> None:
    meeting, people = running(api)
    meeting.give(people[0], BORROW, **{"Idempotency-Key": "k"})
    other = Meeting(people[0])
    sat = people[0].client.post(f"{other.path}/seats", headers={"Idempotency-Key": "k"})
    assert sat.status_code == 201
    with face_redis.client() as redis:
        keys = [key for m in (meeting, other) for key in redis.scan_iter(f"es:*:key:{m.id}:*")]
        ends = [redis.ttl(key) for key in keys]
    kept = [seconds for seconds in ends if seconds > 3600]
    assert len(kept) >= 2
    told = api.client().get("/v1/limits").json()["idempotency_seconds"]
    assert all(24 * 3600 <= told - 600 <= seconds <= told for seconds in kept)


def test_a_meeting_is_not_opened_anew_when_its_key_has_ended(
    api: Api, other: Api, face_redis: RedisServer
) -> None:
    ann, key = Person(api), {"Idempotency-Key": "old"}
    seed = "0f" * 32
    bodies: list[Any] = [
        {"game": "bookmaker", "seats": 2},
        {"game": "bookmaker", "seats": 2, "arranged": {"seed": seed}},
    ]
    for number, body in enumerate(bodies):
        key = {"Idempotency-Key": f"old-{number}"}
        first = ann.client.post("/v1/meetings", json=body, headers=key)
        with face_redis.client() as redis:
            for name in redis.scan_iter(f"es:*:key:{first.json()['id']}:*"):
                redis.delete(name)
        again = ann.on(other).post("/v1/meetings", json=body, headers=key)
        assert (again.status_code, again.content) == (201, first.content)
        for change in ({"seats": 3}, {"name": "Cup"}, {"arranged": {"seed": "f0" * 32}}):
            asked = ann.client.post("/v1/meetings", json={**body, **change}, headers=key)
            assert refused(asked) == (422, "idempotency_key_reused")


def test_calls_that_show_a_secret_are_done_each_time(api: Api, other: Api, admin: Client) -> None:
    key = {"Idempotency-Key": "secret"}
    names = [{"name": "Ann"}, {"name": "Ann"}, {"name": "Ben"}]
    made = [api.client().post("/v1/players", json=name, headers=key) for name in names]
    assert [answer.status_code for answer in made] == [201] * 3
    assert len({answer.json()["id"] for answer in made}) == 3
    ann = Person(api)
    path = f"/v1/players/{ann.id}/token"
    tokens = {admin.post(path, headers=key).json()["token"] for _ in range(3)}
    assert len(tokens) == 3
    ann = Person(other)
    shown = {ann.client.post("/v1/me/token", headers=key).json()["token"] for _ in range(3)}
    assert len(shown | {ann.token}) == 4
    assert (
        api.client().post("/v1/players", json=names[0], headers={"Idempotency-Key": ""}).is_success
    )


def test_twins_of_a_registration_are_each_a_player(api: Api, other: Api) -> None:
    answers = twins(Person(api), (api, other), "/v1/players", {"name": "Eve"})
    assert {answer.status_code for answer in answers} == {201}
    assert len({answer.json()["token"] for answer in answers}) == TWINS


def test_twins_of_an_asked_abandon_have_one_effect_and_one_answer(api: Api, other: Api) -> None:
    meeting, people = running(api)
    version = meeting.summary()["version"]
    answers = twins(people[1], (api, other), f"{meeting.path}/abandon", {})
    assert {answer.status_code for answer in answers} == {200}
    assert len({answer.content for answer in answers}) == 1
    assert meeting.summary()["version"] == version + 1


def test_a_repetition_is_answered_by_a_process_that_knew_the_meeting_before_the_seat_was_taken(
    api: Api, other: Api
) -> None:
    ann, ben = Person(api), Person(api)
    meeting = Meeting(ann)
    there = ben.on(other)
    assert there.get(f"{meeting.path}/board").json()["viewer"] == "public"
    meeting.seat(ann, ben).start()
    path, key = f"{meeting.path}/commands", {"Idempotency-Key": "mine"}
    first = ben.client.post(path, json=BORROW, headers=key)
    assert first.status_code == 200
    assert there.post(path, json=BORROW, headers=key).content == first.content


def test_keys_are_of_one_player_and_one_path(api: Api) -> None:
    meeting, people = running(api)
    second, _ = running(api)
    key = {"Idempotency-Key": "shared"}
    for person in people:
        assert meeting.give(person, BORROW, **key).status_code == 200
    assert meeting.board(people[0])["bank"]["lent"] == 20
    seat = people[0].client.post(f"{second.path}/abandon", headers=key)
    assert refused(seat) == (403, "not_host")


def test_a_refused_call_is_judged_anew(api: Api) -> None:
    ann = Person(api)
    meeting = Meeting(ann).seat(ann)
    key = {"Idempotency-Key": "soon"}
    assert refused(ann.client.post(f"{meeting.path}/start", headers=key)) == (409, "seats_open")
    meeting.seat(ann)
    assert ann.client.post(f"{meeting.path}/start", headers=key).status_code == 200


@pytest.mark.parametrize("key", ["", "x" * 256, "a b", "a\tb", "schlüssel"])
def test_a_key_that_is_none_is_malformed(api: Api, key: str) -> None:
    ann = Person(api)
    headers = [(b"Idempotency-Key", key.encode("latin-1"))]
    answer = ann.client.post(f"{Meeting(ann).path}/seats", headers=headers)
    assert (*refused(answer), answer.json()["parameter"]) == (400, "malformed", "Idempotency-Key")


def test_a_key_of_255_visible_characters_may_be(api: Api) -> None:
    ann = Person(api)
    headers = {"Idempotency-Key": "!" + "~" * 254}
    path = f"{Meeting(ann).path}/seats"
    assert [ann.client.post(path, headers=headers).status_code for _ in (1, 2)] == [201, 201]
