"""`homestretch play`: a meeting in the terminal against built-in bots, without a server."""

import argparse
import secrets
import time
from random import Random

from rich.console import Console
from rich.text import Text

from domain.kernel.chance import SEED_BYTES
from domain.kernel.game import Bot, Chooser
from service.commands.choosing import add_game, alternating, chosen_game, chosen_options
from service.settings import Settings
from service.simulation import LocalMeeting
from service.terminal.session import Session

YOU = 1
BOTS = ("steady", "random")
PACE = 0.5
"""At a table of one's own things go faster than in a show."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Which game, how many seats, how fast."""
    add_game(parser, seats=4)
    parser.add_argument("--fast", action="store_true", help="do not pause between events")


def run(args: argparse.Namespace, settings: Settings) -> int:
    """Play until the meeting is over or the person goes."""
    console = Console(highlight=False)
    game = chosen_game(args)
    table = LocalMeeting(
        game,
        options=chosen_options(args, game),
        seats=args.seats,
        seed=secrets.token_bytes(SEED_BYTES),
        name="local",
    )
    bots: dict[int, Bot] = {}
    choosers: dict[int, Chooser] = {}
    table.sit(YOU, "You")
    for seat, name in enumerate(alternating(game, args.seats - 1, BOTS), YOU + 1):
        table.sit(seat, name, name)
        bots[seat] = game.bots[name]
        choosers[seat] = Random(secrets.token_bytes(8))
    table.start()
    console.print(
        Text(f"{game.title}, {args.seats} seats. You have seat {YOU}. `help` tells what to type.")
    )

    def pause(seconds: float) -> None:
        if not args.fast:
            time.sleep(seconds * PACE)

    def ask(prompt: str) -> str:
        return console.input(Text(prompt, style="bold"))

    Session(table, YOU, bots, choosers, console, ask, pause).play()
    return 0
