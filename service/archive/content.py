"""What an archive's files hold, and what is said where that can't be so."""

import gzip
import zlib

from domain.kernel.lines import GENESIS, chain, split
from service.ports import Diverged, Head, Line, LogUnavailable


class Damaged(Diverged):
    """A file of the archive is missing or is not what it must be: it is never believed.

    `name` is that of what it holds.
    """

    def __init__(self, name: str, what: str) -> None:
        super().__init__(f"the archive of {name} {what}")
        self.name = name


class Missing(Damaged):
    """A file of the archive that must be there is not."""

    def __init__(self, name: str) -> None:
        super().__init__(name, "is missing")


class Foreign(LogUnavailable):
    """The folder is not the archive of this store: not mounted, or another machine's."""


def unpack(name: str, data: bytes) -> bytes:
    """What a file holds, if it is whole.

    Raises:
        Damaged.
    """
    try:
        return gzip.decompress(data)
    except (OSError, EOFError, zlib.error) as fault:
        raise Damaged(name, "is no whole file") from fault


def lines_of(meeting: str, content: bytes, head: Head) -> list[Line]:
    """The lines of a log, if their hashes, made anew, lead from the first to the head.

    Raises:
        Damaged.
    """
    lines: list[Line] = []
    digest = GENESIS
    rows = content.split(b"\n")
    if rows.pop() != b"":
        raise Damaged(meeting, "is cut")
    for version, row in enumerate(rows, 1):
        try:
            body, told = split(row)
        except ValueError as fault:
            raise Damaged(meeting, f"has no line {version}") from fault
        digest = chain(digest, body)
        if digest != told:
            raise Damaged(meeting, f"was changed before or in line {version}")
        lines.append(Line(version, body, digest))
    if not lines or Head(len(lines), digest) != head:
        raise Damaged(meeting, "has another end than the log had")
    return lines
