"""What the HTTP face is given: the core, the stores behind it, and what it reports on."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any, Protocol

from msgspec import Struct

from service.handling import Meetings
from service.http.metrics import Metrics
from service.limits import Limits
from service.lists import Leaderboards, Lobby, Results
from service.players import Players
from service.ports import LogError
from service.ports_health import JobsHealth, LogHealth
from service.reading import ViewReader
from service.settings import Settings

Probe = Callable[[], Awaitable[dict[str, Any]]]
"""Looks at one part: {"ok": bool, ...what else is told}; it may raise where the part is away."""

LogLook = Callable[[], Awaitable[LogHealth]]
JobsLook = Callable[[], Awaitable[JobsHealth | None]]
"""Looks at the queues; None where their Redis is away."""


ArchiveLook = Callable[[], Awaitable[tuple[str, int]]]
"""How the archive stands, in a word of service.archive, and how much of it was not believed."""


class Audit(Protocol):
    """The server's audit log."""

    def note(self, what: str, **about: str) -> None:
        """Write one line and see it to disk.

        Raises:
            OSError: it can't be written; what was to be noted must not happen.
        """
        ...


class Deps(Struct, frozen=True, kw_only=True):
    """All of it; `service.parts` builds one, tests may."""

    meetings: Meetings
    players: Players
    lobby: Lobby
    leaderboards: Leaderboards
    results: Results
    limits: Limits
    settings: Settings
    probes: Mapping[str, Probe]
    audit: Audit
    metrics: Metrics
    readers: Sequence[ViewReader] = ()
    look_at_log: LogLook | None = None
    look_at_jobs: JobsLook | None = None
    look_at_archive: ArchiveLook | None = None

    async def look(self) -> None:
        """Have the metrics tell how views, log, queues and archive stand now."""
        await self.metrics.look(self.readers)
        if self.look_at_log is not None and self.look_at_jobs is not None:
            log, jobs = await asyncio.gather(self.look_at_log(), self.look_at_jobs())
            self.metrics.standing.note(log, jobs, self.meetings.shelf.lost)
        if self.look_at_archive is not None:
            with suppress(LogError):
                self.metrics.note_archive(*await self.look_at_archive())
