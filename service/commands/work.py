"""`homestretch work`: one worker alone, on one queue."""

import argparse

from service import parts
from service.commands import part
from service.jobs.owed import QUEUES
from service.settings import Settings


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Which queue."""
    part.add_arguments(parser)
    parser.add_argument("queue", choices=QUEUES, help="what to work on")


def run(args: argparse.Namespace, settings: Settings) -> int:
    """Work until SIGTERM."""
    return part.run(args, settings, lambda: parts.work(settings, args.queue))
