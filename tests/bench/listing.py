"""What listing costs: `GET actions` for a 7-card Ticket Gagnant hand beside one `POST commands`.

Both over HTTP to a real API process on a real Redis (AOF, everysec); what is compared is the CPU
time of that process, so nobody's waiting counts. Hands are as dealt: 60 flat races of six seats.
"""

from typing import Any

import httpx

from tests.bench.machine import cpu_seconds
from tests.bench.measuring import Case, Goal, Prepared
from tests.bench.site import Site

MEETINGS = 60
DEAL = 7
SEATS = 6
LISTED_EACH = 2

LISTING = "GET actions, 7-card hand"
COMMAND = "POST commands"


class Tables:
    """A server, and a person who holds all seats of many meetings."""

    def __init__(self) -> None:
        self.site = Site()
        self.api = self.site.api()
        url = f"http://127.0.0.1:{self.api.port}"
        self.http = httpx.Client(base_url=url, timeout=60, trust_env=False)
        self.tokens = [self.post("/v1/players", {"name": "bench"})["token"] for _ in range(SEATS)]

    def cpu(self) -> float:
        """Seconds of CPU that the API process has used."""
        return cpu_seconds(self.api.pid)

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
        return SEATS * MEETINGS / (self.cpu() - before)

    def listings(self, _: float) -> float:
        """Listings that a second of CPU makes."""
        turns = [self.http.get(f"{path}/board").json()["to_act"][0] for path in self.paths]
        before = self.cpu()
        for path, seat in zip(self.paths, turns, strict=True):
            for _ in range(LISTED_EACH):
                answer = self.http.get(f"{path}/actions", headers=self.of(seat))
                assert len(answer.json()["actions"]) > DEAL, answer.text
        return LISTED_EACH * MEETINGS / (self.cpu() - before)

    def close(self) -> None:
        """End all of it."""
        self.http.close()
        self.site.close()


def prepare() -> Prepared:
    """Cases, goals, and what must be closed."""
    tables = Tables()
    cases: dict[str, Case] = {COMMAND: tables.commands, LISTING: tables.listings}
    goal = Goal(
        row="a listing costs at most the CPU of two commands (per CPU second)",
        ours=LISTING,
        floor=COMMAND,
        line=0.5,
        stretch=1.0,
    )
    return cases, [goal], [tables]
