"""Under fire: all seats at once, rival commands, callers that go away, answers that are lost.

Two real processes on one real Redis. The long forms do the same a thousand times.
"""

import signal
import socket
import struct
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from itertools import cycle
from pathlib import Path
from typing import Any

import httpx
import pytest

from domain.registry import GAMES
from tests.kit.face import Api, Client
from tests.kit.fire import Table, check_log, feed_of
from tests.kit.lossy_proxy import LossyThread
from tests.kit.redis_server import RedisServer
from tests.kit.tables import Meeting, Person, running

GAMES_AND_OPTIONS: dict[str, dict[str, Any]] = {
    "bookmaker": {"programme": ["joker", "trot"] * 2, "in_running": True},
    "change-horses": {"turn_order": "derby"},
    "ticket-gagnant": {"choice": "flat_only"},
    "tuyaux": {"open_bets": True},
}
LOSS = 0.15


def addresses(*ports: int) -> list[str]:
    return [f"http://127.0.0.1:{port}" for port in ports]


def test_every_game_is_played_under_fire() -> None:
    assert set(GAMES_AND_OPTIONS) == set(GAMES)


@pytest.mark.parametrize("game", GAMES_AND_OPTIONS)
def test_all_seats_at_once_and_each_command_twice(
    api: Api, other: Api, face_redis: RedisServer, game: str
) -> None:
    table = Table(
        api,
        addresses(api.port, other.port),
        game,
        GAMES_AND_OPTIONS[game],
        seats=4,
        commands=30,
        twins=True,
    )
    assert table.play(face_redis.url).check() >= 30


@pytest.mark.long
@pytest.mark.parametrize("game", GAMES_AND_OPTIONS)
def test_long_meetings_with_all_seats_at_once(
    api: Api, other: Api, face_redis: RedisServer, game: str
) -> None:
    where = addresses(api.port, other.port)
    for seats in GAMES[game].seats:
        table = Table(api, where, game, {}, seats=seats, commands=500, twins=True)
        assert table.play(face_redis.url).check() >= seats


# ---------------------------------------------------------------------- rivals


@pytest.mark.parametrize("game", GAMES_AND_OPTIONS)
def test_of_rivals_for_one_decision_one_wins(api: Api, other: Api, game: str) -> None:
    meeting, people = running(api, game=game)
    rounds = 0
    for person in people * 6:
        told = meeting.actions(person)
        bodies = [{**body, "decision": told["decision"]} for body in told["actions"][:6]]
        if told["default"] is None or len(bodies) < 2:
            continue
        rounds += 1
        clients = [person.on(a) for a, _ in zip(cycle((api, other)), bodies, strict=False)]

        def give(pair: tuple[Client, Any]) -> httpx.Response:
            answer: httpx.Response = pair[0].post(f"{meeting.path}/commands", json=pair[1])
            return answer

        with ThreadPoolExecutor(len(bodies)) as pool:
            answers = list(pool.map(give, zip(clients, bodies, strict=True)))
        won = [answer.json() for answer in answers if answer.status_code == 200]
        assert len(won) == 1
        feed = feed_of(lambda path, me=person: dict(me.client.get(path).json()), meeting.path)
        for answer in answers:
            if answer.status_code == 200:
                continue
            lost = answer.json()
            assert (answer.status_code, lost["code"]) == (409, "stale_decision")
            assert lost["version"] >= won[0]["version"]
            assert lost["events"] == feed[told["decision"] : lost["version"]]
            assert won[0]["events"][0] in lost["events"]
    assert rounds >= 2


# ---------------------------------------------------------------------- callers that go away


def request_of(person: Person, path: str, body: bytes, key: str) -> bytes:
    head = (
        f"POST {path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {person.token}\r\n"
        f"Content-Type: application/json\r\nIdempotency-Key: {key}\r\n"
        f"Content-Length: {len(body)}\r\n\r\n"
    )
    return head.encode() + body


def break_off(api: Api, data: bytes, *, after: float = 0.0, read: int = 0) -> None:
    """Send this much of a request, wait, read so many bytes of an answer, and be gone at once."""
    with socket.create_connection(("127.0.0.1", api.port)) as line:
        line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        line.sendall(data)
        time.sleep(after)
        if read:
            line.recv(read)


