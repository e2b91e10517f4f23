"""Commands over HTTP: read, ordered checks, decisions, the caller's own view as the answer."""

from typing import Any

import httpx
import pytest

from tests.kit.face import Api, Client
from tests.kit.tables import Meeting, Person, running

ODDS = {"red": 3, "blue": 3, "green": 2, "yellow": 2}
SET_ODDS = {"type": "bookmaker.set_odds", "odds": ODDS}
BORROW = {"type": "bookmaker.borrow", "amount": 10}


def refused(answer: httpx.Response) -> tuple[int, str]:
    return answer.status_code, answer.json()["code"]


def roles(api: Api, **body: Any) -> tuple[Meeting, Person, Person]:
    """A meeting of two, its bookmaker and its bettor."""
    meeting, people = running(api, arranged={"draws": {"bookmaker": [1]}}, **body)
    return meeting, people[0], people[1]


def test_the_answer_is_the_callers_own_view_of_what_happened(api: Api) -> None:
    meeting, ann, _ = roles(api)
    before = meeting.board(ann)["version"]
    told = meeting.give(ann, SET_ODDS).json()
    board = meeting.board(ann)
    assert told["board"] == board
    assert told["version"] == board["version"] == told["events"][-1]["version"]
    assert told["events"][0]["version"] == before + 1
    assert told["events"][0]["type"] == "bookmaker.odds_set"
    assert told["events"][0]["odds"] == ODDS
    feed = ann.client.get(f"{meeting.path}/events", params={"after": before}).json()
    assert feed["items"] == told["events"]


def test_a_seat_is_told_nothing_that_is_anothers(api: Api) -> None:
    meeting, ann, ben = roles(api)
    told = meeting.give(ben, BORROW)
    assert told.headers["cache-control"] == "private, no-cache"
    assert told.headers["vary"] == "Authorization"
    seats = told.json()["board"]["seats"]
    assert (seats[0]["hand"], seats[0]["hand_count"]) == (None, 6)
    assert len(seats[1]["hand"]) == 4
    assert len(meeting.board(ann)["seats"][0]["hand"]) == 6


