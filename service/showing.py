"""What callers see: a viewer's state, its events, its answer to a command, the whole log."""

from collections.abc import AsyncIterator
from typing import Any

from msgspec import Struct

from domain.kernel.lines import join, redact, wire
from domain.kernel.message import Event
from domain.kernel.rejection import Reason, Rejected
from domain.racing.events import RulesChanged
from domain.racing.folding import apply_all, follow
from domain.racing.meeting import FULL, Meeting
from service.keeping import Kept, load
from service.ports import Appended, EventLog, Line
from service.shelf import MeetingUnknown, Shelf

VERSION_AHEAD = Reason(
    code="version_ahead", status=409, detail="The viewer's events have not come that far."
)


class Outcome(Struct, frozen=True, kw_only=True):
    """What a call did.

    Args:
        meeting: the id.
        first, last: the seqs of its events; last = first - 1 if there are none.
        events: its events, as the full log has them.
        duplicate: whether an earlier call of the same key did it.
        result: what the decision returned (a seat's number …); None for a duplicate.
    """

    meeting: str
    first: int
    last: int
    events: list[Event]
    duplicate: bool
    result: Any

    @property
    def caused(self) -> list[Event]:
        """Its events without that by which the meeting went over to new rules before them."""
        return [event for event in self.events if type(event) is not RulesChanged]


class Answer(Struct, frozen=True, kw_only=True):
    """The caller's own view of what happened: its version, its events, its state then."""

    version: int
    events: list[dict[str, Any]]
    view: Meeting


class Showing:
    """Reads meetings for their viewers.

    Args:
        log: where they are stored.
    """

    def __init__(self, log: EventLog) -> None:
        self.log = log
        self.shelf = Shelf(log)

    async def known(self, meeting: str) -> Kept:
        """See Shelf.known."""
        return await self.shelf.known(meeting)

    async def fresh(self, meeting: str) -> Kept:
        """See Shelf.fresh."""
        return await self.shelf.fresh(meeting)

    async def view(self, meeting: str, viewer: int, at: int | None = None) -> Meeting:
        """The meeting as a viewer (seat, or 0: the public) knows it, now or after its event `at`.

        The answer is read at once: it changes with the next event.

        Raises:
            Rejected: VERSION_AHEAD for an `at` that has not come.
        """
        kept = await self.shelf.fresh(meeting)
        view = kept.view(viewer)
        if at is None or at == view.version:
            return view
        if at > view.version:
            raise Rejected(VERSION_AHEAD, version=view.version)
        return await self.view_at(meeting, viewer, kept.seq_of(viewer, at))

    async def view_at(self, meeting: str, viewer: int, seq: int) -> Meeting:
        """The meeting as a viewer knew it when the log was at `seq`."""
        kept = await self.shelf.fresh(meeting)
        return replay(await self.log.read(meeting, 0, upto=seq), kept, viewer)

    async def events(
        self, meeting: str, viewer: int, after: int, limit: int
    ) -> tuple[list[dict[str, Any]], int]:
        """A viewer's events behind its number `after`, at most `limit`, and its version now.

        Raises:
            Rejected: VERSION_AHEAD.
        """
        kept = await self.shelf.fresh(meeting)
        version = kept.view(viewer).version
        if after > version:
            raise Rejected(VERSION_AHEAD, version=version)
        upto = min(after + limit, version)
        if upto == after:
            return [], version
        first, last = kept.seq_of(viewer, after + 1), kept.seq_of(viewer, upto)
        items = await self._wire(meeting, kept, viewer, first, last, after)
        return items, version

    async def answer(self, outcome: Outcome, viewer: int) -> Answer:
        """What a call answers to its caller: as of then, also when it is repeated."""
        if not outcome.duplicate:
            kept = self.shelf.get(outcome.meeting)
            if kept is not None and kept.head.version == outcome.last:
                view = kept.view(viewer)
                before = view.version - kept.visible(viewer, outcome.first, outcome.last)
                events = kept.wire(viewer, outcome.first, outcome.events, before)
                return Answer(version=view.version, events=events, view=view)
        view = await self.view_at(outcome.meeting, viewer, outcome.last)
        kept = await self.shelf.fresh(outcome.meeting)
        before = view.version - kept.visible(viewer, outcome.first, outcome.last)
        events = await self._wire(
            outcome.meeting, kept, viewer, outcome.first, outcome.last, before
        )
        return Answer(version=view.version, events=events, view=view)

    async def lines(self, meeting: str) -> AsyncIterator[bytes]:
        """The log's lines as exported, without line ends."""
        after = 0
        while page := await self.log.read(meeting, after, count=500):
            for line in page:
                yield join(line.body, line.digest)
            after = page[-1].version

    async def read_events(self, meeting: str, done: Appended) -> list[Event]:
        """The events that a call stored, as the full log has them."""
        kept = await load(self.log, meeting)
        if kept is None:
            raise MeetingUnknown(meeting)
        lines = await self.log.read(meeting, done.first - 1, upto=done.last)
        return [kept.read(line) for line in lines]

    async def _wire(
        self, meeting: str, kept: Kept, viewer: int, first: int, last: int, before: int
    ) -> list[dict[str, Any]]:
        tail = kept.between(first, last)
        if tail is None:
            lines = await self.log.read(meeting, first - 1, upto=last)
            tail = [(kept.read(line), line.digest) for line in lines]
        items = []
        for event, digest in tail:
            seen = redact(event, viewer)
            if seen is not None:
                before += 1
                items.append(wire(seen, viewer, before, kept.shown_hash(event, digest)))
        return items


def replay(lines: list[Line], kept: Kept, viewer: int) -> Meeting:
    """The meeting kept, as a viewer knew it after these lines."""
    meeting = Meeting(viewer=viewer)
    if lines:
        events = kept.reading.read_all(lines[0].version, [line.body for line in lines])
        fold_in = apply_all if viewer == FULL else follow
        fold_in(meeting, events, kept.game)
    return meeting
