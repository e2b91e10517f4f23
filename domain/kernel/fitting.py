"""Words of JSON Schema for openings that can't be: options and seats that don't go together.

They stand under `not` in the OpenAPI document, where generators of clients pass over them and
whoever checks bodies does not. So what fits the document is never refused as malformed.
"""

from collections.abc import Iterable
from typing import Any

Schema = dict[str, Any]


def opening(seats: int | None = None, *, absent: Iterable[str] = (), **options: Schema) -> Schema:
    """Openings with so many seats that give these options with such values, and leave some out."""
    left_out: dict[str, Schema] = {name: {"not": {}} for name in absent}
    given: Schema = {"properties": {**options, **left_out}, "required": list(options)}
    form: Schema = {"properties": {"options": given}, "required": ["options"]}
    if seats is not None:
        form["properties"]["seats"] = {"const": seats}
    return form


def any_of(schemas: Iterable[Schema]) -> Schema:
    """What one of these takes."""
    found = list(schemas)
    return found[0] if len(found) == 1 else {"anyOf": found}


def but(schema: Schema) -> Schema:
    """What this does not take."""
    return {"not": schema}


def length(*lengths: int) -> Schema:
    """Lists of one of these lengths."""
    return any_of({"minItems": n, "maxItems": n} for n in lengths)


def some_of(items: Iterable[Any]) -> Schema:
    """Lists of some of these, none twice."""
    return {"type": "array", "items": {"enum": list(items)}, "uniqueItems": True}
