"""`homestretch export`: the log of a meeting from the server, byte for byte."""

import argparse
import os
import sys
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO
from urllib.parse import quote

import httpx

from service.commands import CommandError
from service.commands.calling import calling, expect
from service.settings import Settings


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Which meeting, and where to."""
    parser.add_argument("meeting", metavar="MEETING", help="its id")
    parser.add_argument(
        "-o", "--output", type=Path, metavar="FILE", help="write here, not to standard output"
    )
    parser.add_argument("--url", help="server to ask; without it HOMESTRETCH_URL, HOST and PORT")


def run(args: argparse.Namespace, settings: Settings) -> int:
    """Fetch it; before its end an organiser's token is needed (HOMESTRETCH_TOKEN)."""
    with (
        calling(settings, args.url) as client,
        client.stream("GET", f"/v1/meetings/{quote(args.meeting, safe='')}/log") as answer,
    ):
        expect(answer)
        if args.output is None:
            _copy(answer, sys.stdout.buffer)
        else:
            _save(answer, args.output)
    return 0


def _copy(answer: httpx.Response, file: BinaryIO) -> None:
    for part in answer.iter_bytes():
        file.write(part)
    file.flush()


def _save(answer: httpx.Response, path: Path) -> None:
    """Write the file whole or not at all."""
    try:
        handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    except OSError as error:
        raise CommandError(f"can't write {path}: {error.strerror}") from error
    draft = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            _copy(answer, file)
        draft.chmod(0o644)
        draft.replace(path)
    except OSError as error:
        raise CommandError(f"can't write {path}: {error.strerror}") from error
    finally:
        with suppress(FileNotFoundError):
            draft.unlink()
