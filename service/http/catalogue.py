"""The catalogue of games: what a client needs to play one it has never heard of."""

from functools import cache
from typing import Any

from msgspec import Struct

from domain.kernel.game import Game
from domain.kernel.message import type_of
from domain.racing.events import SHARED_EVENTS
from domain.registry import GAMES
from service.http import params
from service.http import problems as p
from service.http.call import Answer, Call, as_json, page
from service.http.lobby import find_game
from service.http.operation import Form, Operation
from service.http.schemas import command_alone, event_alone, options_alone
from service.rulebook import texts

TAG = "catalogue"


class SeatRange(Struct, frozen=True, kw_only=True):
    """Fewest and most seats."""

    min: int
    max: int


class CommandEntry(Struct, frozen=True, kw_only=True):
    """A command: its JSON Schema as it is posted, and the phases in which it may be."""

    type: str
    description: str
    phases: list[str]
    schema: dict[str, Any]


class EventEntry(Struct, frozen=True, kw_only=True):
    """An event as feeds show it.

    Args:
        audience: "public", or "seats" where only the seats concerned know of it.
        private: fields that only its own seat sees.
    """

    type: str
    description: str
    audience: str
    private: list[str]
    schema: dict[str, Any]


class PhaseCommand(Struct, frozen=True, kw_only=True):
    """A command of a phase, and who may give it."""

    type: str
    who: str


class PhaseEntry(Struct, frozen=True, kw_only=True):
    """A phase and its commands."""

    phase: str
    commands: list[PhaseCommand]


class BotEntry(Struct, frozen=True, kw_only=True):
    """A built-in bot with its fixed rating."""

    name: str
    rating: float


class GameEntry(Struct, frozen=True, kw_only=True):
    """A game of this server.

    Args:
        rules: number of its rules.
        options: JSON Schema of a meeting's options, with defaults.
        texts: the rules by id.
    """

    id: str
    title: str
    rules: str
    seats: SeatRange
    options: dict[str, Any]
    phases: list[PhaseEntry]
    commands: list[CommandEntry]
    events: list[EventEntry]
    texts: dict[str, str]
    bots: list[BotEntry]


def _phases(game: Game) -> list[PhaseEntry]:
    return [
        PhaseEntry(
            phase=phase,
            commands=[PhaseCommand(type=type_of(c), who=who) for c, who in commands.items()],
        )
        for phase, commands in game.phases.items()
    ]


def _commands(game: Game) -> list[CommandEntry]:
    return [
        CommandEntry(
            type=type_of(kind),
            description=_words(kind),
            phases=[phase for phase, commands in game.phases.items() if kind in commands],
            schema=command_alone(kind),
        )
        for kind in game.commands
    ]


def _events(game: Game) -> list[EventEntry]:
    entries = []
    for kind in (*SHARED_EVENTS, *game.events):
        secret = () if kind.seat_form is None else kind.seat_form.__struct_fields__
        entries.append(
            EventEntry(
                type=type_of(kind),
                description=_words(kind),
                audience=kind.known_to,
                private=list(secret),
                schema=event_alone(kind),
            )
        )
    return entries


def _words(kind: type) -> str:
    return (kind.__doc__ or "").partition("\n\n")[0]


@cache
def entry(game_id: str) -> GameEntry:
    """All of a game."""
    game = GAMES[game_id]
    fewest, most = game.seats
    return GameEntry(
        id=game.id,
        title=game.title,
        rules=game.rules,
        seats=SeatRange(min=fewest, max=most),
        options=options_alone(game),
        phases=_phases(game),
        commands=_commands(game),
        events=_events(game),
        texts=texts(game.id),
        bots=[BotEntry(name=bot.name, rating=bot.rating) for bot in game.bots.values()],
    )


async def list_games(_call: Call) -> Answer:
    """All games."""
    return page([entry(game_id) for game_id in GAMES])


async def show_game(call: Call) -> Answer:
    """One game."""
    return as_json(entry(call.path("game")))


OPERATIONS: tuple[Operation, ...] = (
    Operation(
        id="ListGames",
        method="GET",
        path="/v1/games",
        tag=TAG,
        summary="The games of this server",
        handle=list_games,
        answers={200: Form(kind=list[GameEntry])},
    ),
    Operation(
        id="ShowGame",
        method="GET",
        path="/v1/games/{game}",
        tag=TAG,
        summary="A game: options, commands, events, phases, rules, bots",
        handle=show_game,
        subject=find_game,
        path_parameters=(params.GAME,),
        answers={200: Form(kind=GameEntry)},
        refusals=(p.GAME_NOT_FOUND,),
    ),
)
