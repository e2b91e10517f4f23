"""The one readable log of many parts: each line behind the name of the part that wrote it."""

import os
import select
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Literal

import msgspec

_COLOURS = (36, 33, 32, 35, 34, 31)


class CommonLog:
    """Writes the lines of all parts to one place.

    Args:
        fd: where to, for instance the standard output's number.
        form: "console" puts the name before each line; "json" leaves lines that are JSON objects as
            they are (their writers name themselves, service.logs) and makes the others such.
        width: of the longest name.

    `closed` is called once where nobody reads any more; later lines are dropped.

    Python's own buffered writers lose the rest of a long line where a signal cuts a write short
    (seen with 3.11.7 and lines over 8 KiB), and here children that end send signals.
    """

    def __init__(
        self,
        fd: int,
        *,
        form: Literal["console", "json"] = "console",
        width: int = 0,
    ) -> None:
        self._fd = fd
        self._form = form
        self._width = width
        self._open = True
        self.closed: Callable[[], None] = lambda: None
        self._colours: dict[str, int] | None = {} if os.isatty(fd) else None

    def say(self, name: str, line: str) -> None:
        """Write one line of one part."""
        if not self._open:
            return
        text = self._as_json(name, line) if self._form == "json" else self._behind(name, line)
        rest = memoryview(f"{text}\n".encode(errors="replace"))
        try:
            while rest:
                rest = rest[self._write(rest) :]
        except OSError:
            self._open = False
            self.closed()

    def _write(self, data: memoryview) -> int:
        try:
            return os.write(self._fd, data)
        except BlockingIOError:  # a terminal that another program made so
            select.select((), (self._fd,), ())
            return 0

    def _behind(self, name: str, line: str) -> str:
        front = f"{name:<{self._width}} |"
        if self._colours is not None:
            colour = self._colours.setdefault(name, _COLOURS[len(self._colours) % len(_COLOURS)])
            front = f"\x1b[{colour}m{front}\x1b[0m"
        return f"{front} {line}".rstrip()

    def _as_json(self, name: str, line: str) -> str:
        if line.startswith("{"):
            return line
        now = datetime.now(UTC).isoformat().replace("+00:00", "Z")
        entry = {"event": line, "level": "info", "timestamp": now, "part": name}
        return msgspec.json.encode(entry).decode()
