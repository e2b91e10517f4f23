"""`homestretch rebuild`: a view built anew beside the one in use, which readers keep until then."""

import argparse

from service.commands.view_care import add_view, tend
from service.settings import Settings
from service.tending import Tending


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Which view, and how."""
    add_view(parser)
    how = parser.add_mutually_exclusive_group()
    how.add_argument("--no-wait", action="store_true", help="only begin it")
    how.add_argument(
        "--give-up", action="store_true", help="give up what is being built, and begin nothing"
    )


def run(args: argparse.Namespace, settings: Settings) -> int:
    """Begin it and tell how it goes; it goes on without this command too."""

    async def work(tending: Tending) -> None:
        if args.give_up:
            given_up = await tending.give_up(args.view)
            print(f"{args.view}: {len(given_up)} given up")
            return
        number = await tending.rebuild(args.view)
        print(f"{args.view} {number}: begun", flush=True)
        if args.no_wait:
            return
        async for step in tending.built(args.view, number):
            print(f"{args.view} {number}: {step.applied} of {step.entries}", flush=True)
        print(f"{args.view} {number}: in use")

    return tend(settings, work)
