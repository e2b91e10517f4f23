"""One batch of a view: the facts that feed entries tell of, folded into what the view holds."""

import asyncio
from collections.abc import Sequence

from projections.facts import Fact, read_fact
from projections.projection import Answer, Changes, Fetch, Projection, Since, document_of
from service.ports import Diverged, EventLog, FeedEntry, Line
from service.ports_views import Views


async def fold_entries(
    log: EventLog,
    views: Views,
    projection: Projection,
    generation: int,
    entries: Sequence[FeedEntry],
) -> Changes:
    """What these entries of one partition, in order, change in a generation of the view.

    Raises:
        LogUnavailable: the store is away.
        Exception: whatever is wrong with an event, among others UnknownFact, msgspec.DecodeError
            and Diverged where the log lacks a line that its feed tells of.
    """
    facts = await _facts(log, projection, entries)
    steps = projection.fold(facts)
    try:
        question = next(steps)
        while True:
            answer = await _answer(views, projection.name, generation, question)
            question = steps.send(answer)
    except StopIteration as done:
        changes: Changes = done.value
        return changes


async def _facts(log: EventLog, projection: Projection, entries: Sequence[FeedEntry]) -> list[Fact]:
    """What the projection sees of these entries' events, in order; each meeting is read once."""
    spans: dict[str, tuple[int, int]] = {}
    for entry in entries:
        after, _ = spans.get(entry.meeting, (entry.first - 1, 0))
        spans[entry.meeting] = after, entry.first + entry.count - 1
    read = (_read(log, meeting, *span) for meeting, span in spans.items())
    lines = dict(zip(spans, await asyncio.gather(*read), strict=True))
    facts = []
    for entry in entries:
        start = entry.first - spans[entry.meeting][0] - 1
        for line in lines[entry.meeting][start : start + entry.count]:
            fact = read_fact(line.body, projection.handles, projection.passing)
            if fact is not None:
                facts.append(fact)
    return facts


async def _read(log: EventLog, meeting: str, after: int, upto: int) -> list[Line]:
    lines = await log.read(meeting, after, upto)
    if len(lines) != upto - after:
        raise Diverged(f"{meeting}: the log is behind its feed")
    return lines


async def _answer(views: Views, view: str, generation: int, question: Fetch | Since) -> Answer:
    """What the view holds of what a fold asks for."""
    if isinstance(question, Fetch):
        return await views.documents(view, generation, question.ids)
    members = await views.since(view, generation, question.index, question.start)
    return await views.documents(view, generation, [document_of(member) for member in members])
