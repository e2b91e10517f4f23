"""JSON Schemas of what the games define: commands as they are posted, events as feeds show them.

They are made from the Structs that are decoded and encoded, so they can't say anything else.
"""

import json
import re
from collections.abc import Mapping
from typing import Any

import msgspec

from domain.kernel.game import Game
from domain.kernel.message import Command, Event, type_of
from domain.racing.events import MeetingAbandoned, MeetingFinished, RaceClosed

Schema = dict[str, Any]
REF = "#/components/schemas/{name}"

HEX_64 = "^[0-9a-f]{64}$"
_HASHED = (RaceClosed, MeetingFinished, MeetingAbandoned)
_NOT_SHOWN = ("seq", "audience", "private")
_ENVELOPE: Mapping[str, Schema] = {
    "seat": {
        "description": "Which seat gives it; needed where the caller holds several.",
        "type": "integer",
        "minimum": 1,
    },
    "decision": {
        "description": "The decision that it answers; any but the current one is refused.",
        "type": "integer",
    },
}


def pascal(name: str) -> str:
    """A name as part of a component's: `ticket-gagnant` is TicketGagnant."""
    return "".join(part.capitalize() for part in name.replace("_", "-").split("-"))


def components(kinds: list[Any]) -> tuple[list[Schema], dict[str, Schema]]:
    """References to the schemas of these types, and all schemas that they need, by name."""
    references, found = msgspec.json.schema_components(kinds, ref_template=REF)
    named: dict[str, Schema] = {}
    for name, schema in found.items():
        named[name] = _with_words_apart(without_float_enums(tidy(schema)), named)
    return [tidy(reference) for reference in references], named


def _with_words_apart(schema: Any, named: dict[str, Schema]) -> Any:
    """The same schema, where a set of words with a title is a component of that name.

    Raises:
        ValueError: two sets of words have one title.
    """
    if isinstance(schema, list):
        return [_with_words_apart(part, named) for part in schema]
    if not isinstance(schema, dict):
        return schema
    title = schema.get("title")
    if "enum" not in schema or not isinstance(title, str):
        return {name: _with_words_apart(part, named) for name, part in schema.items()}
    whole = {name: part for name, part in schema.items() if name != "default"}
    if named.setdefault(title, whole) != whole:
        raise ValueError(f"{title} stands for two sets of words")
    kept = {"default": schema["default"]} if "default" in schema else {}
    return {"$ref": REF.format(name=title), **kept}


