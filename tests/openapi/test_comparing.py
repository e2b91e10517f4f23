"""The comparison of documents: every kind of break is found, and nothing that may be."""

from collections.abc import Callable, Iterator
from copy import deepcopy
from typing import Any

import pytest

from service.http.finishing import reach
from service.http.openapi import document, events_document
from tests.openapi.comparing import documents, events

Schema = dict[str, Any]
Change = Callable[[Schema], None]


def ref(name: str) -> Schema:
    return {"$ref": f"#/components/schemas/{name}"}


def content(schema: Schema) -> Schema:
    return {"content": {"application/json": {"schema": schema}}}


SMALL: Schema = {
    "paths": {
        "/things": {
            "post": {
                "operationId": "MakeThing",
                "tags": ["things"],
                "security": [{}, {"token": []}],
                "parameters": [
                    {"name": "limit", "in": "query", "schema": {"type": "integer", "maximum": 9}}
                ],
                "requestBody": {"required": False, **content(ref("Sent"))},
                "responses": {
                    "200": {
                        **content(ref("Told")),
                        "headers": {"ETag": {"required": True}, "Loose": {}},
                    },
                    "409": {**content(ref("Problem")), "x-codes": ["a", "b"]},
                },
            }
        }
    },
    "components": {
        "schemas": {
            "Problem": {"type": "object", "properties": {"code": {"type": "string"}}},
            "Sent": {
                "type": "object",
                "additionalProperties": False,
                "required": ["horse"],
                "properties": {
                    "horse": {"type": "string", "enum": ["red", "blue"]},
                    "stake": {"type": "number", "minimum": 0, "default": 10},
                    "note": {"type": "string"},
                    "list": {"type": "array", "items": {"type": "integer"}},
                    "either": {"anyOf": [{"type": "integer"}, {"type": "null"}]},
                },
            },
            "Told": {
                "type": "object",
                "required": ["status", "at", "event"],
                "properties": {
                    "status": {"type": "string", "enum": ["open", "over"]},
                    "kind": {"type": "string", "const": "thing"},
                    "at": {"type": "string", "format": "date-time"},
                    "count": {"type": "integer", "minimum": 0},
                    "some": {"type": "array", "items": {"type": "integer"}},
                    "shares": {"type": "object", "additionalProperties": {"type": "integer"}},
                    "maybe": {"anyOf": [{"type": "string"}, {"type": "null"}]},
                    "event": ref("Event"),
                },
            },
            "Event": {
                "oneOf": [ref("EventA"), ref("EventB")],
                "discriminator": {
                    "propertyName": "type",
                    "mapping": {
                        "a": "#/components/schemas/EventA",
                        "b": "#/components/schemas/EventB",
                    },
                },
            },
            "EventA": {"type": "object", "properties": {"type": {"const": "a"}}},
            "EventB": {"type": "object", "properties": {"type": {"const": "b"}, "horse": {}}},
        }
    },
}


def after(change: Change, old: Schema = SMALL) -> list[str]:
    """The breaks that a change makes."""
    new = deepcopy(old)
    change(new)
    return documents(old, new)


def post(new: Schema) -> Schema:
    call: Schema = new["paths"]["/things"]["post"]
    return call


def part(name: str, *path: str) -> Callable[[Schema], Schema]:
    def find(new: Schema) -> Schema:
        found: Schema = new["components"]["schemas"][name]
        for step in path:
            found = found[step]
        return found

    return find


sent, told = part("Sent"), part("Told")
sent_fields, told_fields = part("Sent", "properties"), part("Told", "properties")


def rename_component(new: Schema) -> None:
    schemas = new["components"]["schemas"]
    schemas["Given"] = schemas.pop("Told")
    post(new)["responses"]["200"]["content"]["application/json"]["schema"] = ref("Given")


