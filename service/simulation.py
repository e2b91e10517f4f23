"""Whole meetings in process: the same decider and folds as the server's, without log or network.

Every seat is played from its own view, folded from what it may see. This module needs the domain
alone, so anybody can train or compare bots with it.
"""

from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from random import Random
from typing import Any

from msgspec import Struct

from domain.kernel.game import Bot, Chooser, Game
from domain.kernel.lines import GENESIS, canonical, chain, join
from domain.kernel.message import Command, Event
from domain.racing import lifecycle
from domain.racing.draft import Draft
from domain.racing.folding import follow
from domain.racing.meeting import FULL, PUBLIC_VIEW, RUNNING, Meeting

TIME = "2000-01-01T00:00:00.000Z"
"""When everything happens: a simulation has no clock."""


class LocalMeeting:
    """One meeting in this process; `full` knows all, `view` what one seat (0: the public) knows.

    Args:
        game: its game.
        options: in full, as `game.read_options` gives them.
        seats: how many.
        seed: the master seed, 32 bytes.
        name: its id.
        at: the time of all its events, as logs write it.
    """

    def __init__(
        self,
        game: Game,
        *,
        options: Mapping[str, Any],
        seats: int,
        seed: bytes,
        name: str = "simulated",
        at: str = TIME,
    ) -> None:
        self.game = game
        self.full = Meeting(viewer=FULL)
        self.events: list[Event] = []
        self.moves = 0
        self._at = at
        self._chance: Any = None
        self._views = [Meeting(viewer=viewer) for viewer in range(PUBLIC_VIEW, seats + 1)]
        self._seen = [0] * (seats + 1)
        self._asked = [0] * (seats + 1)  # version at which a seat's bot last volunteered nothing
        draft = self._draft()
        lifecycle.open_meeting(
            draft,
            meeting=name,
            seed=seed,
            options=options,
            seats=seats,
            host="host",
            name=None,
            start="manual",
            arranged=False,
            draws=None,
        )
        self._keep(draft)

    def _draft(self) -> Draft:
        return Draft(self.full, self.game, self._at, self._chance)

    def _keep(self, draft: Draft) -> list[Event]:
        self._chance = draft.chance
        self.events += draft.events
        return draft.events

    def sit(self, seat: int, name: str, bot: str | None = None) -> None:
        """Seat a built-in bot by its name, or a person, who has no other id here."""
        draft = self._draft()
        kind = "human" if bot is None else "bot"
        lifecycle.take_seat(draft, seat, player=bot or name, name=name, kind=kind, bot=bot)
        self._keep(draft)

    def start(self) -> None:
        """Begin play; every seat must be taken."""
        draft = self._draft()
        lifecycle.start_meeting(draft)
        self._keep(draft)

    def view(self, viewer: int) -> Meeting:
        """The meeting as a viewer knows it now."""
        view = self._views[viewer]
        follow(view, self.events[self._seen[viewer] :], self.game)
        self._seen[viewer] = len(self.events)
        return view

    def give(self, seat: int, command: Command) -> list[Event]:
        """Decide a command of a seat (0: the system); its events.

        Raises:
            Rejected, Malformed: nothing changed.
        """
        draft = Draft(self.full, self.game, self._at, self._chance)
        lifecycle.decide(draft, seat, command)
        self.moves += 1
        self.events += draft.events
        return draft.events

    def step(self, bots: Mapping[int, Bot], choosers: Mapping[int, Chooser]) -> list[Event]:
        """One move that waits for nobody else: of the system, a volunteering bot, or one that owes.

        Seats are asked in their order, as the server's workers do.

        Args:
            bots: by seat, those that play here.
            choosers: by seat, what they choose with.

        Returns:
            Its events; none where the meeting waits for a seat without a bot, or is over.
        """
        if self.full.status != RUNNING:
            return []
        system = self.game.awaits(self.full)
        if system is not None:
            return self.give(0, system)
        for seat, bot in bots.items():
            if bot.volunteer is not None:
                command = self._volunteered(seat, bot, choosers[seat])
                if command is not None:
                    return self.give(seat, command)
        for seat in self.game.waiting(self.full):
            if seat in bots:
                return self.give(seat, bots[seat].decide(self.view(seat), seat, choosers[seat]))
        return []

    def _volunteered(self, seat: int, bot: Bot, chooser: Chooser) -> Command | None:
        view = self.view(seat)
        assert bot.volunteer is not None
        if not view.might or view.owed or view.version == self._asked[seat]:
            return None
        command = bot.volunteer(view, seat, chooser)
        if command is None:
            self._asked[seat] = view.version
        return command

    def lines(self) -> Iterator[bytes]:
        """The log as it is exported, without line ends."""
        digest = GENESIS
        for event in self.events:
            body = canonical(event)
            digest = chain(digest, body)
            yield join(body, digest)


class Field(Struct, frozen=True, kw_only=True):
    """Who plays what, seats rotated: meeting i of a round has every entrant i seats further on.

    Args:
        game: the game's id.
        options: in full.
        bots: names of built-in bots, one for each entrant; entrant 0 sits on seat 1 first.
        seed: what all chance of these meetings follows from.
    """

    game: str
    options: dict[str, Any]
    bots: tuple[str, ...]
    seed: int

    def seat_of(self, entrant: int, meeting: int) -> int:
        """Where an entrant sits."""
        return (entrant + meeting) % len(self.bots) + 1

    def round_of(self, meeting: int) -> int:
        """Which round a meeting belongs to: its meetings have the same seed."""
        return meeting // len(self.bots)


class Played(Struct, kw_only=True):
    """How a meeting ended.

    Args:
        meeting: its number.
        name: its id.
        points, ranks: by entrant.
        moves, events: how many.
        log: its lines, where they are wanted.
    """

    meeting: int
    name: str
    points: list[int]
    ranks: list[int]
    moves: int
    events: int
    log: list[bytes] | None = None


def play(field: Field, meeting: int, game: Game, *, log: bool = False) -> Played:
    """Play one meeting of a field to its end.

    Args:
        field: who plays what.
        meeting: its number; the same number of the same field, the same meeting.
        game: the game of the field.
        log: whether its log is wanted.
    """
    played_round = field.round_of(meeting)
    seed = sha256(f"{field.seed}/{played_round}".encode()).digest()
    local = LocalMeeting(
        game,
        options=field.options,
        seats=len(field.bots),
        seed=seed,
        name=f"simulated-{field.seed}-{meeting}",
    )
    seats = [field.seat_of(entrant, meeting) for entrant in range(len(field.bots))]
    bots: dict[int, Bot] = {}
    choosers: dict[int, Chooser] = {}
    for entrant, seat in sorted(enumerate(seats), key=lambda pair: pair[1]):
        name = field.bots[entrant]
        local.sit(seat, name, name)
        bots[seat] = game.bots[name]
        choosers[seat] = Random(f"{field.seed}/{played_round}/{entrant}")
    local.start()
    while local.full.status == RUNNING:
        if not local.step(bots, choosers):
            raise RuntimeError(f"{field.game}: no bot can go on in meeting {meeting}")
    ranking = {line.seat: line for line in local.full.ranking or []}
    return Played(
        meeting=meeting,
        name=local.full.id,
        points=[ranking[seat].points for seat in seats],
        ranks=[ranking[seat].rank for seat in seats],
        moves=local.moves,
        events=len(local.events),
        log=list(local.lines()) if log else None,
    )


def rounds(meetings: int, field: Sequence[str]) -> int:
    """So many meetings, rounded up to whole rounds: every entrant sits everywhere equally often."""
    return -(-meetings // len(field)) * len(field)
