"""Problem documents: their form, and every code of the service produced over HTTP.

The codes by rules of a game are produced by that game's own tests.
"""

import json
import re
from collections.abc import Callable, Iterator
from typing import Any

import httpx
import pytest
from markupsafe import escape

from domain.kernel import rejection
from domain.kernel.lines import canonical, chain
from domain.kernel.rejection import Reason
from domain.racing import lifecycle
from domain.registry import GAMES
from service.handling import STALE_DECISION, VERSION_AHEAD
from service.http import problems as p
from service.http.advice import ADVICE, advice_for
from service.redis.keys import Keys
from tests.kit.face import PARTITIONS, Api, Client
from tests.kit.problem_examples import examples, hold
from tests.kit.redis_server import RedisServer
from tests.kit.tables import Meeting, Person, running

SET_ODDS = {
    "type": "bookmaker.set_odds",
    "odds": {"red": 3, "blue": 3, "green": 2, "yellow": 2},
}
PLAY: tuple[Reason, ...] = (
    rejection.MEETING_NOT_RUNNING,
    rejection.WRONG_PHASE,
    rejection.NOT_YOUR_TURN,
    rejection.ALREADY_DONE,
    STALE_DECISION,
    VERSION_AHEAD,
)


class World:
    """Who and what the calls below need."""

    def __init__(
        self,
        api: Api,
        admin: Client,
        redis: RedisServer,
        make: Callable[..., Api],
        make_redis: Callable[..., RedisServer],
    ) -> None:
        self.api, self.admin, self.redis, self.make = api, admin, redis, make
        self.make_redis = make_redis
        self.anybody = api.client()
        self.ann = Person(api)
        self.stranger = Person(api)
        self.open = Meeting(self.ann).seat(self.ann)
        self.play, self.people = running(api, 4, arranged={"draws": {"bookmaker": [1]}})

    def over(self) -> Meeting:
        """A meeting that is over."""
        meeting = Meeting(self.ann)
        self.ann.client.post(f"{meeting.path}/abandon")
        return meeting

    def full(self) -> Meeting:
        """A meeting that is full and does not run."""
        return Meeting(self.ann).seat(self.ann, self.ann)

    def unasked(self) -> httpx.Response:
        """A host without a seat abandons."""
        meeting = Meeting(self.ann).seat(self.stranger, self.stranger).start()
        return self.ann.client.post(f"{meeting.path}/abandon")

    def twice(self) -> httpx.Response:
        """One key with two bodies."""
        key = {"Idempotency-Key": "k"}
        bodies = [{"game": "bookmaker", "seats": seats} for seats in (2, 3)]
        return [self.ann.client.post("/v1/meetings", json=b, headers=key) for b in bodies][-1]

    def done_twice(self) -> httpx.Response:
        """Odds are set twice."""
        for person in self.people[:2]:
            self.play.give(person, self.play.actions(person)["default"])
        answers = [self.play.give(self.people[0], SET_ODDS) for _ in range(2)]
        told: httpx.Response = answers[-1]
        return told

    def several(self) -> httpx.Response:
        """Several seats, and none is named."""
        return self.ann.client.get(f"{self.full().path}/board")

    def closed(self) -> httpx.Response:
        """Registration is closed."""
        api = self.make(registration="closed")
        return api.client().post("/v1/players", json={"name": "Eve"})

    def limited(self) -> httpx.Response:
        """A bucket is empty."""
        api = self.make(rate_limit=True, registrations_per_hour=1)
        answers = [api.client().post("/v1/players", json={"name": "Eve"}) for _ in range(2)]
        return answers[-1]

    def broken(self) -> httpx.Response:
        """A record that nobody can read."""
        player = Person(self.api)
        with self.redis.client() as redis:
            redis.set(f"players:{{{player.id}}}", b"not a record")
        return self.anybody.get(f"/v1/players/{player.id}")

    def away(self) -> httpx.Response:
        """Something else stands where the log's script wants to write."""
        player = Person(self.api)
        with self.redis.client() as redis:
            redis.config_set("maxmemory", 1)
            try:
                return player.client.post("/v1/meetings", json={"game": "bookmaker", "seats": 2})
            finally:
                redis.config_set("maxmemory", 0)

    def newer(self) -> httpx.Response:
        """A release to come has gone on with a meeting."""
        meeting = Meeting(self.ann)
        keys = Keys(PARTITIONS)
        event = {"seq": 2, "at": "2126-01-01T00:00:00.000Z", "meeting": meeting.id}
        body = canonical({**event, "type": "rules_changed", "rules": "1000", "audience": "public"})
        with self.redis.client() as redis:
            (digest,) = redis.hmget(keys.head(meeting.id), "h")
            next_digest = bytes.fromhex(chain(digest.hex(), body))
            redis.xadd(keys.log(meeting.id), {"d": body, "h": next_digest}, id="2-0")
            redis.hset(keys.head(meeting.id), mapping={"v": 2, "h": next_digest})
        return self.anybody.get(f"{meeting.path}/board")

    def diverged(self) -> httpx.Response:
        """The log of a meeting vanishes, in a Redis of its own: its partition is read-only then."""
        own = self.make_redis()
        ann = Person(self.make(own))
        meeting = Meeting(ann)
        ann.client.get(f"{meeting.path}/board")
        with own.client() as redis:
            for key in redis.scan_iter(f"es:*:{meeting.id}*"):
                redis.delete(key)
        return ann.client.get(f"{meeting.path}/board")


