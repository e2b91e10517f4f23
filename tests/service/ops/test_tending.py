"""What operators see of views, and do about them, on a server that runs."""

import asyncio
import re
import signal
import socket
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from service import bootstrap, cli
from service.redis.event_log import RedisEventLog
from service.redis.mux import open_calls, open_waiting
from service.redis.server import running_url
from tests.kit.answers import FOREIGN
from tests.kit.histories import Story, store
from tests.kit.programs import PATIENCE, Program

VIEWS = [projection.name for projection in bootstrap.projections()]


class Running:
    """A server with all its parts on a data folder.

    Args:
        folder: where its data go.
    """

    def __init__(self, folder: Path) -> None:
        self.data = folder / "data"
        with socket.create_server(("127.0.0.1", 0)) as probe:
            self.metrics_port = probe.getsockname()[1]
        self.program = Program(
            ["-m", "service.cli", "up"],
            env={
                "HOMESTRETCH_DATA": str(self.data),
                "HOMESTRETCH_PORT": "0",
                "HOMESTRETCH_FSYNC": "everysec",
                "HOMESTRETCH_METRICS_PORT": str(self.metrics_port),
            },
        )
        self.program.line("homestretch is ready.")
        found = re.search(r"http://[\d.:]+", self.program.line("  server  "))
        assert found is not None
        self.client = httpx.Client(base_url=found[0], timeout=PATIENCE, trust_env=False)

    def ready(self) -> tuple[int, Any]:
        """Status and body of GET /health/ready."""
        answer = self.client.get("/health/ready")
        return answer.status_code, answer.json()

    def metrics(self) -> str:
        """As the admin reads them."""
        token = (self.data / "admin-token").read_text().strip()
        answer = self.client.get("/metrics", headers={"Authorization": f"Bearer {token}"})
        assert answer.status_code == 200
        return answer.text

    def tell(self, *stories: Story) -> None:
        """Write meetings of a game that nobody knows right into the log."""

        async def tell() -> None:
            url = running_url(self.data)
            assert url is not None
            calls, waiting = open_calls(url), open_waiting(url)
            for story in stories:
                await store(RedisEventLog(calls, waiting, 16), story)
            await waiting.close()
            await calls.close()

        asyncio.run(tell())


def until(come: Callable[[], bool]) -> None:
    """Wait until it is so."""
    end = time.monotonic() + PATIENCE
    while not come():
        assert time.monotonic() < end
        time.sleep(0.05)


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Running]:
    """One that the commands of this process find by its data folder."""
    running = Running(tmp_path)
    monkeypatch.setenv("HOMESTRETCH_DATA", str(running.data))
    monkeypatch.setenv("HOMESTRETCH_FSYNC", "everysec")
    try:
        yield running
        running.client.close()
        running.program.send(signal.SIGTERM)
        assert running.program.code() == 0
    finally:
        running.program.close()


def test_views_are_rebuilt_watched_and_tried_again_while_the_server_runs(
    server: Running, capsys: pytest.CaptureFixture[str]
) -> None:
    server.tell(*(Story(f"m{number}").open("croquet") for number in range(5)))
    for view in VIEWS:
        assert cli.main(["rebuild", view]) == 0
        told = capsys.readouterr().out
        assert f"{view} 2: begun\n" in told
        assert told.endswith(f"{view} 2: in use\n")
    assert cli.main(["views"]) == 0
    told = capsys.readouterr().out
    for view in VIEWS:
        assert re.search(rf"^{view} 2, version \S+, in use: 5 of 5$", told, re.MULTILINE)
    assert cli.main(["retry", "all"]) == 0
    assert capsys.readouterr().out == "".join(f"{view}: nothing stands still\n" for view in VIEWS)
    assert cli.main(["rebuild", "lobby", "--give-up"]) == 0
    assert capsys.readouterr().out == "lobby: 0 given up\n"
    assert server.ready()[1]["status"] == "ready"
    assert len(server.client.get("/v1/meetings").json()["items"]) == 5

    # An event that only a newer release knows: each view stands still at it, and says so.
    poison = Story("m-poison").open("croquet").tell({"type": "horse_bolted", "seat": 1})
    server.tell(poison)
    until(lambda: server.ready()[1]["status"] == "degraded")
    until(lambda: all(p["ok"] is (n not in VIEWS) for n, p in server.ready()[1]["parts"].items()))
    status, told_ready = server.ready()
    assert status == 200
    for view in VIEWS:
        part = told_ready["parts"][view]
        assert (part["state"], part["rebuilding"]) == ("stalled", False)
        assert isinstance(part["lag_seconds"], int)
    text = server.metrics()
    for view in VIEWS:
        assert f'homestretch_view_stalled_partitions{{view="{view}"}} 1.0' in text
        assert f'homestretch_view_lag_entries{{view="{view}"}} 1.0' in text
        assert f'homestretch_view_invalid{{view="{view}"}} 0.0' in text
    assert "m-poison" not in text
    assert "horse_bolted" not in text
    own = f"http://127.0.0.1:{server.metrics_port}/metrics"
    wanted = 'homestretch_view_stalled_partitions{view="lobby"} 1.0'
    with httpx.Client(trust_env=False) as client:
        until(lambda: wanted in client.get(own, extensions=FOREIGN).text)
    assert len(server.client.get("/v1/meetings").json()["items"]) == 6, "what came before it"

    assert cli.main(["views"]) == 0
    assert "meeting m-poison: UnknownFact horse_bolted" in capsys.readouterr().out
    assert cli.main(["retry", "lobby"]) == 1
    assert "lobby stands still" in capsys.readouterr().err
    assert cli.main(["rebuild", "results"]) == 1
    assert "build 3 of results stands still" in capsys.readouterr().err
    assert cli.main(["rebuild", "results", "--give-up"]) == 0
    assert server.ready()[0] == 200


def test_without_a_server_commands_about_views_say_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("HOMESTRETCH_DATA", str(tmp_path))
    for words in (["views"], ["rebuild", "lobby"], ["retry", "all"]):
        assert cli.main(words) == 1
        assert "no server runs on" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        cli.main(["rebuild", "boards"])
