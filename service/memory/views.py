"""Views in memory: what tests and simulations use; they promise what those in Redis do.

They serve one event loop and end with the process.
"""

from bisect import bisect_left, bisect_right, insort
from collections import defaultdict
from collections.abc import Sequence

from msgspec import Struct, field

from projections.projection import Fetch, Since, document_of, first_of_key
from service.ports_views import (
    SEEDS,
    Applied,
    Batch,
    Contents,
    Found,
    Progress,
    Slice,
    Stall,
    ViewState,
)


class _Generation(Struct, kw_only=True):
    version: str
    positions: dict[int, int] = field(default_factory=dict)
    marks: dict[int, str] = field(default_factory=dict)
    stalled: dict[int, Stall] = field(default_factory=dict)
    documents: dict[str, bytes] = field(default_factory=dict)
    indexes: dict[str, list[str]] = field(default_factory=dict)

    def applied(self) -> int:
        """How many entries are in it."""
        return sum(position for p, position in self.positions.items() if p != SEEDS)


class _View(Struct, kw_only=True):
    live: int | None = None
    last: int = 0
    invalid: int | None = None
    generations: dict[int, _Generation] = field(default_factory=dict)
    left: dict[int, _Generation] = field(default_factory=dict)

    def find(self, generation: int) -> _Generation:
        """A generation, also one given up; an empty one where it has vanished."""
        known = self.generations.get(generation) or self.left.get(generation)
        return known or _Generation(version="")


class MemoryViews:
    """`service.ports_views.Views` in memory."""

    def __init__(self, partitions: int = 16) -> None:
        self.partitions = partitions
        self._views: defaultdict[str, _View] = defaultdict(_View)

    async def state(self, view: str) -> ViewState:
        """The generations there are."""
        kept = self._views[view]
        return ViewState(
            live=kept.live,
            versions={number: g.version for number, g in kept.generations.items()},
            invalid=kept.live is not None and kept.invalid == kept.live,
            left=tuple(kept.left),
        )

    async def live(self, view: str) -> int | None:
        """The generation that readers use."""
        return self._views[view].live

    async def begin(self, view: str, version: str, live: int | None) -> int | None:
        """Begin a generation, unless one is being built in this version."""
        kept = self._views[view]
        if kept.live != live:
            return None
        for number, known in kept.generations.items():
            if number != live and known.version == version:
                return number
        kept.last += 1
        kept.generations[kept.last] = _Generation(version=version)
        return kept.last

    async def switch(self, view: str, generation: int) -> bool:
        """Make a generation the live one, unless it is behind that which is."""
        kept = self._views[view]
        new = kept.generations.get(generation)
        if new is None or generation == kept.live:
            return False
        if kept.live is not None and kept.invalid != kept.live:
            old = kept.generations[kept.live]
            if any(new.positions.get(p, 0) < at for p, at in old.positions.items()):
                return False
        for number in [n for n in kept.generations if n == kept.live or n < generation]:
            kept.left[number] = kept.generations.pop(number)
        kept.live = generation
        return True

    async def invalidate(self, view: str, generation: int) -> None:
        """Mark the live generation as invalid; give one that is being built up at once."""
        kept = self._views[view]
        if generation == kept.live:
            kept.invalid = generation
        elif generation in kept.generations:
            kept.left[generation] = kept.generations.pop(generation)

    async def retire(self, view: str, generation: int) -> None:
        """Let a generation that was given up vanish."""
        self._views[view].left.pop(generation, None)

    async def progress(self, view: str, generation: int) -> Progress:
        """How far a generation is."""
        known = self._views[view].find(generation)
        return Progress(
            positions=tuple(known.positions.get(p, 0) for p in range(self.partitions)),
            stalled=dict(known.stalled),
            marks=dict(known.marks),
        )

    async def apply(self, view: str, generation: int, batch: Batch) -> Applied:
        """Apply a batch and move the checkpoint of its partition, both or neither."""
        known = self._views[view].generations.get(generation)
        if known is None:
            return Applied.GONE
        at = known.positions.get(batch.partition, 0)
        if batch.first <= at:
            return Applied.SKIP
        if batch.first != at + 1:
            return Applied.GAP
        if batch.revision not in (None, known.applied()):
            return Applied.STALE
        for change in batch.changes:
            if change.body is None:
                known.documents.pop(change.id, None)
            else:
                known.documents[change.id] = change.body
            for index, member in change.drop:
                _drop(known.indexes, index, member)
            for index, member in change.add:
                _add(known.indexes, index, member)
        known.positions[batch.partition] = batch.last
        if batch.mark:
            known.marks[batch.partition] = batch.mark
        else:
            known.marks.pop(batch.partition, None)
        known.stalled.pop(batch.partition, None)
        return Applied.APPLIED

    async def stall(self, view: str, generation: int, partition: int, stall: Stall) -> None:
        """Note that a partition stands still."""
        known = self._views[view].generations.get(generation)
        if known is not None and known.positions.get(partition, 0) < stall.position:
            known.stalled[partition] = stall

    async def retry(self, view: str) -> None:
        """Forget the stalls of all generations."""
        for known in self._views[view].generations.values():
            known.stalled.clear()

    async def documents(
        self, view: str, generation: int, ids: Sequence[str]
    ) -> dict[str, bytes | None]:
        """The bodies of these documents, None where there is none."""
        known = self._views[view].find(generation)
        return {id_: known.documents.get(id_) for id_ in ids}

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
        known = self._views[view].find(generation)
        members = known.indexes.get(index, [])
        if backwards:
            end = len(members) if after is None else bisect_left(members, after)
            found = members[max(0, end - count) : end][::-1]
        else:
            start = 0 if after is None else bisect_right(members, after)
            found = members[start : start + count]
        if not found:
            return Slice()
        return Slice(
            items=[
                (member, known.documents[id_])
                for member in found
                if (id_ := document_of(member)) in known.documents
            ],
            before=bisect_left(members, found[0]),
            lower=bisect_left(members, first_of_key(found[0])),
        )

    async def answer(
        self, view: str, generation: int, partition: int, question: Fetch | Since
    ) -> Found:
        """What a fold of this partition asks for, all as of one moment."""
        known = self._views[view].find(generation)
        if isinstance(question, Since):
            members = known.indexes.get(question.index, [])
            behind = members[bisect_left(members, question.start) :]
            ids = tuple(document_of(member) for member in behind)
        else:
            ids = question.ids
        return Found(
            documents={id_: known.documents.get(id_) for id_ in ids},
            position=known.positions.get(partition, 0),
            revision=known.applied(),
        )

    async def contents(self, view: str, generation: int) -> Contents:
        """Everything, to compare two generations."""
        known = self._views[view].find(generation)
        return Contents(
            documents=dict(known.documents),
            indexes={index: list(members) for index, members in known.indexes.items()},
        )


def _add(indexes: dict[str, list[str]], index: str, member: str) -> None:
    """Put a member in its place; an index is there while it has members."""
    members = indexes.setdefault(index, [])
    at = bisect_left(members, member)
    if members[at : at + 1] != [member]:
        insort(members, member)


def _drop(indexes: dict[str, list[str]], index: str, member: str) -> None:
    members = indexes.get(index, [])
    at = bisect_left(members, member)
    if members[at : at + 1] == [member]:
        del members[at]
        if not members:
            del indexes[index]