Calls = dict[str, Callable[[World], Any]]
CALLS: Calls = {
    "malformed": lambda w: w.ann.client.post("/v1/meetings", json={}),
    "unauthorized": lambda w: w.anybody.get("/v1/me"),
    "not_your_seat": lambda w: w.ann.client.get(f"{w.play.path}/board?seat=1"),
    "not_host": lambda w: w.stranger.client.post(f"{w.open.path}/start"),
    "not_allowed": lambda w: w.ann.client.get("/metrics"),
    "registration_closed": lambda w: w.closed(),
    "log_closed": lambda w: w.anybody.get(f"{w.open.path}/log"),
    "not_found": lambda w: w.anybody.get("/nowhere"),
    "meeting_not_found": lambda w: w.anybody.get("/v1/meetings/m0123456789abcdef"),
    "seat_not_found": lambda w: w.ann.client.delete(f"{w.open.path}/seats/9"),
    "player_not_found": lambda w: w.anybody.get("/v1/players/p0123456789abcdef"),
    "game_not_found": lambda w: w.anybody.get("/v1/games/chess"),
    "method_not_allowed": lambda w: w.anybody.put("/v1/games"),
    "not_acceptable": lambda w: w.anybody.get(
        f"{w.open.path}/events", headers={"Accept": "text/event-stream"}
    ),
    "seat_required": lambda w: w.several(),
    "not_all_asked": lambda w: w.unasked(),
    "admin_needed": lambda w: w.admin.patch("/v1/players/admin", json={"roles": ["player"]}),
    "body_too_large": lambda w: w.ann.client.send_raw("POST", "/v1/meetings", b" " * 270_000),
    "unsupported_media_type": lambda w: w.ann.client.post("/v1/meetings", data={"game": "x"}),
    "idempotency_key_reused": lambda w: w.twice(),
    "rate_limited": lambda w: w.limited(),
    "internal": lambda w: w.broken(),
    "log_unavailable": lambda w: w.away(),
    "log_diverged": lambda w: w.diverged(),
    "newer_release": lambda w: w.newer(),
    "not_ready": lambda w: w.anybody.get("/health/ready"),
    "meeting_not_running": lambda w: w.open.give(w.ann, SET_ODDS),
    "meeting_not_open": lambda w: w.people[0].client.delete(f"{w.play.path}/seats/1"),
    "meeting_over": lambda w: w.ann.client.post(f"{w.over().path}/abandon"),
    "seat_taken": lambda w: w.stranger.client.post(f"{w.open.path}/seats", json={"seat": 1}),
    "seat_free": lambda w: w.ann.client.delete(f"{w.open.path}/seats/2"),
    "seats_open": lambda w: w.ann.client.post(f"{w.open.path}/start"),
    "stale_decision": lambda w: w.play.give(w.people[0], {**SET_ODDS, "decision": 1}),
    "version_ahead": lambda w: w.anybody.get(f"{w.open.path}/board?at=99"),
    "wrong_phase": lambda w: w.play.give(w.people[0], {"type": "bookmaker.done"}),
    "not_your_turn": lambda w: w.play.give(
        w.people[3], {"type": "bookmaker.exchange_cards", "cards": ["red-1", "red-2"]}
    ),
    "already_done": lambda w: w.done_twice(),
}


