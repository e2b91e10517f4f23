"""Health, metrics, problems, limits; and what every answer carries."""

import json

import pytest

from domain.registry import GAMES
from service.http import problems
from tests.kit.face import Api, Client
from tests.kit.tables import Person, running


def test_a_process_that_answers_is_alive(anybody: Client) -> None:
    assert anybody.get("/health/live").json() == {"status": "live"}


def test_every_part_says_how_it_is(anybody: Client) -> None:
    answer = anybody.get("/health/ready")
    assert answer.status_code == 503  # no reactor runs here
    told = answer.json()
    assert told["code"] == "not_ready"
    assert answer.headers["retry-after"] == "2"
    log = told["parts"]["event_log"]
    assert (log["ok"], log["fsync"]) == (True, "everysec")
    assert told["parts"]["queue"]["ok"] is False
    for view in ("lobby", "results", "leaderboards"):
        assert set(told["parts"][view]) == {"ok", "state", "lag_seconds", "rebuilding"}
        assert isinstance(told["parts"][view]["lag_seconds"], int)


def test_metrics_are_for_the_admin(api: Api, admin: Client, anybody: Client) -> None:
    assert anybody.get("/metrics").status_code == 401
    assert Person(api).client.get("/metrics").json()["code"] == "not_allowed"
    told = admin.get("/metrics")
    assert told.headers["content-type"] == "text/plain; version=1.0.0; charset=utf-8"
    assert 'homestretch_http_requests_total{operation="ShowMetrics",status="401"}' in told.text


def test_metrics_tell_how_log_and_queues_stand(admin: Client) -> None:
    told = admin.get("/metrics").text
    assert "homestretch_log_ok 1.0" in told
    assert "homestretch_log_lost_meetings 0.0" in told
    assert "homestretch_queue_ok 1.0" in told
    assert "homestretch_reactor_silent_seconds +Inf" in told  # no reactor runs here
    assert 'homestretch_jobs_drains{queue="turns"} 0.0' in told
    assert "homestretch_log_memory_max_bytes" not in told  # it has no limit


def test_metrics_count_by_nothing_that_would_tell_of_play(api: Api, admin: Client) -> None:
    meeting, people = running(api)
    meeting.give(people[0], meeting.actions(people[0])["actions"][0])
    told = admin.get("/metrics").text
    for word in (meeting.id, people[0].id, "bookmaker", "seat_taken", "hands_dealt"):
        assert word not in told


def test_every_code_is_listed_once_with_its_page(anybody: Client) -> None:
    listed = anybody.get("/v1/problems").json()
    assert listed["next_cursor"] is None
    codes = [item["code"] for item in listed["items"]]
    assert len(set(codes)) == len(codes)
    assert set(codes) == set(problems.table(tuple(GAMES)))
    for item in listed["items"]:
        assert item["type"] == f"/problems/{item['code']}"
        page = anybody.get(item["type"])
        assert page.headers["content-type"] == "text/plain; charset=utf-8"
        assert f"{item['status']} {item['code']}" in page.text
        assert (item["rules"] != []) == (item["games"] != [])
    assert anybody.get("/problems/no_such_code").json()["code"] == "not_found"


def test_limits_are_told(anybody: Client) -> None:
    told = anybody.get("/v1/limits").json()
    assert told["body_bytes_max"] == 262_144
    assert told["pages"] == {"default": 50, "max": 200}
    assert told["rates_enforced"] is False
    assert {rate["name"] for rate in told["rates"]} == {"reads", "writes", "registrations"}


# ---------------------------------------------------------------------- every answer


@pytest.mark.parametrize("path", ["/v1/games", "/v1/me", "/nowhere", "/v1/meetings/x", "/docs"])
def test_any_origin_may_read_every_answer_without_cookies(anybody: Client, path: str) -> None:
    headers = {"Origin": "https://elsewhere.example", "Cookie": "a=b"}
    answer = anybody.get(path, headers=headers)
    assert answer.headers["access-control-allow-origin"] == "*"
    assert "access-control-allow-credentials" not in answer.headers
    exposed = answer.headers["access-control-expose-headers"].split(", ")
    assert {"ETag", "Location", "RateLimit", "RateLimit-Policy", "Retry-After"} <= set(exposed)
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert "set-cookie" not in answer.headers


def test_a_browser_may_ask_before_it_calls(anybody: Client) -> None:
    answer = anybody.options(
        "/v1/meetings",
        headers={
            "Origin": "https://elsewhere.example",
            "Access-Control-Request-Method": "POST",
            "Access-Control-Request-Headers": "authorization, content-type, idempotency-key",
        },
    )
    assert answer.status_code == 204
    assert answer.headers["access-control-allow-origin"] == "*"
    assert "POST" in answer.headers["access-control-allow-methods"]
    allowed = answer.headers["access-control-allow-headers"].lower()
    assert {"authorization", "content-type", "idempotency-key"} <= set(allowed.split(", "))


def test_head_is_get_without_a_body(api: Api, anybody: Client) -> None:
    meeting, _ = running(api)
    board = f"{meeting.path}/board"
    head, get = anybody.head(board), anybody.get(board)
    assert (head.status_code, head.content) == (200, b"")
    assert head.headers["etag"] == get.headers["etag"]
    for path in ("/nowhere", "/v1/meetings/unknown"):
        answer = anybody.head(path)
        assert (answer.status_code, answer.content) == (404, b"")


@pytest.mark.parametrize(
    ("method", "path", "allow"),
    [
        ("PUT", "/v1/games", {"GET", "HEAD", "OPTIONS"}),
        ("GET", "/v1/me/token", {"POST", "OPTIONS"}),
        ("POST", "/v1/players/p1", {"GET", "HEAD", "OPTIONS", "PATCH"}),
        ("DELETE", "/v1/meetings/x", {"GET", "HEAD", "OPTIONS"}),
        ("TRACE", "/v1/me", {"GET", "HEAD", "OPTIONS"}),
        ("PROPFIND", "/v1/me", {"GET", "HEAD", "OPTIONS"}),
    ],
)
def test_a_method_that_is_not_there_is_told_which_are(
    anybody: Client, method: str, path: str, allow: set[str]
) -> None:
    answer = anybody.request(method, path)
    assert (answer.status_code, answer.json()["code"]) == (405, "method_not_allowed")
    assert set(answer.headers["allow"].split(", ")) == allow
    assert set(anybody.options(path).headers["allow"].split(", ")) == allow


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "/v1"),
        ("GET", "/v2/games"),
        ("GET", "/v1/me/feed"),
        ("POST", "/v1/me/stream-tickets"),
        ("POST", "/v1/bots"),
        ("POST", "/v1/meetings/m0123456789abcdef/pause"),
        ("POST", "/v1/meetings/m0123456789abcdef/seats/1/leave"),
        ("POST", "/v1/meetings/m0123456789abcdef/seats/1/replace"),
        ("GET", "/v1/meetings/m0123456789abcdef/"),
    ],
)
def test_what_is_not_there_is_not_found(anybody: Client, method: str, path: str) -> None:
    answer = anybody.request(method, path)
    assert answer.status_code == 404
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.headers["cache-control"] == "no-store"


def test_a_host_that_makes_no_sense_is_malformed(anybody: Client) -> None:
    answer = anybody.get("/v1/games", headers={"Host": "a b"})
    assert answer.status_code == 400
    assert json.loads(answer.content)["code"] == "malformed"
