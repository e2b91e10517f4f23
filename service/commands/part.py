"""What the commands of single parts share: their log, and how their faults are told."""

import argparse
from collections.abc import Callable

from service.commands import CommandError
from service.logs import configure, get_logger
from service.settings import SettingError, Settings


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The argument that every part takes."""
    parser.add_argument("--part", metavar="NAME", help="name of this process in its log")


def run(args: argparse.Namespace, settings: Settings, part: Callable[[], int]) -> int:
    """Run a part with its log set up; what it could not handle is a line of the log too.

    Raises:
        SettingError: no Redis is named; a part alone brings none.
    """
    if settings.redis_url is None:
        raise SettingError("HOMESTRETCH_REDIS_URL", "must name the Redis that the parts share")
    configure(settings.log_format, settings.log_level, part=args.part)
    try:
        return part()
    except CommandError:
        raise
    except Exception:  # it ends the process, but not past the log that withholds secrets
        get_logger("parts").exception("part_failed")
        return 1
