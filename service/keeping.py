"""A meeting as one process keeps it: the full state, every viewer's state, and the tail of events.

Viewers fold lazily from the tail. Each viewer's number of an event follows from the sorted seqs
that this viewer may not know of, which are few.
"""

from bisect import bisect_right
from collections.abc import Sequence
from typing import Any

from domain.kernel.chance import Chance
from domain.kernel.lines import canonical, chain, redact, wire
from domain.kernel.message import PUBLIC, Event
from domain.racing.draft import chance_of
from domain.racing.events import MeetingAbandoned, MeetingFinished, RaceClosed
from domain.racing.folding import apply, apply_all, follow
from domain.racing.forms import Reading
from domain.racing.meeting import FULL, RUNNING, Meeting
from domain.registry import GAMES, reading_of
from service.ports import EventLog, Head, Line, Snapshot
from service.snapshots import Stored, pack, snapshot_form, take_table, unpack

TAIL_MAX = 512
_HASH_SHOWN = (RaceClosed, MeetingFinished, MeetingAbandoned)


class Kept:
    """One meeting kept.

    Args:
        reading: how its lines are read.
        full: the full state.
        head: the last event that the log is known to hold.
    """

    def __init__(self, reading: Reading, full: Meeting, head: Head) -> None:
        self.reading = reading
        self.game = reading.forms.game
        self.full = full
        self.head = head
        self.views: dict[int, Meeting] = {}
        self.hidden: dict[int, list[int]] = {}
        self.snapshot_version = 0
        self._tail: list[Event] = []
        self._hashes: list[str] = []  # of the tail's lines
        self._tail_first = head.version + 1
        self._seen: dict[int, int] = {}
        self._chance: Chance | None = None

    def read(self, line: Line) -> Event:
        """The event of a line of this log, in the form that this release has.

        Raises:
            UnknownEvent: it is a newer release's.
        """
        return self.reading.read(line.version, line.body)

    def chance(self) -> Chance | None:
        """What the meeting draws from; None before its start."""
        if self._chance is None and self.full.status == RUNNING:
            self._chance = chance_of(self.full)
        return self._chance

    def extend(self, lines: list[Line]) -> None:
        """Fold lines that the log has and the full state has not."""
        self._take(lines)
        self._trim()

    def _take(self, lines: list[Line]) -> None:
        if not lines:
            return
        # All are read first: what can't be read stops here, before anything is folded.
        events = self.reading.read_all(lines[0].version, [line.body for line in lines])
        apply_all(self.full, events, self.game)
        self._note(events, lines)

    def stored(self, events: list[Event], lines: list[Line]) -> None:
        """Note events that the full state has folded and the log now holds."""
        for event in events:
            self.reading.note(event)
        self._note(events, lines)

    @property
    def long(self) -> bool:
        """Whether more of the log is kept than should be: viewers have not folded it yet."""
        return len(self._tail) > TAIL_MAX

    def _note(self, events: list[Event], lines: list[Line]) -> None:
        if not self.views:
            for viewer in range(len(self.full.seats) + 1):
                self.views[viewer] = Meeting(viewer=viewer)
                self.hidden[viewer] = []
                self._seen[viewer] = 0
        self._tail += events
        self._hashes += [line.digest for line in lines]
        for event in [event for event in events if event.audience != PUBLIC]:
            for viewer, hidden in self.hidden.items():
                if viewer not in event.audience:
                    hidden.append(event.seq)
        self.head = Head(lines[-1].version, lines[-1].digest)

    def _trim(self) -> None:
        if self.long:
            for viewer in self.views:
                self.view(viewer)
            cut = len(self._tail) - TAIL_MAX // 2
            self._tail, self._hashes = self._tail[cut:], self._hashes[cut:]
            self._tail_first += cut

    def view(self, viewer: int) -> Meeting:
        """The meeting as a viewer knows it, at the head."""
        view = self.views[viewer]
        seen = self._seen[viewer]
        follow(view, self._tail[seen + 1 - self._tail_first :], self.game)
        self._seen[viewer] = self.head.version
        return view

    def visible(self, viewer: int, first: int, last: int) -> int:
        """How many of the events first…last this viewer may know of."""
        hidden = self.hidden[viewer]
        return last - first + 1 - (bisect_right(hidden, last) - bisect_right(hidden, first - 1))

    def seq_of(self, viewer: int, version: int) -> int:
        """The seq of a viewer's event number."""
        seq = version
        for hidden in self.hidden[viewer]:
            if hidden > seq:
                break
            seq += 1
        return seq

    def between(self, first: int, last: int) -> list[tuple[Event, str]] | None:
        """Events first…last with their hashes, if the tail still has them."""
        if first < self._tail_first:
            return None
        asked = slice(first - self._tail_first, last + 1 - self._tail_first)
        return list(zip(self._tail[asked], self._hashes[asked], strict=True))

    def wire(
        self, viewer: int, first: int, events: list[Event], before: int
    ) -> list[dict[str, Any]]:
        """Events from seq `first` as this viewer's feed shows them; `before`: its number before."""
        tail = self.between(first, first + len(events) - 1)
        assert tail is not None, "the events of this command are in the tail"
        items = []
        for event, digest in tail:
            known = redact(event, viewer)
            if known is not None:
                before += 1
                items.append(wire(known, viewer, before, self.shown_hash(event, digest)))
        return items

    @staticmethod
    def shown_hash(event: Event, digest: str) -> str | None:
        """A feed shows the hash of `race_closed` and of the last event alone."""
        return digest if isinstance(event, _HASH_SHOWN) else None

    def snapshot(self) -> Snapshot:
        """The states of all viewers at the head."""
        views = {viewer: self.view(viewer) for viewer in self.views}
        self._trim()
        stored = Stored(
            game=self.game.id,
            full=self.full,
            stretches=self.reading.stretches,
            views=views,
            hidden=self.hidden,
        )
        payload = pack(stored)
        self.snapshot_version = self.head.version
        return Snapshot(self.head.version, self.head.digest, snapshot_form(self.game), payload)