def broken_calls(whole: int) -> list[dict[str, Any]]:
    """Ways to break a call of so many bytes off: within it, right behind it, within the answer."""
    within = [{"sent": whole * part // 12} for part in range(12)] + [{"sent": whole - 1}]
    behind = [{"sent": whole, "after": ms / 1000} for ms in (0, 0, 1, 2, 3, 5, 8, 13)]
    return within + behind + [{"sent": whole, "read": 1}, {"sent": whole, "read": 40}]


def broken_off(api: Api, other: Api, times: int) -> None:
    """Break calls off in all ways, again and again; the same call, made once more, is done once."""
    done = 0
    while done < times:
        meeting, (ann, ben) = running(api)
        path, body = f"{meeting.path}/commands", b'{"type":"bookmaker.borrow","amount":10}'
        whole = len(request_of(ann, path, body, "0" * 8))
        for number, way in enumerate(broken_calls(whole)):
            person, key = (ann, ben)[number % 2], f"{number:08}"
            there, here = (api, other) if number % 3 else (other, api)
            data = request_of(person, path, body, key)[: way["sent"]]
            before = meeting.board(person)["version"]
            break_off(there, data, after=way.get("after", 0), read=way.get("read", 0))
            answers = [
                person.on(a).send_raw("POST", path, body, **{"Idempotency-Key": key})
                for a in (here, there)
            ]
            assert answers[0].status_code == 200, answers[0].text
            assert answers[1].content == answers[0].content
            assert answers[0].json()["version"] == before + 1
            assert meeting.board(person)["version"] == before + 1
            done += 1
        ann.client.post(f"{meeting.path}/abandon")
        ben.client.post(f"{meeting.path}/abandon")
        ann.client.post(f"{meeting.path}/abandon")
        check_log(ann.client.get(f"{meeting.path}/log").content)


def test_a_call_that_is_broken_off_is_done_once_or_not_at_all(api: Api, other: Api) -> None:
    broken_off(api, other, 1)


@pytest.mark.long
def test_calls_are_broken_off_a_thousand_times(api: Api, other: Api) -> None:
    broken_off(api, other, 1000)


def test_calls_of_every_kind_may_be_broken_off(api: Api, other: Api) -> None:
    ann, ben = Person(api), Person(api)
    made = Meeting(ann)
    calls: list[tuple[Person, str, bytes, int]] = [
        (ann, "/v1/meetings", b'{"game":"tuyaux","seats":3}', 201),
        (ann, f"{made.path}/seats", b'{"nonce":"x"}', 201),
        (ben, f"{made.path}/seats", b"{}", 201),
        (ann, f"{made.path}/start", b"{}", 200),
        (ben, f"{made.path}/abandon", b"{}", 200),
        (ann, f"{made.path}/abandon", b"{}", 200),
    ]
    for person, path, body, status in calls:
        data = request_of(person, path, body, "one")
        for sent in (len(data) // 2, len(data) - 1, len(data), len(data)):
            break_off(other, data[:sent])
        again = [
            person.on(a).send_raw("POST", path, body, **{"Idempotency-Key": "one"})
            for a in (api, other)
        ]
        assert [answer.status_code for answer in again] == [status] * 2, again[0].text
        assert again[0].content == again[1].content
    assert made.summary()["status"] == "abandoned"
    log = ann.client.get(f"{made.path}/log").content
    check_log(log)
    assert [log.count(b'"type":"%b"' % kind) for kind in (b"seat_taken", b"abandon_asked")] == [
        2,
        2,
    ]


# ---------------------------------------------------------------------- lost answers


Lossy = Callable[[str], tuple[list[str], list[LossyThread]]]


@pytest.fixture
def lossy(api: Api, other: Api, face_redis: RedisServer, tmp_path: Path) -> Iterator[Lossy]:
    """Makes addresses of two processes where answers are lost: on the way to the callers, or on the
    way from Redis to the processes. And the lines that lose them."""
    with ExitStack() as stack:

        def to_callers() -> tuple[list[str], list[LossyThread]]:
            lines = [
                stack.enter_context(LossyThread(part.port, loss=LOSS, seed=part.port))
                for part in (api, other)
            ]
            return addresses(*(line.port for line in lines)), lines

        def to_processes() -> tuple[list[str], list[LossyThread]]:
            lines, ports = [], []
            for seed in (1, 2):
                line = stack.enter_context(LossyThread(face_redis.socket, loss=0, seed=seed))
                part = Api(line.url, tmp_path)
                stack.callback(part.stop)
                assert part.client().get("/v1/limits").status_code == 200
                line.loss = LOSS / 5  # each costs all calls of the process that are under way
                stack.callback(setattr, line, "loss", 0.0)
                lines.append(line)
                ports.append(part.port)
            return addresses(*ports), lines

        yield lambda where: to_callers() if where == "callers" else to_processes()


@pytest.mark.parametrize("where", ["callers", "processes"])
def test_calls_whose_answers_are_lost_are_done_once(
    api: Api, face_redis: RedisServer, lossy: Lossy, where: str
) -> None:
    where_to, lines = lossy(where)
    options = {"programme": ["joker_trot"] * 3, "in_running": True}
    table = Table(api, where_to, "bookmaker", options, commands=60)
    table.play(face_redis.url).check()
    assert sum(line.lost for line in lines) >= 3
    assert where == "processes" or table.repeated >= 3


@pytest.mark.long
@pytest.mark.parametrize("where", ["callers", "processes"])
def test_answers_are_lost_a_thousand_times(
    api: Api, face_redis: RedisServer, lossy: Lossy, where: str
) -> None:
    where_to, lines = lossy(where)
    games = cycle(GAMES_AND_OPTIONS)
    while sum(line.lost for line in lines) < 1000:
        game = next(games)
        table = Table(api, where_to, game, {}, seats=4, commands=500)
        table.play(face_redis.url).check()


def test_a_call_that_redis_holds_up_is_done_once_though_its_caller_went_away(
    api: Api, other: Api, face_redis: RedisServer
) -> None:
    meeting, (ann, _) = running(api)
    path, body = f"{meeting.path}/commands", b'{"type":"bookmaker.borrow","amount":10}'
    meeting.board(ann)
    before = ann.on(other).get(f"{meeting.path}/board").json()["version"]
    face_redis.signal(signal.SIGSTOP)
    try:
        break_off(api, request_of(ann, path, body, "held"), after=0.2)
    finally:
        face_redis.signal(signal.SIGCONT)
    answers = [
        ann.on(a).send_raw("POST", path, body, **{"Idempotency-Key": "held"}) for a in (other, api)
    ]
    assert [answer.status_code for answer in answers] == [200, 200]
    assert answers[0].content == answers[1].content
    assert meeting.board(ann)["version"] == before + 1
