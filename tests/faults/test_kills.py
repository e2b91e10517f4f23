"""Parts of a whole server are killed in mid-meeting: nothing acknowledged is lost or done twice."""

import os
import signal
import socket
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from domain.verification import lines_of, verify
from tests.kit.programs import Program
from tests.kit.under_fire import Player, Table, part_pids

PARTS = ("api.1", "api.2", "projector", "reactor", "turns.1", "settle.1", "redis")

OPTIONS: tuple[dict[str, Any], ...] = (
    {"programme": ["plain"] * 6},
    {"programme": ["joker", "trot"] * 3, "brocco": True},
    {"programme": ["joker_trot"] * 4, "in_running": True, "odds_step": 0.5},
)
SEATS = (3, 2, 4)


def free_port() -> int:
    """A port of the loopback that nobody listens on now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.fixture
def server(tmp_path: Path) -> Iterator[tuple[Program, str]]:
    """`homestretch up` with two API processes, and its URL."""
    port = free_port()
    program = Program(
        ["-m", "service.cli", "up"],
        env={
            "HOMESTRETCH_DATA": str(tmp_path / "data"),
            "HOMESTRETCH_PORT": str(port),
            "HOMESTRETCH_API_PROCESSES": "2",
            "HOMESTRETCH_RATE_LIMIT": "off",
        },
    )
    try:
        program.line("homestretch is ready")
        yield program, f"http://127.0.0.1:{port}"
    finally:
        program.send(signal.SIGTERM)
        program.code()
        program.close()


def kill_in_turn(program: Program, tables: list[Table], rounds: int) -> int:
    """Kill each part, again and again, while the meetings run; how many kills."""
    kills = 0
    for part in PARTS * rounds:
        if not any(table.is_alive() for table in tables):
            break
        pid = part_pids(program.process.pid).get(part)
        if pid is not None:
            os.kill(pid, signal.SIGKILL)
            kills += 1
        time.sleep(0.7)
    return kills


def commands_of(person: Player, meeting: str, seat: int) -> list[dict[str, Any]]:
    """The commands of a seat, in the order of its feed."""
    items: list[dict[str, Any]] = []
    after = 0
    while after is not None:
        page = person.get(f"/v1/meetings/{meeting}/events?after={after}")
        items += page["items"]
        after = page["next_cursor"]
    return [e["command"] for e in items if e.get("seat") == seat and "command" in e]


def test_nothing_acknowledged_is_lost_when_parts_are_killed(server: tuple[Program, str]) -> None:
    program, url = server
    tables = [Table(url, i, SEATS[i], OPTIONS[i]) for i in range(len(OPTIONS))]
    for table in tables:
        table.start()
    kills = kill_in_turn(program, tables, rounds=2)
    for table in tables:
        table.join(240)
        assert table.failure is None, table.failure
        assert not table.is_alive(), f"the meeting of table {table.number} does not end"
    assert kills >= len(PARTS), "the meetings ended before every part was killed"
    for table in tables:
        person = table.player
        assert person is not None
        done = commands_of(person, table.meeting, 1)
        for _, body in table.acknowledged:
            assert done.count(body) >= 1, f"acknowledged and lost: {body}"
        loans = [body for body in done if body["type"] == "bookmaker.borrow"]
        assert len({body["amount"] for body in loans}) == len(loans), "a command was done twice"
        assert len(done) == len(table.acknowledged), "a command was done that nobody was told of"
        log = person.send("GET", f"/v1/meetings/{table.meeting}/log").content
        report = verify(lines_of(log))
        assert report.ok, report.problems
        person.http.close()
