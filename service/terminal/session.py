"""A person at a table of bots, in this process: shows what the person's seat may see, no more."""

from collections.abc import Callable, Mapping
from typing import Any

import msgspec
from rich.console import Console
from rich.text import Text

from domain.kernel.faults import in_words
from domain.kernel.game import Bot, Chooser, Listing
from domain.kernel.lines import redact, wire
from domain.kernel.message import Command, body_of
from domain.kernel.rejection import Malformed, Rejected
from domain.racing.meeting import RUNNING
from domain.registry import command_types
from service.rulebook import texts
from service.simulation import LocalMeeting
from service.terminal.plain import Json, names_of, short, shorthand
from service.terminal.rendering import renderer

ACTIONS_SHOWN = 30

HELP = (
    "a number                    the action of that number",
    '{"type": …}                 any command, as JSON',
    "board · actions             show them (again)",
    "rules [BM-B1]               all rule ids, or the text of one",
    "next                        let the others go on (where you need not act); or just Enter",
    "wait                        let them go on until you must act",
    "quit",
)


class Quit(Exception):
    """The person goes."""


class Session:
    """Plays a meeting to its end with one person.

    Args:
        table: the meeting, every seat taken and started.
        seat: the person's.
        bots, choosers: by seat, the others.
        console: where it is shown.
        ask: (prompt) -> what the person types; raises EOFError at the end of input.
        pause: (seconds) -> None, between events that others cause.
    """

    def __init__(
        self,
        table: LocalMeeting,
        seat: int,
        bots: Mapping[int, Bot],
        choosers: Mapping[int, Chooser],
        console: Console,
        ask: Callable[[str], str],
        pause: Callable[[float], None],
    ) -> None:
        self.table = table
        self.game = table.game
        self.seat = seat
        self.console = console
        self._bots = bots
        self._choosers = choosers
        self._ask = ask
        self._pause = pause
        self._drawn = renderer(self.game.id)
        self._told = 0  # events shown
        self._version = 0  # the seat's own number of the last one
        self._waits = False  # whether the person lets the others go on until it must act
        self._listed: list[Command] = []

    def play(self) -> bool:
        """Play; whether the meeting was played to its end."""
        try:
            while self.table.full.status == RUNNING:
                self._tell()
                self._turn()
            self._tell()
        except (Quit, EOFError):
            self._say("You leave the table.")
            return False
        self._show_board()
        return True

    def board(self) -> Json:
        """The board of the person's seat."""
        board: Json = msgspec.to_builtins(self.game.view(self.table.view(self.seat)))
        return board

    def _turn(self) -> None:
        """Let the person act where it must or wants to, else somebody else."""
        view = self.table.view(self.seat)
        if self.game.owes(view, self.seat):
            self._waits = False
            self._show_board()
            self._let_act(owes=True)
        elif view.might and not self._waits:
            self._let_act(owes=False)
        elif not self.table.step(self._bots, self._choosers):
            raise RuntimeError("nobody can go on")

    # ------------------------------------------------------------------ showing

    def _say(self, line: str | Text, style: str = "") -> None:
        self.console.print(line if isinstance(line, Text) else Text(line, style=style))

    def _tell(self) -> None:
        """Show the events that came since, as this seat's feed has them."""
        names: Mapping[int, str] = names_of(self.board())
        for event in self.table.events[self._told :]:
            known = redact(event, self.seat)
            if known is None:
                continue
            self._version += 1
            form = wire(known, self.seat, self._version)
            line = self._drawn.told(form, names)
            if line is not None:
                self._say(line)
                self._pause(self._drawn.seconds(form))
        self._told = len(self.table.events)

    def _show_board(self) -> None:
        self.console.rule(style="dim")
        self.console.print(self._drawn.board(self.board()))

    def _show_actions(self, listing: Listing) -> None:
        self._listed = list(listing.actions)
        for number, command in enumerate(self._listed[:ACTIONS_SHOWN], 1):
            self._say(f"{number:3}  {told_command(command)}")
        if len(self._listed) > ACTIONS_SHOWN:
            self._say(f"     … {len(self._listed) - ACTIONS_SHOWN} more, by number as well", "dim")
        if not listing.complete:
            self._say("     There are more: these are examples. `help` shows how to type others.")

    # ------------------------------------------------------------------ acting

    def _let_act(self, *, owes: bool) -> None:
        """Read what the person types until it has acted, or lets the others go on."""
        listing = self.game.actions(self.table.view(self.seat), self.seat)
        if owes:
            self._show_actions(listing)
        else:
            self._listed = list(listing.actions)
        prompt = f"seat {self.seat}> " if owes else f"seat {self.seat} (Enter: go on)> "
        while True:
            typed = self._ask(prompt).strip()
            if not owes and typed in ("", "next", "wait"):
                self._waits = typed == "wait"
                self.table.step(self._bots, self._choosers)
                return
            if not typed:
                self._say("You must act first: type a number of the list, or `help`.")
            elif not self._served(typed, listing) and self._given(typed):
                return

    def _served(self, typed: str, listing: Listing) -> bool:
        """Answer what is no command; whether it was none."""
        word, _, rest = typed.partition(" ")
        match word:
            case "quit" | "exit":
                raise Quit
            case "help" | "?":
                for line in (*HELP, *self._drawn.forms(self.board())):
                    self._say("  " + line)
            case "board":
                self._show_board()
            case "actions":
                self._show_actions(listing)
            case "rules" | "rule":
                self._show_rule(rest.strip().upper())
            case "next" | "wait":
                self._say("You must act first: nothing goes on without you.")
            case _:
                return False
        return True

    def _show_rule(self, rule: str) -> None:
        known = texts(self.game.id)
        if not rule:
            self._say(", ".join(known))
        elif rule in known:
            self._say(f"{rule}  {known[rule]}")
        else:
            self._say(f"There is no rule {rule}; there are {', '.join(known)}.")

    def _given(self, typed: str) -> bool:
        """Give the command that was typed; whether it was accepted."""
        try:
            self.table.give(self.seat, self._read(typed))
        except Malformed as error:
            self._say(f"Not understood: {error.detail}", "yellow")
        except Rejected as error:
            self._refused(error)
        else:
            return True
        return False

    def _refused(self, error: Rejected) -> None:
        rule = error.reason.rule
        self._say(f"Refused: {error.detail}" + (f" ({rule})" if rule else ""), "yellow")
        if rule:
            self._show_rule(rule)

    def _read(self, typed: str) -> Command:
        """The command that these words stand for.

        Raises:
            Malformed: they stand for none.
        """
        if typed.isdecimal():
            if not 1 <= int(typed) <= len(self._listed):
                raise Malformed(f"there is no action {typed}")
            return self._listed[int(typed) - 1]
        if typed.startswith("{"):
            try:
                body: Any = msgspec.json.decode(typed)
            except msgspec.DecodeError as error:
                raise Malformed(f"that is no JSON: {error}") from None
        else:
            words, board = typed.split(), self.board()
            body = self._drawn.shorthand(words, board) or shorthand(words, board)
            if body is None:
                raise Malformed("type `help` for what may be typed")
        return self._command(body)

    def _command(self, body: Any) -> Command:
        name = str(body.get("type")) if isinstance(body, dict) else "like that"
        kind = command_types(self.game.id).get(name)
        if kind is None:
            word = name.removeprefix(f"{self.game.id}.")
            raise Malformed(f"there is no command {word}; type `help` for what may be typed")
        try:
            return msgspec.convert(body, kind, strict=True)
        except msgspec.ValidationError as error:
            raise Malformed(in_words(error, kind)) from None


def told_command(command: Command) -> str:
    """A command in words: its name and its fields."""
    body = body_of(command)
    name = body.pop("type").rpartition(".")[2].replace("_", " ")
    fields = ", ".join(f"{field} {short(value)}" for field, value in body.items())
    return f"{name}: {fields}" if fields else str(name)