BREAKS: dict[str, tuple[Change, str]] = {
    "a path is gone": (lambda n: n["paths"].clear(), "/things: is gone"),
    "a method is gone": (
        lambda n: n["paths"].update({"/things": {"get": post(n)}}),
        "POST /things: is gone",
    ),
    "an operation has another id": (
        lambda n: post(n).update(operationId="AddThing"),
        "POST /things: operationId MakeThing is now AddThing",
    ),
    "an operation has another tag": (
        lambda n: post(n).update(tags=["other"]),
        "POST /things: tags ['things'] are now ['other']",
    ),
    "a token is needed": (
        lambda n: post(n).update(security=[{"token": []}]),
        "POST /things: a way to call it is gone from security",
    ),
    "a parameter is gone": (
        lambda n: post(n).update(parameters=[]),
        "POST /things query parameter limit: is gone",
    ),
    "a parameter is needed": (
        lambda n: post(n)["parameters"].append(
            {"name": "x", "in": "query", "required": True, "schema": {}}
        ),
        "POST /things query parameter x: is needed now",
    ),
    "a parameter takes less": (
        lambda n: post(n)["parameters"][0]["schema"].update(maximum=5),
        "POST /things query parameter limit: maximum 9 does not fit 5",
    ),
    "a body is gone": (lambda n: post(n).pop("requestBody"), "POST /things body: is gone"),
    "a body is needed": (
        lambda n: post(n)["requestBody"].update(required=True),
        "POST /things body: is needed now",
    ),
    "a media type is gone": (
        lambda n: post(n)["responses"]["200"].update(content={}),
        "POST /things 200 application/json: is gone",
    ),
    "an answer is gone": (
        lambda n: post(n)["responses"].pop("409"),
        "POST /things 409: is gone",
    ),
    "a good answer is new": (
        lambda n: post(n)["responses"].update({"202": {}}),
        "POST /things 202: is a new answer of a call that is done",
    ),
    "a code is gone": (
        lambda n: post(n)["responses"]["409"].update({"x-codes": ["b", "c"]}),
        "POST /things 409: code a is gone",
    ),
    "a header is gone": (
        lambda n: post(n)["responses"]["200"]["headers"].pop("Loose"),
        "POST /things 200 header Loose: is gone",
    ),
    "a header may be missing": (
        lambda n: post(n)["responses"]["200"]["headers"].update(ETag={}),
        "POST /things 200 header ETag: may be missing now",
    ),
    "a component is gone": (
        lambda n: n["components"]["schemas"].update(Told={}) or rename_component(n),
        "component Told: is gone",
    ),
    "an answer has a component of another name": (
        rename_component,
        "POST /things 200: Told is now Given",
    ),
    "a sent field is gone": (lambda n: sent_fields(n).pop("note"), "Sent (sent).note: is gone"),
    "a sent field is needed": (
        lambda n: sent(n).update(required=["horse", "note"]),
        "Sent (sent).note: is needed now",
    ),
    "a new sent field is needed": (
        lambda n: sent_fields(n).update(new={}) or sent(n)["required"].append("new"),
        "Sent (sent).new: is needed now",
    ),
    "a sent word is gone": (
        lambda n: sent_fields(n)["horse"].update(enum=["red"]),
        "Sent (sent).horse: 'blue' is gone",
    ),
    "a sent text has words only": (
        lambda n: sent_fields(n)["note"].update(enum=["x"]),
        "Sent (sent).note: takes only some words now",
    ),
    "a sent number has another type": (
        lambda n: sent_fields(n)["stake"].update(type="integer"),
        "Sent (sent).stake: number does not fit integer",
    ),
    "a sent number has a narrower bound": (
        lambda n: sent_fields(n)["stake"].update(minimum=1),
        "Sent (sent).stake: minimum 0 does not fit 1",
    ),
    "a sent text has a new bound": (
        lambda n: sent_fields(n)["note"].update(maxLength=9),
        "Sent (sent).note: maxLength None does not fit 9",
    ),
    "a sent text has a pattern": (
        lambda n: sent_fields(n)["note"].update(pattern="^x"),
        "Sent (sent).note: pattern None does not fit ^x",
    ),
    "a default is another": (
        lambda n: sent_fields(n)["stake"].update(default=20),
        "Sent (sent).stake: the default is no longer 10",
    ),
    "a sent item has another type": (
        lambda n: sent_fields(n)["list"]["items"].update(type="string"),
        "Sent (sent).list[]: integer does not fit string",
    ),
    "a sent choice has one form less": (
        lambda n: sent_fields(n).update(either={"type": "integer"}),
        "Sent (sent).either: null does not fit integer",
    ),
    "an answered field is gone": (
        lambda n: told_fields(n).pop("count"),
        "Told (answered).count: is gone",
    ),
    "an answered field may be missing": (
        lambda n: told(n)["required"].remove("at"),
        "Told (answered).at: may be missing now",
    ),
    "an answered field may be null": (
        lambda n: told_fields(n).update(count={"anyOf": [{"type": "integer"}, {"type": "null"}]}),
        "Told (answered).count: null does not fit integer",
    ),
    "an answered type is wider": (
        lambda n: told_fields(n)["count"].update(type="number"),
        "Told (answered).count: number does not fit integer",
    ),
    "an answered type is another": (
        lambda n: told_fields(n)["some"]["items"].update(type="string"),
        "Told (answered).some[]: string does not fit integer",
    ),
    "an answered bound is gone": (
        lambda n: told_fields(n)["count"].pop("minimum"),
        "Told (answered).count: minimum None does not fit 0",
    ),
    "an answered format is gone": (
        lambda n: told_fields(n)["at"].pop("format"),
        "Told (answered).at: format None does not fit date-time",
    ),
    "an answered word has another name": (
        lambda n: told_fields(n)["status"].update(enum=["open", "closed"]),
        "Told (answered).status: 'over' is gone",
    ),
    "an answered set of words is open": (
        lambda n: told_fields(n)["status"].pop("enum"),
        "Told (answered).status: may be any word now",
    ),
    "an answered constant varies": (
        lambda n: told_fields(n).update(kind={"type": "string", "enum": ["thing", "other"]}),
        "Told (answered).kind: is no longer always 'thing'",
    ),
    "the values of an answered map are others": (
        lambda n: told_fields(n)["shares"].update(additionalProperties={"type": "string"}),
        "Told (answered).shares.*: string does not fit integer",
    ),
    "the values of an answered map are any": (
        lambda n: told_fields(n)["shares"].pop("additionalProperties"),
        "Told (answered).shares.*: anything does not fit integer",
    ),
    "a member of a union is gone": (
        lambda n: part("Event", "discriminator", "mapping")(n).pop("b"),
        "Event (answered): b is gone",
    ),
    "a union is told apart by another word": (
        lambda n: part("Event", "discriminator")(n).update(propertyName="kind"),
        "Event (answered): is no longer told apart by type",
    ),
    "a field of a member of a union is gone": (
        lambda n: part("EventB", "properties")(n).pop("horse"),
        "EventB (answered).horse: is gone",
    ),
}


