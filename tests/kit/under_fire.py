"""Players that never give up, and a finder of the parts of a running server, for fault tests."""

import os
import threading
import time
from pathlib import Path
from typing import Any

import httpx

PATIENCE = 60.0
"""Seconds that a player tries one call before the test fails; nothing is judged by how long."""


def part_pids(supervisor: int) -> dict[str, int]:
    """The processes that a supervisor has started, by what they are."""
    found = {}
    for folder in Path("/proc").iterdir():
        if not folder.name.isdigit():
            continue
        try:
            parent = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
            words = (folder / "cmdline").read_bytes().decode().split("\0")
        except (FileNotFoundError, ProcessLookupError):
            continue
        if parent == supervisor:
            found[name_of(words)] = int(folder.name)
    return found


def name_of(words: list[str]) -> str:
    """`redis`, or what a part calls itself."""
    if "--part" in words:
        return words[words.index("--part") + 1]
    return "redis" if "redis-server" in words[0] else words[-1]


class Player:
    """A person's client: every call carries a key and is repeated until it is answered.

    Args:
        url: of the server.
        name: shown to others.
    """

    def __init__(self, url: str, name: str) -> None:
        self.http = httpx.Client(base_url=url, timeout=10)
        self.token = ""
        self.calls = 0
        self.name = name
        self.token = self.post("/v1/players", {"name": name}, keyed=False)["token"]

    def post(self, path: str, body: Any, *, keyed: bool = True) -> dict[str, Any]:
        """A POST that is answered with success, however often it must be sent."""
        answer = self.send("POST", path, body, keyed=keyed)
        assert answer.status_code in (200, 201), answer.text
        return dict(answer.json())

    def get(self, path: str) -> dict[str, Any]:
        """What a GET answers in the end."""
        return dict(self.send("GET", path).json())

    def send(
        self, method: str, path: str, body: Any = None, *, keyed: bool = True
    ) -> httpx.Response:
        """One call, sent again while the server is away; the same key makes it the same call."""
        headers = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        if method == "POST" and keyed:
            self.calls += 1
            headers["Idempotency-Key"] = f"{self.name}-{self.calls}"
        until = time.monotonic() + PATIENCE
        while True:
            try:
                answer = self.http.request(method, path, json=body, headers=headers)
                if answer.status_code != 503:
                    return answer
            except httpx.TransportError:
                pass
            assert time.monotonic() < until, f"{method} {path} is not answered"
            time.sleep(0.05)


class Table(threading.Thread):
    """One meeting of a person and bots, played to its end while the server is under fire.

    The person also borrows other amounts each time, so that a command done twice, or lost after it
    was acknowledged, shows in the log.
    """

    def __init__(self, url: str, number: int, seats: int, options: dict[str, Any]) -> None:
        super().__init__(daemon=True)
        self.url, self.number, self.seats, self.options = url, number, seats, options
        self.acknowledged: list[tuple[int, dict[str, Any]]] = []
        self.failure: BaseException | None = None
        self.player: Player | None = None
        self.meeting = ""

    def run(self) -> None:
        """Open, sit, play, remember what was acknowledged."""
        try:
            self.play()
        except BaseException as error:
            self.failure = error

    def play(self) -> None:
        """The whole meeting."""
        me = self.player = Player(self.url, f"person-{self.number}-{os.getpid()}")
        wish = {"game": "bookmaker", "seats": self.seats, "options": self.options}
        self.meeting = me.post("/v1/meetings", wish)["id"]
        path = f"/v1/meetings/{self.meeting}"
        me.post(f"{path}/seats", {"nonce": f"table {self.number}"})
        for _ in range(self.seats - 1):
            me.post(f"{path}/seats", {"bot": "steady"})
        me.post(f"{path}/start", {})
        borrowed = 0
        while me.get(path)["status"] == "running":
            now = me.get(f"{path}/actions")
            if now.get("default") is None:
                time.sleep(0.02)
                continue
            self.command(path, {**now["default"], "decision": now["decision"]})
            if borrowed < 15 and now["actions"][-1]["type"] == "bookmaker.borrow":
                borrowed += 1
                self.command(path, {"type": "bookmaker.borrow", "amount": 10 * borrowed})

    def command(self, path: str, body: dict[str, Any]) -> None:
        """One command; the state may have moved on, which is a refusal and no loss."""
        assert self.player is not None
        answer = self.player.send("POST", f"{path}/commands", body)
        if answer.status_code == 200:
            asked = {name: value for name, value in body.items() if name != "decision"}
            self.acknowledged.append((answer.json()["version"], asked))
        else:
            assert answer.json()["code"] in {"stale_decision", "meeting_not_running"}, answer.text
