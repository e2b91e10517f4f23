"""schemathesis against a real server: the document and the server agree on every operation.

All checks are at their defaults but for one status: 422, since rules refuse commands that fit their
schema. No check is left out, and no operation. Two players are peers: neither may see as its own
what belongs to the other. An admin stands behind them for the calls that need one.
"""

import json
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.kit.face import ADMIN, Api
from tests.kit.redis_server import RedisServer

CONFIG = """
seed = 1
[auth.wfc]
path = "players.json"
peers = ["ann", "ben"]
[generation]
deterministic = true
database = "none"
[checks]
positive_data_acceptance.expected-statuses = [
    "2xx", "3xx", 401, 403, 404, 409, 422, 429, "5xx",  # the defaults and 422
]
"""
Run = Callable[..., str]


@pytest.fixture
def run(make_redis: Callable[..., RedisServer], tmp_path: Path) -> Iterator[Run]:
    """Runs it on a whole server of the test's own; what it says."""
    api = Api(make_redis().url, tmp_path / "api")
    beside = [api.projector(), api.reactor()]
    admin = {"name": "Authorization", "value": f"Bearer {ADMIN}"}
    users = [player("ann"), player("ben"), {"name": "admin", "fixedHeaders": [admin]}]
    (tmp_path / "players.json").write_text(json.dumps({"auth": users}))
    (tmp_path / "schemathesis.toml").write_text(CONFIG)

    def begin(*words: str) -> str:
        command = [sys.executable, "-m", "schemathesis.cli", "run", f"{api.url}/openapi.json"]
        done = subprocess.run(
            [*command, "--no-color", *words],
            check=False,
            cwd=tmp_path,
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stdout[-8_000:] + done.stderr[-2_000:]
        return done.stdout

    while api.client().get("/health/ready").status_code != 200:
        pass  # the reactor has not looked yet
    yield begin
    for part in (*beside, api):
        part.stop()


def player(name: str) -> dict[str, Any]:
    """A player who registers, and once more where the test has ended the token on the way."""
    return {
        "name": name,
        "loginEndpointAuth": {
            "endpoint": "/v1/players",
            "verb": "POST",
            "contentType": "application/json",
            "payloadRaw": json.dumps({"name": name}),
            "token": {
                "extractFrom": "body",
                "extractSelector": "/token",
                "sendIn": "header",
                "sendName": "Authorization",
                "sendTemplate": "Bearer {token}",
            },
        },
    }


def all_of_it(said: str) -> bool:
    """Whether every operation was tested, in every phase that has something to test."""
    selected = re.search(r"Selected: (\d+)/(\d+)\n\s+Tested: (\d+)\n", said)
    assert selected is not None, said
    return len(set(selected.groups())) == 1 and all(
        f"✅ {phase}" in said for phase in (" Coverage", " Fuzzing", " Stateful")
    )


def test_every_operation_does_what_the_document_says(run: Run) -> None:
    assert all_of_it(run("--max-examples", "5"))


@pytest.mark.long
@pytest.mark.parametrize("seed", range(1, 6))
def test_every_operation_does_what_the_document_says_at_length(run: Run, seed: int) -> None:
    assert all_of_it(run("--max-examples", "150", "--seed", str(seed)))
