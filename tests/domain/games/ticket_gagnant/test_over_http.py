"""Ticket Gagnant over real HTTP: whole meetings, bad bodies with pointers, refusals in order."""

import json
from typing import Any

import httpx
import pytest

from domain.verification import lines_of, verify
from tests.domain.games.ticket_gagnant.test_forms import WRONG
from tests.domain.games.ticket_gagnant.turf import CUSTOM, GAME, HORSES, deck, river_of
from tests.kit.face import Api
from tests.kit.redis_server import RedisServer
from tests.kit.tables import Meeting, Person, running

CHOOSE: dict[str, Any] = {"type": f"{GAME}.choose_race", "kind": "flat", "deal": 3}
PREDICT: dict[str, Any] = {"type": f"{GAME}.predict", "first": "red"}
PLAY = f"{GAME}.play_card"
HANDS = {1: ["red-1", "blue+red", "wild"], 2: ["orange-1", "green-1", "black-1"]}


def begun(api: Api, **options: Any) -> tuple[Meeting, list[Person]]:
    """A meeting of two in which seat 1 chooses, with these hands once three cards are dealt."""
    draws = {
        "first_player": [1],
        "race-1/lanes": list(HORSES),
        "race-1/deck": deck(HANDS, 2, 3, 1, "free"),
    }
    return running(api, game=GAME, options=options, arranged={"draws": draws})


def moving(api: Api, **options: Any) -> tuple[Meeting, list[Person]]:
    """Seat 1 is to move."""
    meeting, people = begun(api, **options)
    assert meeting.give(people[0], CHOOSE).status_code == 200
    for person in people:
        assert meeting.give(person, PREDICT).status_code == 200
    return meeting, people


def told(answer: httpx.Response) -> tuple[int, str, str | None]:
    """Status, code, and the rule or the pointer."""
    body = answer.json()
    return answer.status_code, body["code"], body.get("rule", body.get("pointer"))


RACES = [
    {"kind": "harness", "deal": 3, "hidden": True},
    {"kind": "steeplechase", "deal": 4, "river": river_of((2, "front"))},
    {"kind": "obstacle", "deal": 3},
]


@pytest.mark.parametrize(
    ("seats", "options"),
    [
        (2, {}),
        (3, {"choice": RACES, "dashed_line": "no_return", "photo_finish": "rail"}),
        (6, {"choice": "flat_only", "wild": "printed", "course": CUSTOM}),
    ],
)
def test_a_bot_that_knows_only_the_actions_finishes_a_meeting_that_verifies(
    api: Api, redis: RedisServer, seats: int, options: dict[str, Any]
) -> None:
    """Contract, Actions; Log"""
    meeting, people = running(api, seats=seats, game=GAME, options=options)
    meeting.play(redis.url, people, until=lambda: False)
    summary = meeting.summary()
    assert summary["status"] == "finished"
    assert sorted(place["seat"] for place in summary["ranking"]) == list(range(1, seats + 1))
    report = verify(lines_of(people[0].client.get(f"{meeting.path}/log").content))
    assert report.problems == []
    assert report.rules_checked


def test_a_body_that_is_no_command_is_malformed_at_its_place(api: Api) -> None:
    """Contract, Errors: before status, phase, turn and rules."""
    meeting, people = begun(api)
    for name, body, pointer in WRONG:
        for person in people:
            answer = meeting.give(person, {**body, "type": f"{GAME}.{name}"})
            assert told(answer) == (400, "malformed", pointer), body
    for kind in (f"{GAME}.gallop", "bookmaker.done", "play_card"):
        assert told(meeting.give(people[0], {"type": kind})) == (400, "malformed", "/type")


