"""Clients made from the document by three generators: made without a warning, compiled, played.

Each program beside this file plays a whole meeting of every game on a server as operators run it,
with nothing but what its generator made; client developers may start from it.
"""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from domain.registry import GAMES
from domain.verification import lines_of, verify
from service.http.docs import links
from tests.kit.programs import PATIENCE, ROOT, Program, url_of
from tests.kit.tools import need

FOLDER = Path(__file__).parent
DOCUMENT = ROOT / "openapi" / "openapi.json"
MODULES = FOLDER / "node_modules"
COLOURS = re.compile(r"\x1b\[\d+m")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server with all its parts."""
    env = {
        "HOMESTRETCH_DATA": str(tmp_path_factory.mktemp("server") / "data"),
        "HOMESTRETCH_PORT": "0",
        "HOMESTRETCH_API_PROCESSES": "1",
        "HOMESTRETCH_RATE_LIMIT": "off",
    }
    program = Program(["-m", "service.cli", "up"], env=env)
    yield url_of(program)
    program.send(signal.SIGTERM)
    program.code()
    program.close()


def ran(*command: str | Path, cwd: Path) -> str:
    """What a program says, without colours; it must end well."""
    tools = Path(sys.executable).parent  # where the Python generator finds its formatter
    done = subprocess.run(
        command,
        cwd=cwd,
        check=False,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=PATIENCE * 2,
        env={**os.environ, "PATH": f"{tools}{os.pathsep}{os.environ['PATH']}"},
    )
    said = COLOURS.sub("", done.stdout)
    assert done.returncode == 0, f"{command[0]} ended with {done.returncode}:\n{said}"
    return said


def test_the_pages_name_the_versions_that_are_tested() -> None:
    told = json.loads((FOLDER / "package.json").read_text())["devDependencies"]
    python = re.search(r"openapi-python-client==([\d.]+)", (ROOT / "pyproject.toml").read_text())
    assert python is not None
    readme = (FOLDER / "README.md").read_text()
    assert re.findall(r"openapi-python-client==([\d.]+)", readme) == [python[1]]
    named = re.findall(r"([@\w/-]+)@(\d[\d.]*)", readme)
    assert {name for name, _ in named} >= {"openapi-typescript", "openapi-fetch", "typescript"}
    assert {name: told[name] for name, _ in named} == dict(named)
    guide = links.read(links.guide_file("first-client"))
    for name, version in [
        *dict(named).items(),
        ("openapi-python-client", python[1]),
    ]:
        word = "TypeScript" if name == "typescript" else name
        assert re.search(rf"(?<![\w-]){re.escape(word)} {re.escape(version)}(?!\d)", guide), name


def said_no_more_than(expected: str, said: str) -> None:
    """Hold what a generator says against what it says where nothing is wrong."""
    assert re.fullmatch(expected, " ".join(said.split())), f"it warns:\n{said}"


def check_meetings(server: str, told: str) -> None:
    """Every game was played to its end, as the server has it, and its log is sound."""
    meetings = [json.loads(line) for line in told.splitlines()]
    assert [meeting["game"] for meeting in meetings] == list(GAMES)
    with httpx.Client(base_url=f"{server}/v1", trust_env=False, timeout=PATIENCE) as client:
        for meeting in meetings:
            path = f"/meetings/{meeting['meeting']}"
            summary = client.get(path).json()
            assert summary["status"] == "finished"
            assert summary["ranking"] == meeting["ranking"]
            log = client.get(f"{path}/log").content
            assert meeting["log_lines"] == log.count(b"\n")
            assert verify(lines_of(log)).problems == []
            check_told(meeting)


def check_told(meeting: dict[str, Any]) -> None:
    """What a client read of refusals, play and its place."""
    assert meeting["refused"][0] == "seats_open"
    assert meeting["refused"][1] == "meeting_not_running"
    assert meeting["refused"][2:] in ([], ["stale_decision"])
    assert "meeting_started" in meeting.get("missed", ["meeting_started"])
    assert meeting["commands"] > 5
    assert meeting["seen"], "the client understood no event of the game"
    people = [row for row in meeting["leaders"] if row["kind"] == "human"]
    assert {row["name"] for row in people} == {"Ann", "Ben"}


def test_a_client_of_openapi_python_client_plays_every_game(server: str, tmp_path: Path) -> None:
    here = FOLDER / "openapi_python_client"
    package = tmp_path / "homestretch_client"
    generator = (sys.executable, "-m", "openapi_python_client", "generate", "--fail-on-warning")
    where = ("--path", DOCUMENT, "--meta", "none", "--output-path", package)
    said_no_more_than(r"Generating \S+", ran(*generator, *where, cwd=tmp_path))
    shutil.copy(here / "play.py", tmp_path)
    checker = (sys.executable, "-m", "mypy", "--config-file", here / "mypy.ini")
    ran(*checker, "--cache-dir", tmp_path / "cache", package, "play.py", cwd=tmp_path)
    check_meetings(server, ran(sys.executable, "play.py", server, *GAMES, cwd=tmp_path))


@pytest.fixture(scope="module")
def node() -> str:
    """Node, with what npm installs beside this file."""
    program = shutil.which("node")
    how = "Node 20.19 or newer with npm is needed; `sh run test` then installs the generators"
    need(program is not None and version(program) >= (20, 19), how)
    need(MODULES.is_dir(), f"tests/clients/node_modules is missing: {how}")
    assert program is not None
    return program


def version(node: str) -> tuple[int, ...]:
    """The version of Node."""
    told = subprocess.run([node, "--version"], check=True, capture_output=True, text=True).stdout
    return tuple(int(number) for number in told.strip().lstrip("v").split(".")[:2])


def typescript(name: str, tmp_path: Path) -> Path:
    """A folder with the program of this name, where Node finds the generators."""
    shutil.copytree(FOLDER / name, tmp_path / name)
    for file in ("package.json", "tsconfig.json"):
        shutil.copy(FOLDER / file, tmp_path)
    (tmp_path / "node_modules").symlink_to(MODULES)
    return tmp_path / name


def compiled_and_played(node: str, folder: Path, server: str) -> str:
    """What a program says once it is compiled."""
    root = folder.parent
    ran(tool("tsc"), "--project", root, cwd=root)
    return ran(node, root / "built" / folder.name / "play.js", server, *GAMES, cwd=root)


def tool(name: str) -> Path:
    """A program that npm installed."""
    return MODULES / ".bin" / name


def test_a_client_of_openapi_typescript_and_openapi_fetch_plays_every_game(
    node: str, server: str, tmp_path: Path
) -> None:
    folder = typescript("openapi_fetch", tmp_path)
    made = folder / "generated" / "api.ts"
    said = ran(tool("openapi-typescript"), DOCUMENT, "--output", made, cwd=tmp_path)
    said_no_more_than(r"✨ openapi-typescript \S+ 🚀 \S+ → \S+ \[\S+\]", said)
    check_meetings(server, compiled_and_played(node, folder, server))


def test_a_client_of_hey_api_openapi_ts_plays_every_game(
    node: str, server: str, tmp_path: Path
) -> None:
    folder = typescript("hey_api", tmp_path)
    made = folder / "generated"
    said = ran(tool("openapi-ts"), "--input", DOCUMENT, "--output", made, cwd=tmp_path)
    job = re.escape("[Job 1]")
    quiet = (
        rf"@hey-api/openapi-ts \S+ {job} ⏳ Generating from 1 input: {job} \[1\] \S+ "
        rf"{job} ✅ Done! Your output is in \S+"
    )
    said_no_more_than(quiet, said)
    check_meetings(server, compiled_and_played(node, folder, server))
