"""Row 3: what a command takes at version 10,000 and 100,000 beside version 10.

The same commands of the same script at each table, one after the other on one connection.
"""

from statistics import median

from tests.bench.long_logs import with_log, write_long
from tests.bench.measuring import Case, Goal, Prepared, figure
from tests.bench.scripts import SEATS, Table, people, script
from tests.bench.site import Site, checked

VERSIONS = (10, 10_000, 100_000)
RATE = 80
CASE = "command by version"


class Growth:
    """A table for each version; new ones where a script is played out."""

    def __init__(self) -> None:
        self.site = Site()
        self.api = self.site.api()
        self.script = script("tuyaux", 0)
        self.seated = people(self.api, SEATS)
        self._left: list[list[bytes]] = [[] for _ in VERSIONS]

    def times(self, seconds: float) -> dict[str, float]:
        """p50 of a command at each version, in µs."""
        number = max(8, min(80, int(RATE * seconds)))
        if len(self._left[0]) < number:
            self._left = [self._table(version) for version in VERSIONS]
        plan: list[bytes] = []
        owners: list[int] = []
        for step in range(number):
            for turn in range(len(VERSIONS)):
                owner = (step + turn) % len(VERSIONS)
                plan.append(self._left[owner].pop(0))
                owners.append(owner)
        driven = self.api.drive([plan])
        checked(driven.replies[0], 200)
        waits: list[list[float]] = [[] for _ in VERSIONS]
        for owner, wait in zip(owners, driven.waits, strict=True):
            waits[owner].append(wait)
        return {str(v): median(each) * 1e6 for v, each in zip(VERSIONS, waits, strict=True)}

    def _table(self, version: int) -> list[bytes]:
        players = [person.id for person in self.seated]
        meeting = with_log(
            self.site.url, lambda log: write_long(log, self.script, version, players)
        )
        path = f"/v1/meetings/{meeting}"
        requests = Table(path, self.script, self.seated).requests()
        checked(self.api.drive([requests[:1]]).replies[0], 200)  # now it is kept
        return requests[1:]

    def close(self) -> None:
        """End all of it."""
        self.site.close()


def prepare() -> Prepared:
    """Cases, goals, and what must be closed."""
    growth = Growth()
    cases: dict[str, Case] = {CASE: growth.times}
    first, second, third = map(str, VERSIONS)
    goals = [
        Goal(
            row=f"3 command p50 µs at version {version} against {first}",
            ours=figure(CASE, version),
            floor=figure(CASE, first),
            line=line,
            stretch=stretch,
            most=True,
        )
        for version, line, stretch in ((second, 1.1, 1.03), (third, 1.15, 1.15))
    ]
    return cases, goals, [growth]
