"""`homestretch up` as a user has it: all parts, a meeting played, everything stopped."""

import json
import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest

from domain.kernel.lines import GENESIS, chain, split
from tests.kit.answers import FOREIGN
from tests.kit.programs import PATIENCE, ROOT, Program, homestretch_on, is_alive, url_of
from tests.kit.redis_server import RedisServer
from tests.kit.whole import play

Homestretch = Callable[..., Program]


@pytest.fixture
def homestretch(tmp_path: Path) -> Iterator[Homestretch]:
    """Runs the program on a data folder of the test, on a free port; ends it after the test."""
    with homestretch_on(tmp_path / "data") as begin:
        yield begin


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port: int = listener.getsockname()[1]
    return port


def pids_of(program: Program) -> dict[str, int]:
    """The processes that the welcome names."""
    told = program.line("  processes  ").partition("processes")[2]
    return {name: int(pid) for name, pid in re.findall(r"(\S+) (\d+)", told)}


def test_one_command_serves_a_whole_meeting_and_another_start_has_its_history(
    homestretch: Homestretch, tmp_path: Path
) -> None:
    program = homestretch("up", API_PROCESSES="2")
    url = url_of(program)
    pids = pids_of(program)
    assert set(pids) == {"api.1", "api.2", "projector", "reactor", "turns.1", "settle.1"}
    meeting = play(url, 3)
    os.kill(pids["api.1"], signal.SIGKILL)
    program.line("api.1 was ended by SIGKILL")

    exported = tmp_path / "meeting.ndjson"
    export = homestretch("export", meeting, "--output", str(exported), URL=url)
    assert export.code() == 0, export.output
    digest = GENESIS
    for line in exported.read_bytes().splitlines():
        body, told = split(line)
        digest = chain(digest, body)
        assert told == digest
    assert b'"type":"meeting_finished"' in body

    program.send(signal.SIGTERM)
    assert program.code() == 0, program.output
    assert program.lines[-1].endswith("| stopped")
    assert not [name for name, pid in pids.items() if is_alive(pid)]

    again = homestretch("up")
    printed = homestretch("export", meeting, URL=url_of(again))
    assert printed.code() == 0
    assert "\n".join(printed.lines).encode() + b"\n" == exported.read_bytes()
    again.send(signal.SIGINT)
    assert again.code() == 0, again.output


def test_it_stops_when_nobody_reads_its_log_any_more(tmp_path: Path) -> None:
    env = {"HOMESTRETCH_DATA": str(tmp_path / "data"), "HOMESTRETCH_PORT": "0"}
    command = [sys.executable, "-m", "service.cli", "up"]
    with subprocess.Popen(
        command, env={**os.environ, **env}, cwd=ROOT, stdout=subprocess.PIPE, process_group=0
    ) as process:
        assert process.stdout is not None
        process.stdout.readline()
        process.stdout.close()
        assert process.wait(PATIENCE) == 0


def test_a_second_server_on_one_data_folder_is_refused_with_a_clear_word(
    homestretch: Homestretch, tmp_path: Path
) -> None:
    first = homestretch("up")
    url = url_of(first)
    second = homestretch("up")
    assert second.code() == 1
    (told,) = second.lines
    assert str(tmp_path / "data") in told
    assert "in use by another server" in told
    assert str(first.process.pid) in told
    assert httpx.get(f"{url}/health/ready", trust_env=False).status_code == 200


