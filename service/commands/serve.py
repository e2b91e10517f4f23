"""`homestretch serve`: the API alone."""

import argparse
import socket

from service import parts
from service.commands import CommandError, part
from service.listening import CannotListen, listen
from service.settings import Settings


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments with which `up` lets several processes share one port."""
    part.add_arguments(parser)
    parser.add_argument("--fd", type=int, metavar="N", help="listening socket, inherited as fd N")
    parser.add_argument(
        "--index", type=int, default=1, metavar="N", help="1, 2 … among the API processes"
    )


def run(args: argparse.Namespace, settings: Settings) -> int:
    """Serve until SIGTERM."""
    return part.run(args, settings, lambda: _serve(args, settings))


def _serve(args: argparse.Namespace, settings: Settings) -> int:
    try:
        if args.fd is None:
            listener = listen(settings.host, settings.port)
        else:
            listener = socket.socket(fileno=args.fd)
    except (CannotListen, OSError) as error:
        raise CommandError(str(error)) from error
    return parts.serve(settings, listener, index=args.index)
