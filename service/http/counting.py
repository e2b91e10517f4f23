"""Requests counted and timed, told in the form of Prometheus when somebody asks.

The library's own counters take a lock for each number; a request touches fifteen of them. Here a
request is two sums in the event loop's thread, and the rest is worked out for who reads it.
"""

from bisect import bisect_left
from collections.abc import Iterator

from prometheus_client import Metric
from prometheus_client.core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    HistogramMetricFamily,
)
from prometheus_client.registry import Collector
from prometheus_client.utils import floatToGoString

BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
_BOUNDS = (*map(floatToGoString, BUCKETS), "+Inf")


class _Times:
    """How long the requests of an operation took: their sum, and how many by bucket."""

    __slots__ = ("buckets", "seconds")

    def __init__(self) -> None:
        self.seconds = 0.0
        self.buckets = [0] * len(_BOUNDS)

    def cumulated(self) -> list[tuple[str, float]]:
        """As Prometheus has them: each bucket holds those before it."""
        total, told = 0, list[tuple[str, float]]()
        for bound, count in zip(_BOUNDS, self.buckets, strict=True):
            total += count
            told.append((bound, total))
        return told


class Requests(Collector):
    """The requests of one process."""

    def __init__(self) -> None:
        self.in_flight = 0
        self._counts: dict[tuple[str, int], int] = {}
        self._times: dict[str, _Times] = {}

    def count(self, operation: str, status: int) -> None:
        """One more."""
        key = (operation, status)
        self._counts[key] = self._counts.get(key, 0) + 1

    def time(self, operation: str, seconds: float) -> None:
        """One took so long."""
        times = self._times.get(operation)
        if times is None:
            times = self._times[operation] = _Times()
        times.seconds += seconds
        times.buckets[bisect_left(BUCKETS, seconds)] += 1

    def collect(self) -> Iterator[Metric]:
        """All of it."""
        counts = CounterMetricFamily(
            "homestretch_http_requests",
            "Requests answered, by operation and status.",
            labels=("operation", "status"),
        )
        for (operation, status), count in list(self._counts.items()):
            counts.add_metric((operation, str(status)), count)
        times = HistogramMetricFamily(
            "homestretch_http_request_seconds",
            "Time until the answer began.",
            labels=("operation",),
        )
        for operation, each in list(self._times.items()):
            times.add_metric((operation,), buckets=each.cumulated(), sum_value=each.seconds)
        in_flight = GaugeMetricFamily(
            "homestretch_http_requests_in_flight",
            "Requests that are being answered.",
            value=self.in_flight,
        )
        yield from (counts, times, in_flight)
