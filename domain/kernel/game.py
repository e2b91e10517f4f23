"""What a game folder exports: one record, the same for every game."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

import msgspec

from domain.kernel.message import Command, Event
from domain.kernel.rejection import Reason


class Chooser(Protocol):
    """A source of choice for bots; the domain itself has none."""

    def random(self) -> float:
        """A number in [0, 1)."""
        ...

    def choice(self, items: Sequence[Any]) -> Any:
        """One of the items."""
        ...


class Listing(msgspec.Struct, frozen=True, kw_only=True):
    """What a seat may do now.

    Args:
        actions: commands ready to post, none twice; a sample where `complete` is false.
        complete: whether they are all there are (`borrow`-like services aside).
        schema: JSON Schema of every legal command, where the list is a sample; else None.
    """

    actions: list[Command]
    complete: bool
    schema: dict[str, Any] | None = None


class Bot(msgspec.Struct, frozen=True, kw_only=True):
    """A built-in bot: decides from its own seat's folded state alone.

    Args:
        name: "random", "steady" …
        rating: its fixed published rating.
        decide: (meeting as the seat knows it, seat, chooser) -> a legal command.
        volunteer: likewise, for a seat that may act and owes nothing: a legal command, or None to
            leave it; None for a bot that never does. It need not be asked.
    """

    name: str
    rating: float
    decide: Callable[[Any, int, Chooser], Command]
    volunteer: Callable[[Any, int, Chooser], Command | None] | None = None


Upcast = Callable[[dict[str, Any]], dict[str, Any]]
"""An event as plain values under some rules -> the same event in the form of the next rules."""


class Earlier(msgspec.Struct, frozen=True, kw_only=True):
    """Rules that a game had before, and the way from their events to those of the next rules.

    Args:
        rules: their number.
        upcasts: by event type; types that are left out kept their form. They are pure and total.
        game: the game as it was, where its code is still here: then what was played under these
            rules can be decided anew.
    """

    rules: str
    upcasts: Mapping[str, Upcast] = msgspec.field(default_factory=dict)
    game: "Game | None" = None


class Game(msgspec.Struct, frozen=True, kw_only=True):
    """A game. Its functions take the meeting as one viewer knows it; `.table` is the game's part.

    Args:
        id: as in command and event types; the folder's name with hyphens.
        title: as printed on the box.
        seats: fewest and most seats.
        rules: number of these rules; a change of a rule or an event's form has a new one.
        options: the option record; its JSON Schema is the catalogue's.
        read_options: (body, seats) -> options in full as plain values; raises Malformed.
        unfit: JSON Schema of openings whose options and seats may not go together; what it does
            not take is never malformed. {"not": {}}: none.
        always_drawn: labels that every meeting draws -> JSON Schema of lists that all of them take.
        check_arranged: (options, seats, draws) -> None; raises Malformed for a label that this
            meeting can't draw or a list that can't be.
        commands: every command a seat may give.
        system_commands: commands of the server's workers; from a seat they are malformed.
        events: the game's own events.
        reasons: every refusal, in order of precedence.
        table: the Struct of its state.
        initial: (options, seats) -> the state before the first race.
        phases: phase -> {command: who may give it}, the table that decide and actions both read.
        begin: (draft) -> None: what happens when the meeting starts.
        decide: command type -> (draft, seat, command) -> None; it refuses before it records.
        evolve: event type, shared ones too -> (meeting, event) -> None or the seats that lost an
            action by it; put together by racing.evolve.steps.
        owes: (meeting, seat) -> bool: must it act.
        may: likewise: might it though it need not; None where nobody ever may.
        awaits: (meeting) -> the system command that is owed now, or None.
        waiting: (full meeting) -> seats that owe a decision, ascending.
        view: (meeting) -> board Struct for the meeting's viewer.
        board: the Struct that `view` returns.
        actions: (meeting, seat) -> Listing.
        default: (meeting, seat) -> what the server plays on expiry; None if nothing is owed.
        bots: built-in bots by name.
        audit: (events, chance) -> findings: draws and money recomputed without the rules of play.
        earlier: the rules that logs of this game may still be under, the oldest first.
    """

    id: str
    title: str
    seats: tuple[int, int]
    rules: str
    options: type[msgspec.Struct]
    read_options: Callable[[Mapping[str, Any], int], dict[str, Any]]
    unfit: dict[str, Any]
    always_drawn: Mapping[str, dict[str, Any]]
    check_arranged: Callable[[Mapping[str, Any], int, Mapping[str, Sequence[Any]]], None]
    commands: tuple[type[Command], ...]
    system_commands: tuple[type[Command], ...]
    events: tuple[type[Event], ...]
    reasons: tuple[Reason, ...]
    table: type[msgspec.Struct]
    initial: Callable[[Mapping[str, Any], int], Any]
    phases: Mapping[str, Mapping[type[Command], str]]
    begin: Callable[[Any], None]
    decide: Mapping[type[Command], Callable[[Any, int, Any], None]]
    evolve: Mapping[type[Event], Callable[[Any, Any], Any]]
    owes: Callable[[Any, int], bool]
    may: Callable[[Any, int], bool] | None
    awaits: Callable[[Any], Command | None]
    waiting: Callable[[Any], list[int]]
    view: Callable[[Any], msgspec.Struct]
    board: type[msgspec.Struct]
    actions: Callable[[Any, int], Listing]
    default: Callable[[Any, int], Command | None]
    bots: Mapping[str, Bot]
    audit: Callable[..., list[str]]
    earlier: tuple[Earlier, ...] = ()

    def might(self, meeting: Any, seat: int) -> bool:
        """Whether a seat has any action: it must act, or may though it need not."""
        return self.owes(meeting, seat) or (self.may is not None and self.may(meeting, seat))
