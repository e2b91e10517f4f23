"""Boards, actions and events over HTTP: whose, as they stood, and when they are not sent."""

from typing import Any

import httpx
import jsonschema
import pytest

from tests.kit.face import Api, Client
from tests.kit.tables import Meeting, Person, running

BORROW = {"type": "bookmaker.borrow", "amount": 10}


def refused(answer: httpx.Response) -> tuple[int, str]:
    return answer.status_code, answer.json()["code"]


def test_a_board_is_that_of_the_callers_seat_else_the_public_one(api: Api, anybody: Client) -> None:
    meeting, people = running(api)
    assert meeting.board(people[1])["viewer"] == 2
    assert meeting.board(Person(api))["viewer"] == "public"
    public = anybody.get(f"{meeting.path}/board").json()
    assert public["viewer"] == "public"
    assert [seat["hand"] for seat in public["seats"]] == [None, None]
    assert meeting.board(people[0], seat="public") == public


def test_a_seat_of_somebody_else_is_not_shown(api: Api, anybody: Client) -> None:
    meeting, people = running(api)
    for view in ("board", "actions", "events"):
        path = f"{meeting.path}/{view}"
        assert refused(people[0].client.get(path, params={"seat": 2})) == (403, "not_your_seat")
        assert refused(people[0].client.get(path, params={"seat": 9})) == (403, "not_your_seat")
        assert refused(anybody.get(path, params={"seat": 1})) == (401, "unauthorized")
        assert people[0].client.get(path, params={"seat": 1}).status_code == 200


def test_who_holds_several_seats_says_which(api: Api) -> None:
    ann = Person(api)
    meeting = Meeting(ann).seat(ann, ann).start()
    for view in ("board", "actions", "events"):
        path = f"{meeting.path}/{view}"
        assert refused(ann.client.get(path)) == (409, "seat_required")
        for seat in ("1", "2", "public"):
            assert ann.client.get(path, params={"seat": seat}).status_code == 200
    assert meeting.board(ann, seat=2)["viewer"] == 2


def test_a_board_is_shown_as_it_stood_after_an_event(api: Api) -> None:
    meeting, people = running(api)
    boards = [meeting.board(people[0])]
    for _ in range(3):
        boards.append(meeting.give(people[1], BORROW) and meeting.board(people[0]))
    for board in boards:
        assert meeting.board(people[0], at=board["version"]) == board
    opened = meeting.board(people[0], at=1)
    assert (opened["status"], opened["version"], opened["race"]) == ("open", 1, 0)
    assert opened["phase"] is None
    assert opened["bookmakers"] is None


@pytest.mark.parametrize("at", ["0", "-1", "01", "1.0", "x", "", "9" * 17, "1&at=2"])
def test_an_at_that_is_no_number_from_one_is_malformed(api: Api, at: str) -> None:
    meeting, people = running(api)
    answer = people[0].client.get(f"{meeting.path}/board?at={at}")
    assert (*refused(answer), answer.json()["parameter"]) == (400, "malformed", "at")


def test_numbers_from_the_future_are_told_how_far_the_viewer_is(api: Api) -> None:
    meeting, people = running(api)
    version = meeting.board(people[0])["version"]
    client = people[0].client
    for path in (f"board?at={version + 1}", f"events?after={version + 1}"):
        answer = client.get(f"{meeting.path}/{path}")
        assert (*refused(answer), answer.json()["version"]) == (409, "version_ahead", version)


# ---------------------------------------------------------------------- ETag


def test_a_board_that_the_caller_has_is_not_sent_again(api: Api) -> None:
    meeting, people = running(api)
    board = f"{meeting.path}/board"
    first = people[0].client.get(board)
    etag = first.headers["etag"]
    for known in (etag, f"W/{etag}", f'"x", {etag}', "*"):
        answer = people[0].client.get(board, headers={"If-None-Match": known})
        assert (answer.status_code, answer.content) == (304, b"")
        assert answer.headers["etag"] == etag
        assert answer.headers["cache-control"] == "private, no-cache"
        assert answer.headers["vary"] == "Authorization"
    meeting.give(people[1], BORROW)
    changed = people[0].client.get(board, headers={"If-None-Match": etag})
    assert changed.status_code == 200
    assert changed.headers["etag"] != etag


def test_viewers_have_different_etags_and_old_boards_their_own(api: Api, anybody: Client) -> None:
    meeting, people = running(api)
    board = f"{meeting.path}/board"
    now = [client.get(board).headers["etag"] for client in (people[0].client, people[1].client)]
    now += [
        anybody.get(board).headers["etag"],
        people[0].client.get(f"{board}?at=3").headers["etag"],
    ]
    assert len(set(now)) == 4


def test_rights_come_before_the_etag(api: Api, anybody: Client) -> None:
    meeting, people = running(api)
    board = f"{meeting.path}/board?seat=1"
    etag = people[0].client.get(board).headers["etag"]
    answer = people[1].client.get(board, headers={"If-None-Match": etag})
    assert refused(answer) == (403, "not_your_seat")


