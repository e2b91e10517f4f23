"""The runbook for `homestretch up`: backed up while it runs, lost, laid back, gone on with."""

import shutil
import signal
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import httpx
import pytest

from tests.kit.deployment import run_shell, shell_blocks
from tests.kit.programs import Program, homestretch_on, url_of
from tests.kit.whole import play

Up = Callable[[], Program]


@pytest.fixture
def up(tmp_path: Path) -> Iterator[Up]:
    """Starts the server on a data folder of the test; it ends with the test."""
    with homestretch_on(tmp_path / "data") as begin:
        yield partial(begin, "up")


def stop(program: Program) -> None:
    """As Ctrl-C does."""
    program.send(signal.SIGINT)
    assert program.code() == 0, program.output


def test_a_server_of_one_command_is_backed_up_with_its_archive_and_restored(
    up: Up, tmp_path: Path
) -> None:
    data = tmp_path / "data"
    env = {"HOMESTRETCH_DATA": str(data), "BACKUPS": str(tmp_path / "backups")}
    program = up()
    url = url_of(program)
    meeting = play(url, 2, "tuyaux")
    log = httpx.get(f"{url}/v1/meetings/{meeting}/log", trust_env=False).content
    assert run_shell("homestretch archive --now", env).startswith("1 logs ")
    _, back_up = shell_blocks("Back up")
    env["BACKUP"] = run_shell(back_up, env).strip()
    later = httpx.post(f"{url}/v1/players", json={"name": "Ben"}, trust_env=False).json()
    after = play(url, 2, "tuyaux")
    stop(program)

    lay, lay_archive = shell_blocks("Restore under homestretch up")
    shutil.move(data / "archive", tmp_path / "lost")
    decision = 'rm -f "${HOMESTRETCH_DATA:?}/anchor.json"\n'
    assert decision in lay
    run_shell(lay.replace(decision, ""), env)
    run_shell(lay_archive, env)
    undecided = up()
    for _ in range(5):  # in no order, and maybe after the API is known to be unfit
        told = undecided.line("log_fell_back")
        assert "see the runbook (deploy/runbook.md), Restore" in told
    assert "what to do stands in the runbook" in undecided.line("not ready yet: event_log (unfit)")
    stop(undecided)
    said = [line.split(" ")[0] for line in undecided.lines if "log_fell_back" in line]
    assert sorted(said) == ["api.1", "projector", "reactor", "settle.1", "turns.1"], "each once"

    run_shell(decision, env)
    url = url_of(up())
    with httpx.Client(base_url=url, trust_env=False) as client:
        assert client.get(f"/v1/meetings/{meeting}/log").content == log
        assert client.get(f"/v1/meetings/{after}").status_code == 404
        bearer = {"Authorization": f"Bearer {later['token']}"}
        assert client.get("/v1/me", headers=bearer).status_code == 401
    assert run_shell("homestretch archive --check", env).endswith(" 0 damaged\n")
    assert play(url, 2, "tuyaux") != meeting
