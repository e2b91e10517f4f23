"""Seats over HTTP: taken, given to bots, reserved, freed."""

from typing import Any

import httpx
import pytest

from tests.kit.face import Api, Client
from tests.kit.tables import Meeting, Person, running


def refused(answer: httpx.Response) -> tuple[int, str]:
    return answer.status_code, answer.json()["code"]


def given(answer: httpx.Response) -> tuple[int, int]:
    return answer.status_code, answer.json()["seat"]


def test_who_names_no_seat_gets_the_lowest_free_one_and_then_its_own(api: Api) -> None:
    ann, ben = Person(api), Person(api)
    meeting = Meeting(ann, seats=3)
    seats = f"{meeting.path}/seats"
    assert given(ben.client.post(seats, json={"seat": 1})) == (201, 1)
    assert given(ann.client.post(seats, json={})) == (201, 2)
    assert given(ann.client.post(seats, json={})) == (200, 2)
    assert meeting.summary()["version"] == 3


def test_a_player_takes_several_seats_by_naming_them(api: Api) -> None:
    ann = Person(api)
    seats = f"{Meeting(ann).path}/seats"
    assert given(ann.client.post(seats, json={"seat": 2.0})) == (201, 2)
    assert given(ann.client.post(seats, json={"seat": 1})) == (201, 1)
    assert refused(ann.client.post(seats, json={"seat": 1})) == (409, "seat_taken")


def test_a_taken_seat_and_a_full_table_are_refused(api: Api) -> None:
    ann, ben, cem = Person(api), Person(api), Person(api)
    meeting = Meeting(ann).seat(ann, ben)
    for body in ({}, {"seat": 1}):
        assert refused(cem.client.post(f"{meeting.path}/seats", json=body)) == (409, "seat_taken")


def test_the_nonce_of_a_seat_is_known_to_its_own_alone_until_the_start(
    api: Api, anybody: Client
) -> None:
    ann, ben = Person(api), Person(api)
    meeting = Meeting(ann)
    seats = f"{meeting.path}/seats"
    assert given(ann.client.post(seats, json={"nonce": "my own ~!"})) == (201, 1)
    assert given(ann.client.post(seats, json={"nonce": "my own ~!"})) == (200, 1)
    assert refused(ann.client.post(seats, json={"nonce": "another"})) == (409, "seat_taken")
    meeting.seat(ben)
    feed = f"{meeting.path}/events"
    assert ann.client.get(feed).json()["items"][1]["nonce"] == "my own ~!"
    for other in (ben.client, anybody):
        taken = other.get(feed).json()["items"][1]
        assert "nonce" not in taken
        assert len(taken["nonce_hash"]) == 64
    meeting.start()
    started = anybody.get(feed).json()["items"][3]
    assert (started["type"], started["nonces"]) == ("meeting_started", ["my own ~!", ""])


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({"seat": 0}, "/seat"),
        ({"seat": -1}, "/seat"),
        ({"seat": 99}, "/seat"),
        ({"seat": "1"}, "/seat"),
        ({"seat": None}, "/seat"),
        ({"seat": 1.5}, "/seat"),
        ({"nonce": ""}, "/nonce"),
        ({"nonce": "a|b"}, "/nonce"),
        ({"nonce": "a\n"}, "/nonce"),
        ({"nonce": "ü"}, "/nonce"),
        ({"nonce": "x" * 65}, "/nonce"),
        ({"nonce": None}, "/nonce"),
        ({"bot": "clever"}, "/bot"),
        ({"bot": None}, "/bot"),
        ({"bot": "steady", "nonce": "x"}, "/nonce"),
        ({"bot": "steady", "player": "admin"}, "/player"),
        ({"player": "admin", "nonce": "x"}, "/nonce"),
        ({"code": "x"}, "/code"),
        ([], ""),
        ("steady", ""),
    ],
)
def test_an_ask_that_makes_no_sense_is_malformed(api: Api, body: Any, pointer: str) -> None:
    answer = (ann := Person(api)).client.post(f"{Meeting(ann).path}/seats", json=body)
    assert (*refused(answer), answer.json()["pointer"]) == (400, "malformed", pointer)


