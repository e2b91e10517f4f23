"""How log, job queues and reactor stand, as metrics: gauges of what was looked at last."""

import math
from collections.abc import Iterator

from prometheus_client import Metric
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector

from service.ports_health import JobsHealth, LogHealth


class Standing(Collector):
    """What is told is of the last look; what that found nothing of is absent, never a zero."""

    def __init__(self) -> None:
        self._log: LogHealth | None = None
        self._jobs: JobsHealth | None = None
        self._lost = 0

    def note(self, log: LogHealth, jobs: JobsHealth | None, lost: int) -> None:
        """Take up what was found.

        Args:
            log: how the log is.
            jobs: how the queues are; None where their Redis is away.
            lost: meetings that are refused, since their log lost or changed its history.
        """
        self._log, self._jobs, self._lost = log, jobs, lost

    def collect(self) -> Iterator[Metric]:
        """Nothing before the first look."""
        if self._log is None:
            return
        yield from _of_log(self._log, self._lost)
        yield _gauge(
            "queue_ok",
            "1 while the Redis of the job queues answers.",
            int(self._jobs is not None),
        )
        if self._jobs is not None:
            yield from _of_jobs(self._jobs)


def _of_log(log: LogHealth, lost: int) -> Iterator[Metric]:
    yield _gauge(
        "log_ok",
        "1 while the log answers and its Redis is fit to hold it.",
        int(log.state == "ok"),
    )
    yield _gauge(
        "log_lost_meetings",
        "Meetings refused since their log lost or changed what this process had seen.",
        lost,
    )
    if log.memory_bytes is not None:
        yield _gauge("log_memory_bytes", "Memory that the Redis of the log uses.", log.memory_bytes)
    if log.memory_bytes_max is not None:
        yield _gauge(
            "log_memory_max_bytes",
            "Memory that it may use; absent where it has no limit.",
            log.memory_bytes_max,
        )


def _of_jobs(jobs: JobsHealth) -> Iterator[Metric]:
    yield _gauge(
        "reactor_silent_seconds",
        "Seconds since a reactor looked at what is owed; +Inf: none ever did.",
        math.inf if jobs.looked_seconds is None else jobs.looked_seconds,
    )
    told = {
        "oldest_seconds": "For how long the oldest meeting that is owed a job has stood still.",
        "waiting": "Meetings on the wake list.",
        "drains": "Draining jobs that live.",
    }
    for name, meaning in told.items():
        family = GaugeMetricFamily(f"homestretch_jobs_{name}", meaning, labels=("queue",))
        for queue, health in jobs.queues.items():
            family.add_metric((queue,), getattr(health, name))
        yield family


def _gauge(name: str, meaning: str, value: float) -> GaugeMetricFamily:
    return GaugeMetricFamily(f"homestretch_{name}", meaning, value=value)
