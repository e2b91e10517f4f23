"""Meetings whose logs stand in the archive answer every call as before, byte for byte."""

import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest

from domain.verification import lines_of, verify
from service.archiving import Moved
from tests.kit.archiving import mover, open_log
from tests.kit.face import ADMIN, PARTITIONS, Api
from tests.kit.redis_server import RedisServer
from tests.kit.tables import Meeting, Person, running

Answers = dict[tuple[str, ...], tuple[Any, ...]]


@pytest.fixture(scope="module")
def own_redis(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RedisServer]:
    """A Redis whose logs move."""
    server = RedisServer(tmp_path_factory.mktemp("archive-redis")).start()
    yield server
    server.stop()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The archive that the processes share."""
    return tmp_path_factory.mktemp("archive") / "archive"


@pytest.fixture(scope="module")
def serve(
    own_redis: RedisServer, folder: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Callable[..., Api]]:
    """Starts API processes."""
    made: list[Api] = []
    data = tmp_path_factory.mktemp("archive-api")

    def start(**settings: Any) -> Api:
        made.append(Api(own_redis.url, data, **{"archive": str(folder), **settings}))
        return made[-1]

    yield start
    for api in made:
        api.stop()


def move(url: str, folder: Path) -> Moved:
    """Move all that is over."""

    async def work() -> Moved:
        async with open_log(url, folder, PARTITIONS) as log:
            return await mover(log).step()

    return asyncio.run(work())


def answers(api: Api, meeting: Meeting, people: list[Person]) -> Answers:
    """What each viewer is told of a meeting, also of every moment and in pages."""
    found: Answers = {}
    for who, caller in [("public", api.client()), *((p.name, p.on(api)) for p in people)]:

        def ask(path: str, who: str = who, caller: Any = caller, **headers: str) -> Any:
            answer = caller.get(f"{meeting.path}{path}", headers=headers)
            told = (answer.status_code, answer.content, answer.headers.get("ETag"))
            found[who, path, *headers.values()] = told
            return answer

        ask("")
        board = ask("/board")
        version = board.json()["version"]
        assert ask("/board", **{"If-None-Match": board.headers["ETag"]}).status_code == 304
        for at in (1, 2, version // 2, version - 1, version):
            assert ask(f"/board?at={at}").status_code == 200
        assert ask(f"/board?at={version + 1}").json()["code"] == "version_ahead"
        assert ask(f"/events?after={version + 1}").json()["code"] == "version_ahead"
        for after in (0, 3, version - 2, version):
            ask(f"/events?after={after}&limit=7")
        assert len(ask("/events?limit=1000").json()["items"]) == version
        ask("/log")
        ask("/actions")
    return found


def test_boards_pages_logs_and_refusals_are_the_same_from_the_archive(
    serve: Callable[..., Api], own_redis: RedisServer, folder: Path
) -> None:
    api = serve()
    meeting, people = running(api, game="change-horses", name="Old Cup")
    first = meeting.actions(people[0])["default"] or meeting.actions(people[1])["default"]
    meeting.play(own_redis.url, people, lambda: False)
    before = answers(api, meeting, people)
    commands = {"command": first, "start": None, "seats": {}, "abandon": None}

    def refused(on: Api) -> dict[str, Any]:
        caller = people[0].on(on)
        told = {
            what: caller.post(f"{meeting.path}/{what.replace('command', 'commands')}", json=body)
            for what, body in commands.items()
        }
        told["again"] = caller.post(
            f"{meeting.path}/commands", json=first, headers={"Idempotency-Key": "one"}
        )
        return {what: (answer.status_code, answer.json()) for what, answer in told.items()}

    refusals = refused(api)
    assert refusals["command"][1]["code"] == "meeting_not_running"
    assert refusals["start"][1]["code"] == "meeting_not_open"
    assert move(own_redis.url, folder).meetings == 1
    for process in (api, serve()):
        assert answers(process, meeting, people) == before
        assert refused(process) == refusals
        assert process.client().get("/v1/meetings/m00000000000000ff").status_code == 404
    exported = before["public", "/log"][1]
    report = verify(lines_of(exported))
    assert report.ok
    assert report.rules_checked


def test_a_retry_with_its_key_gets_the_first_answer_though_the_meeting_has_moved(
    serve: Callable[..., Api], own_redis: RedisServer, folder: Path
) -> None:
    api = serve()
    ann = Person(api)
    meeting = Meeting(ann, game="tuyaux").seat(ann)
    path, headers = f"{meeting.path}/abandon", {"Idempotency-Key": "the-end"}
    first = ann.client.post(path, headers=headers)
    assert first.json()["status"] == "abandoned"
    assert move(own_redis.url, folder).meetings >= 1
    for process in (api, serve()):
        again = ann.on(process).post(path, headers=headers)
        assert (again.status_code, again.content) == (200, first.content)


def test_an_archive_that_is_away_or_damaged_costs_its_meetings_alone(
    serve: Callable[..., Api], own_redis: RedisServer, folder: Path, tmp_path: Path
) -> None:
    api = serve()
    ann = Person(api)
    old, young = Meeting(ann, game="tuyaux").seat(ann), None
    assert ann.client.post(f"{old.path}/abandon").is_success
    move(own_redis.url, folder)
    young = Meeting(ann, game="tuyaux").seat(ann)
    path = next(folder.rglob(f"{old.id}.*"))
    whole = path.read_bytes()
    fresh = serve()
    caller = ann.on(fresh)
    path.unlink()
    told = refused_for_good(caller.get(f"{old.path}/board"))
    assert told.startswith("What is asked for is missing in the archive")
    path.write_bytes(whole[:-1])
    told = refused_for_good(caller.get(f"{old.path}/board"))
    assert told.startswith("What is asked for was changed or damaged in the archive")
    assert caller.get(f"{young.path}/board").status_code == 200
    assert archive_of(fresh) == {"ok": False, "state": "damaged"}
    assert "homestretch_archive_damaged 1.0" in fresh.client(ADMIN).get("/metrics").text
    path.write_bytes(whole)
    assert caller.get(f"{old.path}/board").status_code == 200
    assert archive_of(fresh) == {"ok": True, "state": "ok"}
    elsewhere = serve(archive=str(tmp_path / "of this machine alone"))
    refusal = ann.on(elsewhere).get(f"{old.path}/board")
    assert (refusal.status_code, refusal.json()["code"]) == (503, "log_unavailable")
    assert "Retry-After" in refusal.headers
    assert archive_of(elsewhere) == {"ok": False, "state": "away"}
    assert ann.on(elsewhere).get(f"{young.path}/board").status_code == 200


def refused_for_good(refusal: httpx.Response) -> str:
    """What is said to who asks for something that a person must lay back, and may not hurry for."""
    assert (refusal.status_code, refusal.json()["code"]) == (503, "log_diverged")
    assert int(refusal.headers["Retry-After"]) >= 60
    detail: str = refusal.json()["detail"]
    assert "an operator must lay the file back" in detail
    return detail


def archive_of(api: Api) -> dict[str, Any]:
    """What is told of the archive; no projector or reactor runs here, so the whole is not ready."""
    told = msgspec.json.decode(api.client().get("/health/ready").content)
    part: dict[str, Any] = told["parts"]["archive"]
    return part
