"""The last pass over the document: titles, discriminators, closed bodies, open answers."""

import json
from typing import Any

from service.http.finishing import finish, reach
from service.http.openapi import document

Schema = dict[str, Any]


def ref(name: str) -> Schema:
    return {"$ref": f"#/components/schemas/{name}"}


def form(**properties: Schema) -> Schema:
    return {"type": "object", "properties": properties, "required": list(properties)}


def finished(schemas: dict[str, Schema], *, sent: str, answered: str) -> dict[str, Schema]:
    """The components after the pass, where one call sends one and is answered with another."""
    call = {
        "requestBody": {"content": {"application/json": {"schema": ref(sent)}}},
        "responses": {"200": {"content": {"application/json": {"schema": ref(answered)}}}},
    }
    paths = {"/": {"post": call}}
    finish({"paths": paths, "components": {"schemas": schemas}})
    return schemas


WORD = {"type": "string"}


def test_the_title_of_a_component_is_its_key() -> None:
    done = finished({"A": {**form(), "title": "Other"}, "B": form()}, sent="A", answered="B")
    assert [schema["title"] for schema in done.values()] == ["A", "B"]


def test_what_is_sent_is_closed_and_what_is_answered_is_open() -> None:
    schemas = {
        "A": form(inner=ref("Inner")),
        "Inner": form(x=form(y=WORD)),
        "B": {**form(), "additionalProperties": False},
    }
    done = finished(schemas, sent="A", answered="B")
    assert done["A"]["additionalProperties"] is False
    assert done["Inner"]["additionalProperties"] is False
    assert done["Inner"]["properties"]["x"]["additionalProperties"] is False
    assert "additionalProperties" not in done["B"]


def test_a_map_of_an_answer_stays_a_map() -> None:
    shares = {"type": "object", "additionalProperties": {"type": "integer"}}
    done = finished({"A": form(), "B": form(shares=shares)}, sent="A", answered="B")
    assert done["B"]["properties"]["shares"] == shares


def test_what_is_sent_stays_closed_where_an_answer_repeats_it() -> None:
    done = finished({"A": form()}, sent="A", answered="A")
    assert done["A"]["additionalProperties"] is False


def test_an_answer_has_every_field_that_is_always_written() -> None:
    defaulted = {**form(a=WORD), "required": []}
    defaulted["properties"] |= {"b": {**WORD, "default": ""}, "c": WORD}
    done = finished({"A": form(), "B": defaulted}, sent="A", answered="B")
    assert done["B"]["required"] == ["b"]
    assert done["B"]["properties"] == {"a": WORD, "b": WORD, "c": WORD}


def test_a_default_of_what_is_sent_stays() -> None:
    with_default = {**form(a={**WORD, "default": "x"}), "required": []}
    done = finished({"A": with_default, "B": form()}, sent="A", answered="B")
    assert done["A"]["properties"]["a"]["default"] == "x"
    assert done["A"]["required"] == []


def told(by: str, word: str) -> Schema:
    return form(**{by: {**WORD, "const": word}})


def test_a_union_is_told_apart_by_the_word_in_which_its_members_differ() -> None:
    union = {"oneOf": [ref("X"), ref("Y")]}
    schemas = {"A": union, "X": told("type", "x"), "Y": told("type", "y"), "B": form()}
    done = finished(schemas, sent="A", answered="B")
    assert done["A"]["discriminator"] == {
        "propertyName": "type",
        "mapping": {"x": "#/components/schemas/X", "y": "#/components/schemas/Y"},
    }


def test_a_union_within_a_union_is_told_by_the_word_of_all_its_members() -> None:
    schemas = {
        "A": {"oneOf": [ref("X"), ref("Y")]},
        "X": {"oneOf": [ref("X1"), ref("X2")]},
        "X1": form(type={**WORD, "const": "x"}, option={**WORD, "const": "one"}),
        "X2": form(type={**WORD, "const": "x"}, option={**WORD, "const": "two"}),
        "Y": told("type", "y"),
        "B": form(),
    }
    done = finished(schemas, sent="A", answered="B")
    assert done["A"]["discriminator"]["propertyName"] == "type"
    assert set(done["A"]["discriminator"]["mapping"]) == {"x", "y"}
    assert done["X"]["discriminator"]["propertyName"] == "option"


def test_a_union_whose_members_share_their_words_has_no_discriminator() -> None:
    schemas = {
        "A": {"oneOf": [ref("X"), ref("Y")]},
        "X": told("type", "x"),
        "Y": told("type", "x"),
        "B": form(),
    }
    assert "discriminator" not in finished(schemas, sent="A", answered="B")["A"]


def test_every_union_of_the_document_that_has_a_word_for_it_is_told_apart() -> None:
    """All but a card's own forms, which hang on which card it is."""
    schemas = document()["components"]["schemas"]
    unions = {name: schema for name, schema in schemas.items() if "oneOf" in schema}
    assert {"Board", "Command", "Event", "OpenMeeting", "ChangeHorsesPlayWild"} <= set(unions)
    plain = {name for name, schema in unions.items() if "discriminator" not in schema}
    assert plain == {"TicketGagnantPlayCard"}


def test_reach_follows_references_of_references() -> None:
    schemas = {"A": form(b=ref("B")), "B": form(a=ref("A")), "C": form()}
    assert reach(schemas, [ref("A")]) == {"A", "B"}


def test_an_answer_of_the_document_leaves_out_only_what_hangs_on_the_event() -> None:
    schemas = document()["components"]["schemas"]
    assert set(schemas["MeetingSummary"]["required"]) == set(
        schemas["MeetingSummary"]["properties"]
    )
    assert "default" not in json.dumps(schemas["BookmakerBoard"])
    assert "seat" not in schemas["RaceOpened"]["required"]
