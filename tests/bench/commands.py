"""Row 1: a real command over HTTP beside a Litestar handler that only appends.

Ours is the whole way: token, seat, idempotency key, kept state, decide, one append, the caller's
board and events. All four games in turn; the floor appends as many events to each command.
"""

import json
from collections.abc import Callable, Sequence
from itertools import count

import msgspec

from domain.registry import GAMES
from tests.bench.driving import Driven, request
from tests.bench.measuring import Case, Goal, Prepared, figure
from tests.bench.scripts import SEATS, Script, Table, cut, dealt, people, script, set_tables
from tests.bench.site import ALWAYS, EVERYSEC, Site, checked

CALLERS = 16
RATE = 2_500
"""Commands for each second asked for; both sides get the same number."""

ALONE_RATE = 600
SCRIPTS_EACH = 3


class Commands:
    """Our API and the floor's on one Redis, and tables to play."""

    def __init__(self, fsync: str, recorded: Sequence[Script]) -> None:
        self.site = Site(fsync)
        self.api = self.site.api()
        self.bare = self.site.floor()
        self.recorded = recorded
        self.seated = [people(self.api, SEATS) for _ in range(CALLERS)]
        self._names = count()

    def ours(self, callers: int, number: int) -> Driven:
        """So many commands by so many callers, each at a table of its own."""
        each = number // callers
        tables = [
            set_tables(self.api, self._dealt(each, at), self.seated[at]) for at in range(callers)
        ]
        plans = [cut([r for table in row for r in table.requests()], each) for row in tables]
        driven = self.api.drive(plans)
        for row, replies in zip(tables, driven.replies, strict=True):
            bodies = checked(replies, 200)
            for table in row:
                played, bodies = (
                    bodies[: len(table.script.steps)],
                    bodies[len(table.script.steps) :],
                )
                _check(table, played)
        return driven

    def floor(self, callers: int, number: int) -> Driven:
        """The same number of events in as many commands to the floor."""
        each = number // callers
        plans = [self._appends(at, each) for at in range(callers)]
        driven = self.bare.drive(plans)
        for at, replies in enumerate(driven.replies):
            versions = [json.loads(body)["version"] for body in checked(replies, 200)]
            assert versions[-1] == sum(step for step in self._counts(at, each)), "a lost event"
        return driven

    def _dealt(self, commands: int, at: int) -> list[Script]:
        turn = at % len(self.recorded)
        return dealt([*self.recorded[turn:], *self.recorded[:turn]], commands)

    def _counts(self, at: int, each: int) -> list[int]:
        return [step.events for one in self._dealt(each, at) for step in one.steps][:each]

    def _appends(self, at: int, each: int) -> list[bytes]:
        path = f"/m/bench-{next(self._names)}/commands"
        version = 0
        requests = []
        for events in self._counts(at, each):
            told = {
                "cmd": "play_card",
                "actor": "u-1042",
                "expected": version,
                "args": {"card": "R7", "target": 2},
                "key": f"key-{at}-{version}",
                "events": events,
            }
            requests.append(request("POST", path, msgspec.json.encode(told)))
            version += events
        return requests

    def close(self) -> None:
        """End all of it."""
        self.site.close()


def _check(table: Table, bodies: Sequence[bytes]) -> None:
    """Each seat's version rises with each of its commands, and each command told events."""
    versions = [0] * SEATS
    for step, body in zip(table.script.steps, bodies, strict=False):
        told = json.loads(body)
        assert told["version"] > versions[step.seat - 1], "a version does not rise"
        assert told["events"], "a command without events"
        versions[step.seat - 1] = told["version"]


def prepare() -> Prepared:
    """Cases, goals, and what must be closed."""
    recorded = [script(game, number) for number in range(SCRIPTS_EACH) for game in sorted(GAMES)]
    cases: dict[str, Case] = {}
    goals: list[Goal] = []
    sites = []
    for fsync in (EVERYSEC, ALWAYS):
        site = Commands(fsync, recorded)
        sites.append(site)
        ours, floor = f"command, {fsync}", f"floor L, {fsync}"
        alone, bare = f"{ours}, alone", f"{floor}, alone"
        cases[ours] = _case(site.ours, CALLERS, RATE)
        cases[floor] = _case(site.floor, CALLERS, RATE)
        if fsync == EVERYSEC:
            cases[alone] = _case(site.ours, 1, ALONE_RATE)
            cases[bare] = _case(site.floor, 1, ALONE_RATE)
        for what, mine, theirs, name, line, stretch, most in (
            ("CPU µs, 16 callers", ours, floor, "CPU µs", 1.25, 0.85, True),
            ("commands/s, 16 callers", ours, floor, "per s", 0.75, 1.1, False),
            ("p99 ms, 16 callers", ours, floor, "p99 ms", 2.0, 2.0, True),
            ("p50 ms, 1 caller", alone, bare, "p50 ms", 1.4, 1.1, True),
        ):
            if mine not in cases:
                continue
            goals.append(
                Goal(
                    row=f"1 command, {what} ({fsync})",
                    ours=figure(mine, name),
                    floor=figure(theirs, name),
                    line=line,
                    stretch=stretch,
                    most=most,
                    judged=fsync == EVERYSEC,
                )
            )
    return cases, goals, sites


def _case(drive: Callable[[int, int], Driven], callers: int, rate: int) -> Case:
    return lambda seconds: drive(callers, _number(rate, seconds)).figures


def _number(rate: int, seconds: float) -> int:
    return max(4 * CALLERS, int(rate * seconds))