def test_a_number_is_the_same_however_it_is_written(api: Api) -> None:
    meeting, ann, _ = roles(api)
    raw = b'{"type":"bookmaker.set_odds","odds":{"red":3.0,"blue":0.3e1,"green":20E-1,"yellow":2}}'
    answer = ann.client.send_raw("POST", f"{meeting.path}/commands", raw)
    assert answer.status_code == 200, answer.text
    command = next(e["command"] for e in answer.json()["events"] if "command" in e)
    assert command == SET_ODDS
    assert '"odds":{"blue":3,"green":2,"red":3,"yellow":2}' in answer.text


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ([], ""),
        ("bookmaker.done", ""),
        (None, ""),
        ({}, "/type"),
        ({"type": None}, "/type"),
        ({"type": 1}, "/type"),
        ({"type": "borrow", "amount": 10}, "/type"),
        ({"type": "bookmaker.fly"}, "/type"),
        ({"type": "meeting_started"}, "/type"),
        ({"type": "bookmaker.settle_race"}, "/type"),
        ({"type": "bookmaker.borrow"}, "/amount"),
        ({"type": "bookmaker.borrow", "amount": None}, "/amount"),
        ({"type": "bookmaker.borrow", "amount": "10"}, "/amount"),
        ({"type": "bookmaker.borrow", "amount": True}, "/amount"),
        ({"type": "bookmaker.borrow", "amount": 10.5}, "/amount"),
        ({"type": "bookmaker.borrow", "amount": [10]}, "/amount"),
        ({**BORROW, "seat": None}, "/seat"),
        ({**BORROW, "seat": "1"}, "/seat"),
        ({**BORROW, "decision": None}, "/decision"),
        ({**BORROW, "decision": 1.5}, "/decision"),
        ({**BORROW, "hurry": True}, "/hurry"),
        ({**BORROW, "a/b~c": 1}, "/a~1b~0c"),
        ({"type": "bookmaker.set_odds", "odds": []}, "/odds"),
        ({"type": "bookmaker.set_odds", "odds": {**ODDS, "red": "3"}}, "/odds/red"),
        ({"type": "bookmaker.set_odds", "odds": {**ODDS, "red": None}}, "/odds/red"),
        ({"type": "bookmaker.set_odds", "odds": {**ODDS, "pink": 3}}, "/odds/pink"),
        ({"type": "bookmaker.set_odds", "odds": {"red": 10}}, "/odds/blue"),
        ({**SET_ODDS, "limit": "10"}, "/limit"),
        ({**SET_ODDS, "limit": {"red": 1}}, "/limit/blue"),
        ({"type": "bookmaker.exchange_cards", "cards": ["red-1", "red-11"]}, "/cards/1"),
        ({"type": "bookmaker.name_brocco", "horse": "pink"}, "/horse"),
        ({"type": "bookmaker.keep_joker", "until": {"horse": "red"}}, "/until/space"),
    ],
)
def test_a_body_that_is_no_command_is_malformed_whoever_sends_it(
    api: Api, body: Any, pointer: str
) -> None:
    meeting, ann, _ = roles(api)
    version = meeting.board(ann)["version"]
    for caller in (ann, Person(api)):
        answer = meeting.give(caller, body)
        assert (*refused(answer), answer.json()["pointer"]) == (400, "malformed", pointer)
    assert meeting.board(ann)["version"] == version


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"{",
        b"nul",
        b"{'type':1}",
        b"\xff",
        b'{"type":"\\ud800"}',
        b"NaN",
        b"{} {}",
        b"\xef\xbb\xbf{}",
    ],
)
def test_a_body_that_is_not_json_is_malformed_without_a_pointer(api: Api, raw: bytes) -> None:
    meeting, ann, _ = roles(api)
    answer = ann.client.send_raw("POST", f"{meeting.path}/commands", raw)
    assert refused(answer) == (400, "malformed")
    assert "pointer" not in answer.json()


@pytest.mark.parametrize(
    "raw",
    [
        b'{"type":"bookmaker.borrow","amount":10,"amount":20}',
        b'{"type":"bookmaker.borrow","amount":1e999}',
        b'{"type":"bookmaker.borrow","amount":1e99999999999999999999}',
        b'{"type":"bookmaker.borrow","amount":' + b"9" * 5000 + b"}",
        b"[" * 50_000 + b"]" * 50_000,
    ],
)
def test_json_that_is_not_taken_is_malformed(api: Api, raw: bytes) -> None:
    meeting, ann, _ = roles(api)
    answer = ann.client.send_raw("POST", f"{meeting.path}/commands", raw[:65_000])
    assert refused(answer) == (400, "malformed")


def test_checks_come_in_the_order_of_the_contract(api: Api, anybody: Client) -> None:
    meeting, people = running(api)
    stranger = Person(api).client
    path, lost = f"{meeting.path}/commands", "/v1/meetings/m0123456789abcdef/commands"
    huge = b" " * 270_000
    steps = [
        (anybody, lost, huge, "text/plain", 401),
        (stranger, lost, huge, "text/plain", 404),
        (stranger, path, huge, "text/plain", 413),
        (stranger, path, b"{", "text/plain", 415),
        (stranger, path, b"{", "application/json", 400),
        (stranger, path, b'{"type":"bookmaker.done","decision":1}', "application/json", 403),
        (
            people[0].client,
            path,
            b'{"type":"bookmaker.done","decision":1}',
            "application/json",
            409,
        ),
    ]
    for caller, where, raw, media, status in steps:
        answer = caller.send_raw("POST", where, raw, Content_Type=media)
        assert answer.status_code == status


