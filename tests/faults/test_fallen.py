"""A whole server whose Redis came back with an older file: reported, read-only, never continued."""

import json
import os
import shutil
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from service.anchors import FILE, Mark, read
from tests.kit.face import ADMIN, Api
from tests.kit.redis_server import RedisServer
from tests.kit.tables import running

BORROW = {"type": "bookmaker.borrow", "amount": 10}
Start = Callable[[RedisServer], Api]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Starts API processes on one data folder; they end with the test."""
    made: list[Api] = []

    def begin(redis: RedisServer) -> Api:
        made.append(Api(redis.url, tmp_path / "data"))
        assert made[-1].client().get("/v1/games").status_code == 200
        return made[-1]

    yield begin
    for api in made:
        api.stop()


def said(api: Api, event: str) -> list[dict[str, object]]:
    """The lines of a process about an event."""
    lines = api.log.read_text().splitlines()
    return [line for line in map(json.loads, lines) if line["event"] == event]


def noted(path: Path, version: int) -> None:
    """Return once an anchor knows the meeting up to this version."""
    until = time.monotonic() + 30
    while not any(mark and mark.version >= version for mark in marks(path)):
        assert time.monotonic() < until, "the end of the log is not noted"
        time.sleep(0.02)


def marks(path: Path) -> list[Mark | None]:
    """Those of the anchor, if there is one."""
    anchor = read(path)
    return anchor.marks if anchor else []


def test_an_older_file_of_redis_is_reported_and_read_only_until_a_person_decides(
    start: Start, make_redis: Callable[..., RedisServer], tmp_path: Path
) -> None:
    redis = make_redis()
    first = start(redis)
    meeting, (ann, _) = running(first)
    with redis.client() as client:
        client.bgrewriteaof()
    redis.wait_for("aof_rewrite_in_progress", 0)
    redis.wait_for("aof_rewrite_scheduled", 0)
    older = tmp_path / "older"
    shutil.copytree(redis.folder, older)
    known = meeting.board(ann)["version"]
    for _ in range(3):
        assert meeting.give(ann, BORROW).status_code == 200
    first.stop()
    again = start(redis)  # notes at its start where the log ends
    noted(tmp_path / "data" / FILE, known + 3)
    again.stop()

    redis.kill()
    for path in redis.folder.glob("appendonly*"):
        shutil.rmtree(path) if path.is_dir() else os.remove(path)
    for path in older.glob("appendonly*"):
        shutil.move(path, redis.folder / path.name)
    redis.start()
    api = start(redis)
    caller = ann.on(api)
    (line,) = said(api, "log_fell_back")
    assert line["level"] == "critical"
    ready = api.client().get("/health/ready")
    assert (ready.status_code, ready.json()["parts"]["event_log"]["state"]) == (503, "unfit")
    refused = caller.post(f"{meeting.path}/commands", json=BORROW)
    assert (refused.status_code, refused.json()["code"]) == (503, "log_diverged")
    board = caller.get(f"{meeting.path}/board")
    assert (board.status_code, board.json()["version"]) == (200, known), "it can be read"
    assert caller.post(f"{meeting.path}/commands", json=BORROW).status_code == 503
    api.stop()

    (tmp_path / "data" / FILE).unlink()  # a person has decided
    api = start(redis)
    assert not said(api, "log_fell_back")
    answer = ann.on(api).post(f"{meeting.path}/commands", json=BORROW)
    assert (answer.status_code, answer.json()["version"]) == (200, known + 1)
    assert api.client(ADMIN).get("/health/ready").json()["parts"]["event_log"]["ok"]
