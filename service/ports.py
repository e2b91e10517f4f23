"""What the service asks of a store: one event log, many adapters (Redis, memory), one contract.

A log is of one meeting; its lines are numbered 1, 2, 3 … (`seq`, here `version`). Meetings are
spread over partitions by their id; each partition has a gapless feed with one entry a command.
"""

from collections.abc import Sequence
from functools import lru_cache
from hashlib import sha256
from typing import Protocol

from msgspec import Struct

KEY_SECONDS = 48 * 3600
"""How long a caller's idempotency key is known."""

RETRY_SECONDS = 120
"""How long the id of a command without such a key is known, for our own retries."""

LINES_MAX = 1000
"""Most events of one command: the store writes them in one step, during which all others wait."""


@lru_cache(maxsize=4096)
def partition_of(meeting: str, partitions: int) -> int:
    """The partition that a meeting has for ever: int(sha256(id)[:4]) mod partitions."""
    return int.from_bytes(sha256(meeting.encode()).digest()[:4], "big") % partitions


class Line(Struct, frozen=True, gc=False):
    """One stored event: its number, canonical form without hash, and hash (lower-case hex)."""

    version: int
    body: bytes
    digest: str


class Head(Struct, frozen=True, gc=False):
    """Where a log ends."""

    version: int
    digest: str


def check_batch(expected: Head, lines: Sequence[Line]) -> None:
    """Refuse a batch that no log may take: a fault of the caller, found before anything is sent.

    Raises:
        ValueError: no line, too many, or their numbers do not go on from the expected head.
    """
    if not 1 <= len(lines) <= LINES_MAX:
        raise ValueError(f"a command has 1 to {LINES_MAX} events, not {len(lines)}")
    for version, line in enumerate(lines, expected.version + 1):
        if line.version != version:
            raise ValueError(f"line {line.version} stands where {version} is next")


class Appended(Struct, frozen=True):
    """Versions first…last are in the log; `duplicate` if an earlier call of this id put them there.

    A remembered answer without events has last = first - 1.
    """

    first: int
    last: int
    duplicate: bool = False


class FeedEntry(Struct, frozen=True):
    """A command in a partition's feed: at `position`, `count` events of `meeting` from `first`."""

    partition: int
    position: int
    meeting: str
    first: int
    count: int


class Snapshot(Struct, frozen=True):
    """A folded state: what `payload` means is its writer's business, `form` says which form."""

    version: int
    digest: str
    form: str
    payload: bytes


class LogError(Exception):
    """Base of what a log can answer other than success."""


class Conflict(LogError):
    """Somebody was faster: the log is ahead of the version expected."""

    def __init__(self, version: int) -> None:
        super().__init__(f"the log is at version {version}")
        self.version = version


class KeyReused(LogError):
    """The command id is known with another fingerprint."""


class Diverged(LogError):
    """The log is behind, or has another history than, what the writer has seen: data was lost.

    The meeting is read-only until a person decides; lost history is never silently continued.
    """


class FellBack(Diverged):
    """The partition holds less than its anchor says: read-only until a person decides."""


class LogUnavailable(LogError):
    """The log can't be reached, is read-only, full or loading; whether a write came through is
    unknown only where `maybe_stored` is true."""

    def __init__(self, detail: str, *, maybe_stored: bool = False) -> None:
        super().__init__(detail)
        self.maybe_stored = maybe_stored


class LogElsewhere(LogUnavailable):
    """This node of a Cluster does not have it, or not all of it."""


class LogReader(Protocol):
    """What readers of the log need of it."""

    partitions: int

    async def head(self, meeting: str) -> Head | None:
        """Where the log ends; None where there is none."""
        ...

    async def read(
        self, meeting: str, after: int = 0, upto: int | None = None, count: int | None = None
    ) -> list[Line]:
        """Lines after…, at most `count`, up to and with `upto`, in order."""
        ...

    async def feed(self, partition: int, after: int, count: int = 500) -> list[FeedEntry]:
        """Entries of one partition's feed behind a position, in order."""
        ...

    async def feed_heads(self) -> list[int]:
        """The last position of every partition's feed, by partition."""
        ...

    async def follow(
        self, after: Sequence[int], seconds: float, count: int = 500
    ) -> list[FeedEntry]:
        """Entries of all partitions behind these positions (by partition); waits for the first."""
        ...


class EventLog(LogReader, Protocol):
    """The append-only log of all meetings."""

    def partition(self, meeting: str) -> int:
        """The partition of a meeting: int(sha256(id)[:4]) mod partitions."""
        ...

    async def append(
        self,
        meeting: str,
        expected: Head,
        command_id: str,
        fingerprint: str,
        lines: Sequence[Line],
        key_seconds: int = RETRY_SECONDS,
    ) -> Appended:
        """Store the events of one command, all or none, in one atomic step.

        The command id is looked up first: known with the same fingerprint it is a success without
        effect. `expected` is the head that the writer decided on (version 0, digest GENESIS for a
        new meeting); `lines` go on from it without a gap.

        Raises:
            KeyReused, Conflict, Diverged, LogUnavailable: nothing was stored (see LogUnavailable).
        """
        ...

    async def remember(
        self, meeting: str, command_id: str, fingerprint: str, version: int
    ) -> Appended:
        """Note that a command was answered at this version without events; the first call wins."""
        ...

    async def seen(self, meeting: str, command_id: str, fingerprint: str) -> Appended | None:
        """What an earlier call of this command id stored; raises KeyReused as `append` does."""
        ...

    async def stored_away(self, meeting: str) -> bool:
        """Whether the log is over and stands in the archive; it can be read all the same."""
        ...

    async def save_snapshot(self, meeting: str, snapshot: Snapshot) -> None:
        """Keep a snapshot unless a later one is kept."""
        ...

    async def load_snapshot(self, meeting: str) -> Snapshot | None:
        """The snapshot kept."""
        ...
