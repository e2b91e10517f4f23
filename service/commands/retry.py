"""`homestretch retry`: what stands still in a view is tried again at once."""

import argparse

from service.commands.view_care import ALL, VIEWS, add_view, tend
from service.settings import Settings
from service.tending import Tending


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Which view, or all."""
    add_view(parser, ALL)


def run(args: argparse.Namespace, settings: Settings) -> int:
    """Ask for it, and wait for what comes of it."""

    async def work(tending: Tending) -> None:
        for view in VIEWS if args.view == ALL else (args.view,):
            moved = await tending.retry(view)
            print(f"{view}: {moved} moved on" if moved else f"{view}: nothing stands still")

    return tend(settings, work)
