"""No server of any test slips through: whoever started it and whoever asks, it is held against the
document, and the test in which it answers otherwise fails.
"""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from service.http.openapi import document
from tests.kit.answers import DOCUMENT
from tests.kit.deployment import run_shell
from tests.kit.programs import ROOT, Program

ASKED = "import sitecustomize, sys; print(*map(type, sys.meta_path))"
"""A program that tells what stands in the way of its imports."""


def of_this_environment() -> str:
    """A child that gets what this process has."""
    command = [sys.executable, "-c", ASKED]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def of_the_kit() -> str:
    """A program as nearly all tests start one, `homestretch up` above all."""
    program = Program(["-c", ASKED])
    assert program.code() == 0
    program.close()
    return program.output


def of_the_runbook() -> str:
    """A command of a block of shell."""
    return run_shell(f"python3 -c '{ASKED}'", {})


@pytest.mark.parametrize("way", [of_this_environment, of_the_kit, of_the_runbook])
def test_every_python_that_a_test_starts_would_be_watched_as_a_server(
    way: Callable[[], str],
) -> None:
    assert "Wrapping" in way()


ASKING = """
import pytest, signal, urllib.request
from tests.kit.programs import Program, url_of

@pytest.fixture(scope="module")
def url(tmp_path_factory):
    env = {{
        "HOMESTRETCH_DATA": str(tmp_path_factory.mktemp("up") / "data"),
        "HOMESTRETCH_PORT": "0",
        "HOMESTRETCH_API_PROCESSES": "1",
        "HOMESTRETCH_FSYNC": "everysec",
        "{variable}": "{document}",
    }}
    program = Program(["-m", "service.cli", "up"], env=env)
    yield url_of(program)
    program.send(signal.SIGTERM)
    assert program.code() == 0, program.output
    program.close()

@pytest.mark.parametrize("path", ["/v1/games", "/v1/limits", "/v1/problems"])
def test_it_answers(url, path):
    with urllib.request.urlopen(url + path) as answer:
        assert answer.status == 200
"""


def test_what_a_whole_server_answers_to_any_caller_fails_the_test_where_it_is_undeclared(
    tmp_path: Path,
) -> None:
    """The server is held against a document in which one answer that it gives is missing."""
    doctored = document()
    del doctored["paths"]["/v1/limits"]["get"]["responses"]["200"]
    told = tmp_path / "document.json"
    told.write_text(json.dumps(doctored))
    tests = tmp_path / "test_asking.py"
    tests.write_text(ASKING.format(variable=DOCUMENT, document=told))
    command = [sys.executable, "-m", "pytest", "-p", "tests.conftest", "-p", "no:cacheprovider"]
    config = ["-c", str(ROOT / "pyproject.toml"), "--rootdir", str(tmp_path)]
    done = subprocess.run(
        [*command, *config, str(tests)],
        check=False,
        capture_output=True,
        text=True,
        cwd=ROOT,
    )
    assert "3 passed, 1 error" in done.stdout, done.stdout + done.stderr
    assert "ERROR at teardown of test_it_answers[/v1/limits]" in done.stdout
    assert "GET /v1/limits -> 200: only 400, 401, 429, 500, 503 are declared" in done.stdout