@pytest.mark.parametrize(
    ("body", "code", "pointer"),
    [
        ({"seat": 3}, "seat_not_found", "/seat"),
        ({"bot": "steady", "seat": 9}, "seat_not_found", "/seat"),
        ({"player": "p0123456789abcdef"}, "player_not_found", "/player"),
        ({"player": "steady"}, "player_not_found", "/player"),
        ({"player": "no such \x00"}, "player_not_found", "/player"),
    ],
)
def test_an_ask_for_what_is_not_there_says_so(api: Api, body: Any, code: str, pointer: str) -> None:
    answer = (ann := Person(api)).client.post(f"{Meeting(ann).path}/seats", json=body)
    assert (*refused(answer), answer.json()["pointer"]) == (404, code, pointer)


@pytest.mark.parametrize("nonce", ["a|b", "", "ü", "x" * 65])
def test_what_a_nonce_may_be_is_said(api: Api, nonce: str) -> None:
    answer = (ann := Person(api)).client.post(f"{Meeting(ann).path}/seats", json={"nonce": nonce})
    assert answer.json()["detail"] == "A nonce is 1 to 64 characters of 0x20-0x7E without `|`."


def test_the_host_sits_bots_down(api: Api) -> None:
    ann, ben = Person(api), Person(api)
    meeting = Meeting(ann)
    seats = f"{meeting.path}/seats"
    assert given(ann.client.post(seats, json={"bot": "steady", "seat": 2})) == (201, 2)
    assert refused(ben.client.post(seats, json={"bot": "steady"})) == (403, "not_host")
    assert meeting.summary()["seats"][1] == {
        "seat": 2,
        "player": "steady",
        "name": "steady",
        "kind": "bot",
    }


def test_a_reserved_seat_is_taken_by_its_player_alone(api: Api, admin: Client) -> None:
    ann, ben, cem = Person(api), Person(api), Person(api)
    meeting = Meeting(ann)
    seats = f"{meeting.path}/seats"
    assert refused(ben.client.post(seats, json={"player": ben.id})) == (403, "not_host")
    assert given(ann.client.post(seats, json={"seat": 2, "player": ben.id})) == (201, 2)
    assert refused(cem.client.post(seats, json={"seat": 2})) == (409, "seat_taken")
    assert given(cem.client.post(seats, json={})) == (201, 1)
    assert refused(ann.client.post(f"{meeting.path}/start")) == (409, "seats_open")
    assert given(ben.client.post(seats, json={})) == (201, 2)
    assert ann.client.post(f"{meeting.path}/start").status_code == 200


def test_a_seat_is_freed_by_its_player_the_host_or_an_organiser(api: Api, admin: Client) -> None:
    ann, ben, olga = Person(api), Person(api), Person(api)
    admin.patch(f"/v1/players/{olga.id}", json={"roles": ["organiser"]})
    meeting = Meeting(ann, seats=3)
    for freer in (ben, ann, olga):
        meeting.seat(ben)
        seat = f"{meeting.path}/seats/1"
        assert refused(Person(api).client.delete(seat)) == (403, "not_your_seat")
        assert freer.client.delete(seat).status_code == 204
        assert refused(ann.client.delete(seat)) == (409, "seat_free")


def test_other_seats_keep_their_numbers_when_one_is_freed(api: Api) -> None:
    ann, ben = Person(api), Person(api)
    meeting = Meeting(ann).seat(ann, ben)
    assert ann.client.delete(f"{meeting.path}/seats/1").status_code == 204
    players = [seat["player"] for seat in meeting.summary()["seats"]]
    assert players == [None, ben.id]


def test_once_play_has_begun_seats_stay(api: Api) -> None:
    meeting, people = running(api)
    path = f"{meeting.path}/seats"
    assert refused(people[0].client.delete(f"{path}/1")) == (409, "meeting_not_open")
    assert refused(Person(api).client.post(path)) == (409, "meeting_not_open")
    assert given(people[1].client.post(path)) == (200, 2)


@pytest.mark.parametrize("seat", ["0", "3", "99", "-1", "1.0", "one", "01"])
def test_a_seat_that_is_not_there_is_not_found(api: Api, seat: str) -> None:
    answer = (ann := Person(api)).client.delete(f"{Meeting(ann).path}/seats/{seat}")
    assert refused(answer) == (404, "seat_not_found")
