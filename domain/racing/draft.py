"""What one command writes: a draft records events and evolves the full meeting as it goes."""

from collections.abc import Sequence
from typing import Any

from msgspec import UNSET

from domain.kernel.chance import Chance, SeededChance, derive_key, salt
from domain.kernel.game import Game
from domain.kernel.message import PUBLIC, SERVER, Command, Event, body_of
from domain.racing.evolve import apply
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

    def __init__(self, meeting: Meeting, game: Game, at: str, chance: Chance | None = None) -> None:
        self.meeting = meeting
        self.game = game
        self.table = meeting.table
        self.at = max(at, meeting.at)
        self.chance = chance
        self.events: list[Event] = []
        self._command: dict[str, Any] | None = None
        self._command_seat = 0

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
        seq = meeting.version + 1
        hidden: dict[str, dict[str, Any]] = {}
        if private:
            hidden = {str(k): v for k, v in private.items()}
        if self._command is not None:
            if secret_command:
                own = hidden.setdefault(str(self._command_seat), {})
                own["command"] = self._command
            else:
                content["command"] = self._command
                if self._command_seat:  # who gave it must be told, to decide it anew
                    content.setdefault("seat", self._command_seat)
            self._command = None
        if draws or (private and SERVER in private and "draws" in private[SERVER]):
            dropped = self.chance.dropped() if self.chance else []
            news = [label for label in dropped if label not in meeting.dropped]
            if news:  # a chance made anew after a restart would tell it again
                content["arrangement_dropped"] = news
        if hidden or audience != PUBLIC:
            seed = meeting.seed or hidden.get(SERVER, {}).get("seed")
            assert seed is not None, "only the full meeting decides"
            server = {"salt": salt(bytes.fromhex(seed), seq), **hidden.pop(SERVER, {})}
            content["private"] = {**hidden, SERVER: server}
        made = event(
            seq=seq,
            at=self.at,
            meeting=meeting.id or content.pop("id"),
            audience=audience,  # type: ignore[arg-type] # the literal "public" or seats
            draws=draws or UNSET,
            **content,
        )
        self.events.append(made)
        apply(meeting, made, self.game)
        self.table = meeting.table

    def draw(self, label: str, items: Sequence[Any]) -> list[Any]:
        """The whole order of the items under this label."""
        assert self.chance is not None, "there is nothing to draw before the start"
        return self.chance.draw(label, items)


def chance_of(meeting: Meeting) -> SeededChance:
    """The chance of a meeting that is about to start or has started, from its seed and nonces."""
    assert meeting.seed is not None, "only the full meeting draws"
    key = derive_key(bytes.fromhex(meeting.seed), [p.nonce for p in meeting.seats])
    return SeededChance(key, meeting.arrangement)
