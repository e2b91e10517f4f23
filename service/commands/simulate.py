"""`homestretch simulate`: whole meetings in this process, seats rotated, and what they tell."""

import argparse
import os
import sys
import time
from collections.abc import Iterable
from pathlib import Path

import msgspec
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from domain.kernel.game import Game
from service.commands import CommandError
from service.commands.choosing import add_game, alternating, chosen_game, chosen_options
from service.figures import BotFigures, Mean, figures
from service.series import Series, Unverified
from service.series import run as play_series
from service.settings import Settings
from service.simulation import Field, Played, rounds
from service.terminal.sheet import sheet

MEETINGS = 100
BOTS = ("steady", "random")


class Summary(msgspec.Struct, frozen=True, kw_only=True):
    """The figures of a run; with one seed they are the same but for the seconds and rates."""

    game: str
    options: dict[str, object]
    seats: int
    seed: int
    meetings: int
    moves: int
    events: int
    verified: bool
    bots: list[BotFigures]
    jobs: int
    seconds: float
    meetings_per_second: float
    moves_per_second: float


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What is played, how often, and what is kept of it."""
    add_game(parser, seats=5)
    parser.add_argument(
        "--bots", metavar="NAME,…", help="one for each seat, or some to take in turns"
    )
    parser.add_argument(
        "--meetings",
        type=int,
        default=MEETINGS,
        metavar="N",
        help="at least so many, in whole rounds of the seats; default: %(default)s",
    )
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="default: %(default)s")
    parser.add_argument("--jobs", type=int, default=1, metavar="N", help="processes")
    parser.add_argument("--verify", action="store_true", help="verify every log")
    parser.add_argument("--out", type=Path, metavar="DIR", help="write every log into this folder")
    parser.add_argument("--json", action="store_true", help="figures as JSON")


def run(args: argparse.Namespace, settings: Settings) -> int:
    """Play, and show the figures."""
    game = chosen_game(args)
    field = Field(
        game=game.id,
        options=chosen_options(args, game),
        bots=tuple(chosen_bots(args, game)),
        seed=args.seed,
    )
    if args.meetings < 1:
        raise CommandError("--meetings must be at least 1")
    if not 1 <= args.jobs <= (os.cpu_count() or 1) * 4:
        raise CommandError(f"--jobs must be from 1 to {(os.cpu_count() or 1) * 4}")
    series = Series(
        field=field, meetings=rounds(args.meetings, field.bots), out=args.out, verify=args.verify
    )
    summary = simulate(series, args.jobs, quiet=args.json)
    if args.json:
        sys.stdout.buffer.write(msgspec.json.format(msgspec.json.encode(summary)) + b"\n")
    else:
        show(summary, sheet())
    return 0


def chosen_bots(args: argparse.Namespace, game: Game) -> list[str]:
    """A bot for each seat.

    Raises:
        CommandError: there is none of that name, or there are more than seats.
    """
    names = list(BOTS) if args.bots is None else args.bots.split(",")
    unknown = [name for name in names if name not in game.bots]
    if args.bots is not None and unknown:
        raise CommandError(
            f"{game.title} has no bot {unknown[0]!r}; it has {', '.join(sorted(game.bots))}"
        )
    if len(names) > args.seats and args.bots is not None:
        raise CommandError(f"{len(names)} bots do not fit on {args.seats} seats")
    return alternating(game, args.seats, names)


def simulate(series: Series, jobs: int, *, quiet: bool) -> Summary:
    """Play a series with a progress bar on standard error, and sum it up.

    Raises:
        CommandError: a log can't be written, or does not verify.
    """
    started = time.perf_counter()
    try:
        if series.out is not None:
            series.out.mkdir(parents=True, exist_ok=True)
        played = list(_watched(play_series(series, jobs), series.meetings, quiet))
    except OSError as error:
        raise CommandError(f"can't write the logs: {error}") from error
    except Unverified as error:
        raise CommandError(f"a log does not verify: {error}") from error
    seconds = time.perf_counter() - started
    moves = sum(meeting.moves for meeting in played)
    return Summary(
        game=series.field.game,
        options=series.field.options,
        seats=len(series.field.bots),
        seed=series.field.seed,
        meetings=len(played),
        moves=moves,
        events=sum(meeting.events for meeting in played),
        verified=series.verify,
        bots=figures(series.field, played),
        jobs=jobs,
        seconds=round(seconds, 3),
        meetings_per_second=round(len(played) / seconds, 2),
        moves_per_second=round(moves / seconds, 1),
    )


def _watched(played: Iterable[Played], total: int, quiet: bool) -> Iterable[Played]:
    """The same, with a bar that grows; none where nobody looks."""
    console = Console(stderr=True)
    if quiet or not console.is_terminal:
        yield from played
        return
    columns = (TextColumn("meetings"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True) as progress:
        yield from progress.track(played, total=total)


def show(summary: Summary, console: Console) -> None:
    """The figures as a table."""
    console.print(
        f"{summary.meetings} meetings of {summary.game}, {summary.seats} seats, "
        f"seed {summary.seed}: {summary.meetings_per_second:g} meetings/s, "
        f"{summary.moves_per_second:,.0f} moves/s "
        f"({summary.moves:,} moves, {summary.events:,} events, {summary.seconds:g} s, "
        f"{summary.jobs} {'process' if summary.jobs == 1 else 'processes'})"
        + (", every log verified" if summary.verified else "")
    )
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("bot")
    for column in ("seats", "points", "rank", "share of wins"):
        table.add_column(column, justify="right")
    for bot in summary.bots:
        table.add_row(
            bot.bot,
            str(bot.seats),
            told(bot.points, 0),
            told(bot.rank, 2),
            told(bot.wins, 3),
        )
    console.print(table)
    console.print(
        f"Means for a seat, ± 95 %; every bot sat on every seat. A fair share of wins is "
        f"{1 / summary.seats:.3f}.",
        style="dim",
    )


def told(mean: Mean, digits: int) -> str:
    """A mean with its margin."""
    margin = "" if mean.margin is None else f" ± {mean.margin:,.{digits}f}"
    return f"{mean.mean:,.{digits}f}{margin}"
