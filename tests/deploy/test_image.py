"""deploy/Dockerfile: linted, and run as far as it needs no Docker; the engine itself is not run."""

import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from service.settings import read_settings
from tests.kit.deployment import DEPLOY, beside_python, parsed, run_shell
from tests.kit.programs import ROOT
from tests.kit.redis_server import free_port
from tests.kit.tools import need

TEXT = (DEPLOY / "Dockerfile").read_text()
VARIABLES = dict(re.findall(r"(HOMESTRETCH_\w+)=(\S+)", TEXT))
COPIES = [
    (source, target if len(sources) == 1 else source)
    for *sources, target in map(str.split, re.findall(r"^COPY (?!--)(.*)$", TEXT, re.MULTILINE))
    for source in sources
]
"""What the image is made of: from where in the tree, to where in the image's folder."""


def test_the_image_passes_its_linter() -> None:
    linter = [beside_python("hadolint"), str(DEPLOY / "Dockerfile")]
    done = subprocess.run(linter, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "")


def test_the_image_copies_what_there_is_and_is_not_ignored() -> None:
    ignored = (DEPLOY / "Dockerfile.dockerignore").read_text().splitlines()
    assert "*" in ignored
    for source, _ in COPIES:
        assert (ROOT / source).exists(), source
        assert f"!{source}" in ignored, source


def test_the_image_sets_settings_that_there_are_and_runs_a_command_that_there_is() -> None:
    assert read_settings(VARIABLES).host == "0.0.0.0"
    (command,) = re.findall(r'^CMD \["(.*)"\]$', TEXT, re.MULTILINE)
    assert parsed([command])
    (port,) = re.findall(r"^EXPOSE (\d+)$", TEXT, re.MULTILINE)
    assert int(port) == read_settings(VARIABLES).port


@pytest.mark.long
def test_the_steps_of_the_image_install_a_server_that_runs_alone(tmp_path: Path) -> None:
    """Its files, its pip and its command, in a folder of this machine."""
    need(shutil.which("curl"), "curl is missing (Debian: apt install curl)")
    src, home = tmp_path / "src", tmp_path / "homestretch"
    for source, target in COPIES:
        (src / target).parent.mkdir(parents=True, exist_ok=True)
        if (ROOT / source).is_dir():
            shutil.copytree(ROOT / source, src / target, symlinks=True)
        else:
            shutil.copy(ROOT / source, src / target)
    (step,) = re.findall(r"^RUN (python -m venv (?:.*\\\n)*.*)$", TEXT, re.MULTILINE)
    run_shell(step.replace("/opt/homestretch", str(home)), {"PYTHONPATH": ""}, src, 1200)
    shutil.rmtree(src)

    with serving(home / "bin" / "homestretch", tmp_path) as url:
        for path in ("/docs", "/docs/contract", "/docs/rules/bookmaker", "/v1/games/tuyaux"):
            # Asked from here, where answers are checked: nothing of the tests is in the image.
            httpx.get(url + path, trust_env=False).raise_for_status()
        demo = f"{home}/bin/homestretch demo --game change-horses --seats 3 --fast"
        run_shell(demo, {"HOMESTRETCH_URL": url, "PYTHONPATH": ""})


@contextmanager
def serving(program: Path, folder: Path) -> Iterator[str]:
    """Run the image's command with the image's variables; its URL. It must end well."""
    url = f"http://127.0.0.1:{free_port()}"
    env = {
        **os.environ,
        **VARIABLES,
        "HOMESTRETCH_DATA": str(folder / "data"),
        "HOMESTRETCH_HOST": "127.0.0.1",
        "HOMESTRETCH_PORT": url.rpartition(":")[2],
        "PYTHONPATH": "",
    }
    with subprocess.Popen([program, "up"], env=env, cwd=folder) as up:
        try:
            run_shell(
                f"curl -fsS --retry 60 --retry-delay 1 --retry-all-errors {url}/health/ready",
                {},
            )
            yield url
        finally:
            up.terminate()
        assert up.wait(60) == 0