def as_lines(events: Sequence[Event], head: Head) -> list[Line]:
    """Events that go on from a head, as the log stores them."""
    lines = []
    digest = head.digest
    for event in events:
        body = canonical(event)
        digest = chain(digest, body)
        lines.append(Line(event.seq, body, digest))
    return lines


def restore(snapshot: Snapshot) -> Kept | None:
    """The meeting that a snapshot holds; None if it is of another form."""
    stored = unpack(snapshot.payload)
    game = None if stored is None else GAMES.get(stored.game)
    if stored is None or game is None or snapshot.form != snapshot_form(game):
        return None
    take_table(stored.full, game)
    reading = Reading(game, stored.stretches)
    kept = Kept(reading, stored.full, Head(snapshot.version, snapshot.digest))
    for viewer, view in stored.views.items():
        take_table(view, game)
        kept.views[viewer] = view
        kept.hidden[viewer] = stored.hidden[viewer]
        kept._seen[viewer] = snapshot.version
    kept.snapshot_version = snapshot.version
    return kept


async def load(log: EventLog, meeting: str) -> Kept | None:
    """The meeting from its snapshot, if there is one of our form, and the log behind it."""
    snapshot = await log.load_snapshot(meeting)
    kept = restore(snapshot) if snapshot is not None else None
    if kept is not None:
        kept.extend(await log.read(meeting, kept.head.version))
        return kept
    lines = await log.read(meeting)
    if not lines:
        return None
    kept = Kept(reading_of(lines[0].body), Meeting(viewer=FULL), Head(0, ""))
    kept.full.seats = []
    first = kept.read(lines[0])
    apply(kept.full, first, kept.game)
    kept._note([first], lines[:1])
    kept._take(lines[1:])  # viewers fold it when they are asked for, see `Shelf`
    return kept