def test_a_command_is_for_a_seat_of_ones_own(api: Api) -> None:
    meeting, _, ben = roles(api)
    assert refused(meeting.give(Person(api), BORROW)) == (403, "not_your_seat")
    for seat in (1, 3, 0, -1, 10**12):
        assert refused(meeting.give(ben, {**BORROW, "seat": seat})) == (403, "not_your_seat")
    assert meeting.give(ben, {**BORROW, "seat": 2}).status_code == 200


def test_who_holds_several_seats_says_which(api: Api) -> None:
    ann = Person(api)
    meeting = Meeting(ann).seat(ann, ann).start()
    assert refused(meeting.give(ann, BORROW)) == (409, "seat_required")
    for seat in (1, 2):
        told = meeting.give(ann, {**BORROW, "seat": seat}).json()
        assert told["board"]["viewer"] == told["events"][0]["seat"] == seat


def test_a_meeting_that_does_not_run_takes_no_commands(api: Api) -> None:
    ann = Person(api)
    meeting = Meeting(ann).seat(ann, Person(api))
    assert refused(meeting.give(ann, {**BORROW, "decision": 1})) == (409, "meeting_not_running")
    ann.client.post(f"{meeting.path}/abandon")
    assert refused(meeting.give(ann, BORROW)) == (409, "meeting_not_running")


@pytest.mark.parametrize(
    ("body", "at", "words"),
    [
        ({"type": "bookmaker.bet"}, "/type", "commands here: bookmaker.exchange_cards, "),
        ({"type": "tuyaux.bet", "win": ["perle"]}, "/type", "commands here: bookmaker.exchange_"),
        ({**SET_ODDS, "odd": 1}, "/odd", "fields here: type, odds, limit, seat, decision."),
        (
            {**SET_ODDS, "odds": {**ODDS, "red": "3"}},
            "/odds/red",
            "A number is needed, not a string.",
        ),
        (
            {"type": "bookmaker.name_brocco", "horse": "pink"},
            "/horse",
            "words here: blue, green, red, yellow.",
        ),
    ],
)
def test_what_is_malformed_is_told_what_would_do(
    api: Api, body: dict[str, Any], at: str, words: str
) -> None:
    meeting, ann, _ = roles(api)
    told = meeting.give(ann, body).json()
    assert (told["code"], told["pointer"]) == ("malformed", at)
    assert words in told["detail"]


@pytest.mark.parametrize("seat", [0, 2, 3, 99, -1])
def test_a_seat_that_is_not_the_callers_is_refused_whether_there_is_one_or_not(
    api: Api, seat: int
) -> None:
    """Contract, Errors"""
    meeting, ann, _ = roles(api)
    assert refused(meeting.give(ann, {**SET_ODDS, "seat": seat})) == (403, "not_your_seat")


def test_what_the_fields_of_a_command_name_is_refused_as_the_sheet_says(api: Api) -> None:
    """Contract, Errors: a book that there isn't is its rule's refusal, and no 404."""
    meeting, ann, ben = roles(api)
    assert meeting.give(ann, SET_ODDS).status_code == 200
    bet = {"type": "bookmaker.place_bet", "bookmaker": 9, "horse": "red", "stake": 10}
    answer = meeting.give(ben, bet)
    assert (*refused(answer), answer.json()["rule"]) == (422, "no_such_book", "BM-B1")


def test_the_state_of_play_refuses_before_the_rules_do(api: Api) -> None:
    meeting, ann, ben = roles(api)
    low = {"type": "bookmaker.set_odds", "odds": {**ODDS, "red": 2}}
    early = meeting.give(ann, {"type": "bookmaker.done"})
    assert refused(early) == (409, "wrong_phase")
    now = "It is the phase `odds` now; `bookmaker.done` goes in `bets`."
    assert early.json()["detail"] == now
    assert refused(meeting.give(ben, low)) == (409, "not_your_turn")
    answer = meeting.give(ann, low)
    assert (*refused(answer), answer.json()["rule"]) == (422, "odds_sum_too_low", "BM-O1")


