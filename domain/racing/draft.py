"""What one command writes: a draft records events and evolves the full meeting as it goes."""

from collections.abc import Sequence
from typing import Any

from domain.kernel.chance import Chance, SeededChance, derive_key, salt
from domain.kernel.game import Game
from domain.kernel.message import PUBLIC, SERVER, Command, Event, body_of
from domain.racing.folding import apply_all
from domain.racing.meeting import Meeting


class Draft:
    """The events of one command in the making.

    Recording evolves the meeting in place, so a decider refuses first and records then; the caller
    throws the meeting away if what was recorded could not be stored.

    Args:
        meeting: the full state, evolved in place.
        game: its game.
        at: the time of all its events (never before the meeting's last).
        chance: what to draw from; None before the start.
    """

    __slots__ = ("_command", "_command_seat", "at", "chance", "events", "game", "meeting", "table")

    def __init__(self, meeting: Meeting, game: Game, at: str, chance: Chance | None = None) -> None:
        self.meeting = meeting
        self.game = game
        self.table = meeting.table
        self.at = at if at > meeting.at else meeting.at
        self.chance = chance
        self.events: list[Event] = []
        self._command: dict[str, Any] | None = None

    def carry(self, command: Command, seat: int) -> None:
        """The next event recorded carries this command."""
        self._command = body_of(command)
        self._command_seat = seat

    def record(
        self,
        event: type[Event],
        *,
        audience: str | tuple[int, ...] = PUBLIC,
        private: dict[int | str, dict[str, Any]] | None = None,
        draws: dict[str, list[Any]] | None = None,
        secret_command: bool = False,
        **content: Any,
    ) -> None:
        """Add an event and evolve.

        Args:
            event: its class.
            audience: "public", or the seats that may know of it.
            private: by seat, or "server", what only they may see.
            draws: the pieces of draws that it uses, where the outcome is public.
            secret_command: the command that it carries is its seat's secret.
            content: the event's own public fields, `seat` among them.
        """
        meeting = self.meeting
        assert (audience == PUBLIC) == (event.known_to == PUBLIC), "its class says who may know"
        command = self._command
        if command is not None:
            self._command = None
            if secret_command:
                private = {**(private or {})}
                private[self._command_seat] = {
                    **private.get(self._command_seat, {}),
                    "command": command,
                }
            else:
                content["command"] = command
                if self._command_seat:  # who gave it must be told, to decide it anew
                    content.setdefault("seat", self._command_seat)
        if draws:
            content["draws"] = draws
        if draws or (private and "draws" in private.get(SERVER, ())):
            self._tell_dropped(content)
        if private or audience != PUBLIC:
            content["private"] = self._sealed(private or {})
        content["seq"], content["at"], content["audience"] = meeting.version + 1, self.at, audience
        content["meeting"] = meeting.id or content.pop("id")
        made = event(**content)
        self.events.append(made)
        apply_all(meeting, (made,), self.game)
        self.table = meeting.table

    def _tell_dropped(self, content: dict[str, Any]) -> None:
        """Labels whose arranged list did not fit, once: a chance made anew would tell it again."""
        dropped = self.chance.dropped() if self.chance else []
        news = [label for label in dropped if label not in self.meeting.dropped]
        if news:
            content["arrangement_dropped"] = news

    def _sealed(self, private: dict[int | str, dict[str, Any]]) -> dict[str, dict[str, Any]]:
        """What stands under `private`: by seat as text, and the server's with the line's salt."""
        hidden = {str(seat): secret for seat, secret in private.items()}
        server = hidden.pop(SERVER, {})
        seed = self.meeting.seed or server.get("seed")
        assert seed is not None, "only the full meeting decides"
        line_salt = salt(bytes.fromhex(seed), self.meeting.version + 1)
        return {**hidden, SERVER: {"salt": line_salt, **server}}

    def draw(self, label: str, items: Sequence[Any]) -> list[Any]:
        """The whole order of the items under this label."""
        assert self.chance is not None, "there is nothing to draw before the start"
        return self.chance.draw(label, items)


def chance_of(meeting: Meeting) -> SeededChance:
    """The chance of a meeting that is about to start or has started, from its seed and nonces."""
    assert meeting.seed is not None, "only the full meeting draws"
    key = derive_key(bytes.fromhex(meeting.seed), [p.nonce for p in meeting.seats])
    return SeededChance(key, meeting.arrangement)
