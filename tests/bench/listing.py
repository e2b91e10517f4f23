"""What listing costs: `GET actions` for a 7-card Ticket Gagnant hand beside one `POST commands`.

Both over HTTP to a real API process on a real Redis (AOF, everysec); what is compared is the CPU
time of that process, so nobody's waiting counts. Hands are as dealt: 60 flat races of six seats.
"""

import os
import tempfile
from pathlib import Path
from typing import Any

import httpx

from tests.bench.measuring import Case, Goal
from tests.kit.face import Api
from tests.kit.redis_server import RedisServer

MEETINGS = 60
DEAL = 7
SEATS = 6
LISTED_EACH = 2
TICKS = os.sysconf("SC_CLK_TCK")

LISTING = "GET actions, 7-card hand"
COMMAND = "POST commands"


class Site:
    """A server, and a person who holds all seats of many meetings."""

    def __init__(self) -> None:
        self.folder = tempfile.TemporaryDirectory()
        root = Path(self.folder.name)
        self.redis = RedisServer(root / "redis").start()
        self.api = Api(self.redis.url, root / "data")
        self.http = httpx.Client(base_url=self.api._address, timeout=60)
        self.tokens = [self.post("/v1/players", {"name": "bench"})["token"] for _ in range(SEATS)]

    def cpu(self) -> float:
        """Seconds of CPU that the API process has used."""
        fields = Path(f"/proc/{self.api._child.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / TICKS

    def post(self, path: str, body: Any, seat: int | None = None) -> dict[str, Any]:
        """A call that must succeed, by the person on a seat."""
        answer = self.http.post(path, json=body, headers=self.of(seat))
        assert answer.status_code in (200, 201), answer.text
        return dict(answer.json())

    def of(self, seat: int | None) -> dict[str, str]:
        """The headers of the person on a seat."""
        return {} if seat is None else {"Authorization": f"Bearer {self.tokens[seat - 1]}"}

    def meeting(self) -> str:
        """A meeting in which all seats must predict; its path."""
        wish = {"game": "ticket-gagnant", "seats": SEATS, "options": {"choice": "flat_only"}}
        path = f"/v1/meetings/{self.post('/v1/meetings', wish, 1)['id']}"
        for seat in range(1, SEATS + 1):
            self.post(f"{path}/seats", {"seat": seat}, seat)
        self.post(f"{path}/start", {}, 1)
        first = self.http.get(f"{path}/board").json()["first_player"]
        race = {"type": "ticket-gagnant.choose_race", "kind": "flat", "deal": DEAL}
        self.post(f"{path}/commands", race, first)
        return path

    def commands(self, _: float) -> float:
        """Commands that a second of CPU decides, and then leaves hands to list."""
        self.paths = [self.meeting() for _ in range(MEETINGS)]
        before = self.cpu()
        for path in self.paths:
            for seat in range(1, SEATS + 1):
                told = {"type": "ticket-gagnant.predict", "first": "red"}
                self.post(f"{path}/commands", told, seat)
        return SEATS * MEETINGS / max(self.cpu() - before, 1 / TICKS)

    def listings(self, _: float) -> float:
        """Listings that a second of CPU makes."""
        turns = [self.http.get(f"{path}/board").json()["to_act"][0] for path in self.paths]
        before = self.cpu()
        for path, seat in zip(self.paths, turns, strict=True):
            for _ in range(LISTED_EACH):
                answer = self.http.get(f"{path}/actions", headers=self.of(seat))
                assert len(answer.json()["actions"]) > DEAL, answer.text
        return LISTED_EACH * MEETINGS / max(self.cpu() - before, 1 / TICKS)

    def close(self) -> None:
        """End all of it."""
        self.http.close()
        self.api.stop()
        self.redis.stop()
        self.folder.cleanup()


def prepare() -> tuple[dict[str, Case], list[Goal], list[Any]]:
    """Cases, goals, and what must be closed."""
    site = Site()
    cases: dict[str, Case] = {COMMAND: site.commands, LISTING: site.listings}
    goal = Goal(
        row="a listing costs at most the CPU of two commands (per CPU second)",
        ours=LISTING,
        floor=COMMAND,
        line=0.5,
        stretch=1.0,
    )
    return cases, [goal], [site]
