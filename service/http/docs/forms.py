"""JSON Schemas in words: what a field is, what it may be, and what its schema links to."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from markupsafe import Markup, escape
from msgspec import Struct

from service.http.docs import links
from service.http.docs.markdown import quoted

Schema = Mapping[str, Any]
_TOLD = frozenset(
    [
        *("$ref", "anyOf", "oneOf", "const", "enum", "type", "items"),
        *("properties", "required", "additionalProperties", "discriminator"),
        *("title", "description", "examples", "not"),
    ]
)
"""Keywords that have words of their own; the others stand behind these as they are."""


class Field(Struct, frozen=True, kw_only=True):
    """A row of a table of fields."""

    name: str
    required: bool
    kind: Markup
    words: Markup


class Described(Struct, frozen=True, kw_only=True):
    """A schema as it is shown.

    Args:
        name: of the component.
        words: its description.
        kind: what it is, where it is no object with fields.
        fields: its fields.
        more: what an object may have beside them.
        examples: as JSON.
    """

    name: str
    words: Markup
    kind: Markup
    fields: tuple[Field, ...]
    more: Markup
    examples: tuple[str, ...]


def described(name: str, schema: Schema) -> Described:
    """A component of the document."""
    plain = "properties" in schema
    return Described(
        name=name,
        words=quoted(schema.get("description", "")),
        kind=Markup("") if plain and "oneOf" not in schema else kind_of(schema),
        fields=tuple(_fields(schema)),
        more=_more(schema) if plain else Markup(""),
        examples=tuple(as_text(example) for example in schema.get("examples", ())),
    )


def _fields(schema: Schema) -> Iterator[Field]:
    required = schema.get("required", ())
    for name, field in schema.get("properties", {}).items():
        yield Field(
            name=name,
            required=name in required,
            kind=kind_of(field),
            words=told(field),
        )


def told(form: Schema) -> Markup:
    """What a field or a parameter says of itself, examples behind it."""
    found = [form["example"]] if "example" in form else []
    listed = form.get("examples", ())
    found += [one["value"] for one in listed.values()] if isinstance(listed, Mapping) else listed
    words = quoted(form.get("description", ""))
    if not found:
        return words
    shown = Markup(", ").join(Markup("<code>{}</code>").format(as_line(one)) for one in found)
    return Markup("{} For example {}.").format(words, shown)


def _more(schema: Schema) -> Markup:
    more = schema.get("additionalProperties", True)
    if more is False:
        return Markup("No other field is taken.")
    if more is True:
        return Markup("Further fields may come.")
    return Markup("Any other field: {}.").format(kind_of(more))


def kind_of(schema: Schema | bool) -> Markup:
    """What a value of this schema is, with links to the components that it names."""
    if isinstance(schema, bool):
        return Markup("any value" if schema else "nothing")
    found = list(_parts(schema))
    rest = {name: value for name, value in schema.items() if name not in _TOLD}
    limits = Markup(", ").join(
        Markup("{} <code>{}</code>").format(name, as_line(value)) for name, value in rest.items()
    )
    words = Markup("; ").join(found) if found else Markup("any value" if not rest else "")
    return words + (Markup(' <span class="limits">{}</span>').format(limits) if limits else "")


def _parts(schema: Schema) -> Iterator[Markup]:
    if "$ref" in schema:
        yield reference(schema["$ref"])
    if "const" in schema:
        yield Markup("<code>{}</code>").format(as_line(schema["const"]))
    if "enum" in schema:
        yield Markup(", ").join(
            Markup("<code>{}</code>").format(as_line(value)) for value in schema["enum"]
        )
    if "discriminator" in schema:
        yield _told_apart(schema["discriminator"])
    for word in ("oneOf", "anyOf"):
        if word in schema and "discriminator" not in schema:
            yield Markup(" or ").join(kind_of(part) for part in schema[word])
    told = schema.get("type")
    names = told if isinstance(told, list) else [told] if told else []
    if names and "const" not in schema and "enum" not in schema and "oneOf" not in schema:
        yield Markup(" or ").join(_of_type(name, schema) for name in names)


def _told_apart(by: Schema) -> Markup:
    """The forms of a union, by the value that tells which one it is."""
    forms = Markup("").join(
        Markup("<li><code>{}</code> {}</li>").format(value, reference(ref))
        for value, ref in by["mapping"].items()
    )
    name = by["propertyName"]
    return Markup("one of these, told apart by <code>{}</code>:<ul>{}</ul>").format(name, forms)


def _of_type(name: str, schema: Schema) -> Markup:
    if name == "array" and "items" in schema:
        return Markup("list of {}").format(kind_of(schema["items"]))
    if name == "object" and "properties" in schema:
        required = schema.get("required", ())
        fields = Markup(", ").join(
            Markup("<code>{}</code>{}: {}").format(
                field, "" if field in required else "?", kind_of(form)
            )
            for field, form in schema["properties"].items()
        )
        return Markup("object {{ {} }}").format(fields)
    if name == "object" and isinstance(schema.get("additionalProperties"), Mapping):
        return Markup("object, each value {}").format(kind_of(schema["additionalProperties"]))
    return escape(name)


def reference(ref: str) -> Markup:
    """A link to a component."""
    name = ref.rpartition("/")[2]
    return Markup('<a href="{}#{}">{}</a>').format(links.SCHEMAS, name, name)


def as_line(value: Any) -> str:
    """JSON in one line."""
    return json.dumps(value, ensure_ascii=False)


def as_text(value: Any) -> str:
    """JSON over several lines; a text as it is."""
    return value if isinstance(value, str) else json.dumps(value, indent=2, ensure_ascii=False)
