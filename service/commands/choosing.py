"""Arguments that name a game, its seats and options; shared by the commands that play."""

import argparse
from collections.abc import Sequence
from itertools import cycle, islice
from typing import Any

import msgspec

from domain.kernel.game import Game
from domain.kernel.rejection import Malformed
from domain.registry import GAMES
from service.commands import CommandError

DEFAULT_GAME = "bookmaker"


def add_game(parser: argparse.ArgumentParser, *, seats: int) -> None:
    """Arguments `--game`, `--seats`, `--options`."""
    parser.add_argument(
        "--game", default=DEFAULT_GAME, choices=sorted(GAMES), help="default: %(default)s"
    )
    parser.add_argument(
        "--seats", type=int, default=seats, metavar="N", help="default: %(default)s"
    )
    parser.add_argument(
        "--options", metavar="JSON", help="options of the meeting, e.g. '{\"brocco\": true}'"
    )


def chosen_game(args: argparse.Namespace) -> Game:
    """The game, played by so many.

    Raises:
        CommandError: not by so many.
    """
    game = GAMES[args.game]
    least, most = game.seats
    if not least <= args.seats <= most:
        raise CommandError(f"{game.title} has {least} to {most} seats, not {args.seats}")
    return game


def options_body(args: argparse.Namespace) -> dict[str, Any]:
    """The options as they were given; {} where none were.

    Raises:
        CommandError: they are no JSON object.
    """
    if args.options is None:
        return {}
    try:
        body = msgspec.json.decode(args.options, type=dict[str, Any])
    except msgspec.DecodeError as error:
        raise CommandError(f"--options is no JSON object: {error}") from error
    return body


def chosen_options(args: argparse.Namespace, game: Game) -> dict[str, Any]:
    """The options in full.

    Raises:
        CommandError: the game does not have them.
    """
    try:
        return game.read_options(options_body(args), args.seats)
    except Malformed as error:
        where = (error.pointer or "").removeprefix("/options").lstrip("/")
        raise CommandError(f"--options{f' {where}' if where else ''}: {error.detail}") from error


def alternating(game: Game, count: int, names: Sequence[str]) -> list[str]:
    """So many names of built-in bots in turns; only those that the game has."""
    known = [name for name in names if name in game.bots] or sorted(game.bots)
    return list(islice(cycle(known), count))
