"""What each event means to the meeting: it is put in place, never refused, drawn or calculated."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from domain.kernel.message import SERVER, Event
from domain.racing import events as e
from domain.racing.meeting import (
    ABANDONED,
    FINISHED,
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
