"""One fold for the full log and for every redacted one: it never refuses, draws or calculates."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from msgspec import UNSET

from domain.kernel.game import Game
from domain.kernel.lines import redact
from domain.kernel.message import PUBLIC, SERVER, Event
from domain.racing import events as e
from domain.racing.forms import UnknownEvent
from domain.racing.meeting import (
    ABANDONED,
    FINISHED,
    FULL,
    RUNNING,
    Meeting,
    Place,
)

Lost = Iterable[int] | None
"""Seats that get a new decision number by an event; None for none."""
Step = Callable[[Meeting, Any], Lost]
"""(meeting, event) -> what it changes is changed in place."""


def meeting_opened(m: Meeting, event: e.MeetingOpened) -> None:
    """An open table with free seats."""
    m.id, m.game, m.rules, m.name = event.meeting, event.game, event.rules, event.name
    m.options, m.host, m.start = event.options, event.host, event.start
    m.arranged, m.commitment = event.arranged, event.commitment
    m.opened_at = event.at
    m.seats = [Place(seat=s + 1) for s in range(event.seats)]
    secret = event.secret(SERVER)
    if secret:
        m.seed, m.arrangement = secret["seed"], secret.get("arranged", {})


def seat_reserved(m: Meeting, event: e.SeatReserved) -> None:
    """The seat waits for its player."""
    assert event.seat, "a seat event names its seat"
    m.seats[event.seat - 1] = Place(
        seat=event.seat, player=event.player, name=event.name, kind="human", reserved=True
    )


def seat_taken(m: Meeting, event: e.SeatTaken) -> None:
    """Somebody sits."""
    assert event.seat, "a seat event names its seat"
    secret = event.secret(event.seat)
    m.seats[event.seat - 1] = Place(
        seat=event.seat,
        player=event.player,
        name=event.name,
        kind=event.kind,
        bot=event.bot,
        nonce=secret["nonce"] if secret else "",
        acted_at=event.at,
    )


def seat_left(m: Meeting, event: e.SeatLeft) -> None:
    """The seat is free again."""
    assert event.seat, "a seat event names its seat"
    m.seats[event.seat - 1] = Place(seat=event.seat)


def meeting_started(m: Meeting, event: e.MeetingStarted) -> None:
    """Play begins."""
    m.status = RUNNING
    for place, nonce in zip(m.seats, event.nonces, strict=True):
        place.nonce = nonce


def race_opened(m: Meeting, event: e.RaceOpened) -> None:
    """The next race."""
    m.race, m.races = event.race, event.races


def race_closed(m: Meeting, event: e.RaceClosed) -> None:
    """Nothing of the meeting's own changes; the games look at it."""


def abandon_asked(m: Meeting, event: e.AbandonAsked) -> None:
    """One more seat wants to end."""
    assert event.seat, "a seat event names its seat"
    m.asked.append(event.seat)


def rules_changed(m: Meeting, event: e.RulesChanged) -> None:
    """Other rules from here on."""
    m.rules = event.rules


def meeting_finished(m: Meeting, event: e.MeetingFinished) -> None:
    """The ranking stands."""
    m.status, m.ranking = FINISHED, event.ranking


def meeting_abandoned(m: Meeting, event: e.MeetingAbandoned) -> None:
    """No ranking."""
    m.status = ABANDONED


SHARED: dict[type[Event], Step] = {
    e.MeetingOpened: meeting_opened,
    e.SeatReserved: seat_reserved,
    e.SeatTaken: seat_taken,
    e.SeatLeft: seat_left,
    e.MeetingStarted: meeting_started,
    e.RaceOpened: race_opened,
    e.RaceClosed: race_closed,
    e.AbandonAsked: abandon_asked,
    e.RulesChanged: rules_changed,
    e.MeetingFinished: meeting_finished,
    e.MeetingAbandoned: meeting_abandoned,
}


def steps(
    initial: Callable[[Any, int], Any], own: Mapping[type[Event], Step]
) -> dict[type[Event], Step]:
    """One function for each event: what it means to the meeting, and after that to the game.

    Args:
        initial: (options, seats) -> the game's state before the first race.
        own: the game's functions, for its own events and for shared ones that it looks at.
    """

    def opened(m: Meeting, event: Any) -> None:
        meeting_opened(m, event)
        m.table = initial(m.options, len(m.seats))

    table: dict[type[Event], Step] = {**SHARED, e.MeetingOpened: opened}
    for kind, step in own.items():
        shared = table.get(kind)
        table[kind] = step if shared is None else both(shared, step)
    return table


def both(shared: Step, own: Step) -> Step:
    """One function of two for the same event."""

    def step(m: Meeting, event: Any) -> Lost:
        shared(m, event)
        return own(m, event)

    return step


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
    for event in events:
        step = known.get(type(event))
        if step is None:
            raise UnknownEvent(type(event).__name__)
        m.version += 1
        m.at = event.at
        if event.audience == PUBLIC:
            m.public_version += 1
        if event.arrangement_dropped is not UNSET:
            m.dropped.extend(event.arrangement_dropped)
        step(m, event)
        if full:
            seat = event.seat
            told = event.command or event.private is not UNSET  # most are neither
            if told and seat is not UNSET and seat and acts(event, seat):
                m.seats[seat - 1].acted_at = event.at


def _numbering(m: Meeting, events: Iterable[Event], game: Game) -> None:
    """Fold for a seat what it may know of events, and number its decisions.

    A decision is numbered anew where an event made it another one: when the seat begins to owe or
    may begin to take one, after each command of its own, in a new phase, and when the event took an
    action away (contract, Versions).

    Every seat of a meeting passes here for every event: it is written to be quick.
    """
    known, owes, may = game.evolve, game.owes, game.may
    viewer, owed, might = m.viewer, m.owed, m.might
    for told in events:
        event = told
        public = event.audience == PUBLIC
        if not (public and event.private is UNSET):
            seen = redact(event, viewer)
            if seen is None:
                continue
            event = seen
        step = known.get(type(event))
        if step is None:
            raise UnknownEvent(type(event).__name__)
        m.version += 1
        m.at = event.at
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
            m.decision = m.version
    m.owed, m.might = owed, might


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
