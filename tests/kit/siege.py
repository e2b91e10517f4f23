"""A whole server whose parts are killed again and again while meetings of all games are played."""

import os
import signal
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from random import Random

from redis.exceptions import RedisError

from service.ports import LogUnavailable
from service.redis.server import running_url
from tests.kit.oracle import Oracle, Sight, Told
from tests.kit.programs import Program, await_end
from tests.kit.redis_server import free_port
from tests.kit.under_fire import Plan, Table, part_pids

PARTS = ("api.1", "api.2", "projector", "reactor", "turns.1", "settle.1", "redis")
SUPERVISOR = "supervisor"

PLANS: tuple[tuple[Plan, ...], ...] = (
    (
        Plan("bookmaker", 3, {"programme": ["joker", "trot", "plain"], "in_running": True}),
        Plan("tuyaux", 3, {"open_bets": True}),
    ),
    (
        Plan("change-horses", 3),
        Plan("bookmaker", 4, {"programme": ["joker_trot"] * 4, "odds_step": 0.5}),
    ),
    (Plan("ticket-gagnant", 4), Plan("change-horses", 4, {"turn_order": "derby"})),
    (Plan("tuyaux", 4), Plan("ticket-gagnant", 2), Plan("bookmaker", 2, {"brocco": True})),
)
"""What the tables play in turn: all games at the same time, with different options."""


class Siege:
    """`homestretch up` on a folder, tables that play, an oracle, and what was killed.

    Args:
        folder: of its data.
        env: of the server, besides where it listens and keeps its data.
        parts: what is killed.
        url: of the Redis that is the log; none: the embedded one.
    """

    def __init__(
        self,
        folder: Path,
        env: Mapping[str, str] | None = None,
        *,
        parts: Sequence[str] = (*PARTS, SUPERVISOR),
        url: str | None = None,
    ) -> None:
        self.data = folder / "data"
        self.port = free_port()
        self.parts = parts
        self.kills: Counter[str] = Counter()
        self.longest = 0.0
        self.oracle = Oracle()
        self._url = url
        self._env = {
            "HOMESTRETCH_DATA": str(self.data),
            "HOMESTRETCH_PORT": str(self.port),
            "HOMESTRETCH_API_PROCESSES": "2",
            "HOMESTRETCH_RATE_LIMIT": "off",
            **(env or {}),
        }
        self._over = False
        self.program = self._start()
        self.tables = [
            Table(f"http://127.0.0.1:{self.port}", number, plans, lambda: self._over)
            for number, plans in enumerate(PLANS)
        ]

    def _start(self) -> Program:
        program = Program(["-m", "service.cli", "up"], env=self._env)
        program.line("homestretch is ready")
        return program

    def stop(self) -> None:
        """End the server."""
        self._over = True
        self.program.send(signal.SIGTERM)
        self.program.code()
        self.program.close()
        for table in self.tables:
            if table.player is not None:
                table.player.http.close()

    @property
    def told(self) -> list[Told]:
        """What all tables were told so far."""
        return [told for table in self.tables for told in list(table.told)]

    def run(
        self, rounds: int, *, seed: int = 1, meanwhile: Callable[[], object] = lambda: None
    ) -> None:
        """Kill so many times, at random moments; look at the log after each round."""
        random = Random(seed)
        for table in self.tables:
            table.start()
        plan: list[str] = []
        while sum(self.kills.values()) < rounds:
            plan = plan or random.sample(self.parts, len(self.parts))
            self._kill(plan.pop())
            meanwhile()
            self.look()
            time.sleep(random.uniform(0.0, 0.5))
            for table in self.tables:
                assert table.failure is None, repr(table.failure)

    def _kill(self, part: str) -> None:
        """Kill -9 one part and wait until it runs again, and answers."""
        start = time.monotonic()
        if part == SUPERVISOR:
            # All that it started ends with it; whoever watches over it starts it again.
            old = list(part_pids(self.program.process.pid).values())
            self.program.send(signal.SIGKILL)
            for pid in old:
                await_end(pid)
            self.program.close()
            self.program = self._start()
        else:
            pid = self._pid(part)
            os.kill(pid, signal.SIGKILL)
            while part_pids(self.program.process.pid).get(part) in (None, pid):
                assert time.monotonic() < start + 120, f"{part} does not run again"
                time.sleep(0.01)
        self.kills[part] += 1
        self.longest = max(self.longest, time.monotonic() - start)

    def _pid(self, part: str) -> int:
        until = time.monotonic() + 120
        while (pid := part_pids(self.program.process.pid).get(part)) is None:
            assert time.monotonic() < until, f"{part} does not run"
            time.sleep(0.01)
        return pid

    def look(self, *, quiet: bool = False) -> Sight:
        """Let the oracle judge, as soon as the log can be reached."""
        until = time.monotonic() + 120
        while True:
            try:
                url = self._url or running_url(self.data)
                if url is not None:
                    return self.oracle.look(url, self.told, quiet=quiet)
            except (LogUnavailable, RedisError):
                pass
            assert time.monotonic() < until, "the log can't be reached"
            time.sleep(0.05)

    def finish(self) -> Sight:
        """Let the meetings that run end, and judge everything."""
        self._over = True
        for table in self.tables:
            table.join(300)
            assert table.failure is None, repr(table.failure)
            assert not table.is_alive(), f"the meeting of table {table.number} does not end"
            table.ask_again()
        return self.look(quiet=True)

    def figures(self, sight: Sight) -> str:
        """What was done and seen, in a line."""
        kills = ", ".join(f"{part} {self.kills[part]}" for part in self.parts)
        return (
            f"{sum(self.kills.values())} kills ({kills}); {sight.meetings} meetings, "
            f"{sight.lines} events, {sight.commands} acknowledged commands: 0 lost, 0 doubled; "
            f"longest owed {sight.longest_owed:.1f} s, longest until a part ran again "
            f"{self.longest:.1f} s; the log read again {self.oracle.looks} times"
        )
