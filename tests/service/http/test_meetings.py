"""Meetings over HTTP: opened, shown, started, abandoned."""

from typing import Any

import httpx
import pytest

from tests.kit.face import Api, Client
from tests.kit.tables import Meeting, Person, running

SEED = "00112233445566778899aabbccddeeff" * 2


def refused(answer: httpx.Response) -> tuple[int, str]:
    return answer.status_code, answer.json()["code"]


def organiser(api: Api, admin: Client) -> Person:
    person = Person(api, "Olga")
    admin.patch(f"/v1/players/{person.id}", json={"roles": ["player", "organiser"]})
    return person


def test_a_meeting_is_opened_with_its_options_in_full(api: Api) -> None:
    ann = Person(api)
    answer = ann.client.post(
        "/v1/meetings",
        json={"game": "bookmaker", "seats": 3.0, "name": "Spring Cup", "options": {"cash": 5e2}},
    )
    shown = answer.json()
    assert answer.status_code == 201
    assert answer.headers["location"] == f"/v1/meetings/{shown['id']}"
    assert shown["options"] == {
        "programme": ["plain"] * 3,
        "odds_step": 1,
        "in_running": False,
        "brocco": False,
        "cash": 500,
    }
    free = {"player": None, "name": None, "kind": None}
    assert shown["seats"] == [{"seat": number, **free} for number in (1, 2, 3)]
    assert {key: shown[key] for key in ("name", "game", "status", "arranged", "host")} == {
        "name": "Spring Cup",
        "game": "bookmaker",
        "status": "open",
        "arranged": False,
        "host": ann.id,
    }
    assert (shown["race"], shown["version"], shown["ranking"]) == (0, 1, None)
    assert len(shown["commitment"]) == 64


def test_a_meeting_is_shown_to_everybody_as_it_is_now(api: Api, anybody: Client) -> None:
    meeting, people = running(api)
    shown = anybody.get(meeting.path).json()
    assert shown == meeting.summary()
    assert [seat["player"] for seat in shown["seats"]] == [person.id for person in people]
    assert (shown["status"], shown["race"]) == ("running", 1)


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({}, "/game"),
        ({"game": "chess", "seats": 2}, "/game"),
        ({"game": None, "seats": 2}, "/game"),
        ({"game": "bookmaker"}, "/seats"),
        ({"game": "bookmaker", "seats": 1}, "/seats"),
        ({"game": "bookmaker", "seats": 10}, "/seats"),
        ({"game": "bookmaker", "seats": 2.5}, "/seats"),
        ({"game": "bookmaker", "seats": "2"}, "/seats"),
        ({"game": "bookmaker", "seats": True}, "/seats"),
        ({"seats": 2, "game": "bookmaker", "name": ""}, "/name"),
        ({"seats": 2, "game": "bookmaker", "name": None}, "/name"),
        ({"seats": 2, "game": "bookmaker", "name": "Cup "}, "/name"),
        ({"seats": 2, "game": "bookmaker", "start": "now"}, "/start"),
        ({"seats": 2, "game": "bookmaker", "clock": {"mode": "none"}}, "/clock"),
        ({"seats": 2, "game": "bookmaker", "private": True}, "/private"),
        ({"seats": 2, "game": "bookmaker", "options": []}, "/options"),
        ({"seats": 2, "game": "bookmaker", "options": {"speed": 1}}, "/options/speed"),
        ({"seats": 2, "game": "bookmaker", "options": {"cash": "9"}}, "/options/cash"),
        ({"seats": 2, "game": "bookmaker", "options": {"cash": 9}}, "/options/cash"),
        ({"seats": 2, "game": "bookmaker", "options": {"cash": None}}, "/options/cash"),
        ({"seats": 2, "game": "bookmaker", "options": {"odds_step": 0.3}}, "/options/odds_step"),
        (
            {"seats": 2, "game": "bookmaker", "options": {"programme": ["plain"]}},
            "/options/programme",
        ),
        (
            {"seats": 2, "game": "bookmaker", "options": {"programme": ["plain", "polo"]}},
            "/options/programme/1",
        ),
        ({"seats": 2, "game": "bookmaker", "arranged": True}, "/arranged"),
        ({"seats": 2, "game": "bookmaker", "arranged": {"seed": "00"}}, "/arranged/seed"),
        ({"seats": 2, "game": "bookmaker", "arranged": {"seed": SEED + "\n"}}, "/arranged/seed"),
        ({"seats": 2, "game": "bookmaker", "arranged": {"draws": []}}, "/arranged/draws"),
        (
            {"seats": 2, "game": "bookmaker", "arranged": {"draws": {"bookmaker": 1}}},
            "/arranged/draws/bookmaker",
        ),
    ],
)
def test_a_meeting_that_cannot_be_is_malformed(
    api: Api, body: dict[str, Any], pointer: str
) -> None:
    answer = Person(api).client.post("/v1/meetings", json=body)
    assert (*refused(answer), answer.json()["pointer"]) == (400, "malformed", pointer)


def test_an_arranged_meeting_is_marked_and_goes_as_arranged(api: Api) -> None:
    meeting, people = running(
        api, arranged={"seed": SEED, "draws": {"bookmaker": [2]}}, name="Lesson"
    )
    assert meeting.summary()["arranged"] is True
    assert meeting.board(people[0])["bookmakers"] == [2]
    events = people[0].client.get(f"{meeting.path}/events").json()["items"]
    assert events[0]["arranged"] is True
    assert "draws" not in events[0]


