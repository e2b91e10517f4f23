"""What the HTTP face counts, in the form of Prometheus.

Nothing here counts by event type, meeting or feed position: that would tell what nobody may know.
"""

from functools import cache

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

MEDIA = "text/plain; version=1.0.0; charset=utf-8"
UNKNOWN = "none"
"""The operation of a request that no route takes."""

_BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)


class Metrics:
    """The counters of one process, in a registry of their own."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self._requests = Counter(
            "homestretch_http_requests",
            "Requests answered, by operation and status.",
            ("operation", "status"),
            registry=self.registry,
        )
        self._seconds = Histogram(
            "homestretch_http_request_seconds",
            "Time until the answer began.",
            ("operation",),
            buckets=_BUCKETS,
            registry=self.registry,
        )
        self._in_flight = Gauge(
            "homestretch_http_requests_in_flight",
            "Requests that are being answered.",
            registry=self.registry,
        )
        # Looking a child up by its labels takes longer than counting.
        self._count = cache(self._requests.labels)
        self._time = cache(self._seconds.labels)

    def began(self) -> None:
        """A request came."""
        self._in_flight.inc()

    def ended(self, operation: str, status: int, seconds: float) -> None:
        """It was answered, or its caller went away (status 499)."""
        self._in_flight.dec()
        self._count(operation, str(status)).inc()
        self._time(operation).observe(seconds)

    def unmatched(self, status: int) -> None:
        """No route took a request."""
        self._count(UNKNOWN, str(status)).inc()

    def text(self) -> bytes:
        """All of it as Prometheus reads it."""
        return generate_latest(self.registry)