def without_float_enums(schema: Any) -> Any:
    """The same schema for client generators, which take no enum of fractions: a range, in words."""
    if isinstance(schema, list):
        return [without_float_enums(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    values = schema.get("enum")
    if isinstance(values, list) and any(isinstance(value, float) for value in values):
        rest = {name: part for name, part in schema.items() if name not in ("enum", "anyOf")}
        words = "One of " + ", ".join(str(value) for value in values) + "."
        only = {"not": {"not": {"enum": values}}}  # the same, where it is no part of the type
        held = {"minimum": min(values), "maximum": max(values), **only, "description": words}
        return {**rest, "type": "number", **held}
    return {name: without_float_enums(part) for name, part in schema.items()}


def alone(kind: Any) -> Schema:
    """The schema of one type, whole, with what it needs under $defs."""
    schema: Schema = tidy(msgspec.json.schema(kind))
    reference = schema.pop("$ref", None)
    if reference is None:
        return schema
    definitions = schema.pop("$defs")
    schema = definitions.pop(reference.rpartition("/")[2])
    return {**schema, "$defs": definitions} if definitions else schema


def tidy(schema: Any) -> Any:
    """The same schema in the plainest words: constants, numbers, no defaults of null."""
    if isinstance(schema, list):
        return [tidy(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    form = {name: tidy(part) for name, part in schema.items() if name != "description"}
    if isinstance(schema.get("description"), str):
        form["description"], _, told = schema["description"].partition("\n\nArgs:\n")
        _explain(form.get("properties", {}), told)
    elif "description" in schema:  # a property of that name
        form["description"] = tidy(schema["description"])
    _tidy_words(form)
    if form.get("type") == "array" and "items" not in form and "prefixItems" not in form:
        form["items"] = {}  # anything, said so that generators see it
    if form.get("type") == "object" and not form.keys() & _OBJECT_SAYS:
        form["additionalProperties"] = True  # else generators take it for an object without fields
    if form.get("anyOf") == [{"type": "integer"}, {"type": "number"}]:
        form.pop("anyOf")
        form["type"] = "number"
    if "anyOf" in form:
        form["anyOf"] = [_as_choice(part) for part in form["anyOf"]]
    return form


def _explain(properties: Schema, told: str) -> None:
    """Give properties the words that a docstring has for them under `Args:`, `name, other: …`.

    One that refers to a schema of its own has that one's words: generators drop others beside it.
    """
    text = told.partition("\n\n")[0]
    for names, words in _ARGUMENT.findall(text):
        for name in names.split(", "):
            form = properties.get(name)
            if form is not None and not form.keys() & {"$ref", "description"}:
                sentence = " ".join(words.split())
                form["description"] = f"{sentence[0].upper()}{sentence[1:]}"


_ARGUMENT = re.compile(r"^ {4}(\w+(?:, \w+)*): (.+(?:\n {8}.+)*)", re.MULTILINE)


def _tidy_words(form: Schema) -> None:
    if isinstance(form.get("enum"), list):
        form.pop("anyOf", None)
        if len(form["enum"]) == 1:
            form["const"] = form.pop("enum")[0]
        elif all(isinstance(word, str) for word in form["enum"]):
            form["type"] = "string"
    if isinstance(form.get("const"), str):
        form["type"] = "string"


def _as_choice(part: Schema) -> Schema:
    """One of several forms; openapi-python-client takes a constant for the only one that may be."""
    if not isinstance(part.get("const"), str):
        return part
    rest = {name: value for name, value in part.items() if name != "const"}
    return {**rest, "enum": [part["const"]]}


_OBJECT_SAYS = frozenset({"properties", "additionalProperties", "oneOf"})


def without_null(schema: Schema) -> Schema:
    """A schema of options: what is left out has a default, which null is not."""
    properties = {}
    for name, form in schema["properties"].items():
        kept = [part for part in form.get("anyOf", []) if part != {"type": "null"}]
        if form.get("default", ...) is None and len(kept) == 1:
            rest = {k: v for k, v in form.items() if k not in ("anyOf", "default")}
            properties[name] = {**rest, **kept[0]}
        else:
            properties[name] = form
    return {**schema, "properties": properties}


def defaults_in_words(schema: Schema) -> Schema:
    """A schema of what is sent: openapi-typescript takes a field with a `default` for required."""
    properties = {}
    for name, form in schema["properties"].items():
        rest = {key: part for key, part in form.items() if key != "default"}
        if "default" in form:
            value = form["default"]
            said = f"Default: `{value if isinstance(value, str) else json.dumps(value)}`."
            rest["description"] = f"{rest['description']} {said}" if "description" in rest else said
        properties[name] = rest
    return {**schema, "properties": properties}


def as_posted(schema: Schema) -> Schema:
    """A command's schema with what the envelope adds."""
    return {**schema, "properties": {**schema["properties"], **_ENVELOPE}}


def as_shown(kind: type[Event], stored: Schema, secret: Schema | None) -> Schema:
    """An event's schema as a feed has it.

    Args:
        kind: the event.
        stored: the schema of its Struct.
        secret: that of what its own seat also sees, if there is such.
    """
    properties = {"version": {"type": "integer", "minimum": 1}}
    properties |= {k: v for k, v in stored["properties"].items() if k not in _NOT_SHOWN}
    if secret is not None:
        properties |= {k: v for k, v in secret["properties"].items() if k not in properties}
    if kind in _HASHED:
        properties["hash"] = {"type": "string", "pattern": HEX_64}
    required = [name for name in stored["required"] if name not in _NOT_SHOWN]
    rest = {k: v for k, v in stored.items() if k not in ("properties", "required")}
    return {**rest, "properties": properties, "required": ["version", *required]}


def one_of(schema: Schema, forms: list[Schema]) -> Schema:
    """A command's schema as one of its closed forms."""
    kept = {name: part for name, part in schema.items() if name in ("title", "description")}
    return {**kept, "type": "object", "oneOf": forms}


def command_alone(kind: type[Command]) -> Schema:
    """A command's schema for the catalogue."""
    schema = as_posted(alone(kind))
    return one_of(schema, [command_alone(form) for form in kind.forms]) if kind.forms else schema


def event_alone(kind: type[Event]) -> Schema:
    """An event's schema for the catalogue."""
    stored = alone(kind)
    secret = None if kind.seat_form is None else alone(kind.seat_form)
    definitions = {**stored.get("$defs", {}), **(secret or {}).get("$defs", {})}
    shown = as_shown(kind, stored, secret)
    return {**shown, "$defs": definitions} if definitions else shown


def options_alone(game: Game) -> Schema:
    """The options of a game, with their defaults."""
    return without_null(alone(game.options))


def stored_event(kind: type[Event]) -> Schema:
    """An event as a line of the log, with what stands under `private` for a seat, the server."""
    whole = alone(kind)
    definitions: dict[str, Schema] = whole.pop("$defs", {})
    forms = [kind.server_form, *([] if kind.seat_form is None else [kind.seat_form])]
    server, *seat = (alone(form) for form in forms)
    for form in (server, *seat):
        definitions |= form.pop("$defs", {})
    private: Schema = {"type": "object", "properties": {"server": server}, "required": ["server"]}
    if seat:
        private["patternProperties"] = {"^[1-9][0-9]*$": seat[0]}
    whole["properties"] |= {
        "private": {**private, "additionalProperties": False},
        "hash": {"type": "string", "pattern": HEX_64},
    }
    whole["required"] = [*whole["required"], "hash"]
    return {**whole, "$defs": definitions} if definitions else whole


def stored_events(games: Mapping[str, Game], shared: tuple[type[Event], ...]) -> Schema:
    """openapi/events.json: the lock on the stored format, by event type."""
    kinds = [*shared, *(kind for game in games.values() for kind in game.events)]
    return {type_of(kind): stored_event(kind) for kind in sorted(kinds, key=type_of)}