@pytest.mark.parametrize("name", BREAKS)
def test_a_break_is_found(name: str) -> None:
    change, told_as = BREAKS[name]
    assert told_as in after(change)


def add_a_member(new: Schema) -> None:
    new["components"]["schemas"]["EventC"] = {
        "type": "object",
        "properties": {"type": {"const": "c"}},
    }
    part("Event")(new)["oneOf"].append(ref("EventC"))
    part("Event", "discriminator", "mapping")(new)["c"] = "#/components/schemas/EventC"


ALLOWED: dict[str, Change] = {
    "nothing is changed": lambda n: None,
    "descriptions": lambda n: told(n).update(description="Other words."),
    "a path more": lambda n: n["paths"].update({"/others": {"get": post(n)}}),
    "a parameter more": lambda n: post(n)["parameters"].append(
        {"name": "x", "in": "query", "schema": {}}
    ),
    "a code more": lambda n: post(n)["responses"]["409"]["x-codes"].append("c"),
    "a refusal more": lambda n: post(n)["responses"].update({"403": {}}),
    "an optional sent field more": lambda n: sent_fields(n).update(new={"type": "string"}),
    "a sent word more": lambda n: sent_fields(n)["horse"]["enum"].append("green"),
    "a wider sent type": lambda n: sent_fields(n)["list"]["items"].update(type="number"),
    "a wider sent bound": lambda n: sent_fields(n)["stake"].pop("minimum"),
    "a sent field that may be null": lambda n: sent_fields(n).update(
        note={"anyOf": [{"type": "string"}, {"type": "null"}]}
    ),
    "a sent field that need not be": lambda n: sent(n).update(required=[]),
    "an answered field more": lambda n: (
        told_fields(n).update(new={}) or told(n)["required"].append("new")
    ),
    "an answered word more": lambda n: told_fields(n)["status"]["enum"].append("paused"),
    "an answered field that is always there": lambda n: told(n)["required"].append("count"),
    "an answered field that is never null": lambda n: told_fields(n).update(
        maybe={"type": "string"}
    ),
    "a narrower answered number": lambda n: told_fields(n)["count"].update(minimum=1),
    "a member of a union more": add_a_member,
}


