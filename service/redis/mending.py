"""An append-only file whose end was torn off (power cut, full disk), made whole before it is used.

Told to load such a file, Redis cuts off the half command alone. If that stood in a transaction, as
all that our scripts write does, the file goes on behind a transaction that is still open; the next
start then takes its half together with what came later: other events than those acknowledged. So
Redis is told to refuse such a file, and the half transaction is cut off here, by Redis's own tool.
"""

import re
import subprocess
from pathlib import Path

from service.redis.server import EmbeddedError

TORN_MAX = 16 * 1024 * 1024
"""Most bytes that are cut off: far more than one script writes. What lies further back was not torn
but damaged, which is for a person to look at."""

_WHOLE = b"*1\r\n$4\r\nEXEC\r\n"
"""The end of a transaction. What is torn off holds none: behind damage there are whole ones."""

_SECONDS = 600.0
_TOOL = "redis-check-aof"


def mend(program: Path, folder: Path) -> int:
    """Cut off what is no whole transaction at the end of the file in this folder; how many bytes.

    Args:
        program: the redis-server, which is that tool too when it is called so.
        folder: where Redis keeps its files.

    Raises:
        EmbeddedError: the file is damaged further back.
    """
    file = _file(folder)
    if file is None:
        return 0
    # Of several pieces each is told of, up to the first that is torn.
    found = re.findall(r"\bdiff=(\d+)", _check(program, file))
    torn = int(found[-1]) if found else 0
    if torn > TORN_MAX or _WHOLE in _end_of(file, torn):
        raise EmbeddedError(
            f"{file} is damaged {torn} bytes before its end: make a copy of it, then see {_TOOL}"
        )
    if torn:
        _check(program, file, "--fix")
    return torn


def _file(folder: Path) -> Path | None:
    """That of Redis 7 and later, which is a list of pieces, or that of 6.2."""
    files = (folder / "appendonlydir" / "appendonly.aof.manifest", folder / "appendonly.aof")
    return next((file for file in files if file.exists()), None)


def _end_of(file: Path, size: int) -> bytes:
    """The last bytes of a file."""
    if file.name.endswith(".manifest"):
        pieces = sorted(file.parent.glob("*.incr.aof"), key=lambda piece: piece.stat().st_mtime)
        if not pieces:
            return b""
        file = pieces[-1]
    with file.open("rb") as opened:
        opened.seek(-min(size, file.stat().st_size), 2)
        return opened.read()


def _check(program: Path, file: Path, *options: str) -> str:
    done = subprocess.run(
        [_TOOL, *options, str(file)],
        executable=program,
        input="y\n",  # it asks before it cuts
        check=False,
        capture_output=True,
        text=True,
        errors="replace",  # it shows the bytes that it did not expect
        timeout=_SECONDS,
    )
    return done.stdout