def test_two_processes_answer_the_same_bytes_and_know_each_others_etags(
    api: Api, other: Api
) -> None:
    meeting, people = running(api, 4, options={"programme": ["joker_trot"] * 2})
    for person in people * 2:
        default = meeting.actions(person)["default"]
        if default is not None:
            assert meeting.give(person, default).status_code == 200
    for person in people:
        here, there = person.client, person.on(other)
        for view in ("board", "actions", "events", "board?at=9", "board?seat=public", "log"):
            answers = [client.get(f"{meeting.path}/{view}") for client in (here, there)]
            assert answers[0].content == answers[1].content
        etag = here.get(f"{meeting.path}/board").headers["etag"]
        again = there.get(f"{meeting.path}/board", headers={"If-None-Match": etag})
        assert again.status_code == 304


# ---------------------------------------------------------------------- actions


def test_actions_are_ready_to_post(api: Api) -> None:
    meeting, people = running(api, arranged={"draws": {"bookmaker": [1]}})
    told = meeting.actions(people[0])
    assert told["default"] in told["actions"]
    assert told["complete"] is False
    for action in told["actions"]:
        jsonschema.validate(action, told["schema"])
        assert not {"seat", "decision"} & set(action)
    assert meeting.give(people[0], told["actions"][1]).status_code == 200


def test_actions_name_the_seat_where_the_caller_holds_several(api: Api) -> None:
    ann = Person(api)
    meeting = Meeting(ann, arranged={"draws": {"bookmaker": [2]}}).seat(ann, ann).start()
    told = meeting.actions(ann, seat=2)
    assert {action["seat"] for action in [*told["actions"], told["default"]]} == {2}
    assert meeting.give(ann, told["default"]).status_code == 200


def test_who_has_no_seat_has_no_actions(api: Api, anybody: Client) -> None:
    meeting, _ = running(api)
    path = f"{meeting.path}/actions"
    assert refused(anybody.get(path)) == (401, "unauthorized")
    assert refused(Person(api).client.get(path)) == (403, "not_your_seat")
    assert anybody.get(path, params={"seat": "public"}).json()["actions"] == []


def test_before_the_start_there_is_nothing_to_do(api: Api) -> None:
    ann = Person(api)
    told = Meeting(ann).seat(ann).actions(ann)
    assert (told["decision"], told["actions"], told["complete"]) == (None, [], True)


# ---------------------------------------------------------------------- events


def test_events_come_in_pages_without_gaps(api: Api) -> None:
    meeting, people = running(api)
    feed = f"{meeting.path}/events"
    whole = people[0].client.get(feed).json()
    assert [event["version"] for event in whole["items"]] == list(range(1, whole["version"] + 1))
    assert whole["next_cursor"] is None
    pages: list[dict[str, Any]] = []
    after: int | None = 0
    while after is not None:
        page = people[0].client.get(feed, params={"after": after, "limit": 3}).json()
        assert len(page["items"]) <= 3
        assert page["version"] == whole["version"]
        pages += page["items"]
        after = page["next_cursor"]
    assert pages == whole["items"]
    end = people[0].client.get(feed, params={"after": whole["version"]}).json()
    assert (end["items"], end["next_cursor"]) == ([], None)


def test_a_feed_shows_its_viewer_its_own_secrets_and_no_envelope(api: Api, anybody: Client) -> None:
    meeting, people = running(api)
    feed = f"{meeting.path}/events"
    for client, own in ((people[0].client, True), (anybody, False)):
        events = client.get(feed).json()["items"]
        assert not any({"seq", "audience", "private", "hash"} & set(event) for event in events)
        dealt = next(e for e in events if e["type"] == "bookmaker.hands_dealt")
        assert ("hand" in dealt) is own


@pytest.mark.parametrize(
    ("query", "parameter"),
    [
        ("after=-1", "after"),
        ("after=x", "after"),
        ("limit=0", "limit"),
        ("limit=1001", "limit"),
        ("seat=0", "seat"),
        ("seat=mine", "seat"),
        ("since=1", "since"),
        ("after=1&after=1", "after"),
        ("AFTER=1", "AFTER"),
    ],
)
def test_a_query_that_makes_no_sense_is_malformed(api: Api, query: str, parameter: str) -> None:
    meeting, people = running(api)
    answer = people[0].client.get(f"{meeting.path}/events?{query}")
    assert (*refused(answer), answer.json()["parameter"]) == (400, "malformed", parameter)


@pytest.mark.parametrize("query", ["after=%ff", "a%00b=1", "&".join("x=1" for _ in range(60))])
def test_a_query_that_is_none_is_malformed(api: Api, query: str) -> None:
    meeting, people = running(api)
    assert refused(people[0].client.get(f"{meeting.path}/events?{query}")) == (400, "malformed")


@pytest.mark.parametrize(
    ("accept", "status"),
    [
        ("application/json", 200),
        ("*/*", 200),
        ("application/*", 200),
        ("text/html,application/xhtml+xml,*/*;q=0.8", 200),
        ("text/event-stream;q=0.5, application/json", 200),
        ("text/event-stream", 406),
        ("application/x-ndjson", 406),
        ("application/x-ndjson, application/json;q=0.9", 406),
        ("text/html", 406),
        ("application/json;q=0", 406),
    ],
)
def test_streams_are_not_answered(api: Api, accept: str, status: int) -> None:
    meeting, people = running(api)
    answer = people[0].client.get(f"{meeting.path}/events", headers={"Accept": accept})
    assert answer.status_code == status
    if status == 406:
        assert answer.json()["code"] == "not_acceptable"
