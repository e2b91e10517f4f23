"""schemathesis against a real server: the document and the server agree on every operation.

All checks are at their defaults but for one status: 422, since rules refuse commands that fit their
schema. No check is left out, and no operation. Two players are peers: neither may see as its own
what belongs to the other. An admin stands behind them for the calls that need one. Calls about a
meeting are led to meetings that run, where the caller sits and owes a decision: tests.kit.steering.
"""

import json
import os
import re
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from domain.registry import GAMES
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
Row = tuple[str, int, str, str, int]
"""operation, status, code, game in which the caller of a command owed a decision, how often"""

Run = Callable[..., tuple[str, list[Row]]]


@pytest.fixture
def run(make_redis: Callable[..., RedisServer], tmp_path: Path) -> Iterator[Run]:
    """Runs it on a whole server of the test's own; what it says, and what calls were answered."""
    api = Api(make_redis().url, tmp_path / "api")
    beside = [api.projector(), api.reactor()]
    admin = {"name": "Authorization", "value": f"Bearer {ADMIN}"}
    users = [player("ann"), player("ben"), {"name": "admin", "fixedHeaders": [admin]}]
    (tmp_path / "players.json").write_text(json.dumps({"auth": users}))
    (tmp_path / "schemathesis.toml").write_text(CONFIG)
    counts = tmp_path / "counts.json"
    hooks = {"SCHEMATHESIS_HOOKS": "tests.kit.steering", "STEERED": str(counts)}

    def begin(*words: str) -> tuple[str, list[Row]]:
        command = [sys.executable, "-m", "schemathesis.cli", "run", f"{api.url}/openapi.json"]
        done = subprocess.run(
            [*command, "--no-color", *words],
            check=False,
            cwd=tmp_path,
            env={**os.environ, **hooks},
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stdout[-8_000:] + done.stderr[-2_000:]
        return done.stdout, json.loads(counts.read_text())

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


def check_commands(rows: list[Row]) -> None:
    """Commands met seats that owed a decision, in every game, and some were taken."""
    commands = [row for row in rows if row[0] == "GiveCommand"]
    assert sum(row[4] for row in commands if row[3]) > sum(row[4] for row in commands if not row[3])
    for statuses in ({200}, {409}, {422}):
        assert {row[3] for row in commands if row[1] in statuses} >= set(GAMES)


def table(rows: list[Row]) -> str:
    """How often each operation answered with each status; of commands by code and game."""
    told: dict[str, Counter[str]] = defaultdict(Counter)
    for operation, status, code, game, count in rows:
        told[operation][str(status)] += count
        if operation == "GiveCommand":
            told[f"  {game or '-'}"][f"{status} {code}".strip()] += count
    return "\n".join(
        f"{name:18} " + ", ".join(f"{what}: {count}" for what, count in sorted(counts.items()))
        for name, counts in told.items()
    )


def test_every_operation_does_what_the_document_says(run: Run) -> None:
    said, rows = run("--max-examples", "5")
    assert all_of_it(said)
    check_commands(rows)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(1, 6))
def test_every_operation_does_what_the_document_says_at_length(run: Run, seed: int) -> None:
    said, rows = run("--max-examples", "150", "--seed", str(seed))
    assert all_of_it(said)
    check_commands(rows)
    print(table(rows))
