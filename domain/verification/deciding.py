"""A log decided anew: each command from the state before it, and every event compared.

The state is folded from what the rules make, never from what the log says, so after the first
difference nothing is left to compare with: there deciding ends.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec
from msgspec import UNSET

from domain.kernel.chance import Chance, RecordedChance
from domain.kernel.game import Game
from domain.kernel.lines import canonical
from domain.kernel.message import SERVER, Command, Event, type_of
from domain.kernel.naming import name_fault
from domain.kernel.rejection import Malformed, Rejected
from domain.racing import events as e
from domain.racing import lifecycle
from domain.racing.draft import Draft
from domain.racing.meeting import FULL, Meeting
from domain.verification.differences import difference

STARTS = ("manual", "when_full")
KINDS = ("human", "bot")


class Deviation(Exception):
    """The rules do not lead to this event.

    Args:
        line: its number.
        what: what they say instead.
    """

    def __init__(self, line: int, what: str) -> None:
        super().__init__(f"line {line}: {what}")
        self.line = line
        self.what = what


def decide_anew(
    events: Sequence[Event],
    game: Game,
    chance: Chance | None = None,
    start: Meeting | None = None,
) -> Meeting:
    """Decide every command of a log again and compare what it wrote.

    Args:
        events: the full log from its first line; it may end with any whole command.
        game: whose rules decide.
        chance: what to draw from; by default the meeting's own, from its seed, nonces and
            arrangement. `recorded_chance` decides from the draws as recorded instead.
        start: the full meeting before these events, where they are not a log's first.

    Returns:
        The meeting that the rules lead to.

    Raises:
        Deviation: at the first event that differs.
    """
    meeting = Meeting(viewer=FULL) if start is None else start
    before = meeting.version
    at = 0
    while at < len(events):
        event = events[at]
        draft = Draft(meeting, game, event.at, chance)
        try:
            cause_of(event)(draft, event)
        except Rejected as refusal:
            rule = f" ({refusal.reason.rule})" if refusal.reason.rule else ""
            what = f"the rules refuse what leads to {type_of(event)}: {refusal.detail}{rule}"
            raise Deviation(before + at + 1, what) from None
        except Malformed as fault:
            what = f"{type_of(event)} comes from a malformed command: {fault.detail}"
            raise Deviation(before + at + 1, what) from None
        except ValueError as fault:  # of RecordedChance
            raise Deviation(before + at + 1, str(fault)) from None
        chance = draft.chance
        compare(draft.events, events, at, before)
        at += len(draft.events)
    return meeting


def compare(made: Sequence[Event], events: Sequence[Event], at: int, before: int = 0) -> None:
    """Hold what the rules make of one command against the events from the index `at` on.

    `before` is how many lines the log has before the first of them.
    """
    if not made:
        raise Deviation(before + at + 1, "this changes nothing, so no event records it")
    for index, event in enumerate(made, at):
        if index == len(events):
            raise Deviation(before + index, f"{type_of(event)} should follow, and the log ends")
        if canonical(event) != canonical(events[index]):
            raise Deviation(before + index + 1, difference(event, events[index]))


def recorded_chance(events: Sequence[Event]) -> RecordedChance:
    """Chance as a log recorded it: the pieces of each draw, one after the other."""
    pieces: dict[str, list[Any]] = {}
    dropped: list[str] = []
    for event in events:
        for label, piece in event.pieces():
            pieces.setdefault(label, []).extend(piece)
        dropped.extend(event.arrangement_dropped or ())
    return RecordedChance(pieces, dropped)


Cause = Callable[[Draft, Any], Any]


def cause_of(event: Event) -> Cause:
    """What led to an event that begins a command."""
    return LIFECYCLE.get(type(event), command)


def opened(draft: Draft, event: e.MeetingOpened) -> None:
    """The options are as the game's own reading leaves them, and the arrangement is possible."""
    game = draft.game
    secret = event.secret(SERVER) or {}
    fewest, most = game.seats
    if not fewest <= event.seats <= most:
        raise Malformed(f"{game.title} has {fewest} to {most} seats.")
    if event.name is not None:
        check_name(event.name)
    if event.start not in STARTS:
        raise Malformed("there is no such way to start.")
    if canonical(game.read_options(event.options, event.seats)) != canonical(event.options):
        raise Malformed("the options are not in full.")
    draws = secret.get("arranged", {})
    game.check_arranged(event.options, event.seats, draws)
    lifecycle.open_meeting(
        draft,
        meeting=event.meeting,
        seed=bytes.fromhex(secret["seed"]),
        options=event.options,
        seats=event.seats,
        host=event.host,
        name=event.name,
        start=event.start,
        arranged=event.arranged,
        draws=draws,
    )


