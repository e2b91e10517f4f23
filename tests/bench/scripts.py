"""Whole meetings of random players as requests: recorded once in process, then given over HTTP.

The seed is arranged, so the same commands are legal again, and make as many events.
"""

import json
from collections.abc import Sequence
from itertools import count, islice

import msgspec
from msgspec import Struct

from domain.kernel.message import Command
from domain.registry import GAMES
from tests.bench.driving import request
from tests.bench.moves import Recorded
from tests.bench.site import Child, checked

SEATS = 4
_numbers = count()


class Step(Struct, frozen=True):
    """A command of a seat, also as a body; how many events it makes."""

    seat: int
    command: Command
    body: bytes
    events: int


class Script(Struct, frozen=True):
    """A meeting's commands: up to where the system has its first turn, or all."""

    game: str
    seed: str
    steps: list[Step]


def script(game_id: str, number: int, *, whole: bool = False) -> Script:
    """A meeting of a game; whole with the system's turns, which nobody can give over HTTP."""
    recorded = Recorded(GAMES[game_id], number)
    meeting = recorded.begin()
    steps = []
    for seat, command in recorded.given:
        if not seat and not whole:
            break
        body = msgspec.json.encode(command)
        steps.append(Step(seat, command, body, len(meeting.give(seat, command))))
    return Script(game=game_id, seed=recorded.seed.hex(), steps=steps)


class Person(Struct, frozen=True):
    """Somebody with a token."""

    id: str
    token: str

    def post(self, path: str, body: bytes, **headers: str) -> bytes:
        """A request of this person."""
        return request("POST", path, body, authorization=f"Bearer {self.token}", **headers)

    def get(self, path: str, **headers: str) -> bytes:
        """A request of this person."""
        return request("GET", path, b"", authorization=f"Bearer {self.token}", **headers)


def people(api: Child, number: int) -> list[Person]:
    """New players."""
    asked = request("POST", "/v1/players", b'{"name":"bench"}')
    bodies = checked(api.drive([[asked] * number]).replies[0], 201)
    return [msgspec.json.decode(body, type=Person) for body in bodies]


class Table(Struct, frozen=True):
    """A meeting that was opened for a script, and who sits at it."""

    path: str
    script: Script
    seated: Sequence[Person]

    def requests(self) -> list[bytes]:
        """All its commands, each under a key."""
        path = f"{self.path}/commands"
        return [
            self.seated[step.seat - 1].post(
                path, step.body, **{"Idempotency-Key": f"bench-{next(_numbers)}"}
            )
            for step in self.script.steps
        ]


def set_tables(api: Child, scripts: Sequence[Script], seated: Sequence[Person]) -> list[Table]:
    """Open, seat and start a meeting for each script."""
    wishes = [
        msgspec.json.encode({"game": one.game, "seats": SEATS, "arranged": {"seed": one.seed}})
        for one in scripts
    ]
    host = seated[0]
    opened = api.drive([[host.post("/v1/meetings", wish) for wish in wishes]])
    paths = [f"/v1/meetings/{json.loads(body)['id']}" for body in checked(opened.replies[0], 201)]
    asked: list[bytes] = []
    for path in paths:
        for seat, person in enumerate(seated, 1):
            asked.append(person.post(f"{path}/seats", b'{"seat":%d}' % seat))
        asked.append(host.post(f"{path}/start", b"{}"))
    checked(api.drive([asked]).replies[0], 200, 201)
    return [Table(path, one, seated) for path, one in zip(paths, scripts, strict=True)]


def dealt(scripts: Sequence[Script], commands: int) -> list[Script]:
    """So many scripts, over and over, that there are this many commands."""
    found: list[Script] = []
    while sum(len(one.steps) for one in found) < commands:
        found.append(scripts[len(found) % len(scripts)])
    return found


def cut(requests: Sequence[bytes], number: int) -> list[bytes]:
    """The first of them."""
    return list(islice(requests, number))
