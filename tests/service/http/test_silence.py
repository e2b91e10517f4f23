"""A command of which nobody else may know changes nothing that anybody else is answered."""

from typing import Any

import httpx

from tests.kit.face import ADMIN, Api, Client
from tests.kit.tables import Meeting, Person, running

TWO_JOKERS = (b"\x16" * 32).hex()
"""Of this seed two seats hold a joker in the first race, and both are asked at its first card."""

ALL: dict[str, Any] = {
    "seats": 4,
    "options": {"programme": ["joker"] * 4},
    "arranged": {"seed": TWO_JOKERS},
}


def in_secret(meeting: Meeting, people: list[Person]) -> list[Person]:
    """Play defaults until it is secret who is waited for; who is, in seat order."""
    while meeting.board(people[0], seat="public")["to_act"] is not None:
        owing = next(p for p in people if meeting.actions(p)["default"] is not None)
        answer = meeting.give(owing, meeting.actions(owing)["default"])
        assert answer.status_code == 200, answer.text
    return [p for p in people if meeting.actions(p)["default"] is not None]


def everything(meeting: Meeting, caller: Client) -> list[Any]:
    """All that a caller is answered, with every header but the time."""
    path = meeting.path
    calls: list[tuple[str, str, dict[str, str]]] = [
        ("GET", path, {}),
        ("GET", f"{path}/board", {}),
        ("GET", f"{path}/board", {"Range": "bytes=0-9"}),
        ("GET", f"{path}/board", {"If-None-Match": "*"}),
        ("HEAD", f"{path}/board", {}),
        ("OPTIONS", f"{path}/board", {}),
        ("GET", f"{path}/actions", {}),
        ("GET", f"{path}/events", {}),
        ("GET", f"{path}/events?after=10000", {}),
        ("HEAD", f"{path}/events", {}),
        ("GET", "/v1/meetings", {}),
        ("GET", "/v1/me", {}),
    ]
    parts = caller.get("/health/ready").json()["parts"]
    del parts["queue"]  # whose state hangs on reactors that other tests have started
    return [parts, *(told(caller.request(how, at, headers=sent)) for how, at, sent in calls)]


def told(answer: httpx.Response) -> Any:
    headers = {name: value for name, value in answer.headers.items() if name != "date"}
    return answer.status_code, headers, answer.content


def test_a_joker_kept_in_secret_is_not_noticed_by_anybody_else(api: Api) -> None:
    meeting, people = running(api, **ALL)
    first, second = in_secret(meeting, people)
    others = [person.client for person in people if person is not first]
    others += [Person(api, "Stranger").client, api.client(ADMIN), api.client()]
    before = [everything(meeting, caller) for caller in others]
    seen = everything(meeting, first.client)
    kept = meeting.give(first, meeting.actions(first)["default"])
    assert [event["type"] for event in kept.json()["events"]] == ["bookmaker.joker_kept"]
    assert [everything(meeting, caller) for caller in others] == before
    assert everything(meeting, first.client) != seen
    again = meeting.give(second, meeting.actions(second)["default"])
    assert again.json()["events"][-1]["type"] != "bookmaker.joker_kept", "now all see it go on"
