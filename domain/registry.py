"""The games there are: every folder of domain/games, found by looking, named nowhere else."""

import importlib
import pkgutil
from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import Any, Union

import msgspec

import domain.games
from domain.kernel.game import Game
from domain.kernel.message import Command, Event, type_of
from domain.kernel.rejection import Reason
from domain.racing.events import SHARED_EVENTS
from domain.racing.forms import Reading, UnknownEvent


def _find() -> Mapping[str, Game]:
    found: dict[str, Game] = {}
    for module in pkgutil.iter_modules(domain.games.__path__):
        game = importlib.import_module(f"domain.games.{module.name}").GAME
        assert game.id == module.name.replace("_", "-"), "a game's id is its folder's name"
        found[game.id] = game
    return found


_FOUND = dict(_find())
GAMES: Mapping[str, Game] = MappingProxyType(_FOUND)


@cache
def event_types(game_id: str) -> Mapping[str, type[Event]]:
    """Every event type of this game's logs, the shared ones included, by `type`."""
    return {type_of(kind): kind for kind in (*SHARED_EVENTS, *GAMES[game_id].events)}


@cache
def command_types(game_id: str) -> Mapping[str, type[Command]]:
    """Every command that a seat of this game may give, by `type`."""
    return {type_of(kind): kind for kind in GAMES[game_id].commands}


@cache
def seat_commands() -> Mapping[str, type[Command]]:
    """Every command that a seat of any game may give, by `type`."""
    return {type_of(kind): kind for game in GAMES.values() for kind in game.commands}


def reasons(game_id: str) -> tuple[Reason, ...]:
    """Every refusal by this game's rules, in order of precedence."""
    return GAMES[game_id].reasons


@cache
def event_decoder(game_id: str) -> msgspec.json.Decoder[Any]:
    """Decodes one stored line (canonical form) of this game into its Event."""
    return msgspec.json.Decoder(Union[tuple(event_types(game_id).values())])  # noqa: UP007


class _Opened(msgspec.Struct):
    game: str
    rules: str


_opened = msgspec.json.Decoder(_Opened)


def reading_of(first_line: bytes) -> Reading:
    """How a log is read, by its first line.

    Raises:
        UnknownEvent: this release has no such game or rules.
    """
    opened = _opened.decode(first_line)
    if opened.game not in GAMES:
        raise UnknownEvent(f"the game {opened.game}")
    return Reading(GAMES[opened.game], [(1, opened.rules)])
