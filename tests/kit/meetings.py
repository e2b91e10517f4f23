"""Whole meetings in one process, without any store: opened, seated, played, written down.

Everything follows from the arguments: the time is counted, the seed is given, the players choose by
a seeded source. So the same call makes the same log, byte for byte.
"""

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any

from domain.kernel.chance import SeededChance
from domain.kernel.game import Game
from domain.kernel.lines import GENESIS, canonical, chain, join, redact
from domain.kernel.message import Command, Event
from domain.racing import lifecycle
from domain.racing.draft import Draft
from domain.racing.folding import apply
from domain.racing.meeting import FULL, RUNNING, Meeting
from domain.registry import GAMES

START = datetime(2026, 5, 1, 14, 0, tzinfo=UTC)
SEED = bytes(range(32))
COMMANDS_MAX = 20_000
"""A meeting of any options ends well before."""

Choose = Callable[["Played", int], Command]


def moment(seconds: float) -> str:
    """So many seconds after the start, as the log writes times."""
    at = START + timedelta(seconds=seconds)
    return at.isoformat(timespec="milliseconds").replace("+00:00", "Z")


class Played:
    """A meeting being played, and its log.

    Args as in `lifecycle.open_meeting`; options may be a part, `draws` make it an arranged one.
    """

    def __init__(
        self,
        game: str = "bookmaker",
        *,
        seats: int = 2,
        options: Mapping[str, Any] | None = None,
        seed: bytes = SEED,
        draws: Mapping[str, Sequence[Any]] | None = None,
        arranged: bool = False,
        meeting: str = "m-spring-cup",
        name: str | None = "Spring Cup",
        host: str = "p-ann",
        start: str = "manual",
    ) -> None:
        self.game: Game = GAMES[game]
        self.full = Meeting(viewer=FULL)
        self.events: list[Event] = []
        self.sizes: list[int] = []
        """How many events each command wrote."""
        self.chance: SeededChance | None = None
        self.clock = 0.0
        self._views: dict[int, Meeting] = {}
        self._seen: dict[int, int] = {}
        self.act(
            lambda draft: lifecycle.open_meeting(
                draft,
                meeting=meeting,
                seed=seed,
                options=self.game.read_options(options or {}, seats),
                seats=seats,
                host=host,
                name=name,
                start=start,
                arranged=arranged or bool(draws),
                draws=draws,
            )
        )

    def act(self, work: Callable[[Draft], Any]) -> Any:
        """Decide something and keep its events; a second passes by."""
        draft = Draft(self.full, self.game, moment(self.clock), self.chance)
        self.clock += 1
        result = work(draft)
        self.chance = draft.chance  # type: ignore[assignment] # the start makes a seeded one
        self.events.extend(draft.events)
        self.sizes.append(len(draft.events))
        return result

    def sit(self, seat: int, name: str, nonce: str | None = None) -> "Played":
        """A person sits down; its player id is made from its name."""
        player = f"p-{name.lower()}"
        self.act(lambda d: lifecycle.take_seat(d, seat, player=player, name=name, nonce=nonce))
        return self

    def sit_bot(self, seat: int, bot: str) -> "Played":
        """A built-in bot sits down."""
        self.act(lambda d: lifecycle.take_seat(d, seat, player=bot, name=bot, kind="bot", bot=bot))
        return self

    def begin(self) -> "Played":
        """Start."""
        self.act(lifecycle.start_meeting)
        return self

    def give(self, seat: int, command: Command) -> "Played":
        """A seat's command (0: the system's)."""
        self.act(lambda d: lifecycle.decide(d, seat, command))
        return self

    def ask_abandon(self, seat: int) -> "Played":
        """A seat wants to end."""
        self.act(lambda d: lifecycle.ask_abandon(d, seat))
        return self

    def abandon(self, reason: str = "host") -> "Played":
        """End without a result."""
        self.act(lambda d: lifecycle.abandon(d, reason))
        return self

    def view(self, viewer: int) -> Meeting:
        """The meeting as a seat (0: the public) knows it now."""
        view = self._views.setdefault(viewer, Meeting(viewer=viewer))
        for event in self.events[self._seen.get(viewer, 0) :]:
            known = redact(event, viewer)
            if known is not None:
                apply(view, known, self.game)
        self._seen[viewer] = len(self.events)
        return view

    def step(self, choose: Choose) -> bool:
        """The settlement that is owed, or a decision of the first seat that owes one.

        False where nobody owes anything.
        """
        owed = self.game.awaits(self.full)
        if owed is not None:
            self.give(0, owed)
            return True
        waiting = self.game.waiting(self.full)
        if waiting:
            self.give(waiting[0], choose(self, waiting[0]))
        return bool(waiting)

    def play(
        self,
        choose: Choose,
        *,
        until: Callable[["Played"], bool] = lambda _: False,
        eager: Random | None = None,
        eagerness: float = 0.2,
    ) -> "Played":
        """Play on until the meeting is over or `until` says so.

        Args:
            choose: decides for every seat.
            until: asked before each step.
            eager: where given, seats that may act without owing it also do, at times and at random.
            eagerness: how often.
        """
        for _ in range(COMMANDS_MAX):
            if self.full.status != RUNNING or until(self):
                return self
            if eager is not None and eager.random() < eagerness:
                self._volunteer(eager)
            else:
                self.step(choose)
        raise AssertionError("the meeting does not end")

    def _volunteer(self, eager: Random) -> None:
        willing = [p.seat for p in self.full.seats if self.game.might(self.view(p.seat), p.seat)]
        if willing:
            seat = eager.choice(willing)
            self.give(seat, at_random(eager)(self, seat))

    def lines(self) -> list[bytes]:
        """The log as a file has it, line by line with line ends."""
        return chained(canonical(event) for event in self.events)

    def write(self, path: Path) -> None:
        """Write the log file."""
        path.write_bytes(b"".join(self.lines()))


def chained(bodies: Any) -> list[bytes]:
    """Lines of a log from canonical forms: all hashes made here."""
    lines, digest = [], GENESIS
    for body in bodies:
        digest = chain(digest, body)
        lines.append(join(body, digest) + b"\n")
    return lines


def as_default(played: Played, seat: int) -> Command:
    """What the server plays on expiry."""
    command = played.game.default(played.view(seat), seat)
    assert command is not None, "a default is asked of seats that owe a decision"
    return command


def by_bots(source: Random, names: Sequence[str] = ("steady", "random")) -> Choose:
    """Built-in bots, by turns around the table, choosing by this source."""

    def choose(played: Played, seat: int) -> Command:
        bot = played.game.bots[names[(seat - 1) % len(names)]]
        return bot.decide(played.view(seat), seat, source)

    return choose


def at_random(source: Random) -> Choose:
    """Any listed action."""
    return by_bots(source, ("random",))


def seated(played: Played, nonces: Sequence[str | None] = (), start: bool = True) -> Played:
    """People on all seats, with these nonces by seat, and the start."""
    for place in list(played.full.seats):
        nonce = nonces[place.seat - 1] if place.seat <= len(nonces) else None
        played.sit(place.seat, NAMES[place.seat - 1], nonce)
    return played.begin() if start else played


NAMES = ("Ann", "Ben", "Cleo", "Dai", "Eve", "Finn", "Gus", "Hope", "Ida")
