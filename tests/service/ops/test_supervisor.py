"""The supervisor with real processes and real signals; its parts are a few lines of Python each."""

import json
import os
import signal
import socket
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from service.supervisor import REFUSED
from tests.kit.programs import Program, await_end, is_alive

Start = Callable[..., Program]

STEADY = """
import os, time
print("here", os.getpid(), flush=True)
time.sleep(600)
"""

STUBBORN = """
import os, signal, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
print("here", os.getpid(), flush=True)
time.sleep(600)
"""

POLITE = """
import os, signal, socket, sys, time
def end(*_):
    path = os.environ["HOMESTRETCH_REDIS_URL"].removeprefix("unix://")
    with socket.socket(socket.AF_UNIX) as redis:
        redis.connect(path)
        redis.sendall(b"PING\\r\\n")
        print("redis said", redis.recv(64), flush=True)
    sys.exit(0)
signal.signal(signal.SIGTERM, end)
print("here", os.getpid(), flush=True)
while True:
    time.sleep(600)
"""

POLITELY_SLOW = """
import os, signal, sys, time
def end(*_):
    time.sleep(0.3)
    print("written", flush=True)
    sys.exit(0)
signal.signal(signal.SIGTERM, end)
print("here", os.getpid(), flush=True)
while True:
    time.sleep(600)
"""

SERVING = """
import os, socket
with socket.socket(fileno=int(os.environ["LISTEN_FD"])) as listener:
    print("here", os.getpid(), flush=True)
    while True:
        connection, _ = listener.accept()
        connection.sendall(str(os.getpid()).encode())
        connection.close()
"""


@pytest.fixture
def start() -> Iterator[Start]:
    """Starts a supervisor on a plan (see tests.kit.supervised); ends it after the test."""
    programs = []

    def begin(parts: dict[str, str], **plan: Any) -> Program:
        text = json.dumps({"parts": parts, **plan})
        programs.append(Program(["-m", "tests.kit.supervised", text]))
        return programs[-1]

    yield begin
    for program in programs:
        program.close()


def pid_of(program: Program, name: str) -> int:
    """The process id that the part tells with its next `here`."""
    return int(program.line(f"{name} | here").split()[-1])


def test_each_line_stands_behind_the_name_of_its_part(start: Start) -> None:
    text = """
import os, sys, time
os.write(1, b"to out\\nto err\\n"); os.write(2, b"bad \\xff bytes\\r\\n"); os.write(1, b"no end")
os.write(1, b"x" * 200000 + b"\\nlast")
"""
    program = start({"talker": text})
    program.line("talker ended with code 0; it starts again in 0.5 s")
    said = [line for line in program.lines if line.startswith("talker | ")]
    assert said[:3] == ["talker | to out", "talker | to err", "talker | bad � bytes"]
    assert said[3].startswith("talker | no endxxx")
    assert said[-1] == "talker | last", "what had no line end is told too"
    assert "".join(line.removeprefix("talker | ") for line in said).count("x") == 200_000


def test_a_part_that_was_killed_runs_again(start: Start) -> None:
    program = start({"one": STEADY, "two": STEADY})
    first, other = pid_of(program, "one"), pid_of(program, "two")
    os.kill(first, signal.SIGKILL)
    program.line("up | one was ended by SIGKILL; it starts again in 0.5 s")
    second = pid_of(program, "one")
    assert second != first
    assert is_alive(second)
    assert is_alive(other), "the others were left alone"


def test_a_part_that_always_ends_is_started_after_growing_pauses(start: Start) -> None:
    program = start({"weak": "import sys; sys.exit(3)"})
    for pause in ("0.5", "1", "2"):
        program.line(f"up | weak ended with code 3; it starts again in {pause} s")
    program.send(signal.SIGTERM)
    assert program.code() == 0, "it stops in the middle of a pause"


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_it_stops_the_parts_then_redis_and_ends_well(
    start: Start, tmp_path: Path, number: signal.Signals
) -> None:
    program = start({"one": POLITE, "two": STEADY}, data=str(tmp_path))
    pids = [pid_of(program, "one")]
    redis = json.loads((tmp_path / "redis.json").read_text())["pid"]
    assert is_alive(redis)
    program.send(number)
    assert program.code() == 0, program.output
    assert "one | redis said b'+PONG" in program.output, "redis is there until the parts ended"
    assert program.lines[-1] == "up | stopped"
    assert not [pid for pid in (*pids, redis) if is_alive(pid)]