def seat_of(draft: Draft, event: Event) -> int:
    """The seat that an event names, one that there is."""
    if event.seat is UNSET or not 1 <= event.seat <= len(draft.meeting.seats):
        raise Malformed("it names no seat of this meeting.")
    return event.seat


def check_name(name: str) -> None:
    """Refuse a name that nobody could be given, by whichever Unicode it was read."""
    fault = name_fault(name, unassigned=True)
    if fault is not None:
        raise Malformed(fault)


def reserved(draft: Draft, event: e.SeatReserved) -> None:
    """A seat is kept."""
    check_name(event.name)
    lifecycle.reserve_seat(draft, seat_of(draft, event), event.player, event.name)


def taken(draft: Draft, event: e.SeatTaken) -> None:
    """Somebody sits, and the meeting starts if that was agreed."""
    seat = seat_of(draft, event)
    nonce = (event.secret(seat) or {}).get("nonce")
    check_name(event.name)
    if event.kind not in KINDS:
        raise Malformed("there is no such kind of player.")
    if event.bot is not None and (
        event.kind != "bot" or event.bot not in draft.game.bots or nonce is not None
    ):
        raise Malformed("a built-in bot is of kind bot, is known, and gives no nonce.")
    built_in = event.bot is not None or event.player in draft.game.bots  # no person's id is such
    if built_in and not event.player == event.name == event.bot:
        raise Malformed("a built-in bot is the player of its name, and nobody else is.")
    lifecycle.take_seat(
        draft,
        seat,
        player=event.player,
        name=event.name,
        kind=event.kind,
        bot=event.bot,
        nonce=nonce,
    )


LIFECYCLE: Mapping[type[Event], Cause] = {
    e.MeetingOpened: opened,
    e.SeatReserved: reserved,
    e.SeatTaken: taken,
    e.SeatLeft: lambda draft, event: lifecycle.leave_seat(draft, seat_of(draft, event)),
    e.MeetingStarted: lambda draft, event: lifecycle.start_meeting(draft),
    e.RulesChanged: lambda draft, event: lifecycle.go_over(draft),
    e.AbandonAsked: lambda draft, event: lifecycle.ask_abandon(draft, seat_of(draft, event)),
    e.MeetingAbandoned: lambda draft, event: lifecycle.abandon(draft, event.reason),
}


def command(draft: Draft, event: Event) -> None:
    """The command that an event carries, given by its seat or, where owed, by the system."""
    body = event.command
    if body is UNSET and event.seat is not UNSET:
        body = (event.secret(event.seat) or {}).get("command", UNSET)
    if body is UNSET:
        raise Malformed("it carries no command, and nothing before it leads to it.")
    seat = 0 if event.seat is UNSET else seat_of(draft, event)
    asked = read_command(draft.game, body, system=not seat)
    if not seat and asked != draft.game.awaits(draft.meeting):
        raise Malformed("the system does what is owed, and this is not.")
    lifecycle.decide(draft, seat, asked)


def read_command(game: Game, body: Mapping[str, Any], *, system: bool) -> Command:
    """A command from its body in the log.

    Raises:
        Malformed: it is none that a seat (or the system) may give.
    """
    kinds = game.system_commands if system else game.commands
    kind = {type_of(kind): kind for kind in kinds}.get(body.get("type", ""))
    if kind is None:
        raise Malformed("this is no command of " + ("the system." if system else "a seat."))
    try:
        return msgspec.convert(body, kind, strict=True)
    except msgspec.ValidationError as error:
        raise Malformed(str(error)) from None
