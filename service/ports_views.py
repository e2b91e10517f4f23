"""What the service asks of a store of views: documents, indexes over them, and how far they are.

A view has generations, each built by one version of its projection; readers use the live one, and
another may be built beside it. Documents, indexes and checkpoints of a generation change in one
atomic step, so a document holds exactly what its generation's checkpoints say.
"""

from collections.abc import Sequence
from enum import StrEnum
from typing import Protocol

from msgspec import Struct

from projections.projection import Change, Fetch, Since

SEEDS = -1
"""The place of a generation's first documents among its checkpoints: no partition has it."""


class Applied(StrEnum):
    """What became of a batch; only APPLIED changed anything.

    SKIP: it was applied before. GAP: one before it is missing. STALE: what it rests on was changed
    meanwhile. GONE: the generation is given up.
    """

    APPLIED = "APPLIED"
    SKIP = "SKIP"
    GAP = "GAP"
    STALE = "STALE"
    GONE = "GONE"


class Batch(Struct, frozen=True, kw_only=True):
    """What entries first…last of a partition's feed do to a view.

    Args:
        partition: of the feed; SEEDS for a generation's first documents, as entry 1.
        first, last: positions in that feed.
        changes: of documents, at most one each.
        revision: the progress' revision before the documents were read, where the batch rests on
            documents that other partitions change too; None where it does not.
        mark: hash of the last line that entry `last` tells of; "" is not compared with the log.
    """

    partition: int
    first: int
    last: int
    changes: tuple[Change, ...] = ()
    revision: int | None = None
    mark: str = ""


class Stall(Struct, frozen=True, kw_only=True):
    """Where and why a partition of a view stands still; the reason holds nothing of the event."""

    position: int
    meeting: str
    reason: str


class Progress(Struct, frozen=True, kw_only=True):
    """How far a generation is.

    Args:
        positions: of the last entry applied, by partition.
        stalled: the partitions that stand still.
        marks: of the last batch applied, by partition, where it had one.
    """

    positions: tuple[int, ...]
    stalled: dict[int, Stall]
    marks: dict[int, str] = {}

    @property
    def revision(self) -> int:
        """How many entries are in it: whatever is applied, this changes."""
        return sum(self.positions)


class ViewState(Struct, frozen=True, kw_only=True):
    """The generations of a view.

    Args:
        live: the one that readers use; None until the first is built.
        versions: of the live one and of those being built, by generation.
        invalid: whether the live one knows of more than the log does.
        left: generations that were given up and still take space.
    """

    live: int | None
    versions: dict[int, str]
    invalid: bool
    left: tuple[int, ...]


class Found(Struct, frozen=True, kw_only=True):
    """What a fold asked for, and how far the generation was in that moment.

    Args:
        documents: bodies by id, None where there is none.
        position: of the partition that is folded.
        revision: the progress' revision.
    """

    documents: dict[str, bytes | None]
    position: int
    revision: int


class Moved(Exception):
    """The generation changed while it was read: what was read is of no use."""


class Slice(Struct, frozen=True, kw_only=True):
    """A part of an index with its documents, all as of one moment.

    Args:
        items: members with the bodies of their documents.
        before: how many members are smaller than the first of these.
        lower: how many have a smaller sort key than it.
    """

    items: list[tuple[str, bytes]] = []
    before: int = 0
    lower: int = 0


class Contents(Struct, frozen=True, kw_only=True):
    """All that a generation holds: bodies by id, members in order by index."""

    documents: dict[str, bytes]
    indexes: dict[str, list[str]]


class Views(Protocol):
    """A store of views by name. Every method raises LogUnavailable when it can't be reached."""

    partitions: int

    async def state(self, view: str) -> ViewState:
        """The generations there are."""
        ...

    async def live(self, view: str) -> int | None:
        """The generation that readers use."""
        ...

    async def begin(self, view: str, version: str, live: int | None) -> int | None:
        """Begin a generation; the number of it, or of one that is being built in this version.

        None if another than `live` is live meanwhile.
        """
        ...

    async def switch(self, view: str, generation: int) -> bool:
        """Make a generation the live one, unless it is behind that which is.

        An invalid one may be left whatever its checkpoints say. That which was live is given up,
        and so is every older one that is still being built. False where nothing was changed.
        """
        ...

    async def invalidate(self, view: str, generation: int) -> None:
        """Mark the live generation as invalid; give one that is being built up at once."""
        ...

    async def retire(self, view: str, generation: int) -> None:
        """Let a generation that was given up vanish, once those who still read it are done."""
        ...

    async def progress(self, view: str, generation: int) -> Progress:
        """How far a generation is."""
        ...

    async def apply(self, view: str, generation: int, batch: Batch) -> Applied:
        """Apply a batch and move the checkpoint of its partition, both or neither.

        It also ends a stall of that partition.
        """
        ...

    async def stall(self, view: str, generation: int, partition: int, stall: Stall) -> None:
        """Note that a partition stands still, unless it has passed that position."""
        ...

    async def retry(self, view: str) -> None:
        """Forget the stalls of all generations, so that they are tried again."""
        ...

    async def documents(
        self, view: str, generation: int, ids: Sequence[str]
    ) -> dict[str, bytes | None]:
        """The bodies of these documents, None where there is none."""
        ...

    async def page(
        self,
        view: str,
        generation: int,
        index: str,
        *,
        after: str | None = None,
        count: int,
        backwards: bool = False,
    ) -> Slice:
        """At most `count` members of an index behind a member (which need not be there)."""
        ...

    async def answer(
        self, view: str, generation: int, partition: int, question: Fetch | Since
    ) -> Found:
        """What a fold of this partition asks for, all as of one moment.

        Raises:
            Moved: the generation changed between two pages of a long answer.
        """
        ...

    async def contents(self, view: str, generation: int) -> Contents:
        """Everything, to compare two generations; not for serving."""
        ...