def test_what_may_be_done_once_is_refused_the_second_time(api: Api) -> None:
    meeting, people = running(api, 4, arranged={"draws": {"bookmaker": [1]}})
    for person in people[:2]:
        meeting.give(person, meeting.actions(person)["default"])
    assert meeting.give(people[0], SET_ODDS).status_code == 200
    assert refused(meeting.give(people[0], SET_ODDS)) == (409, "already_done")


@pytest.mark.parametrize("amount", [0, -10, 5, 10**30, 2**53])
def test_a_number_that_a_rule_limits_is_that_rules_refusal(api: Api, amount: int) -> None:
    meeting, ann, _ = roles(api)
    answer = meeting.give(ann, {"type": "bookmaker.borrow", "amount": amount})
    assert (answer.status_code, answer.json()["rule"]) == (422, "BM-L1")


def test_a_refused_command_changes_nothing(api: Api) -> None:
    meeting, ann, ben = roles(api)
    before = [meeting.board(person) for person in (ann, ben)]
    meeting.give(ben, SET_ODDS)
    meeting.give(ann, {"type": "bookmaker.borrow", "amount": 5})
    assert [meeting.board(person) for person in (ann, ben)] == before


# ---------------------------------------------------------------------- decisions


def test_a_command_may_carry_the_decision_that_it_answers(api: Api) -> None:
    meeting, ann, _ = roles(api)
    decision = meeting.board(ann)["decision"]
    assert decision == meeting.actions(ann)["decision"]
    assert meeting.give(ann, {**SET_ODDS, "decision": decision}).status_code == 200


@pytest.mark.parametrize("off", [-1, 1, -(10**6), 10**6, -(10**30), 10**30])
def test_any_other_number_is_stale_and_tells_what_was_missed(api: Api, off: int) -> None:
    meeting, ann, _ = roles(api)
    board = meeting.board(ann)
    sent = board["decision"] + off
    answer = meeting.give(ann, {**SET_ODDS, "decision": sent})
    assert refused(answer) == (409, "stale_decision")
    feed = ann.client.get(f"{meeting.path}/events").json()["items"]
    assert answer.json()["version"] == board["version"]
    assert answer.json()["events"] == [e for e in feed if e["version"] > sent]
    assert "seat" not in answer.json()
    assert answer.headers["cache-control"] == "private, no-cache"


def test_a_seat_without_a_decision_answers_none(api: Api) -> None:
    meeting, _, ben = roles(api)
    assert meeting.board(ben)["decision"] is None
    version = meeting.board(ben)["version"]
    answer = meeting.give(ben, {**BORROW, "decision": version})
    assert refused(answer) == (409, "stale_decision")
    assert answer.json()["events"] == []


def test_a_decision_taken_is_stale_afterwards(api: Api) -> None:
    meeting, ann, _ = roles(api)
    body = {**SET_ODDS, "decision": meeting.board(ann)["decision"]}
    assert meeting.give(ann, body).status_code == 200
    assert refused(meeting.give(ann, body)) == (409, "stale_decision")


def test_a_whole_meeting_is_played_by_its_actions_alone(
    api: Api, face_redis: Any, anybody: Client
) -> None:
    meeting, people = running(api)
    meeting.play(face_redis.url, people, lambda: False)
    shown = meeting.summary()
    assert shown["status"] == "finished"
    assert shown["ranking"][0]["rank"] == 1
    board = anybody.get(f"{meeting.path}/board").json()
    assert (board["phase"], board["deadline"], board["to_act"]) == (None, None, [])
    assert board["ranking"] == shown["ranking"]
    actions = meeting.actions(people[0])
    assert actions == {
        "decision": None,
        "deadline": None,
        "default": None,
        "actions": [],
        "complete": True,
        "schema": None,
    }