def test_only_who_is_a_player_opens_a_meeting(anybody: Client) -> None:
    answer = anybody.post("/v1/meetings", json={"game": "bookmaker", "seats": 2})
    assert refused(answer) == (401, "unauthorized")


@pytest.mark.parametrize("path", ["m0123456789abcdef", "unknown", "m0123456789ABCDEF", "%00"])
def test_a_meeting_that_is_not_there_is_not_found(anybody: Client, path: str) -> None:
    for rest in ("", "/board", "/events", "/log"):
        assert refused(anybody.get(f"/v1/meetings/{path}{rest}")) == (404, "meeting_not_found")


# ---------------------------------------------------------------------- start


def test_the_host_starts_when_every_seat_is_taken(api: Api) -> None:
    ann, ben = Person(api), Person(api)
    meeting = Meeting(ann).seat(ann)
    assert refused(ann.client.post(f"{meeting.path}/start")) == (409, "seats_open")
    meeting.seat(ben)
    assert refused(ben.client.post(f"{meeting.path}/start")) == (403, "not_host")
    answer = ann.client.post(f"{meeting.path}/start", json={})
    assert (answer.status_code, answer.json()["status"]) == (200, "running")
    assert answer.json() == meeting.summary()
    assert refused(ann.client.post(f"{meeting.path}/start")) == (409, "meeting_not_open")


def test_an_organiser_starts_any_meeting(api: Api, admin: Client) -> None:
    ann = Person(api)
    meeting = Meeting(ann).seat(ann, ann)
    olga = organiser(api, admin)
    assert olga.client.post(f"{meeting.path}/start").json()["status"] == "running"


def test_a_meeting_that_starts_when_full_starts_with_its_last_seat(api: Api) -> None:
    ann = Person(api)
    meeting = Meeting(ann, start="when_full").seat(ann)
    assert meeting.summary()["status"] == "open"
    meeting.seat(Person(api))
    assert meeting.summary()["status"] == "running"


@pytest.mark.parametrize("call", ["start", "abandon"])
def test_calls_without_fields_take_no_field(api: Api, call: str) -> None:
    ann = Person(api)
    meeting = Meeting(ann)
    path = f"{meeting.path}/{call}"
    answer = ann.client.post(path, json={"soon": True})
    assert (*refused(answer), answer.json()["pointer"]) == (400, "malformed", "/soon")
    assert refused(ann.client.send_raw("POST", path, b"null")) == (400, "malformed")
    assert refused(ann.client.send_raw("POST", path, b"{}", Content_Type="text/plain")) == (
        415,
        "unsupported_media_type",
    )


# ---------------------------------------------------------------------- abandon


def status(answer: httpx.Response) -> str:
    assert answer.status_code == 200, answer.text
    told: str = answer.json()["status"]
    return told


def test_before_the_start_the_host_alone_abandons(api: Api, admin: Client) -> None:
    ann, ben = Person(api), Person(api)
    meeting = Meeting(ann).seat(ann, ben)
    path = f"{meeting.path}/abandon"
    for other in (ben, organiser(api, admin)):
        assert refused(other.client.post(path)) == (403, "not_host")
    assert status(ann.client.post(path)) == "abandoned"
    assert refused(ann.client.post(path)) == (409, "meeting_over")
    assert meeting.summary()["ranking"] is None


def test_after_the_start_an_organiser_abandons_alone(api: Api, admin: Client) -> None:
    meeting, people = running(api)
    olga = organiser(api, admin)
    assert refused(Person(api).client.post(f"{meeting.path}/abandon")) == (403, "not_host")
    assert status(olga.client.post(f"{meeting.path}/abandon")) == "abandoned"
    last = people[1].client.get(f"{meeting.path}/events").json()["items"][-1]
    assert last["type"] == "meeting_abandoned"
    assert {"seed", "hash"} <= set(last)


def test_after_the_start_the_host_abandons_once_all_seated_humans_have_asked(api: Api) -> None:
    meeting, (ann, ben, cem) = running(api, 3)
    path = f"{meeting.path}/abandon"
    assert status(ann.client.post(path)) == "running"
    assert status(ben.client.post(path)) == "running"
    assert status(ann.client.post(path)) == "running"
    assert status(cem.client.post(path)) == "running"
    assert status(ann.client.post(path)) == "abandoned"
    events = ann.client.get(f"{meeting.path}/events").json()["items"]
    asked = [event["seat"] for event in events if event["type"] == "abandon_asked"]
    assert asked == [1, 2, 3]


def test_a_host_without_a_seat_waits_for_those_who_sit(api: Api) -> None:
    host, ann = Person(api), Person(api)
    meeting = Meeting(host).seat(ann)
    host.client.post(f"{meeting.path}/seats", json={"bot": "steady"})
    meeting.start()
    path = f"{meeting.path}/abandon"
    assert refused(host.client.post(path)) == (409, "not_all_asked")
    assert status(ann.client.post(path)) == "running"
    assert status(host.client.post(path)) == "abandoned"


def test_a_meeting_of_bots_alone_is_abandoned_by_its_host(api: Api) -> None:
    host = Person(api)
    meeting = Meeting(host)
    for _ in range(2):
        host.client.post(f"{meeting.path}/seats", json={"bot": "random"})
    meeting.start()
    assert status(host.client.post(f"{meeting.path}/abandon")) == "abandoned"
