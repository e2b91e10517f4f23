"""Change Horses over real HTTP: whole meetings, bad bodies with pointers, refusals in order."""

import json
from typing import Any

import httpx
import pytest

from domain.verification import lines_of, verify
from tests.domain.games.change_horses.paddock import HORSES, PACK
from tests.kit.face import Api
from tests.kit.redis_server import RedisServer
from tests.kit.tables import Meeting, Person, running

PICK = {"type": "change-horses.select_cards", "cards": PACK[:3]}
WILD = "change-horses.play_wild"
CARD = "change-horses.play_card"
BID = "change-horses.bid"


def begun(api: Api, seats: int, **options: Any) -> tuple[Meeting, list[Person]]:
    """A meeting in which seat 1 comes first and owns yellow (with two seats orange too)."""
    draws = {
        "race-1/lanes": list(HORSES),
        "race-1/certificates": list(HORSES),
        "race-1/positions": list(range(1, seats + 1)),
    }
    body = {"game": "change-horses", "options": options, "arranged": {"draws": draws}}
    return running(api, seats=seats, **body)


def at_turns(api: Api, seats: int, **options: Any) -> tuple[Meeting, list[Person]]:
    """All have picked."""
    meeting, people = begun(api, seats, **options)
    for person in people:
        pick = {**PICK, "cards": PACK[: 4 if seats == 2 else 3]}
        assert meeting.give(person, pick).status_code == 200
    return meeting, people


def told(answer: httpx.Response) -> tuple[int, str, str | None]:
    """Status, code, and the rule or the pointer."""
    body = answer.json()
    return answer.status_code, body["code"], body.get("rule", body.get("pointer"))


@pytest.mark.parametrize(("seats", "turn_order"), [(2, "basic"), (3, "derby")])
def test_a_bot_that_knows_only_the_actions_finishes_a_meeting_that_verifies(
    api: Api, redis: RedisServer, seats: int, turn_order: str
) -> None:
    """Contract, Actions; Log"""
    body = {"game": "change-horses", "options": {"turn_order": turn_order, "finish": 8}}
    meeting, people = running(api, seats=seats, **body)
    meeting.play(redis.url, people, until=lambda: False)
    summary = meeting.summary()
    assert summary["status"] == "finished"
    assert sorted(place["seat"] for place in summary["ranking"]) == list(range(1, seats + 1))
    log = people[0].client.get(f"{meeting.path}/log").content
    report = verify(lines_of(log))
    assert report.problems == []
    assert report.rules_checked


def test_the_answer_shows_the_callers_own_pick_and_others_only_that_it_was_made(api: Api) -> None:
    """Hidden"""
    meeting, (ann, ben, _) = begun(api, 3)
    answer = meeting.give(ann, {**PICK, "cards": [PACK[2], PACK[0], PACK[1]]}).json()
    (event,) = answer["events"]
    assert event["cards"] == PACK[:3]
    assert event["command"] == PICK
    seen = ben.client.get(f"{meeting.path}/events", params={"limit": 500}).json()["items"][-1]
    assert seen["type"] == "change-horses.cards_selected"
    assert "cards" not in seen
    assert "command" not in seen
    assert meeting.board(ben)["to_act"] == [2, 3]


BAD: list[Any] = [
    ({"type": "change-horses.gallop"}, "/type"),
    ({"type": "bookmaker.done"}, "/type"),
    ({"type": WILD}, "/option"),
    ({"type": WILD, "option": "gallop"}, "/option"),
    ({"type": WILD, "option": None}, "/option"),
    ({"type": WILD, "option": ["fast"]}, "/option"),
    ({"type": WILD, "option": "stumble"}, "/card"),
    ({"type": WILD, "option": "stumble", "card": "red+blue"}, "/card"),
    ({"type": WILD, "option": "stumble", "card": PACK[0], "moves": []}, "/moves"),
    ({"type": WILD, "option": "slippery"}, "/moves"),
    ({"type": WILD, "option": "slippery", "moves": {}}, "/moves"),
    ({"type": WILD, "option": "slippery", "moves": [{"horse": "red"}]}, "/moves/0/side"),
    (
        {"type": WILD, "option": "slippery", "moves": [{"horse": "red", "side": "up"}]},
        "/moves/0/side",
    ),
    (
        {"type": WILD, "option": "slippery", "moves": [{"horse": "A", "side": "inside"}]},
        "/moves/0/horse",
    ),
    ({"type": WILD, "option": "fast", "steps": 2}, "/steps"),
    ({"type": WILD, "option": "fast", "card": None}, "/card"),
    ({"type": WILD, "option": "change", "certificate": None}, "/certificate"),
    ({"type": WILD, "option": "change", "certificate": "pink"}, "/certificate"),
    ({"type": CARD}, "/card"),
    ({"type": CARD, "card": "pink+red"}, "/card"),
    ({"type": CARD, "card": PACK[0], "option": "fast"}, "/option"),
    ({"type": "change-horses.select_cards"}, "/cards"),
    ({"type": "change-horses.select_cards", "cards": "blue+red"}, "/cards"),
    ({"type": "change-horses.select_cards", "cards": [PACK[0], 3]}, "/cards/1"),
    ({"type": BID}, "/carrots"),
    ({"type": BID, "carrots": "3"}, "/carrots"),
    ({"type": BID, "carrots": True}, "/carrots"),
    ({"type": BID, "carrots": 2.5}, "/carrots"),
    ({"type": "change-horses.stand", "carrots": 1}, "/carrots"),
]


