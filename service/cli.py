"""The command line: from words to the module that does it (service.commands).

Exit codes: 0 done, 1 failed, 2 asked wrongly (arguments or settings), 130 interrupted.
"""

import argparse
import os
import sys
from collections.abc import Mapping, Sequence
from importlib import import_module, metadata
from importlib.util import find_spec
from typing import Any

from service.commands import CommandError
from service.settings import SettingError, read_settings

HELP: Mapping[str, str] = {
    "up": "start everything on this machine, with an embedded Redis unless one is named",
    "demo": "watch bots play a meeting on the server",
    "play": "play against bots in the terminal, without a server",
    "simulate": "play whole meetings in this process and show figures",
    "export": "fetch the log of a meeting from the server",
    "verify": "check the log of a meeting: hashes, draws, money and every decision",
    "replay": "show what happened in the log of a meeting",
    "inspect": "show where a meeting stands and what it waits for",
    "views": "show how the views (lobby, results, leaderboards) stand",
    "rebuild": "build a view anew beside the one in use, then switch to it",
    "retry": "try again at once what stands still in a view",
    "archive": "move old logs out of Redis now, or check all that were moved",
    "settings": "list every setting: variable, value, meaning",
    "openapi": "print the OpenAPI document",
    "serve": "run the API alone",
    "project": "run the projector alone",
    "react": "run the reactor alone",
    "work": "run one worker alone",
}
"""Every subcommand with what it does, in the order of the help; those without a module are left
out."""

EXTRAS = frozenset(("httpx", "hiredis", "litestar", "openskill", "prometheus_client", "redis"))
EXTRAS |= frozenset(("rich", "rq", "structlog", "uvicorn", "uvloop"))
"""Packages that `pip install homestretch` alone does not bring."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the subcommand that the words name; the exit code."""
    words = sys.argv[1:] if argv is None else list(argv)
    try:
        return _dispatch(words)
    except SettingError as error:
        return _complain(str(error), 2)
    except CommandError as error:
        return _complain(str(error), 1)
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in EXTRAS:
            raise
        return _complain(f"{error.name} is missing: pip install 'homestretch[server,cli]'", 1)
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        # Whoever read our output is gone; without this Python complains once more at its end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1


def _dispatch(words: list[str]) -> int:
    named = next((word for word in words if not word.startswith("-")), None)
    module = _module(named) if named in _present() else None
    args = _parser(named, module).parse_args(words)
    if module is None:
        _parser(None, None).print_help()
        return 2
    code: int = module.run(args, read_settings(os.environ))
    return code


def _present() -> list[str]:
    return [name for name in HELP if find_spec(f"service.commands.{name}") is not None]


def _module(name: str) -> Any:
    return import_module(f"service.commands.{name}")


def _parser(named: str | None, module: Any) -> argparse.ArgumentParser:
    """The parser; only the subcommand that is asked for is imported and has its arguments."""
    parser = argparse.ArgumentParser(
        prog="homestretch",
        description="The game server for horse-race board games.",
        epilog="Settings are environment variables; `homestretch settings` lists them.",
    )
    parser.add_argument("--version", action="version", version=_version())
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", title="commands")
    for name in _present():
        command = commands.add_parser(name, help=HELP[name], description=_sentence(HELP[name]))
        if name == named and hasattr(module, "add_arguments"):
            module.add_arguments(command)
    return parser


def _sentence(words: str) -> str:
    return f"{words[0].upper()}{words[1:]}."


def _version() -> str:
    try:
        return f"homestretch {metadata.version('homestretch')}"
    except metadata.PackageNotFoundError:
        return "homestretch, not installed"


def _complain(text: str, code: int) -> int:
    print(f"homestretch: {text}", file=sys.stderr)
    return code


if __name__ == "__main__":
    sys.exit(main())
