"""Bodies of requests, read raw: size, media type, and the form that a call takes.

Nothing is bent into shape. What is wrong is told with a JSON pointer to where it is.
"""

from collections.abc import Iterable, Mapping
from typing import Annotated, Any, TypeVar

import msgspec
from litestar.types import Receive

from domain.kernel.faults import AT, FIELD, STEP, in_words
from domain.kernel.naming import NAME_MAX, name_fault
from domain.kernel.rejection import Malformed
from service.http.decoding import pointer
from service.http.problems import BODY_TOO_LARGE, UNSUPPORTED_MEDIA_TYPE, Refusal

JSON = "application/json"

_PLAIN = (
    r"!-~\u00a1-\u00ac\u00ae-\u02ff"  # Latin
    r"\u0386\u0388-\u038a\u038c\u038e-\u03a1\u03a3-\u03ff\u0400-\u0482\u048a-\u052f"
    r"\u0531-\u0556\u0561-\u0587\u10d0-\u10fa"  # Greek, Cyrillic, Armenian, Georgian
    r"\u05d0-\u05ea\u0620-\u064a\u0904-\u0939\u0e01-\u0e30\u0e40-\u0e46"  # and on to Thai
    r"\u1e00-\u1eff\u2010-\u2027\u2030-\u205e\u20a0-\u20bf"
    r"\u3041-\u3096\u30a1-\u30fa\u4e00-\u9fff\uac00-\ud7a3"
    "\U0001f300-\U0001f64f\U0001f680-\U0001f6c5\U0001f900-\U0001f9ff"
)
"""Characters that stand in every name in every order; no pattern can tell of all names."""

T = TypeVar("T")
Name = Annotated[
    str,
    msgspec.Meta(
        min_length=1,
        max_length=NAME_MAX,
        description="NFC, no control, format, private or unassigned characters, no space at "
        "either end. What fits the pattern is taken; so is every other name of this kind.",
        extra_json_schema={"pattern": f"^[{_PLAIN}]+(?: [{_PLAIN}]+)*$"},
    ),
]
"""The name of a person or thing in a body; `check_name` sees to it, a schema can say less."""


class Nothing(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A body without fields; it may be left out."""


class Gone(Exception):
    """The caller went away before its body was read."""


async def read_body(receive: Receive, headers: Mapping[str, str], limit: int) -> bytes:
    """The body of a request, b"" where there is none.

    Raises:
        Refusal: it is larger than `limit` bytes, or is no application/json.
        Gone: the caller went away.
    """
    length = headers.get("content-length", "0")
    if not length.isdigit() or int(length) > limit:
        raise Refusal(BODY_TOO_LARGE, body_bytes_max=limit)
    parts: list[bytes] = []
    size = 0
    more = True
    while more:
        message = await receive()
        if message["type"] != "http.request":
            raise Gone
        parts.append(message["body"])
        size += len(message["body"])
        if size > limit:
            raise Refusal(BODY_TOO_LARGE, body_bytes_max=limit)
        more = message["more_body"]
    if size:
        _check_media(headers)
    return b"".join(parts)


def _check_media(headers: Mapping[str, str]) -> None:
    media, _, parameters = headers.get("content-type", "").partition(";")
    charset = parameters.strip().lower().replace('"', "")
    if (
        media.strip().lower() != JSON
        or charset not in ("", "charset=utf-8")
        or headers.get("content-encoding", "identity") != "identity"
    ):
        raise Refusal(UNSUPPORTED_MEDIA_TYPE)


def take(value: Any, kind: type[T], beside: Iterable[str] = ()) -> T:
    """A decoded value as a Struct, without bending anything.

    Args:
        value: as it was decoded.
        kind: the form.
        beside: fields that were taken out of the value before.

    Raises:
        Malformed: it is not of that form; the pointer says where.
    """
    try:
        return msgspec.convert(value, kind, strict=True)
    except msgspec.ValidationError as error:
        words = in_words(error, kind, beside=beside)
        raise Malformed(words, _pointer(str(error), value, kind)) from None


def _pointer(message: str, value: Any, kind: type) -> str:
    """Where in the value a message of msgspec points to, as a JSON pointer."""
    at = AT.search(message)
    path = at[1] if at else ""
    steps: list[str] = []
    try:
        for name, index, unnamed in STEP.findall(path):
            steps.append(_key(message, value, kind, steps) if unnamed else name or index)
    except (KeyError, IndexError, ValueError, TypeError):  # an unknown field with a name of malice
        steps.clear()
    field = FIELD.search(message)
    if field:
        steps.append(field[1])
    return pointer(*steps)


def _key(message: str, value: Any, kind: type, steps: list[str]) -> str:
    """The key of a map under which the fault is: msgspec does not name it, so halves are tried."""
    keys = _keys(value, steps)
    while len(keys) > 1:
        half = keys[: len(keys) // 2]
        keys = half if _same_fault(message, _only(value, steps, half), kind) else keys[len(half) :]
    return keys[0]


def _same_fault(message: str, value: Any, kind: type) -> bool:
    try:
        msgspec.convert(value, kind, strict=True)
    except msgspec.ValidationError as error:
        return str(error) == message
    return False


def _keys(value: Any, steps: list[str]) -> list[str]:
    for step in steps:
        value = value[int(step)] if isinstance(value, list) else value[step]
    return list(value)


def _only(value: Any, steps: list[str], keys: list[str]) -> Any:
    """The value, with but these keys in the map that the steps lead to."""
    if not steps:
        return {key: value[key] for key in keys}
    step, rest = steps[0], steps[1:]
    if isinstance(value, list):
        return [_only(v, rest, keys) if i == int(step) else v for i, v in enumerate(value)]
    return {k: _only(v, rest, keys) if k == step else v for k, v in value.items()}


def check_name(name: str, at: str = "/name") -> str:
    """The name of a person or thing, as it may be.

    Raises:
        Malformed: it is not NFC, too long or short, has a hidden character or a space at an end.
    """
    fault = name_fault(name)
    if fault is not None:
        raise Malformed(fault, at)
    return name