def test_a_body_that_is_no_command_is_malformed_at_its_place(api: Api) -> None:
    """Contract, Errors: before status, turn and rules."""
    meeting, people = at_turns(api, 3)
    for body, pointer in BAD:
        for person in people[:2]:
            answer = meeting.give(person, body)
            assert told(answer) == (400, "malformed", pointer), body


@pytest.mark.parametrize("seats", [2, 4])
def test_which_horse_a_change_names_is_told_before_all_else(api: Api, seats: int) -> None:
    """CH-W4: with two seats it must, with more it may not; out of turn too."""
    named = {"type": WILD, "option": "change", "certificate": "yellow"}
    bare = {"type": WILD, "option": "change"}
    wrong, right = (bare, named) if seats == 2 else (named, bare)
    waiting = Meeting(Person(api), game="change-horses", seats=seats).seat(*[Person(api)])
    person = Person(api, "Early")
    waiting.seat(person)
    for body in (wrong, right):
        assert told(meeting_answer(waiting, person, body))[:2] == (409, "meeting_not_running")
    meeting, people = at_turns(api, seats)
    for caller in people[:2]:
        assert told(meeting.give(caller, wrong)) == (400, "malformed", "/certificate")
    assert told(meeting.give(people[1], right))[:2] == (409, "not_your_turn")
    assert meeting.give(people[0], right).status_code == 200
    assert told(meeting.give(people[0], right))[:2] == (409, "already_done")


def meeting_answer(meeting: Meeting, person: Person, body: dict[str, Any]) -> httpx.Response:
    """The answer to a command."""
    answer: httpx.Response = meeting.give(person, body)
    return answer


def test_refusals_by_a_rule_name_it(api: Api) -> None:
    """Contract, Errors"""
    meeting, people = begun(api, 3, turn_order="derby")
    wrong = {**PICK, "cards": PACK[:2]}
    assert told(meeting.give(people[0], wrong)) == (422, "pick_count", "CH-R1")
    for person in people:
        meeting.give(person, PICK)
    assert told(meeting.give(people[0], {"type": CARD, "card": PACK[9]}))[2] == "CH-R2"
    for move in ([], [{"horse": "red", "side": "inside"}] * 2):
        body = {"type": WILD, "option": "slippery", "moves": move}
        assert told(meeting.give(people[0], body)) == (422, "two_moves", "CH-W2")
    stumble = {"type": WILD, "option": "stumble", "card": PACK[0]}
    assert told(meeting.give(people[0], stumble)) == (422, "card_not_open", "CH-W1")
    for person in people:
        assert meeting.give(person, {"type": CARD, "card": PACK[0]}).status_code == 200
    for carrots in (0, -3, 34, 10**9):
        answer = told(meeting.give(people[0], {"type": BID, "carrots": carrots}))
        assert answer == (422, "bid_out_of_range", "CH-D2")
    assert told(meeting.give(people[0], {"type": "change-horses.stand"}))[2] == "CH-D3"
    raw = json.dumps({"type": BID, "carrots": 1}).replace("1}", "1.0}").encode()
    answer = people[0].client.send_raw("POST", f"{meeting.path}/commands", raw)
    assert answer.status_code == 200
    assert answer.json()["events"][0]["command"] == {"type": BID, "carrots": 1}


def test_options_and_arrangements_that_cannot_be_are_malformed(api: Api) -> None:
    """Contract, Errors"""
    host = Person(api)
    for body, pointer in (
        ({"seats": 2, "options": {"turn_order": "derby"}}, "/options/turn_order"),
        ({"seats": 4, "options": {"finish": 7}}, "/options/finish"),
        ({"seats": 4, "options": {"races": None}}, "/options/races"),
        (
            {"seats": 4, "arranged": {"draws": {"race-1/positions-2": [1]}}},
            "/arranged/draws/race-1~1positions-2",
        ),
    ):
        answer = host.client.post("/v1/meetings", json={"game": "change-horses", **body})
        assert told(answer) == (400, "malformed", pointer)
    for seats in (1, 6):
        answer = host.client.post("/v1/meetings", json={"game": "change-horses", "seats": seats})
        assert answer.status_code == 400
