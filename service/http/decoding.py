"""The JSON of a request's body: its value, or where it is none that is taken.

A number without a fraction is that integer however it is written; a name stands once.
"""

import json
import math
from decimal import Decimal, InvalidOperation
from typing import Any

import msgspec

from domain.kernel.rejection import Malformed

_FLOAT_DIGITS = 308


def whole(text: str) -> int | float:
    """A JSON number with a point or an exponent: an integer where it has no fraction.

    A fraction too small for a float is kept as the next float, so it never passes for none.

    Raises:
        ValueError: it is too large for a float.
    """
    try:
        exact = Decimal(text)
    except InvalidOperation:
        raise ValueError("a number has too large an exponent") from None
    if not exact:
        return 0
    if exact.adjusted() > _FLOAT_DIGITS:
        raise ValueError("a number is too large")
    if exact == exact.to_integral_value():
        return int(exact)
    near = float(text)
    if near.is_integer():
        near = math.nextafter(near, math.inf if exact > near else -math.inf)
    return near


_decoder = msgspec.json.Decoder(float_hook=whole)
_canonical = msgspec.json.Encoder(order="sorted").encode


def decode(body: bytes) -> Any:
    """The JSON value of a body.

    Raises:
        Malformed: it is not JSON (pointer None), or not JSON that we take (pointer "").
    """
    try:
        value = _decoder.decode(body)
        # Each name of an object has a colon behind it: with as many of both none stood twice.
        colons = body.count(b":")
        if colons > 1 and colons != _names(value):
            json.loads(body, object_pairs_hook=_once_each, parse_float=str, parse_int=str)
    except (ValueError, RecursionError) as error:
        said = str(error).partition(" - at `")[0][:120]
        at = _unfit_number(body) if _may_be_json(error) else None
        words = "no JSON" if at is None else "no JSON that is taken"
        raise Malformed(f"The body is {words}: {said}.", at) from None
    return value


def _names(value: Any) -> int:
    """How many names a value has in all its objects."""
    if isinstance(value, dict):
        return len(value) + sum(map(_names, value.values()))
    if isinstance(value, list):
        return sum(map(_names, value))
    return 0


def _may_be_json(error: Exception) -> bool:
    """Whether a number or a name is what can't be taken, in what may be JSON all the same."""
    plain = not isinstance(error, msgspec.DecodeError)
    return plain or isinstance(error, msgspec.ValidationError) or "out of range" in str(error)


_UNFIT = object()


def _unfit_number(body: bytes) -> str | None:
    """Where the first number stands that is too large, as a pointer; "" where all of them fit.

    The fast decoder does not say, so the body is read once more, slowly: each such number becomes
    a mark, and the mark is looked for. None where it is no JSON.
    """

    def number(text: str) -> object:
        try:
            return whole(text)
        except ValueError:
            return _UNFIT

    try:
        value = json.loads(body, parse_float=number, parse_int=str)
    except RecursionError:
        return ""
    except ValueError:
        return None
    return pointer(*_way_to(_UNFIT, value))


def _way_to(mark: object, value: Any) -> list[str | int]:
    """The steps that lead to a mark in a value; none where it is not there."""
    waiting: list[tuple[list[str | int], Any]] = [([], value)]
    while waiting:
        steps, part = waiting.pop()
        if part is mark:
            return steps
        if isinstance(part, dict):
            waiting += reversed([([*steps, name], inner) for name, inner in part.items()])
        elif isinstance(part, list):
            waiting += reversed([([*steps, at], inner) for at, inner in enumerate(part)])
    return []


def _once_each(pairs: list[tuple[str, Any]]) -> None:
    if len({name for name, _ in pairs}) < len(pairs):
        raise ValueError("a name stands twice in one object")


def canonical(value: Any) -> bytes:
    """A decoded body in one form: what tells whether two calls ask the same."""
    return _canonical(value)


def pointer(*steps: str | int) -> str:
    """A JSON pointer (RFC 6901) of these steps."""
    return "".join(f"/{str(step).replace('~', '~0').replace('/', '~1')}" for step in steps)