def test_no_token_is_in_the_log_and_each_line_of_it_is_json_where_that_is_asked(
    homestretch: Homestretch, tmp_path: Path
) -> None:
    metrics = free_port()
    program = homestretch("up", LOG_FORMAT="json", LOG_LEVEL="debug", METRICS_PORT=str(metrics))
    url = url_of(program)
    assert httpx.get(f"{url}/metrics", trust_env=False).status_code == 401
    with httpx.Client(trust_env=False) as client:
        told = client.get(f"http://127.0.0.1:{metrics}/metrics", extensions=FOREIGN).text
    assert 'homestretch_http_requests_total{operation="IsReady",status="200"}' in told
    admin = (tmp_path / "data" / "admin-token").read_text().strip()
    assert (tmp_path / "data" / "admin-token").stat().st_mode & 0o777 == 0o600
    with httpx.Client(base_url=url, timeout=PATIENCE, trust_env=False) as client:
        token = client.post("/v1/players", json={"name": "Ann"}).json()["token"]
        for known, status in ((admin, 200), (token, 200), (f"{token}x", 401)):
            headers = {"Authorization": f"Bearer {known}"}
            assert client.get("/v1/me", headers=headers).status_code == status
            client.get(f"/v1/me?ticket={known}", headers=headers)
            client.post("/v1/players", content=f'{{"name": "{known}', headers=headers)
    program.send(signal.SIGTERM)
    assert program.code() == 0
    parts = {json.loads(line)["part"] for line in program.lines}
    assert {"up", "api.1", "reactor", "projector"} <= parts
    assert admin not in program.output
    assert token not in program.output


def test_a_redis_that_could_lose_the_log_stops_the_start_and_is_named(
    homestretch: Homestretch, make_redis: Callable[..., RedisServer]
) -> None:
    server = make_redis(settings={"appendonly": "no"})
    program = homestretch("up", REDIS_URL=server.url, FSYNC="everysec")
    assert program.code() == 1
    assert "appendonly" in program.output
    assert "refuses to start, so everything stops" in program.output


def test_a_redis_that_is_away_is_waited_for(
    homestretch: Homestretch, make_redis: Callable[..., RedisServer]
) -> None:
    server = make_redis()
    server.kill()
    program = homestretch("up", REDIS_URL=server.url, FSYNC="everysec")
    program.line("redis_awaited")
    server.start()
    url = url_of(program)
    ready = httpx.get(f"{url}/health/ready", trust_env=False).json()
    assert ready["parts"]["event_log"]["fsync"] == "everysec"


REFUSED = [
    ({"PROT": "8080"}, 2, "HOMESTRETCH_PROT is no setting; the nearest one is HOMESTRETCH_PORT"),
    ({"FSYNC": "never"}, 2, "HOMESTRETCH_FSYNC must be always or everysec; 'never' is not"),
    ({"HOST": "203.0.113.7"}, 1, "HOMESTRETCH_HOST is 203.0.113.7: "),
    ({"HOST": "no.such.host.invalid"}, 1, "HOMESTRETCH_HOST is no.such.host.invalid: "),
]


@pytest.mark.parametrize(("settings", "code", "told"), REFUSED)
def test_a_setting_that_makes_no_sense_stops_the_start_before_anything_runs(
    homestretch: Homestretch, tmp_path: Path, settings: dict[str, str], code: int, told: str
) -> None:
    program = homestretch("up", **settings)
    assert program.code() == code
    assert program.lines[0].startswith(f"homestretch: {told}")
    assert len(program.lines) == 1, "no traceback"
    assert not (tmp_path / "data" / "redis").exists()


def test_a_port_in_use_is_said_clearly(homestretch: Homestretch, tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        program = homestretch("up", PORT=str(port))
        assert program.code() == 1
    assert program.lines == [
        f"homestretch: HOMESTRETCH_PORT is {port}: another program listens there; end it, or set "
        "another port"
    ]
    assert not (tmp_path / "data" / "redis").exists()


def test_a_data_folder_that_is_none_is_named(homestretch: Homestretch, tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.touch()
    for folder, fault in ((file, "must be a folder"), ("/proc/none", "is /proc/none, which can't")):
        program = homestretch("up", DATA=str(folder))
        assert program.code() == 2
        assert program.lines[0].startswith(f"homestretch: HOMESTRETCH_DATA {fault}")
        assert len(program.lines) == 1
