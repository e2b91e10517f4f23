"""The parts of the HTTP face in memory, where a test needs an app and no server."""

import secrets
from typing import Any

from service.bootstrap import now
from service.handling import Meetings
from service.http.deps import Deps
from service.http.metrics import Metrics
from service.limits import Limits
from service.lists import Leaderboards, Lobby, Results
from service.memory.event_log import MemoryEventLog
from service.memory.limits import MemoryBuckets
from service.memory.players import MemoryPlayerStore
from service.memory.views import MemoryViews
from service.players import Players
from service.settings import Settings


class NoAudit:
    """Notes kept in a list."""

    def __init__(self) -> None:
        self.notes: list[dict[str, str]] = []

    def note(self, what: str, **about: str) -> None:
        """See service.http.deps.Audit."""
        self.notes.append({"what": what, **about})


def memory_deps(**settings: Any) -> Deps:
    """All parts, each new."""
    log = MemoryEventLog()
    views = MemoryViews(log.partitions)
    return Deps(
        meetings=Meetings(log, now, secrets.token_bytes),
        players=Players(MemoryPlayerStore()),
        lobby=Lobby(log, views),
        leaderboards=Leaderboards(log, views),
        results=Results(log, views),
        limits=Limits(MemoryBuckets()),
        settings=Settings(**settings),
        probes={},
        audit=NoAudit(),
        metrics=Metrics(),
    )
