"""Row 9: a seat's board of about 4 KB, built for each call, beside bytes that lie ready.

Token, right to the seat, the head of the log and redaction are in ours. With a matching ETag
nothing is built; beside it stands a GET of the floor that answers 4 KB from its own memory.
"""

import re
from collections.abc import Callable, Sequence

from redis import Redis

from tests.bench.driving import Driven, request
from tests.bench.floors.http_app import STORED, VIEW_BYTES
from tests.bench.measuring import Case, Goal, Prepared, figure
from tests.bench.scripts import SEATS, Script, people, script, set_tables
from tests.bench.site import Site, checked

CALLERS = 16
RATE = 4_000
GAME = "tuyaux"
BOARD_BYTES = 4_096
BOARD, CACHED = "board of a seat", "board, matching ETag"
FROM_REDIS, READY = "floor GET stored in Redis", "floor GET ready bytes"
Drive = Callable[[Sequence[Sequence[bytes]]], Driven]
_ETAG = re.compile(rb"etag: (\S+)")


class Boards:
    """Tables in mid-play, one for each caller."""

    def __init__(self) -> None:
        self.site = Site()
        self.api = self.site.api()
        self.bare = self.site.floor()
        with Redis.from_url(self.site.url) as redis:
            redis.set(STORED, VIEW_BYTES)
        self.views: list[bytes] = []
        self.cached: list[bytes] = []
        one = script(GAME, 0)
        seated = people(self.api, SEATS)
        for table in set_tables(self.api, [one] * CALLERS, seated):
            checked(self.api.drive([table.requests()[: _far(one)]]).replies[0], 200)
            path = f"{table.path}/board"
            self.views.append(seated[0].get(path))
            found = _ETAG.search(self.api.drive([self.views[-1:]]).answers[0][0])
            assert found, "a board without ETag"
            self.cached.append(seated[0].get(path, **{"If-None-Match": found[1].decode()}))

    def boards(self, seconds: float) -> dict[str, float]:
        """Boards, each of its own seat."""
        driven = self._all(self.api.drive, self.views, seconds)
        for replies in driven.replies:
            sizes = {len(body) for body in checked(replies, 200)}
            assert all(BOARD_BYTES * 0.8 < size < BOARD_BYTES * 1.5 for size in sizes), sizes
        return driven.figures

    def unchanged(self, seconds: float) -> dict[str, float]:
        """Boards that the caller has."""
        driven = self._all(self.api.drive, self.cached, seconds)
        for replies in driven.replies:
            assert not any(checked(replies, 304))
        return driven.figures

    def stored(self, seconds: float) -> dict[str, float]:
        """The floor's bytes out of Redis."""
        return self._bare("/stored", seconds)

    def ready(self, seconds: float) -> dict[str, float]:
        """The floor's bytes out of its memory."""
        return self._bare("/bytes", seconds)

    def _bare(self, path: str, seconds: float) -> dict[str, float]:
        driven = self._all(self.bare.drive, [request("GET", path)] * CALLERS, seconds)
        for replies in driven.replies:
            assert all(body == VIEW_BYTES for body in checked(replies, 200))
        return driven.figures

    @staticmethod
    def _all(drive: Drive, requests: Sequence[bytes], seconds: float) -> Driven:
        each = max(8, int(RATE * seconds) // CALLERS)
        return drive([[one] * each for one in requests])

    def close(self) -> None:
        """End all of it."""
        self.site.close()


def _far(one: Script) -> int:
    """How many commands make a board of about the size wanted."""
    return len(one.steps) // 2


def prepare() -> Prepared:
    """Cases, goals, and what must be closed."""
    boards = Boards()
    cases: dict[str, Case] = {
        BOARD: boards.boards,
        FROM_REDIS: boards.stored,
        CACHED: boards.unchanged,
        READY: boards.ready,
    }
    goals = [
        Goal(
            row="9 board of a seat, CPU µs, against 4 KB out of Redis",
            ours=figure(BOARD, "CPU µs"),
            floor=figure(FROM_REDIS, "CPU µs"),
            line=0.7,
            stretch=0.5,
            most=True,
        ),
        Goal(
            row="9 board that the caller has (304), CPU µs, against 4 KB ready",
            ours=figure(CACHED, "CPU µs"),
            floor=figure(READY, "CPU µs"),
            line=1.2,
            stretch=1.0,
            most=True,
        ),
    ]
    return cases, goals, [boards]
