"""`homestretch demo` against a server with all its parts, and where there is none."""

import re
import signal
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from domain.verification import verify
from service import cli
from tests.kit.programs import Program


@pytest.fixture
def url(tmp_path: Path) -> Iterator[str]:
    """A server of the test's own."""
    env = {"HOMESTRETCH_DATA": str(tmp_path / "data"), "HOMESTRETCH_PORT": "0"}
    program = Program(["-m", "service.cli", "up"], env={**env, "HOMESTRETCH_FSYNC": "everysec"})
    try:
        program.line("homestretch is ready.")
        found = re.search(r"http://[\d.:]+", program.line("  server  "))
        assert found is not None
        yield found[0]
        program.send(signal.SIGTERM)
        program.code()
    finally:
        program.close()


def test_bots_play_a_meeting_that_is_followed_to_the_end_and_verified(
    url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Plain lines where there is no terminal; a refusal of the server is one line."""
    kept = tmp_path / "demo.ndjson"
    words = ["demo", "--game", "bookmaker", "--seats", "4", "--fast", "--url", url]
    options = '{"programme": ["trot", "joker"], "brocco": true}'
    assert cli.main([*words, "--options", options, "-o", str(kept)]) == 0
    text = capsys.readouterr().out
    for word in (
        "sits down.",
        "── Race 2 of 2 ──",
        "The books are open.",
        "They're off!",
        "wins",
        "The Brocco is ",
        "Ranking",
        "ok   every seat's cash is 1,000 and what its ledger moved",
        "ok   the ranking's points are the cash",
    ):
        assert word in text
    lines = kept.read_bytes().splitlines(keepends=True)
    assert f"ok   the log of {len(lines)} events is verified" in text
    assert verify(lines).ok
    assert cli.main([*words, "-o", str(tmp_path / "no" / "folder")]) == 1
    assert "can't write" in capsys.readouterr().err


def test_where_no_server_is_the_words_say_so(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.socket() as taken:  # bound and not listening: nobody else can answer there
        taken.bind(("127.0.0.1", 0))
        url = "http://{}:{}".format(*taken.getsockname())
        assert cli.main(["demo", "--url", url]) == 1
    assert capsys.readouterr().err == (
        f"homestretch: no server answers at {url}; start one with `homestretch up`\n"
    )
