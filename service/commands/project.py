"""`homestretch project`: the projector alone."""

import argparse

from service import parts
from service.commands import part
from service.commands.part import add_arguments
from service.settings import Settings

__all__ = ["add_arguments", "run"]


def run(args: argparse.Namespace, settings: Settings) -> int:
    """Run the projector until SIGTERM."""
    return part.run(args, settings, lambda: parts.project(settings))
