"""One fold for the full log and for every redacted one: it never refuses, draws or calculates."""

from collections.abc import Iterable

from domain.kernel.game import Game
from domain.kernel.message import PUBLIC, SERVER, Event
from domain.racing import events as e
from domain.racing.meeting import (
    ABANDONED,
    FINISHED,
    FULL,
    RUNNING,
    Meeting,
    Place,
)


class UnknownEvent(Exception):
    """The log holds an event that this release does not know: stop, never skip."""


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


def meeting_finished(m: Meeting, event: e.MeetingFinished) -> None:
    """The ranking stands."""
    m.status, m.ranking = FINISHED, event.ranking


def meeting_abandoned(m: Meeting, event: e.MeetingAbandoned) -> None:
    """No ranking."""
    m.status = ABANDONED


SHARED = {
    e.MeetingOpened: meeting_opened,
    e.SeatReserved: seat_reserved,
    e.SeatTaken: seat_taken,
    e.SeatLeft: seat_left,
    e.MeetingStarted: meeting_started,
    e.RaceOpened: race_opened,
    e.RaceClosed: race_closed,
    e.AbandonAsked: abandon_asked,
    e.MeetingFinished: meeting_finished,
    e.MeetingAbandoned: meeting_abandoned,
}


def apply(m: Meeting, event: Event, game: Game) -> None:
    """Fold one event, full or redacted, into the meeting in place.

    Raises:
        UnknownEvent: neither the meeting nor its game knows the type.
    """
    kind = type(event)
    shared = SHARED.get(kind)
    own = game.evolve.get(kind)
    if shared is None and own is None:
        raise UnknownEvent(kind.__name__)
    m.version += 1
    m.at = event.at
    if event.arrangement_dropped:
        m.dropped.extend(event.arrangement_dropped)
    if event.audience == PUBLIC:
        m.public_version += 1
    if shared is not None:
        shared(m, event)  # type: ignore[operator] # each function takes its own event
        if kind is e.MeetingOpened:
            m.table = game.initial(m.options, len(m.seats))
    phase = m.table.phase
    lost = own(m, event) if own is not None else None
    actor = acting_seat(event)
    if actor:
        m.seats[actor - 1].acted_at = event.at
    if m.viewer > 0:
        another = actor == m.viewer or phase != m.table.phase
        renew(m, game, another or (lost is not None and m.viewer in lost))


def acting_seat(event: Event) -> int:
    """The seat whose command this event is the first of, as far as this copy tells; else 0."""
    seat = event.seat
    if not seat:
        return 0
    if event.command:
        return seat
    secret = event.secret(seat)
    return seat if secret is not None and "command" in secret else 0


def renew(m: Meeting, game: Game, another: bool) -> None:
    """Number the viewer's decision anew where an event made it another one.

    It is another one when the seat begins to owe or may begin to take one, after each command of
    its own, in a new phase, and when the event took an action away (contract, Versions).

    Args:
        another: one of the last three.
    """
    seat = m.viewer
    owed = m.status == RUNNING and game.owes(m, seat)
    might = owed or (m.status == RUNNING and game.may(m, seat))
    if not might:
        m.decision = None
    elif another or not m.might or (owed and not m.owed):
        m.decision = m.version
    m.owed, m.might = owed, might


def fold(events: Iterable[Event], game: Game, viewer: int = FULL) -> Meeting:
    """The meeting as the viewer knows it, from the events that it may know of."""
    meeting = Meeting(viewer=viewer)
    for event in events:
        apply(meeting, event, game)
    return meeting
