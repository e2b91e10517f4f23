"""What the commands about views share: the log of the server on this machine, and their words."""

import argparse
import asyncio
from collections.abc import Awaitable, Callable

from service import bootstrap
from service.commands import CommandError
from service.logs import configure
from service.ports import LogError
from service.redis.gate import GateRefused
from service.redis.server import queue_beside, running_url
from service.settings import Settings
from service.tending import NotDone, Tending

ALL = "all"
VIEWS = tuple(projection.name for projection in bootstrap.projections())


def add_view(parser: argparse.ArgumentParser, *others: str) -> None:
    """Which view."""
    parser.add_argument("view", metavar="VIEW", choices=(*VIEWS, *others), help=", ".join(VIEWS))


def server_on(settings: Settings) -> Settings:
    """The settings with the Redis named, or those of the server that runs on this folder.

    Raises:
        CommandError: there is none.
    """
    if settings.redis_url is not None:
        return settings
    url = running_url(settings.data)
    if url is None:
        raise CommandError(
            f"no server runs on {settings.data}; name its HOMESTRETCH_DATA or HOMESTRETCH_REDIS_URL"
        )
    queue = settings.queue_url or queue_beside(url)
    return settings.at(url, queue)


def tend(settings: Settings, work: Callable[[Tending], Awaitable[None]]) -> int:
    """Do something about the views of the Redis named, or of the server that runs on this folder.

    Raises:
        CommandError: there is none, or what was asked for has not come about.
    """
    there = server_on(settings)
    configure(settings.log_format, "error")

    async def main() -> None:
        async with bootstrap.open_store(there) as store:
            await work(Tending(store.log, store.views, bootstrap.projections()))

    try:
        asyncio.run(main())
    except NotDone as fault:
        raise CommandError(str(fault)) from fault
    except GateRefused as refused:
        raise CommandError(f"Redis: {refused.detail}") from refused
    except LogError as away:
        raise CommandError(f"the log can't be reached: {away}") from away
    return 0
