"""The lobby and the leaderboards over HTTP."""

from typing import Any

import pytest

from tests.kit.face import Api, Client
from tests.kit.redis_server import RedisServer
from tests.kit.tables import Meeting, Person, running


def ids(client: Client, **query: Any) -> list[str]:
    answer = client.get("/v1/meetings", params=query)
    assert answer.status_code == 200, answer.text
    return [item["id"] for item in answer.json()["items"]]


def test_a_meeting_is_listed_at_once_as_it_is_shown(api: Api, other: Api, anybody: Client) -> None:
    ann = Person(api)
    meeting = Meeting(ann, name="First").seat(ann)
    for client in (anybody, other.client()):
        newest = client.get("/v1/meetings", params={"limit": 1}).json()["items"][0]
        assert newest == meeting.summary()


def test_the_lobby_is_filtered_by_game_status_player_and_name(api: Api, anybody: Client) -> None:
    ann, ben = Person(api), Person(api)
    first = Meeting(ann, name="Grand National").seat(ann)
    second = Meeting(ann, name="Grand Prix").seat(ben)
    assert ids(anybody, player=ann.id) == [first.id]
    assert ids(anybody, player=ben.id, status="open", game="bookmaker") == [second.id]
    assert ids(anybody, player=ben.id, status="running") == []
    assert ids(anybody, player=ann.id, name="NATION") == [first.id]
    assert ids(anybody, player="p0123456789abcdef") == []


def test_a_cursor_shows_each_meeting_once_though_others_come_in_between(
    api: Api, anybody: Client
) -> None:
    ann = Person(api)
    made = [Meeting(ann).seat(ann).id for _ in range(5)]
    seen: list[str] = []
    query: dict[str, Any] = {"player": ann.id, "limit": 2}
    while True:
        page = anybody.get("/v1/meetings", params=query).json()
        seen += [item["id"] for item in page["items"]]
        if page["next_cursor"] is None:
            break
        query["cursor"] = page["next_cursor"]
        Meeting(ann).seat(ann)
    assert seen == made[::-1]


@pytest.mark.parametrize(
    ("query", "parameter"),
    [
        ("game=chess", "game"),
        ("status=over", "status"),
        ("limit=0", "limit"),
        ("limit=201", "limit"),
        ("limit=ten", "limit"),
        ("cursor=", "cursor"),
        ("cursor=nonsense", "cursor"),
        ("cursor=%00", "cursor"),
        ("cursor=" + "x" * 201, "cursor"),
        ("name=", "name"),
        ("player=", "player"),
        ("code=x", "code"),
    ],
)
def test_a_filter_that_makes_no_sense_is_malformed(
    anybody: Client, query: str, parameter: str
) -> None:
    answer = anybody.get(f"/v1/meetings?{query}")
    assert (answer.status_code, answer.json()["parameter"]) == (400, parameter)


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("limit=0", "`limit`: it is a whole number from 1 to 200, not '0'."),
        ("status=over", "`status`: it is one of open, running, finished, abandoned, not 'over'."),
        ("name=", "`name`: it is a text of 1 to 40 characters, not ''."),
        ("limit=1&limit=2", "`limit`: it comes twice."),
        ("size=2", "`size`: this call takes `game`, `status`, `player`, `name`, `cursor`, `limit`"),
        ("cursor=nonsense", "`cursor`: it is the `next_cursor` of a page of this list."),
    ],
)
def test_what_is_wrong_with_which_parameter_is_said(
    anybody: Client, query: str, words: str
) -> None:
    told = anybody.get(f"/v1/meetings?{query}").json()["detail"]
    assert told.startswith("The query parameter " + words)


def test_the_leaderboard_counts_a_rated_meeting_and_marks_bots(
    api: Api, face_redis: RedisServer, anybody: Client
) -> None:
    meeting, people = running(api)
    meeting.play(face_redis.url, people, lambda: False)
    rows = anybody.get("/v1/leaderboards/bookmaker").json()["items"]
    known = {row["player"]: row for row in rows}
    assert {known["steady"]["kind"], known["random"]["kind"]} == {"bot"}
    for person in people:
        assert (known[person.id]["kind"], known[person.id]["meetings"]) == ("human", 1)
    assert [row["rank"] for row in rows] == sorted(row["rank"] for row in rows)
    summary = meeting.summary()
    assert (summary["rated"], summary["unrated_reason"]) == (True, None)
    listed = anybody.get("/v1/meetings", params={"player": people[0].id}).json()["items"]
    assert listed == [summary]


@pytest.mark.parametrize(
    ("fields", "reason"),
    [({"arranged": {}}, "arranged"), ({"options": {"programme": ["trot", "trot"]}}, "own_options")],
)
def test_a_meeting_that_was_not_rated_says_why(
    api: Api, face_redis: RedisServer, anybody: Client, fields: dict[str, Any], reason: str
) -> None:
    meeting, people = running(api, **fields)
    assert (meeting.summary()["rated"], meeting.summary()["unrated_reason"]) == (None, None)
    meeting.play(face_redis.url, people, lambda: False)
    anybody.get("/v1/leaderboards/bookmaker")  # which waits until what was done is counted
    listed = anybody.get("/v1/meetings", params={"player": people[0].id}).json()["items"]
    for told in (meeting.summary(), *listed):
        assert (told["rated"], told["unrated_reason"]) == (False, reason)


def test_an_abandoned_meeting_is_not_rated_and_says_so(api: Api) -> None:
    ann = Person(api)
    meeting = Meeting(ann).seat(ann)
    ann.client.post(f"{meeting.path}/abandon")
    told = meeting.summary()
    assert (told["rated"], told["unrated_reason"]) == (False, "abandoned")


def test_a_leaderboard_comes_in_pages(anybody: Client) -> None:
    whole = anybody.get("/v1/leaderboards/bookmaker").json()["items"]
    first = anybody.get("/v1/leaderboards/bookmaker?limit=1").json()
    rest = anybody.get("/v1/leaderboards/bookmaker", params={"cursor": first["next_cursor"]}).json()
    assert first["items"] + rest["items"] == whole


def test_a_game_that_is_not_there_has_no_leaderboard(anybody: Client) -> None:
    answer = anybody.get("/v1/leaderboards/chess")
    assert (answer.status_code, answer.json()["code"]) == (404, "game_not_found")
    assert anybody.get("/v1/leaderboards/bookmaker?cursor=x").status_code == 400
