"""How an event of the log differs from the one that the rules make, in words."""

from typing import Any

import msgspec

from domain.kernel.message import Event, type_of

TEXT_MOST = 80


def difference(made: Event, found: Event) -> str:
    """The first difference, the rules' side first named."""
    if type(made) is not type(found):
        return f"{type_of(found)} stands where the rules make {type_of(made)}"
    path, right, wrong = first_difference(
        msgspec.to_builtins(made), msgspec.to_builtins(found), type_of(made)
    )
    return f"{path} is {shown(wrong)}; the rules make it {shown(right)}"


class _Absent:
    """A field that is not there."""

    def __repr__(self) -> str:
        return "absent"


ABSENT = _Absent()


def first_difference(made: Any, found: Any, path: str) -> tuple[str, Any, Any]:
    """(path, what the rules make there, what was found there)."""
    if isinstance(made, dict) and isinstance(found, dict):
        for key in sorted({*made, *found}):
            one, other = made.get(key, ABSENT), found.get(key, ABSENT)
            if not same(one, other):
                return first_difference(one, other, f"{path}.{key}")
    if isinstance(made, list) and isinstance(found, list) and len(made) == len(found):
        for i, (one, other) in enumerate(zip(made, found, strict=True)):
            if not same(one, other):
                return first_difference(one, other, f"{path}[{i}]")
    return path, made, found


def same(one: Any, other: Any) -> bool:
    """Equality that tells true from 1."""
    return type(one) is type(other) and bool(one == other)


def shown(value: Any) -> str:
    """A value, cut where it is long."""
    text = "absent" if value is ABSENT else msgspec.json.encode(value, order="sorted").decode()
    return text if len(text) <= TEXT_MOST else text[:TEXT_MOST] + "…"
