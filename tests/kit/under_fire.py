"""Players that never give up, and a finder of the parts of a running server, for fault tests."""

import os
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import cycle
from pathlib import Path
from typing import Any

import httpx

from tests.kit.oracle import Told

PATIENCE = 120.0
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
        self.http = httpx.Client(base_url=url, timeout=10, trust_env=False)
        self.token = ""
        self.calls = 0
        self.key = ""
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
        self, method: str, path: str, body: Any = None, *, keyed: bool = True, key: str = ""
    ) -> httpx.Response:
        """One call, sent again while the server is away; the same key makes it the same call."""
        headers = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        if method == "POST" and keyed:
            if not key:
                self.calls += 1
                self.key = key = f"{self.name}-{self.calls}"
            headers["Idempotency-Key"] = key
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


@dataclass(frozen=True)
class Plan:
    """A meeting to play: its game, its seats, its options."""

    game: str
    seats: int
    options: dict[str, Any] = field(default_factory=dict)


class Table(threading.Thread):
    """A person who plays meetings with bots to their end, one after the other, under fire.

    Args:
        url: of the server.
        number: of the table.
        plans: what is played in turn.
        enough: whether the meeting that is over was the last.
    """

    def __init__(
        self, url: str, number: int, plans: Sequence[Plan], enough: Callable[[], bool]
    ) -> None:
        super().__init__(daemon=True)
        self.url, self.number, self.plans, self.enough = url, number, plans, enough
        self.told: list[Told] = []
        self.failure: BaseException | None = None
        self.player: Player | None = None
        self.last: tuple[str, dict[str, Any], str, bytes] | None = None

    def run(self) -> None:
        """Play until it is enough; remember what was acknowledged."""
        try:
            self.player = Player(self.url, f"person-{self.number}-{os.getpid()}")
            for plan in cycle(self.plans):
                self.play(self.player, plan)
                if self.enough():
                    return
        except BaseException as error:
            self.failure = error

    def play(self, me: Player, plan: Plan) -> None:
        """One whole meeting."""
        told = Told("")
        self.told.append(told)
        wish = {"game": plan.game, "seats": plan.seats, "options": plan.options}
        told.meeting = me.post("/v1/meetings", wish)["id"]
        path = f"/v1/meetings/{told.meeting}"
        me.post(f"{path}/seats", {"nonce": f"table {self.number}"})
        for _ in range(plan.seats - 1):
            me.post(f"{path}/seats", {"bot": "steady"})
        me.post(f"{path}/start", {})
        borrowed = 0
        while me.get(path)["status"] == "running":
            now = me.get(f"{path}/actions")
            if now.get("default") is None:
                time.sleep(0.02)
                continue
            self.command(me, told, path, {**now["default"], "decision": now["decision"]})
            if borrowed < 15 and now["actions"][-1]["type"] == "bookmaker.borrow":
                borrowed += 1  # other amounts each time, so that one done twice shows
                body = {"type": "bookmaker.borrow", "amount": 10 * borrowed}
                self.command(me, told, path, body)

    def command(self, me: Player, told: Told, path: str, body: dict[str, Any]) -> None:
        """One command; the state may have moved on, which is a refusal and no loss."""
        answer = me.send("POST", f"{path}/commands", body)
        if answer.status_code == 200:
            asked = {name: value for name, value in body.items() if name != "decision"}
            told.commands.append(asked)
            self.last = (f"{path}/commands", body, me.key, answer.content)
        else:
            assert answer.json()["code"] in {"stale_decision", "meeting_not_running"}, answer.text

    def ask_again(self) -> None:
        """The last acknowledged call, once more under its key, is answered byte for byte."""
        assert self.player is not None
        assert self.last is not None, "nothing was acknowledged"
        path, body, key, content = self.last
        again = self.player.send("POST", path, body, key=key)
        assert (again.status_code, again.content) == (200, content)
