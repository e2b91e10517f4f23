"""What the reactor and the workers are started with."""

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager

from msgspec import Struct

from service.archiving import Mover
from service.handling import Meetings

DAY_SECONDS = 24 * 3600


class Site(Struct, frozen=True, kw_only=True):
    """One server, as its jobs see it.

    Args:
        meetings: opens the meetings of the log for one event loop, and closes them.
        store: the id of the log's store: what was noted of another log is not believed.
        queue_url: the Redis of wakes and of RQ.
        drain_seconds: longest time of one draining job.
        reconcile_seconds: time between two looks at what the log is owed.
        unstarted_seconds: age at which a meeting that has not begun is abandoned.
        idle_seconds: age of a person's owed decision at which a meeting is abandoned.
        mover: opens what moves old logs to the archive; None where they stay.
        archive_seconds: time between two looks for such.
    """

    meetings: Callable[[], AbstractAsyncContextManager[Meetings]]
    store: str
    queue_url: str
    drain_seconds: float = 50
    reconcile_seconds: float = 30
    unstarted_seconds: float = DAY_SECONDS
    idle_seconds: float = 30 * DAY_SECONDS
    mover: Callable[[], AbstractAsyncContextManager[Mover]] | None = None
    archive_seconds: float = 60
