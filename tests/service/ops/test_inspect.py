"""`homestretch inspect`: what a meeting waits for, and nothing that players may not know."""

import asyncio
import json
import re
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from redis import Redis

from service import cli
from service.handling import Meetings
from tests.kit.jobs import LONG, PARTITIONS, open_meetings, seat_bots
from tests.kit.redis_server import RedisServer

Told = Callable[..., str]


@pytest.fixture
def told(
    redis_url: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> Told:
    """What the command prints about a meeting of this Redis; queues are in database 1."""
    monkeypatch.setenv("HOMESTRETCH_REDIS_URL", redis_url)
    monkeypatch.setenv("HOMESTRETCH_QUEUE_URL", f"{redis_url}?db=1")
    monkeypatch.setenv("HOMESTRETCH_FSYNC", "everysec")
    monkeypatch.setenv("HOMESTRETCH_PARTITIONS", str(PARTITIONS))
    monkeypatch.setenv("HOMESTRETCH_DATA", str(tmp_path))

    def inspect(*words: str, code: int = 0) -> str:
        assert cli.main(["inspect", *words]) == code
        out, err = capfd.readouterr()
        return out if code == 0 else err

    return inspect


def opened(url: str, *bots: str | None, **options: Any) -> str:
    """A meeting with these bots in its seats, None for a person; its id."""

    async def open_one() -> str:
        async with open_meetings(url) as meetings:
            return await seat_bots(meetings, *bots, **options)

    return asyncio.run(open_one())


def of(text: str, line: str) -> str:
    """What stands behind the name of a line."""
    found = re.search(rf"^{line} +(.*)$", text, re.MULTILINE)
    assert found is not None, text
    return found[1]


async def go_on(meetings: Meetings, meeting: str) -> None:
    """Let the server, else the first seat that owes something, do what is owed."""
    kept = await meetings.fresh(meeting)
    seat, command = 0, kept.game.awaits(kept.full)
    if command is None:
        seat = kept.game.waiting(kept.full)[0]
        command = kept.game.default(kept.view(seat), seat)
    assert command is not None
    await meetings.command(meeting, seat, command)


def gone_on(url: str, meeting: str) -> None:
    """The same."""

    async def once() -> None:
        async with open_meetings(url) as meetings:
            await go_on(meetings, meeting)

    asyncio.run(once())


def in_secret(url: str, owing: int = 1, bot: str | None = None) -> tuple[str, list[int]]:
    """A meeting in which it is secret who owes a decision, and who does: so many at least.

    All seats are people's, or this bot's; nobody but the test plays them. Another race follows.
    """

    async def play() -> tuple[str, list[int]]:
        async with open_meetings(url) as meetings:
            while True:
                meeting = await seat_bots(meetings, *[bot] * 4, **LONG)
                kept = await meetings.fresh(meeting)
                while kept.full.status == "running":
                    board: Any = kept.game.view(kept.view(0))
                    waiting = kept.game.waiting(kept.full)
                    hidden = board.to_act is None and len(waiting) >= owing
                    if hidden and board.race < board.races:
                        return meeting, waiting
                    await go_on(meetings, meeting)
                    kept = await meetings.fresh(meeting)

    return asyncio.run(play())


def test_a_running_meeting_waits_for_who_owes_a_decision(told: Told, redis_url: str) -> None:
    meeting = opened(redis_url, None, "steady")
    text = told(meeting, "--events", "2")
    assert of(text, "meeting") == f"{meeting}, bookmaker, rules 1"
    assert of(text, "status") == "running, race 1 of 2, phase odds"
    assert "\n  1 Ann (Ann), human\n" in text
    (owing,) = re.findall(r"\n  seat (\d) \((.*)\) since 2\S+Z, \d+ s ago\n", text)
    assert owing in [("1", "Ann"), ("2", "steady, a bot of the server")]  # one is drawn bookmaker
    last = text.partition("last events of the public feed\n")[2].splitlines()
    assert [line.split()[0] for line in last] == ["8", "9"]
    assert last[1].endswith("bookmaker.odds_opened")


def test_what_no_process_works_on_is_said(told: Told, redis_url: str) -> None:
    meeting = opened(redis_url, "steady", "steady")
    text = told(meeting)
    assert "  queue turns: in a worker's hands, or not named yet; 0 draining, 0 waiting\n" in text
    assert "  no worker drains turns: does `homestretch work turns` run?\n" in text
    assert "  no reactor looks at what is owed: does `homestretch react` run?\n" in text
    with Redis.from_url(f"{redis_url}?db=1") as queue:
        queue.zadd("jobs:wake:turns", {meeting: time.time() - 90})
        queue.zadd("jobs:drains:turns", {"one": time.time() + 90})
        queue.hset("jobs:owed", mapping={"at": time.time(), "turns": "", "settle": ""})
    text = told(meeting)
    assert re.search(r"\n  queue turns: named 9\d s ago; 1 draining, 1 waiting\n", text)
    assert "does `homestretch" not in text


def test_a_queue_that_is_away_is_said(
    told: Told, redis_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    meeting = opened(redis_url, "steady", "steady")
    monkeypatch.setenv("HOMESTRETCH_QUEUE_URL", f"unix://{tmp_path}/nobody.sock")
    assert "\n  queue turns: its Redis is away\n" in told(meeting)


def test_an_open_meeting_waits_for_people_or_its_start(told: Told, redis_url: str) -> None:
    free = opened(redis_url, None, start="manual", seats=2)
    assert "\nwaits for\n  somebody on seat 2\n" in told(free)
    full = opened(redis_url, None, None, start="manual")
    assert "\nwaits for\n  its start by the host (host) or an organiser\n" in told(full)


def test_without_full_nothing_is_told_that_players_may_not_know(
    told: Told, redis_url: str, tmp_path: Path
) -> None:
    meeting, _ = in_secret(redis_url)
    text = told(meeting, "--events", "10000")
    assert "\nwaits for\n  somebody, in secret (--full tells who)\n" in text
    assert "private" not in text
    assert "hash" not in text
    assert not (tmp_path / "audit.ndjson").exists()


def test_a_secret_command_of_a_seat_changes_nothing_that_is_told_without_full(
    told: Told, redis_url: str
) -> None:
    meeting, _ = in_secret(redis_url, owing=2)
    before = told(meeting, "--events", "10000")
    everything = told(meeting, "--full")
    time.sleep(0.01)  # so that a time of the secret event would be another one
    gone_on(redis_url, meeting)
    ago = re.compile(r", \d+ s ago")
    assert ago.sub("", told(meeting, "--events", "10000")) == ago.sub("", before)
    assert of(told(meeting, "--full"), "last event") != of(everything, "last event")


def test_it_is_not_told_that_a_bot_of_the_server_is_who_owes_in_secret(
    told: Told, redis_url: str
) -> None:
    meeting, _ = in_secret(redis_url, bot="steady")
    assert told(meeting).partition("waits for\n")[2].splitlines()[:2] == [
        "  somebody, in secret (--full tells who)",
        "last events of the public feed",
    ]
    assert "\n  queue turns: " in told(meeting, "--full")


def test_the_number_of_a_decision_which_counts_secret_events_too_is_told_with_full_alone(
    told: Told, redis_url: str
) -> None:
    meeting, (first, *_) = in_secret(redis_url)
    while f"\n  seat {first} (" not in told(meeting):  # until it owes one that is no secret
        gone_on(redis_url, meeting)
    assert re.search(rf"\n  seat {first} \(Ann\) since 2\S+Z, \d+ s ago\n", told(meeting))
    full = told(meeting, "--full")
    assert re.search(rf"\n  seat {first} \(Ann\) since 2\S+Z, \d+ s ago, decision \d+\n", full)


def test_full_tells_all_but_what_only_the_server_may_know_and_is_noted_first(
    told: Told, redis_url: str, tmp_path: Path
) -> None:
    meeting, waiting = in_secret(redis_url)
    text = told(meeting, "--full", "--events", "10000")
    for seat in waiting:
        assert f"\n  seat {seat} (Ann) since 2" in text
    assert '"private":{"' in text
    for secret in ('"server"', '"salt"', '"seed"'):
        assert secret not in text
    (noted,) = (tmp_path / "audit.ndjson").read_text().splitlines()
    assert json.loads(noted) | {"at": ""} == {
        "at": "",
        "what": "meeting_inspected",
        "meeting": meeting,
    }


def test_full_tells_nothing_where_it_cannot_be_noted(
    told: Told, redis_url: str, tmp_path: Path
) -> None:
    meeting = opened(redis_url, None, None)
    (tmp_path / "audit.ndjson").mkdir()
    assert told(meeting, "--full", code=1).startswith("homestretch: can't write ")


def test_looking_changes_nothing(told: Told, redis_url: str, redis_server: RedisServer) -> None:
    meeting = opened(redis_url, None, "steady")

    def everything() -> list[Any]:
        with redis_server.client() as client:
            return sorted((key, client.dump(key)) for key in client.scan_iter())

    before = everything()
    told(meeting)
    told(meeting, "--full")
    assert everything() == before


def test_a_meeting_that_is_not_there_or_not_whole_is_said(
    told: Told, redis_url: str, redis_server: RedisServer
) -> None:
    meeting = opened(redis_url, None, "steady")
    assert told("m404", code=1) == "homestretch: there is no meeting m404\n"
    with redis_server.client() as client:
        (stream,) = client.keys(f"es:*:log:{meeting}")
        client.xdel(stream, "5-0")
    assert told(meeting, code=1) == (
        f"homestretch: the log of {meeting} can't be read: line 5 is missing in the log\n"
    )