def test_a_part_that_does_not_stop_is_killed_after_the_grace(start: Start) -> None:
    program = start({"stubborn": STUBBORN, "one": STEADY}, grace_seconds=0.3)
    pid = pid_of(program, "stubborn")
    program.send(signal.SIGTERM)
    assert program.code() == 0
    assert "up | stubborn does not stop; it is killed" in program.lines
    assert not is_alive(pid)


def test_a_second_ctrl_c_does_not_wait_for_the_grace(start: Start) -> None:
    program = start({"stubborn": STUBBORN}, grace_seconds=100_000)
    pid = pid_of(program, "stubborn")
    program.send(signal.SIGINT)
    program.line("up | stopping")
    while is_alive(pid):
        program.send(signal.SIGINT)
        signal.sigtimedwait((), 0.1)
    assert program.code() == 0


def test_a_signal_told_twice_at_once_still_leaves_the_grace(start: Start) -> None:
    program = start({"one": POLITELY_SLOW})
    pid_of(program, "one")
    for number in (signal.SIGTERM, signal.SIGTERM, signal.SIGINT):
        program.send(number)
    assert program.code() == 0
    assert "one | written" in program.lines


def test_when_it_is_killed_the_parts_and_redis_end_too(start: Start, tmp_path: Path) -> None:
    program = start({"one": STEADY, "stubborn": STUBBORN}, data=str(tmp_path))
    pids = [int(program.line(" | here").split()[-1]) for _ in range(2)]
    redis = json.loads((tmp_path / "redis.json").read_text())["pid"]
    program.send(signal.SIGKILL)
    assert program.code() == -signal.SIGKILL
    for pid in (*pids, redis):
        await_end(pid)


def test_a_redis_that_was_killed_comes_back_where_it_was(start: Start, tmp_path: Path) -> None:
    program = start({"one": POLITE}, data=str(tmp_path))
    part = pid_of(program, "one")
    redis = json.loads((tmp_path / "redis.json").read_text())["pid"]
    os.kill(redis, signal.SIGKILL)
    program.line("up | redis answers again")
    assert json.loads((tmp_path / "redis.json").read_text())["pid"] != redis
    assert is_alive(part), "its parts were left alone"
    program.send(signal.SIGTERM)
    assert program.code() == 0
    assert "one | redis said b'+PONG" in program.output, "the part found it at the same URL"


def test_a_part_that_refuses_to_start_stops_everything(start: Start) -> None:
    refusing = f"import sys; print('no append-only file'); sys.exit({REFUSED})"
    program = start({"one": STEADY, "refusing": refusing})
    assert program.code() == 1
    assert "refusing | no append-only file" in program.lines
    assert "up | refusing refuses to start, so everything stops" in program.lines


def test_what_fails_beside_the_parts_stops_everything_and_is_told(start: Start) -> None:
    program = start({"one": STEADY}, fail=True)
    assert program.code() == 1
    assert "up | failed: RuntimeError('beside the parts')" in program.lines


def test_parts_share_one_port_and_callers_wait_while_a_part_starts_again(start: Start) -> None:
    program = start({"one": SERVING, "two": SERVING}, listen=True)
    port = int(program.line("up | port").split()[-1])
    pids = [int(program.line(" | here").split()[-1]) for _ in range(2)]
    for pid in pids:
        os.kill(pid, signal.SIGKILL)
        await_end(pid)
    with socket.create_connection(("127.0.0.1", port), timeout=60) as caller:
        served_by = int(caller.recv(64))
    assert served_by not in pids
    assert is_alive(served_by)