def test_refusals_by_a_rule_name_it(api: Api) -> None:
    """Contract, Errors: in order"""
    meeting, (ann, ben) = begun(api)
    assert told(meeting.give(ben, CHOOSE))[:2] == (409, "not_your_turn")
    assert told(meeting.give(ann, PREDICT))[:2] == (409, "wrong_phase")
    for change in ({"deal": 8}, {"kind": "steeplechase"}, {"river": river_of((1, "front"))}):
        assert told(meeting.give(ann, {**CHOOSE, **change}))[::2] == (422, "TG-S4")
    river = {"hedge": 3, "side": "front"}
    command = {**CHOOSE, "kind": "steeplechase", "river": river}
    assert told(meeting.give(ann, command)) == (422, "hedge_unknown", "TG-S4")
    assert meeting.give(ann, CHOOSE).status_code == 200
    empty = {"type": f"{GAME}.predict"}
    assert told(meeting.give(ann, empty)) == (422, "prediction_empty", "TG-B1")
    twice = {**PREDICT, "third": "red"}
    assert told(meeting.give(ann, twice)) == (422, "horse_twice", "TG-B1")
    assert meeting.give(ann, PREDICT).status_code == 200
    assert told(meeting.give(ann, PREDICT))[:2] == (409, "already_done")
    assert meeting.give(ben, PREDICT).status_code == 200
    single = {"type": PLAY, "card": "red-1", "direction": "left"}
    wild = {"type": PLAY, "card": "wild", "horse": "red", "direction": "left", "spaces": 4}
    pair = {"type": PLAY, "card": "blue+red", "horse": "green", "beside": "front"}
    assert told(meeting.give(ben, single))[:2] == (409, "not_your_turn")
    assert told(meeting.give(ann, {**single, "card": "red-2"}))[:2] == (422, "card_not_in_hand")
    assert "rule" not in meeting.give(ann, {**single, "card": "red-2"}).json()
    assert told(meeting.give(ann, single)) == (422, "displaced_to_missing", "TG-M6")
    assert told(meeting.give(ann, wild)) == (422, "spaces_out_of_range", "TG-M4")
    assert told(meeting.give(ann, pair)) == (422, "horse_not_of_pair", "TG-M5")
    discard = {"type": f"{GAME}.discard_card", "card": "red-1"}
    assert told(meeting.give(ann, discard)) == (422, "legal_play_held", "TG-M11")


def test_a_play_is_told_to_both_as_it_happened(api: Api) -> None:
    """TG-M6: whole numbers however they are written."""
    meeting, (ann, ben) = moving(api)
    body = {"type": PLAY, "card": "red-1", "direction": "left"}
    to = {"lane": 5, "space": 2}
    raw = json.dumps({**body, "displaced_to": to}).replace('"space": 2', '"space": 20e-1').encode()
    answer = ann.client.send_raw("POST", f"{meeting.path}/commands", raw)
    assert answer.status_code == 200, answer.text
    (event,) = answer.json()["events"]
    assert event["command"] == {**body, "displaced_to": to}
    assert event["moved"] == {"horse": "red", "lane": 4, "space": 1}
    assert event["displaced"] == {"horse": "blue", "lane": 5, "space": 2}
    assert event["ends"] is False
    seen = ben.client.get(f"{meeting.path}/events", params={"limit": 500}).json()["items"][-1]
    assert {**seen, "version": event["version"]} == event
    horses = {h["horse"]: (h["lane"], h["space"]) for h in meeting.board(ben)["horses"]}
    assert (horses["red"], horses["blue"]) == ((4, 1), (5, 2))
    assert meeting.board(ben)["to_act"] == [2]


def test_a_prediction_is_its_seats_alone_until_all_are_in(api: Api) -> None:
    """TG-B1 (Hidden)"""
    meeting, (ann, ben) = begun(api)
    meeting.give(ann, CHOOSE)
    (event,) = meeting.give(ann, PREDICT).json()["events"]
    assert event["prediction"] == {"first": "red", "second": None, "third": None}
    seen = ben.client.get(f"{meeting.path}/events", params={"limit": 500}).json()["items"][-1]
    assert set(seen) == {"version", "at", "meeting", "type", "seat"}
    assert meeting.board(ben)["seats"][0]["prediction"] is None
    assert meeting.board(ben)["seats"][0]["predicted"] is True


def test_options_and_arrangements_that_cannot_be_are_malformed(api: Api) -> None:
    """Contract, Errors"""
    host = Person(api)
    fixed = [{"kind": "flat", "deal": 3}] * 3
    short = [*fixed, {"kind": "flat"}]
    for body, pointer in (
        ({"seats": 2, "options": {"races": 5}}, "/options/races"),
        ({"seats": 2, "options": {"races": None}}, "/options/races"),
        ({"seats": 2, "options": {"laps": 5}}, "/options/laps"),
        ({"seats": 2, "options": {"choice": fixed}}, "/options/choice"),
        ({"seats": 2, "options": {"choice": short}}, "/options/choice/3/deal"),
        ({"seats": 2, "options": {"course": {**CUSTOM, "lanes": 6}}}, "/options/course/lanes"),
        ({"seats": 2, "options": {"course": {**CUSTOM, "line": 99}}}, "/options/course/line"),
        (
            {"seats": 2, "arranged": {"draws": {"race-5/lanes": ["red"]}}},
            "/arranged/draws/race-5~1lanes",
        ),
    ):
        answer = host.client.post("/v1/meetings", json={"game": GAME, **body})
        assert told(answer) == (400, "malformed", pointer), body
    for seats in (1, 7):
        answer = host.client.post("/v1/meetings", json={"game": GAME, "seats": seats})
        assert answer.status_code == 400
