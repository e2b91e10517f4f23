"""`homestretch replay`: what happened in the log of a meeting, offline.

Nothing is hidden here: the file holds everything. With a seat, or with the public's eyes, it shows
what that viewer saw, in that viewer's numbers.
"""

import argparse
import sys
from collections.abc import Iterable
from typing import Any

import msgspec

from domain.kernel.game import Game
from domain.kernel.lines import redact, split, wire
from domain.kernel.message import Event
from domain.racing.folding import apply
from domain.racing.forms import Reading, UnknownEvent
from domain.racing.meeting import FULL, PUBLIC_VIEW, Meeting
from domain.registry import reading_of
from service.commands import CommandError
from service.commands.logfile import UNREADABLE, add_file, plain, printable, read_log
from service.settings import Settings

ENVELOPE = frozenset(("version", "at", "meeting", "type", "seat"))
COLOURS = ("red", "blue", "green", "yellow")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Which log, whose eyes, which moment."""
    add_file(parser)
    eyes = parser.add_mutually_exclusive_group()
    eyes.add_argument("--seat", type=_positive, metavar="N", help="what this seat saw")
    eyes.add_argument("--public", action="store_true", help="what everybody saw")
    parser.add_argument(
        "--at",
        type=_positive,
        metavar="V",
        help="the board after the event of this number, instead of all events",
    )


def _positive(text: str) -> int:
    if not text.isascii() or not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError("a whole number from 1")
    return int(text)


def run(args: argparse.Namespace, _settings: Settings) -> int:
    """Show it."""
    from rich.console import Console

    from service.terminal.rendering import renderer

    lines = read_log(args.file)
    if lines is None:
        return UNREADABLE
    game, events = read_events(lines)
    viewer = PUBLIC_VIEW if args.public else args.seat or FULL
    seats = getattr(events[0], "seats", 0)
    if viewer > seats:
        print(f"homestretch: the meeting has {seats} seats", file=sys.stderr)
        return UNREADABLE
    seen = [event for event in (eyes(event, viewer) for event in events) if event is not None]
    if args.at is not None and args.at > len(seen):
        print(f"homestretch: this viewer has {len(seen)} events", file=sys.stderr)
        return UNREADABLE
    console = Console(highlighter=None, highlight=False, markup=False)
    meeting = Meeting(viewer=viewer)
    for version, event in enumerate(seen, 1):
        fold_in(meeting, event, game)
        if args.at is None or version == args.at:
            console.print(_coloured(event_line(event, viewer, version)), soft_wrap=True)
        if version == args.at:
            break
    console.print()
    console.print(renderer(game.id).board(printable(msgspec.to_builtins(game.view(meeting)))))
    return 0


def read_events(lines: Iterable[bytes]) -> tuple[Game, list[Event]]:
    """The game and the events of a log; its hashes are not looked at.

    Raises:
        CommandError: a line is no event that this release knows.
    """
    reading: Reading | None = None
    events: list[Event] = []
    try:
        for line in lines:
            body, _ = split(line.rstrip(b"\n"))
            reading = reading or reading_of(body)
            events.append(reading.read(len(events) + 1, body))
    except UnknownEvent as error:
        number = len(events) + 1
        raise CommandError(f"line {number}: this release does not know {error}") from None
    except (ValueError, msgspec.MsgspecError, RecursionError) as error:
        number = len(events) + 1
        raise CommandError(f"line {number} is no event: {error}") from None
    if reading is None:
        raise CommandError("the log is empty")
    return reading.forms.game, events


def fold_in(meeting: Meeting, event: Event, game: Game) -> None:
    """Fold one event more.

    Raises:
        CommandError: it makes no sense after those before it.
    """
    try:
        apply(meeting, event, game)
    except Exception as error:  # a file may hold anything
        raise CommandError(
            f"line {event.seq} does not follow from those before it; see `homestretch verify`"
        ) from error


def eyes(event: Event, viewer: int) -> Event | None:
    """The event as this viewer may know it; FULL knows all."""
    return event if viewer == FULL else redact(event, viewer)


def event_line(event: Event, viewer: int, version: int) -> str:
    """An event as one line: number, time, seat, what, and its fields."""
    if viewer == FULL:
        fields = msgspec.to_builtins(event)
        private = fields.pop("private", {})
        del fields["seq"]
        if fields["audience"] == "public":
            del fields["audience"]
        secrets = [f"{_who(key)} {plain(inner)}" for key, inner in private.items()]
    else:
        fields, secrets = wire(event, viewer, version), []
    told = [f"{name} {_inner(value)}" for name, value in fields.items() if name not in ENVELOPE]
    seat = f"seat {fields['seat']}" if "seat" in fields else ""
    name = fields["type"].rpartition(".")[2]
    clock = event.at[11:19]
    line = f"{version:>5}  {clock}  {seat:<7} {name:<20} {'; '.join([*told, *secrets])}"
    return line.rstrip()


def _who(key: str) -> str:
    return "server knows" if key == "server" else f"seat {key} knows"


def _inner(value: Any) -> str:
    return f"({plain(value)})" if isinstance(value, dict) else plain(value)


def _coloured(line: str) -> Any:
    from rich.text import Text

    text = Text(line)
    for colour in COLOURS:
        text.highlight_regex(rf"\b{colour}\b(-\d+)?", colour)
    return text
