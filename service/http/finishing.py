"""The last pass over the built document: what holds of all its schemas, whoever wrote them.

A component's title is its key. Where the members of a union differ by one word, that word is its
discriminator. What callers send is closed, also where an answer repeats it; all else is open, and
whole: a field that the server always writes is required, whatever default its type has.
"""

from collections.abc import Iterator
from typing import Any

Schema = dict[str, Any]
REF = "#/components/schemas/"


def finish(document: Schema) -> None:
    """Do it, in place."""
    schemas: dict[str, Schema] = document["components"]["schemas"]
    calls = [call for path in document["paths"].values() for call in path.values()]
    sent = reach(schemas, [call["requestBody"] for call in calls if "requestBody" in call])
    for name, schema in schemas.items():
        schema["title"] = name
        for part in walk(schema):
            _tell_apart(part, schemas)
            if "properties" not in part:
                continue
            if name in sent:
                part["additionalProperties"] = False
            else:
                _open(part)


def walk(schema: Any) -> Iterator[Schema]:
    """A schema and all schemas within it; not those that it refers to, or does not take."""
    if isinstance(schema, list):
        for part in schema:
            yield from walk(part)
    elif isinstance(schema, dict):
        yield schema
        for key, part in schema.items():
            if key not in ("const", "enum", "default", "example", "examples", "not"):
                yield from walk(part)


def names_in(schema: Any) -> set[str]:
    """The components that a schema refers to."""
    found = (part.get("$ref") for part in walk(schema))
    return {ref.removeprefix(REF) for ref in found if isinstance(ref, str) and ref.startswith(REF)}


def reach(schemas: Schema, starts: list[Schema]) -> set[str]:
    """The components that these need, directly or not."""
    found: set[str] = set()
    new = names_in(starts)
    while new:
        found |= new
        new = {name for known in new for name in names_in(schemas[known])} - found
    return found


def _open(part: Schema) -> None:
    if part.get("additionalProperties") is False:
        del part["additionalProperties"]
    always = [name for name, form in part["properties"].items() if "default" in form]
    for name in always:
        part["properties"][name] = {
            key: value for key, value in part["properties"][name].items() if key != "default"
        }
    if always:
        wanted = {*part.get("required", ()), *always}
        part["required"] = [name for name in part["properties"] if name in wanted]


def _tell_apart(part: Schema, schemas: Schema) -> None:
    members = [ref.get("$ref", "").removeprefix(REF) for ref in part.get("oneOf", [])]
    if not members or not all(members):
        return
    words = [_words(schemas[name], schemas) for name in members]
    for by in words[0]:
        told = [of_member.get(by) for of_member in words]
        if None not in told and len(set(told)) == len(told):
            mapping = {str(w): REF + name for w, name in zip(told, members, strict=True)}
            part["discriminator"] = {"propertyName": by, "mapping": mapping}
            return


def _words(schema: Schema, schemas: Schema) -> dict[str, str]:
    """The fields that always have one word in a form; of a union those of all its members."""
    if "oneOf" in schema:
        members = [_words(schemas[name], schemas) for name in sorted(names_in(schema["oneOf"]))]
        return {f: w for f, w in members[0].items() if all(m.get(f) == w for m in members)}
    required = schema.get("required", ())
    return {
        name: form["const"]
        for name, form in schema.get("properties", {}).items()
        if name in required and isinstance(form.get("const"), str)
    }
