"""One batch of a view: the facts that feed entries tell of, folded into what the view holds."""

import asyncio
from collections.abc import Sequence

from projections.facts import Fact, read_fact
from projections.projection import Changes, Fetch, Projection, Since
from service.ports import Diverged, FeedEntry, Line, LogReader
from service.ports_views import Batch, Found, Moved, Progress, Views

Spans = dict[str, tuple[int, int]]
"""By meeting, in the order of entries: the line before the first that is read, and the last."""


async def fold_entries(
    log: LogReader,
    views: Views,
    projection: Projection,
    generation: int,
    entries: Sequence[FeedEntry],
) -> Batch:
    """What these entries of one partition, in order, do to a generation of the view.

    What the fold asks for is read from a generation that ends right before the first entry, or not
    at all: a store that came back from an older copy of itself could else be given changes that
    rest on documents from before others brought it up again.

    Raises:
        Moved: the generation is elsewhere by now.
        LogUnavailable: the store is away.
        Exception: whatever is wrong with an event, among others UnknownFact, msgspec.DecodeError
            and Diverged where the log lacks a line that its feed tells of.
    """
    first, last = entries[0], entries[-1]
    spans = _spans(entries)

    async def ask(question: Fetch | Since) -> Found:
        return await views.answer(projection.name, generation, first.partition, question)

    foreseen = projection.foresee and projection.foresee(tuple(spans))
    asked = None if foreseen is None else asyncio.create_task(ask(foreseen))
    try:
        facts, mark = await _facts(log, projection, entries, spans)
        found = None if asked is None else await asked
    finally:
        if asked is not None:
            asked.cancel()
            asked.add_done_callback(_heard)
    steps = projection.fold(facts)
    revisions = set()
    try:
        question = next(steps)
        while True:
            if found is None or question != foreseen:
                found = await ask(question)
            if found.position != first.position - 1:
                raise Moved
            revisions.add(found.revision)
            documents, found = found.documents, None
            question = steps.send(documents)
    except StopIteration as done:
        changes: Changes = done.value
    if changes.shared and len(revisions) > 1:
        raise Moved
    return Batch(
        partition=first.partition,
        first=first.position,
        last=last.position,
        changes=changes.changes,
        revision=revisions.pop() if changes.shared else None,
        mark=mark,
    )


async def follows(log: LogReader, progress: Progress) -> bool:
    """Whether the log holds what a generation was made of, up to its checkpoints.

    A log that lost its end may have been written on since: then its feeds are long enough, but hold
    another history, which the hash of the last line tells.
    """
    checked = (
        _ends_at(log, partition, position, progress.marks.get(partition, ""))
        for partition, position in enumerate(progress.positions)
        if position
    )
    return all(await asyncio.gather(*checked))


async def _ends_at(log: LogReader, partition: int, position: int, mark: str) -> bool:
    for entry in await log.feed(partition, position - 1, 1):
        version = entry.first + entry.count - 1
        head = await log.head(entry.meeting)
        if not mark or head is None or head.version < version:
            return not mark
        if head.version == version:  # no need of the line, which may stand in the archive
            return head.digest == mark
        return [line.digest for line in await log.read(entry.meeting, version - 1, version)] == [
            mark
        ]
    return False


def _heard(task: asyncio.Task[Found]) -> None:
    """Take note of how it ended, which nobody may want to know any more."""
    if not task.cancelled():
        task.exception()


def _spans(entries: Sequence[FeedEntry]) -> Spans:
    """What to read of each meeting for these entries: after which line, and up to which."""
    spans: Spans = {}
    for entry in entries:
        after, _ = spans.get(entry.meeting, (entry.first - 1, 0))
        spans[entry.meeting] = after, entry.first + entry.count - 1
    return spans


async def _facts(
    log: LogReader, projection: Projection, entries: Sequence[FeedEntry], spans: Spans
) -> tuple[list[Fact], str]:
    """What the projection sees of these entries' events, in order, and the last line's hash.

    Each meeting is read once.
    """
    read = [_read(log, meeting, *span) for meeting, span in spans.items()]
    found = await asyncio.gather(*read) if len(read) > 1 else [await read[0]]
    lines = dict(zip(spans, found, strict=True))
    facts = []
    mark = ""
    for entry in entries:
        start = entry.first - spans[entry.meeting][0] - 1
        for line in lines[entry.meeting][start : start + entry.count]:
            mark = line.digest
            fact = read_fact(line.body, projection.handles, projection.passing)
            if fact is not None:
                facts.append(fact)
    return facts, mark


async def _read(log: LogReader, meeting: str, after: int, upto: int) -> list[Line]:
    lines = await log.read(meeting, after, upto)
    if len(lines) != upto - after:
        raise Diverged(f"{meeting}: the log is behind its feed")
    return lines
