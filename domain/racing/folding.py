"""One fold for the full log and for every redacted one; a seat's own numbers its decisions."""

from collections.abc import Iterable, Iterator

from msgspec import UNSET

from domain.kernel.game import Game
from domain.kernel.lines import redact
from domain.kernel.message import PUBLIC, Event
from domain.racing.forms import UnknownEvent
from domain.racing.meeting import FULL, RUNNING, Meeting


def apply(m: Meeting, event: Event, game: Game) -> None:
    """Fold one event, full or redacted, into the meeting in place.

    Raises:
        UnknownEvent: neither the meeting nor its game knows the type.
    """
    apply_all(m, (event,), game)


def apply_all(m: Meeting, events: Iterable[Event], game: Game) -> None:
    """Fold events, full or redacted, into the meeting in place.

    Raises:
        UnknownEvent: neither the meeting nor its game knows the type of the next.
    """
    if m.viewer > 0:
        _numbering(m, events, game)
        return
    known, full = game.evolve, m.viewer == FULL
    version, at = m.version, m.at
    try:
        for event in events:  # steps ask for the public version alone: the rest is told at the end
            step = known.get(type(event))
            if step is None:
                raise UnknownEvent(type(event).__name__)
            version += 1
            at = event.at
            if event.audience == PUBLIC:
                m.public_version += 1
            if event.arrangement_dropped is not UNSET:
                m.dropped.extend(event.arrangement_dropped)
            step(m, event)
            if full and (event.command or event.private is not UNSET):  # most have neither
                seat = event.seat
                if seat is not UNSET and seat and (event.command or acts(event, seat)):
                    m.seats[seat - 1].acted_at = at
    finally:
        m.version, m.at = version, at


def _numbering(m: Meeting, events: Iterable[Event], game: Game) -> None:
    """Fold for a seat what it may know of events, and number its decisions.

    A decision is numbered anew where an event made it another one: when the seat begins to owe or
    may begin to take one, after each command of its own, in a new phase, and when the event took an
    action away (contract, Versions).

    Every seat of a meeting passes here for every event: it is written to be quick.
    """
    known, owes, may = game.evolve, game.owes, game.may
    viewer, owed, might = m.viewer, m.owed, m.might
    version, at = m.version, m.at  # told at the end, as in `apply_all`
    try:
        for told in events:
            event = told
            public = event.audience == PUBLIC
            if event.private is not UNSET or not public:
                seen = redact(event, viewer)
                if seen is None:
                    continue
                event = seen
            step = known.get(type(event))
            if step is None:
                raise UnknownEvent(type(event).__name__)
            version += 1
            at = event.at
            if public:
                m.public_version += 1
            if event.arrangement_dropped is not UNSET:
                m.dropped.extend(event.arrangement_dropped)
            table = m.table
            phase = None if table is None else table.phase
            lost = step(m, event)
            if m.status != RUNNING:
                m.decision, owed, might = None, False, False
                continue
            owed_before, might_before = owed, might
            owed = owes(m, viewer)
            might = owed or (may is not None and may(m, viewer))
            if not might:
                m.decision = None
            elif (
                not might_before
                or (owed and not owed_before)
                or (event.seat == viewer and acts(event, viewer))
                or phase != m.table.phase
                or (lost is not None and viewer in lost)
            ):
                m.decision = version
    finally:
        m.version, m.at, m.owed, m.might = version, at, owed, might


def acts(event: Event, seat: int) -> bool:
    """Whether the event is the first of a command of its seat, as far as this copy tells."""
    if event.command:
        return True
    secret = event.secret(seat)
    return secret is not None and "command" in secret


def follow(m: Meeting, events: Iterable[Event], game: Game) -> None:
    """Fold what the meeting's viewer may know of events as the log has them."""
    if m.viewer > 0:
        _numbering(m, events, game)
    else:
        apply_all(m, _known_to(m.viewer, events), game)


def _known_to(viewer: int, events: Iterable[Event]) -> Iterator[Event]:
    for event in events:
        known = redact(event, viewer)
        if known is not None:
            yield known


def fold(events: Iterable[Event], game: Game, viewer: int = FULL) -> Meeting:
    """The meeting as the viewer knows it, from the events that it may know of."""
    meeting = Meeting(viewer=viewer)
    apply_all(meeting, events, game)
    return meeting
