"""Log files as the offline commands take them: from a path or standard input, shown safely."""

import argparse
import gzip
import sys
import zlib
from pathlib import Path
from typing import Any

from domain.verification import lines_of
from service.terminal.plain import short

GZIP = b"\x1f\x8b"
UNREADABLE = 2
"""The exit code where there is no such file: the command was asked wrongly."""


def add_file(parser: argparse.ArgumentParser) -> None:
    """The argument that names the file."""
    parser.add_argument(
        "file",
        metavar="FILE",
        help="the log, as exported or from the archive (.gz); - for standard input",
    )


def read_log(name: str) -> list[bytes] | None:
    """The lines of a log with their ends; None, and a word to standard error, if unreadable."""
    try:
        data = sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
    except OSError as error:
        print(f"homestretch: can't read {name}: {error.strerror}", file=sys.stderr)
        return None
    if data.startswith(GZIP):  # a file of the archive
        try:
            data = gzip.decompress(data)
        except (OSError, EOFError, zlib.error):
            print(f"homestretch: {name} is no whole gzip file", file=sys.stderr)
            return None
    return lines_of(data)


def plain(value: Any) -> str:
    """A value of a log as one line of text, without what a terminal would obey."""
    return without_controls(short(value))


def without_controls(text: str) -> str:
    """The text with a harmless sign in place of each that a terminal would obey."""
    return "".join(sign if sign.isprintable() else "\N{REPLACEMENT CHARACTER}" for sign in text)


def printable(value: Any) -> Any:
    """A copy of a plain value in which every text may be printed."""
    if isinstance(value, str):
        return without_controls(value)
    if isinstance(value, dict):
        return {printable(key): printable(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [printable(inner) for inner in value]
    return value
