"""Parameters of paths and queries, and how their text is read."""

import re
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from service.http.operation import Parameter
from service.reading import CURSOR as CURSOR_FORM

PUBLIC = "public"
CURSOR_MAX = 200
MEETING_ID = re.compile(r"m[0-9a-f]{16}")
PLAYER_ID = re.compile(r"[a-z][a-z0-9-]{0,39}")
_WHOLE = re.compile(r"0|[1-9][0-9]{0,15}")
WHOLE_MAX = 2**53 - 1


PRIVATE = MappingProxyType({"Cache-Control": "private, no-cache", "Vary": "Authorization"})
"""Headers of answers to a seat."""

TOLD_PRIVATE: Mapping[str, str] = MappingProxyType(
    {
        "Cache-Control": "`private, no-cache` where it is a seat's, else `no-cache`.",
        "Vary": "`Authorization`: another caller may be shown something else.",
    }
)
"""What the document says of them."""

PUBLIC_FRESH = MappingProxyType({"Cache-Control": "no-cache", "Vary": "Authorization"})
"""Headers of answers to everybody, on a path that tells a seat more."""


def whole(least: int, most: int = WHOLE_MAX) -> Callable[[str], int]:
    """Reads a whole number in this range."""
    wanted = f"a whole number from {least}" + ("" if most == WHOLE_MAX else f" to {most}")

    def read(text: str) -> int:
        if not _WHOLE.fullmatch(text) or not least <= int(text) <= most:
            raise ValueError(wanted)
        return int(text)

    return read


def text(longest: int) -> Callable[[str], str]:
    """Reads a text that is not empty, up to so many characters."""

    def read(given: str) -> str:
        if not 1 <= len(given) <= longest:
            raise ValueError(f"a text of 1 to {longest} characters")
        return given

    return read


def one_of(*words: str) -> Callable[[str], str]:
    """Reads one of these words."""

    def read(given: str) -> str:
        if given not in words:
            raise ValueError("one of " + ", ".join(words))
        return given

    return read


_SEAT_NUMBER = whole(1, 99)


def _seat(given: str) -> int | str:
    try:
        return PUBLIC if given == PUBLIC else _SEAT_NUMBER(given)
    except ValueError:
        raise ValueError("the number of a seat, or `public`") from None


def _part(name: str, meaning: str, schema: dict[str, Any] | None = None) -> Parameter:
    return Parameter(name=name, meaning=meaning, schema=schema or {"type": "string"})


MEETING = _part("meeting", "Id of the meeting.")
PLAYER = _part("player", "Id of the player.")
GAME = _part("game", "Id of the game.")
SEAT_PART = _part("seat", "Number of the seat.", {"type": "integer", "minimum": 1})
CODE = _part("code", "Code of the problem.")
GUIDE = _part("guide", "Name of the guide.")
FILE = _part("file", "Name of the file.")

SEAT = Parameter(
    name="seat",
    meaning="A seat of the caller, or `public`; needed where the caller holds several.",
    schema={"anyOf": [{"type": "integer", "minimum": 1, "maximum": 99}, {"const": PUBLIC}]},
    read=_seat,
)
AT = Parameter(
    name="at",
    meaning="Show it as it stood after the viewer's event of this number, from 1.",
    schema={"type": "integer", "minimum": 1, "maximum": WHOLE_MAX},
    read=whole(1),
)
AFTER = Parameter(
    name="after",
    meaning="The viewer's number of the last event that it has; 0, the default, is none.",
    schema={"type": "integer", "minimum": 0, "maximum": WHOLE_MAX, "default": 0},
    read=whole(0),
)
CURSOR = Parameter(
    name="cursor",
    meaning="`next_cursor` of the page before.",
    schema={
        "type": "string",
        "minLength": 1,
        "maxLength": CURSOR_MAX,
        "pattern": f"^{CURSOR_FORM.pattern}$",
    },
    read=text(CURSOR_MAX),
)


def limit(default: int, most: int) -> Parameter:
    """How many items a page has at most."""
    return Parameter(
        name="limit",
        meaning=f"Items of the page, 1 to {most}.",
        schema={"type": "integer", "minimum": 1, "maximum": most, "default": default},
        read=whole(1, most),
    )
