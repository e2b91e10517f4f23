"""Reads a record of settings from the environment, and says what each setting is.

A record is a frozen Struct whose fields are `Annotated[type, setting(...)]`, each with a default.
The variable of a field is HOMESTRETCH_ and its name in capitals.
"""

import os
from collections.abc import Callable, Mapping
from difflib import get_close_matches
from ipaddress import ip_network
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints
from urllib.parse import urlsplit

import msgspec
from msgspec import Meta, Struct

from service.cluster_url import is_cluster, nodes_of

PREFIX = "HOMESTRETCH_"
R = TypeVar("R", bound=Struct)
_ON_OFF = {"on": True, "off": False}


class SettingError(ValueError):
    """A variable whose value makes no sense, or that is no setting; `name` is the variable's."""

    def __init__(self, name: str, detail: str) -> None:
        super().__init__(f"{name} {detail}")
        self.name = name
        self.detail = detail


class Row(Struct, frozen=True, kw_only=True):
    """One line of the table of settings.

    Args:
        field: name in the record.
        variable: name in the environment.
        hint: the annotated type without None; kind: that type alone.
        default: the value where the variable is not set.
        form: what its text must be, in words.
        unit: of a number; "" where it has none.
        meaning: a sentence.
        secret: whether its value is never shown (of a URL: its user, password and query).
        schemes: of a URL, those allowed.
    """

    field: str
    variable: str
    hint: Any
    kind: Any
    default: Any
    form: str
    unit: str
    meaning: str
    secret: bool
    schemes: tuple[str, ...]

    def shown(self, record: Struct) -> str:
        """The value as people may see it, in the form in which it is set; "" for none."""
        value = getattr(record, self.field)
        if self.secret and value is not None:
            return without_secrets(value) if self.schemes else "(set)"
        return as_text(value)


def setting(
    meaning: str,
    unit: str = "",
    *,
    form: str = "",
    secret: bool = False,
    schemes: tuple[str, ...] = (),
    **limits: Any,
) -> Meta:
    """The annotation of a field; `form` is needed unless the type says it, the rest is as in Row.

    `limits` are those of msgspec.Meta: ge, le, pattern.
    """
    extra = {"unit": unit, "form": form, "secret": secret, "schemes": schemes}
    return Meta(description=meaning, extra=extra, **limits)


def rows(record: type[Struct]) -> tuple[Row, ...]:
    """The table of a record's settings, in its order."""
    hints = get_type_hints(record, include_extras=True)
    fields = msgspec.structs.fields(record)
    return tuple(_row(field.name, hints[field.name], field.default) for field in fields)


def read(record: type[R], env: Mapping[str, str]) -> R:
    """A record of what the environment sets, defaults for the rest; other variables are ignored.

    Raises:
        SettingError: a value makes no sense, or a variable of ours is no setting.
    """
    table = {row.variable: row for row in rows(record)}
    for name in sorted(env):
        if name.startswith(PREFIX) and name not in table:
            nearest = get_close_matches(name.upper(), table, n=1, cutoff=0.0)[0]
            raise SettingError(name, f"is no setting; the nearest one is {nearest}")
    return record(
        **{row.field: _value(row, env[name]) for name, row in table.items() if name in env}
    )


def as_text(value: Any) -> str:
    """A value in the form in which the environment sets it; "" for none."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "on" if value else "off"
    return ",".join(value) if isinstance(value, tuple) else str(value)


def without_secrets(url: str) -> str:
    """A URL as people may see it: without user, password and query."""
    parts = urlsplit(url)
    place = parts.netloc.rpartition("@")[2]
    return parts._replace(netloc=place, query="", fragment="").geturl()


def _row(field: str, hint: Any, default: Any) -> Row:
    if get_origin(hint) in (Union, UnionType):
        hint = next(part for part in get_args(hint) if part is not NoneType)
    kind, meta = get_args(hint)
    return Row(
        field=field,
        variable=PREFIX + field.upper(),
        hint=hint,
        kind=get_origin(kind) or kind,
        default=default,
        form=meta.extra["form"] or _form(kind, meta),
        unit=meta.extra["unit"],
        meaning=meta.description,
        secret=meta.extra["secret"],
        schemes=meta.extra["schemes"],
    )


def _form(kind: Any, meta: Meta) -> str:
    """What a setting's text must be, where its type says it."""
    if kind is bool:
        return " or ".join(_ON_OFF)
    if get_origin(kind) is Literal:
        return " or ".join(get_args(kind))
    assert kind is int, "the form of any other type must be told"
    return f"a whole number from {meta.ge} to {meta.le}"


def _value(row: Row, text: str) -> Any:
    """The value of a variable's text; an empty text is none, where none is the default.

    Raises:
        SettingError: it makes no sense.
    """
    if not text and row.default in (None, ()):
        return row.default
    try:
        if row.schemes:
            _check_url(text, row.schemes)
        if reader := _READERS.get(row.kind):
            return reader(text)
        return msgspec.convert(text, row.hint, strict=False)
    except (KeyError, ValueError):
        shown = "its value" if row.secret else repr(text[:80])
        raise SettingError(row.variable, f"must be {row.form}; {shown} is not") from None


def _check_url(text: str, schemes: tuple[str, ...]) -> None:
    parts = urlsplit(text)
    if parts.scheme not in schemes or text.split() != [text]:
        raise ValueError(text)
    if is_cluster(text):
        placed = bool(nodes_of(text)) and parts.path in ("", "/", "/0")
    elif parts.scheme == "unix":
        placed = parts.path[:1] == "/"
    else:
        placed = bool(parts.hostname) and parts.port != 0
    if not placed:
        raise ValueError(text)


def _folder(text: str) -> Path:
    """A folder that is there, or that can be made: nothing else stands in its way."""
    if not text or not text.isprintable():
        raise ValueError(text)
    folder = Path(text)
    there = next((part for part in (folder, *folder.parents) if os.path.exists(part)), None)
    if there is not None and not os.path.isdir(there):
        raise ValueError(text)
    return folder


def _networks(text: str) -> tuple[str, ...]:
    return tuple(str(ip_network(part.strip())) for part in text.split(","))


_READERS: dict[Any, Callable[[str], Any]] = {
    bool: _ON_OFF.__getitem__,
    Path: _folder,
    tuple: _networks,
}
