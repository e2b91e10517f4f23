"""A whole server as `homestretch up` has it, with bots alone at its tables."""

import signal
from typing import Any

import httpx

from tests.kit.programs import PATIENCE


def play(url: str, bots: int, game: str = "bookmaker") -> str:
    """Let bots play a whole meeting on the server; its id."""
    with httpx.Client(base_url=url, timeout=PATIENCE, trust_env=False) as client:
        token = client.post("/v1/players", json={"name": "Ann"}).json()["token"]
        client.headers["Authorization"] = f"Bearer {token}"
        body: dict[str, Any] = {"game": game, "seats": bots, "start": "when_full"}
        meeting: str = client.post("/v1/meetings", json=body).raise_for_status().json()["id"]
        for _ in range(bots):
            seated = client.post(f"/v1/meetings/{meeting}/seats", json={"bot": "random"})
            assert seated.status_code == 201, seated.text
        await_finish(client, meeting)
    return meeting


def await_finish(client: httpx.Client, meeting: str) -> None:
    """Return once a meeting is finished; how fast it is played is nobody's business here."""
    last, stood_still = -1, 0
    while stood_still < 1_000:
        told = client.get(f"/v1/meetings/{meeting}").json()
        if told["status"] == "finished":
            return
        stood_still = 0 if told["version"] != last else stood_still + 1
        last = told["version"]
        signal.sigtimedwait((), 0.05)
    raise AssertionError(f"the meeting stands still at version {last}")
