"""The server's audit log: who looked at what few may see; a file of its own, one line each."""

import os
from collections.abc import Callable
from pathlib import Path

import msgspec

FILE = "audit.ndjson"


class FileAudit:
    """Lines at the end of a file that only its owner reads; several processes may write it.

    Args:
        path: of the file; its folder must be there.
        now: the time as RFC 3339 UTC.
    """

    def __init__(self, path: Path, now: Callable[[], str]) -> None:
        self._path = path
        self._now = now

    def note(self, what: str, **about: str) -> None:
        """Write one line and see it to disk.

        Raises:
            OSError: it can't be written; what was to be noted must not happen.
        """
        line = msgspec.json.encode({"at": self._now(), "what": what, **about}) + b"\n"
        handle = os.open(self._path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        try:
            os.write(handle, line)
            os.fsync(handle)
        finally:
            os.close(handle)