@pytest.mark.parametrize("name", ALLOWED)
def test_what_the_contract_allows_is_no_break(name: str) -> None:
    assert after(ALLOWED[name]) == []


# ---------------------------------------------------------------------- the true documents

WHOLE = document()
STORED = events_document()
EVERY = 7
"""Of the many places in the true documents one in so many is tried: a look takes a moment."""


def removals(schema: Schema, within: list[Any]) -> Iterator[list[Any]]:
    """Paths of all named fields of a schema, and of all words of its sets."""
    for key, value in schema.items():
        here = [*within, key]
        if key == "properties":
            yield from ([*here, name] for name in value)
        if key == "enum" and isinstance(value, list):
            yield from ([*here, position] for position in range(len(value)))
        if isinstance(value, dict):
            yield from removals(value, here)


def without(whole: Schema, path: list[Any]) -> Schema:
    """A copy in which something is missing; what is on its way alone is copied."""
    new = dict(whole)
    at: Any = new
    for step in path[:-1]:
        at[step] = list(at[step]) if isinstance(at[step], list) else dict(at[step])
        at = at[step]
    del at[path[-1]]
    return new


def test_a_field_or_word_missing_anywhere_in_the_document_is_found() -> None:
    schemas = WHOLE["components"]["schemas"]
    used = reach(schemas, [WHOLE["paths"]])
    assert used == set(schemas), "a component that no call needs is no part of the document"
    paths = list(removals(schemas, ["components", "schemas"]))
    assert len(paths) > 1_000
    for path in paths[::EVERY]:
        assert documents(WHOLE, without(WHOLE, path)), path


def test_a_field_or_word_missing_anywhere_in_the_events_is_found() -> None:
    paths = list(removals(STORED, []))
    assert len(paths) > 1_000
    for path in paths[::EVERY]:
        assert events(STORED, without(STORED, path)), path


def test_an_event_that_is_gone_or_needs_more_breaks_the_stored_format() -> None:
    gone = {name: form for name, form in STORED.items() if name != "race_opened"}
    assert events(STORED, gone) == ["race_opened: is gone"]
    more = deepcopy(STORED)
    more["race_opened"]["properties"]["new"] = {"type": "string"}
    assert events(STORED, more) == []
    more["race_opened"]["required"].append("new")
    assert events(STORED, more) == ["race_opened.new: is needed now"]
    less = deepcopy(STORED)
    less["race_opened"]["required"].remove("race")
    assert events(STORED, less) == ["race_opened.race: may be missing now"]
