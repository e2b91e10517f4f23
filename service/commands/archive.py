"""`homestretch archive`: old logs moved now, or all that was moved held against its hashes."""

import argparse
import asyncio

from service import bootstrap
from service.archive.content import Damaged, Foreign
from service.archiving import Mover, check_all
from service.commands import CommandError
from service.commands.view_care import server_on
from service.logs import configure
from service.ports import LogError
from service.redis.gate import GateRefused
from service.settings import Settings

HOUR_SECONDS = 3600


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What to do."""
    what = parser.add_mutually_exclusive_group()
    what.add_argument(
        "--now", action="store_true", help="move every meeting that is over, however young"
    )
    what.add_argument("--check", action="store_true", help="move nothing; read all that was moved")


def run(args: argparse.Namespace, settings: Settings) -> int:
    """Do it, and say what came of it; 1 where something in the archive is damaged.

    Raises:
        CommandError: there is no log, no archive, or it can't be written.
    """
    there = server_on(settings)
    if there.archive_folder is None:
        raise CommandError("there is no archive: name its folder by HOMESTRETCH_ARCHIVE")
    if not (args.check or args.now or settings.archive_after):
        raise CommandError("HOMESTRETCH_ARCHIVE_AFTER is 0, so nothing is old; --now moves all")
    configure(settings.log_format, "error")
    try:
        return asyncio.run(_check(there) if args.check else _move(there, now=args.now))
    except GateRefused as refused:
        raise CommandError(f"Redis: {refused.detail}") from refused
    except (Foreign, Damaged, OSError) as fault:
        raise CommandError(f"the archive: {fault}") from fault
    except LogError as away:
        raise CommandError(f"the log can't be reached: {away}") from away


async def _move(settings: Settings, *, now: bool) -> int:
    async with bootstrap.open_store(settings) as store:
        after = 0 if now else settings.archive_after * HOUR_SECONDS
        moved = await Mover(store.log, after).step()
    print(f"{moved.meetings} logs and {moved.entries} entries of feeds moved")
    if moved.left:
        print(f"{moved.left} logs stay in Redis: they don't add up; `homestretch verify` tells why")
    return 1 if moved.left else 0


async def _check(settings: Settings) -> int:
    read, damaged = 0, 0
    async with bootstrap.open_store(settings) as store:
        async for name, fault in check_all(store.log):
            read += 1
            if fault is not None:
                damaged += 1
                print(f"{name}: {fault}")
    print(f"{read} read, {damaged} damaged")
    return 1 if damaged else 0
