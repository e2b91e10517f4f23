"""How the log and the jobs are doing, as metrics and health tell it; whoever looks fills these."""

from typing import Literal

from msgspec import Struct


class LogHealth(Struct, frozen=True, kw_only=True):
    """How the log is now.

    Args:
        fsync: `always` or `everysec`.
        fsync_confirmed: false where Redis forbids CONFIG, so that the policy is only stated.
        detail: what is wrong, "" where nothing is.
        memory_bytes, memory_bytes_max: what Redis uses, and may; None where it gave no answer, and
            for a Redis without a limit.
    """

    state: Literal["ok", "unreachable", "unfit"]
    fsync: str
    fsync_confirmed: bool
    detail: str = ""
    memory_bytes: int | None = None
    memory_bytes_max: int | None = None


class QueueHealth(Struct, frozen=True, kw_only=True):
    """One queue. Counts are for the metrics of the operator, not for what everybody may read.

    Args:
        oldest_seconds: for how long the oldest meeting with work for this queue has stood still, in
            whole seconds; 0 where none does.
        waiting: meetings on its wake list.
        drains: draining jobs that live.
    """

    oldest_seconds: int
    waiting: int
    drains: int


class JobsHealth(Struct, frozen=True, kw_only=True):
    """All queues.

    Args:
        looked_seconds: whole seconds since a reactor looked last; None: none ever did. Past a few
            seconds no reactor runs, and `oldest_seconds` is not to be believed.
        queues: by name.
    """

    looked_seconds: int | None
    queues: dict[str, QueueHealth]
