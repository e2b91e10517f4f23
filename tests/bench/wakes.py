"""Row 8: a person's command that wakes a bot, beside one at a table of people alone.

Reactor and worker run; what is compared is the CPU time that the API process spends on the command.
Each caller looks at its actions before it moves, as clients do.
"""

import json
import random
from statistics import median
from typing import Any

import msgspec

from tests.bench.machine import CLIENT_CORE
from tests.bench.measuring import Case, Goal, Prepared
from tests.bench.scripts import people
from tests.bench.site import Site, checked

GAME = "ticket-gagnant"
RATE = 40
WAKING, QUIET = "command that wakes a bot, CPU µs", "command among people, CPU µs"


class Wakes:
    """A table of a person and a bot, and one of two people."""

    def __init__(self) -> None:
        self.site = Site()
        self.api = self.site.api()
        self.site.part("work", "turns", core=CLIENT_CORE)
        self.site.part("react", core=CLIENT_CORE)
        self.people = people(self.api, 2)
        self.chooser = random.Random(1)
        self._paths: dict[bool, str] = {}

    def spent(self, seconds: float, *, bot: bool) -> float:
        """µs of CPU of a command, p50."""
        found: list[float] = []
        while len(found) < max(40, int(RATE * seconds)):
            path = self._paths.get(bot) or self._open(bot=bot)
            for number, person in enumerate(self.people if not bot else self.people[:1]):
                told = self._told(person.get(f"{path}/actions"))
                if told["default"] is None:
                    continue
                body = json.dumps(self.chooser.choice(told["actions"])).encode()
                key = {"Idempotency-Key": f"{path[-16:]}-{told['decision']}-{number}"}
                given = self.api.drive([[person.post(f"{path}/commands", body, **key)]])
                checked(given.replies[0], 200)
                found.append(given.cpu * 1e6)
            if self._told(self.people[0].get(path))["status"] != "running":
                del self._paths[bot]
        return median(found)

    def _told(self, asked: bytes) -> Any:
        (body,) = checked(self.api.drive([[asked]]).replies[0], 200, 201)
        return msgspec.json.decode(body)

    def _open(self, *, bot: bool) -> str:
        host, other = self.people
        wish = {"game": GAME, "seats": 2, "start": "when_full"}
        opened = self._told(host.post("/v1/meetings", msgspec.json.encode(wish)))
        path = self._paths[bot] = f"/v1/meetings/{opened['id']}"
        self._told(host.post(f"{path}/seats", b"{}"))
        if bot:
            self._told(host.post(f"{path}/seats", b'{"bot":"random"}'))
        else:
            self._told(other.post(f"{path}/seats", b"{}"))
        return path

    def close(self) -> None:
        """End all of it."""
        self.site.close()


def prepare() -> Prepared:
    """Cases, goals, and what must be closed."""
    wakes = Wakes()
    cases: dict[str, Case] = {
        WAKING: lambda s: wakes.spent(s, bot=True),
        QUIET: lambda s: wakes.spent(s, bot=False),
    }
    goal = Goal(
        row="8 command that wakes a bot, CPU µs, against one that does not",
        ours=WAKING,
        floor=QUIET,
        line=1.1,
        stretch=1.0,
        most=True,
    )
    return cases, [goal], [wakes]
