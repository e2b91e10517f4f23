"""What the HTTP face counts, and how log, queues and views stand, in the form of Prometheus.

Nothing here counts by event type, meeting or partition: that would tell what nobody may know. How
many commands a view is behind is for the operator, and in no answer to anybody else. What each
means for an operator, and when it alarms, stands in deploy/runbook.md.
"""

import asyncio
from collections.abc import Sequence

from prometheus_client import CollectorRegistry, Gauge, generate_latest

from service.archive import AWAY
from service.http.counting import Requests
from service.http.standing import Standing
from service.ports import LogError
from service.reading import Lag, ViewReader

MEDIA = "text/plain; version=1.0.0; charset=utf-8"
UNKNOWN = "none"
"""The operation of a request that no route takes."""

_VIEWS = {
    "lag_entries": "Commands in the log that are not in the view yet.",
    "lag_seconds": "Age of the oldest of these, in whole seconds.",
    "stalled_partitions": "Partitions that stand still at an event that can't be folded.",
    "rebuilding": "1 while the view is being built anew beside the one in use.",
    "invalid": "1 where the view was made from a log that is lost.",
    "missing": "1 until there is something to read.",
}


_ARCHIVE = {
    "away": "1 where this process can't read the archive of old logs.",
    "damaged": "What was asked for in the archive and not believed, by any process.",
}


class Metrics:
    """The counters of one process, in a registry of their own."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self._requests = Requests()
        self.registry.register(self._requests)
        self._views = {
            name: Gauge(f"homestretch_view_{name}", told, ("view",), registry=self.registry)
            for name, told in _VIEWS.items()
        }
        self._archive = {
            name: Gauge(f"homestretch_archive_{name}", told, registry=self.registry)
            for name, told in _ARCHIVE.items()
        }
        self.standing = Standing()
        self.registry.register(self.standing)

    def began(self) -> None:
        """A request came."""
        self._requests.in_flight += 1

    def ended(self, operation: str, status: int, seconds: float) -> None:
        """It was answered, or its caller went away (status 499)."""
        self._requests.in_flight -= 1
        self._requests.count(operation, status)
        self._requests.time(operation, seconds)

    def unmatched(self, status: int) -> None:
        """No route took a request."""
        self._requests.count(UNKNOWN, status)

    async def look(self, readers: Sequence[ViewReader]) -> None:
        """Take up how the views stand; of one that can't be asked nothing is told."""
        lags = await asyncio.gather(*(_lag(reader) for reader in readers))
        for gauge in self._views.values():
            gauge.clear()
        for lag in lags:
            if lag is not None:
                for name, value in _values(lag).items():
                    self._views[name].labels(lag.view).set(value)

    def note_archive(self, state: str, damaged: int) -> None:
        """Take up how the archive stands."""
        self._archive["away"].set(state == AWAY)
        self._archive["damaged"].set(damaged)

    def text(self) -> bytes:
        """All of it as Prometheus reads it."""
        return generate_latest(self.registry)


async def _lag(reader: ViewReader) -> Lag | None:
    try:
        return await reader.lag()
    except LogError:
        return None


def _values(lag: Lag) -> dict[str, int]:
    """By gauge."""
    return {
        "lag_entries": lag.entries,
        "lag_seconds": lag.seconds,
        "stalled_partitions": lag.stalled,
        "rebuilding": int(lag.building and not lag.missing),
        "invalid": int(lag.invalid),
        "missing": int(lag.missing),
    }
