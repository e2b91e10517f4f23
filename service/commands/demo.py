"""`homestretch demo`: built-in bots play a meeting on a server, and the terminal follows it."""

import argparse
import time
from pathlib import Path

import httpx
from rich.console import Console
from rich.text import Text

from service.commands import CommandError
from service.commands.calling import calling, expect
from service.commands.choosing import add_game, alternating, chosen_game, chosen_options
from service.settings import Settings
from service.terminal.following import Follower
from service.terminal.plain import Json
from service.terminal.rendering import renderer
from service.terminal.sheet import sheet

BOTS = ("steady", "random")
NAME = "Demo"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Which game on which server, how fast, and what is kept."""
    add_game(parser, seats=5)
    parser.add_argument("--url", help="the server; without it HOMESTRETCH_URL, HOST and PORT")
    parser.add_argument("--fast", action="store_true", help="do not pause between events")
    parser.add_argument("-o", "--output", type=Path, metavar="FILE", help="keep the log here")


def run(args: argparse.Namespace, settings: Settings) -> int:
    """Open a meeting, let bots play it, follow it, and check its money and its log."""
    console = sheet()
    game = chosen_game(args)
    options = chosen_options(args, game)
    with calling(settings, args.url) as client:
        if not settings.token:
            client.headers["Authorization"] = f"Bearer {register(client)}"
        meeting = opened(client, game.id, args.seats, options)
        console.print(Text(f"{game.title}: meeting {meeting} on {client.base_url}"))
        for bot in alternating(game, args.seats, BOTS):
            expect(client.post(f"/v1/meetings/{meeting}/seats", json={"bot": bot}), 201)
        expect(client.post(f"/v1/meetings/{meeting}/start"))
        pause = None if args.fast else time.sleep
        board = Follower(client, meeting, game.id, console, pause).follow()
        console.print(renderer(game.id).board(board))
        log = client.get(f"/v1/meetings/{meeting}/log")
        expect(log)
    if args.output is not None:
        save(args.output, log.content)
    sums_agree = show_checks(board, console)
    honest = show_verification(log, console)
    return 0 if sums_agree and honest else 1


def register(client: httpx.Client) -> str:
    """A player for this show; its token."""
    answer = client.post("/v1/players", json={"name": NAME})
    expect(answer, 201)
    token: str = answer.json()["token"]
    return token


def opened(client: httpx.Client, game: str, seats: int, options: Json) -> str:
    """A meeting; its id."""
    body = {"game": game, "seats": seats, "options": options, "name": NAME}
    answer = client.post("/v1/meetings", json=body)
    expect(answer, 201)
    meeting: str = answer.json()["id"]
    return meeting


def save(path: Path, content: bytes) -> None:
    """Keep the log.

    Raises:
        CommandError: the file can't be written.
    """
    try:
        path.write_bytes(content)
    except OSError as error:
        raise CommandError(f"can't write {path}: {error.strerror}") from error


def show_checks(board: Json, console: Console) -> bool:
    """Say which sums agree; whether all do."""
    checks = renderer(board["game"]).checks(board)
    for what, agrees in checks:
        tell(console, what, agrees)
    return all(agrees for _, agrees in checks)


def show_verification(log: httpx.Response, console: Console) -> bool:
    """Verify the log as it was fetched and say what was found; whether it is honest."""
    from domain.verification import lines_of, verify

    report = verify(lines_of(log.content))
    for problem in report.problems:
        where = "" if problem.line is None else f"line {problem.line}: "
        console.print(Text(f"     {where}{problem.what}"))
    for note in report.notes:
        console.print(Text(f"     {note}", style="dim"))
    tell(console, f"the log of {report.facts.events} events is verified", report.verified)
    return report.verified


def tell(console: Console, what: str, agrees: bool) -> None:
    """A line of the result."""
    mark = Text("ok   " if agrees else "NOT  ", style="bold green" if agrees else "bold red")
    console.print(mark.append(what, style="not bold default"))