@pytest.fixture
def world(
    api: Api,
    admin: Client,
    face_redis: RedisServer,
    make_redis: Callable[..., RedisServer],
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[World]:
    made: list[Api] = []

    def make(redis: RedisServer = face_redis, **settings: Any) -> Api:
        made.append(Api(redis.url, tmp_path_factory.mktemp("problems"), **settings))
        return made[-1]

    with face_redis.client() as redis:
        for key in redis.scan_iter("rates:*"):
            redis.delete(key)
    yield World(api, admin, face_redis, make, make_redis)
    for other in made:
        other.stop()


@pytest.mark.parametrize("code", list(CALLS))
def test_every_code_is_told_by_a_problem_document(world: World, code: str) -> None:
    kind = p.table(tuple(GAMES))[code]
    answer = CALLS[code](world)
    told = answer.json()
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.headers["cache-control"] in ("no-store", "private, no-cache")
    assert (told["code"], told["status"], answer.status_code) == (code, kind.status, kind.status)
    assert (told["type"], told["title"]) == (f"/problems/{code}", kind.title)
    assert told["detail"]
    hold(f"{answer.request.method} {MASKED.sub(blank, answer.request.url.path)}", None, told)


MASKED = re.compile(r"\b([mp])[0-9a-f]{16}\b")


def blank(found: re.Match[str]) -> str:
    return f"{found[1]}0123456789abcdef"


def test_the_codes_above_are_all_that_are_no_rule_of_a_game() -> None:
    table = p.table(tuple(GAMES))
    shared = {reason.code for reason in (*p.OWN, *lifecycle.REASONS, *PLAY)}
    assert set(CALLS) == shared
    assert {code for code, kind in table.items() if not kind.rules} == shared


def test_no_code_of_a_rule_has_another_status_than_its_game_says() -> None:
    for game in GAMES.values():
        for reason in game.reasons:
            assert p.table(tuple(GAMES))[reason.code].status == reason.status
            if reason.code != "card_not_in_hand":  # which a rule may refuse, or the hand alone
                assert (reason.status == 422) == (reason.rule is not None)


def test_two_statuses_of_one_code_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    twin = Reason(code="malformed", status=422, detail="x")
    monkeypatch.setattr(p, "OWN", (*p.OWN, twin))
    p.table.cache_clear()
    with pytest.raises(ValueError, match="more than one status"):
        p.table(tuple(GAMES))
    p.table.cache_clear()


def test_every_code_has_an_example_that_is_such_a_problem() -> None:
    table = p.table(tuple(GAMES))
    assert set(examples()) == set(table)
    for code, example in examples().items():
        told, kind = example["problem"], table[code]
        assert (told["code"], told["type"], told["title"]) == (code, kind.type, kind.title)
        assert told["status"] == kind.status
        assert ("rule" in told) <= (told.get("rule") in kind.rules)
        if kind.rules and code != "card_not_in_hand":
            assert told["rule"] in kind.rules


def test_every_code_that_is_no_rule_of_a_game_has_advice_of_its_own() -> None:
    table = p.table(tuple(GAMES))
    bare = {code for code, kind in table.items() if not kind.rules or kind.status != 422}
    assert bare | {"card_not_in_hand"} == set(ADVICE)


@pytest.mark.parametrize("code", list(p.table(tuple(GAMES))))
def test_a_page_explains_every_code_with_an_example(anybody: Client, code: str) -> None:
    path = examples()[code]["problem"]["type"]
    told = anybody.get(path, headers={"Accept": "application/json"})
    assert told.headers["content-type"] == "application/json"
    form = told.json()
    assert form["code"] == code
    assert form["sample"] == examples()[code]
    assert set(form["texts"]) == set(form["rules"])
    assert form["advice"] == advice_for(p.table(tuple(GAMES))[code])
    page = anybody.get(path, headers={"Accept": "text/html,*/*;q=0.8"})
    assert page.headers["content-type"] == "text/html; charset=utf-8"
    assert page.headers["content-security-policy"].startswith("default-src 'none'")
    for rule in form["rules"]:
        assert f"#{rule}" in page.text
    plain = anybody.get(path)
    assert plain.headers["content-type"] == "text/plain; charset=utf-8"
    for line in json.dumps(form["sample"]["problem"], indent=2).splitlines():
        assert line.strip(",") in plain.text
        assert str(escape(line.strip(","))) in page.text
    assert {told.headers["vary"], page.headers["vary"], plain.headers["vary"]} == {"Accept"}


def test_a_page_is_escaped(anybody: Client) -> None:
    page = anybody.get("/problems/unauthorized", headers={"Accept": "text/html"}).text
    assert "Bearer &lt;token&gt;" in page
    assert "<token>" not in page


def test_a_page_in_another_form_is_not_acceptable(anybody: Client) -> None:
    answer = anybody.get("/problems/malformed", headers={"Accept": "image/png"})
    assert (answer.status_code, answer.json()["code"]) == (406, "not_acceptable")


def test_the_root_says_what_is_where(anybody: Client) -> None:
    told = anybody.get("/").json()
    paths = [path for path in told.values() if path.startswith("/")]
    assert len(paths) == 6
    for path in paths:
        assert anybody.get(path).status_code in (200, 503)
