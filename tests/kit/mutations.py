"""Commands that nobody listed: listed ones with a field changed, and any from a command's form.

They are commands by type (msgspec takes them), so that only phase, turn and rules can refuse them.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from random import Random
from typing import Any

import msgspec
from msgspec import inspect

from domain.kernel.message import Command, body_of

WHOLE = (-10, -1, 0, 1, 2, 3, 5, 9, 10, 11, 15, 20, 50, 90, 100, 110, 1000, 10**7, 2**53)
NUMBERS = (0, 0.5, 0.9, 1, 1.1, 1.5, 2, 2.25, 2.5, 3, 4, 5, 9, 99.9, 100, 100.1, 101, -1)


def typed(kind: type[Command], body: Mapping[str, Any]) -> Command | None:
    """The command of a body, None where it is none by its types."""
    try:
        return msgspec.convert(body, kind, strict=True)
    except msgspec.ValidationError:
        return None


def mutations(source: Random, command: Command, count: int) -> Iterator[Command]:
    """So many variants of a command, each with one field changed."""
    for _ in range(count):
        body = body_of(command)
        fields = [name for name in body if name != "type"]
        optional = [field.name for field in form_of(type(command)).fields if not field.required]
        if optional and (not fields or source.random() < 0.2):
            name = source.choice(optional)
            body.pop(name, None)
            if source.random() < 0.7:
                form = field_form(type(command), name)
                body[name] = any_value(source, form)
        elif fields:
            name = source.choice(fields)
            body[name] = near(source, body[name], field_form(type(command), name))
        changed = typed(type(command), body)
        if changed is not None:
            yield changed


@cache
def form_of(kind: type[Command]) -> inspect.StructType:
    """The form of a command."""
    form = inspect.type_info(kind)
    assert isinstance(form, inspect.StructType)
    return form


def field_form(kind: type[Command], name: str) -> inspect.Type:
    """The form of a field."""
    return next(field.type for field in form_of(kind).fields if field.name == name)


def near(source: Random, value: Any, form: inspect.Type) -> Any:
    """Another value, near this one or of the same form."""
    if isinstance(value, bool) or value is None:
        return any_value(source, form)
    if isinstance(value, int | float):
        moved = value + source.choice((-20, -10, -5, -1, -0.1, 0.1, 0.05, 0.5, 1, 5, 10, 20))
        return source.choice((moved, value * 10, -value, source.choice(WHOLE)))
    if isinstance(value, dict) and value:
        name = source.choice(sorted(value))
        inner = struct_of(form)
        field = next((f for f in inner.fields if f.name == name), None) if inner else None
        if field is None or (not field.required and source.random() < 0.3):
            return {key: held for key, held in value.items() if key != name}
        return {**value, name: near(source, value[name], field.type)}
    if isinstance(value, list) and value:
        at = source.randrange(len(value))
        return source.choice(
            (
                [*value[:at], *value[at + 1 :]],
                [*value, value[at]],
                [value[at] for _ in value],
                value[::-1],
                any_value(source, form),
            )
        )
    return any_value(source, form)


def struct_of(form: inspect.Type) -> inspect.StructType | None:
    """The record among the alternatives of a form."""
    if isinstance(form, inspect.StructType):
        return form
    if isinstance(form, inspect.UnionType):
        return next((t for t in form.types if isinstance(t, inspect.StructType)), None)
    return None


def any_command(source: Random, kind: type[Command]) -> Command | None:
    """Any command of this type, as its form allows."""
    return typed(kind, {**any_value(source, form_of(kind)), "type": kind.__struct_config__.tag})


def any_value(source: Random, form: inspect.Type) -> Any:
    """Any value of a form."""
    match form:
        case inspect.Metadata(type=named):
            return any_value(source, named)
        case inspect.UnionType(types=types):
            real = [t for t in types if not is_unset(t)]
            return any_value(source, source.choice(real))
        case inspect.StructType(fields=fields):
            return {
                field.encode_name: any_value(source, field.type)
                for field in fields
                if field.required or source.random() < 0.5
            }
        case inspect.LiteralType(values=values):
            return source.choice(values)
        case inspect.IntType():
            return source.choice(WHOLE)
        case inspect.FloatType():
            return source.choice(NUMBERS)
        case inspect.ListType(item_type=item):
            return [any_value(source, item) for _ in range(source.randrange(4))]
        case inspect.NoneType():
            return None
        case inspect.BoolType():
            return source.random() < 0.5
        case inspect.StrType():
            return source.choice(("", "a", "red"))
    raise AssertionError(f"a form that is not tried yet: {form}")


def is_unset(form: inspect.Type) -> bool:
    """Whether an alternative only says that the field may be left out."""
    return isinstance(form, inspect.CustomType) and form.cls is msgspec.UnsetType


def strangers(
    source: Random, kinds: Sequence[type[Command]], known: Sequence[Command], count: int
) -> Iterator[Command]:
    """Commands from elsewhere: of every type by its form, and so many seen at other times."""
    for kind in kinds:
        made = any_command(source, kind)
        if made is not None:
            yield made
    for _ in range(min(count, len(known))):
        yield source.choice(known)
