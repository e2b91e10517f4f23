"""The OpenAPI document: committed, valid, complete, and true of the app."""

import json
import re
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from litestar import Litestar
from openapi_spec_validator import validate

from domain.kernel.message import type_of
from domain.racing.events import SHARED_EVENTS
from domain.registry import GAMES
from service.http.app import create_app
from service.http.finishing import walk
from service.http.openapi import as_bytes, document, events_document, refusals
from service.http.table import operations
from service.settings import Settings
from tests.kit.face import Client
from tests.kit.memory_face import memory_deps

FOLDER = Path(__file__).parents[3] / "openapi"
DOCUMENT = document()
AGAIN = "it is not what the code says: run `homestretch openapi`"


def test_the_committed_document_is_the_one_that_the_code_writes() -> None:
    assert (FOLDER / "openapi.json").read_bytes() == as_bytes(DOCUMENT), AGAIN


def test_the_committed_events_are_those_of_the_code() -> None:
    assert (FOLDER / "events.json").read_bytes() == as_bytes(events_document()), AGAIN


def test_the_document_is_valid() -> None:
    validate(json.loads(as_bytes(DOCUMENT)))


def test_the_document_is_served_as_it_is_committed(anybody: Client) -> None:
    assert anybody.get("/openapi.json").content == (FOLDER / "openapi.json").read_bytes()


def routed(app: Litestar) -> set[tuple[str, str]]:
    """Method and path of all routes, in the words of the document."""
    return {
        (method, re.sub(r"\{(\w+):str\}", r"{\1}", route.path))
        for route in app.routes
        for method in route.methods  # type: ignore[union-attr]
        if method not in ("HEAD", "OPTIONS")
    }


def test_the_routes_of_the_document_are_those_of_the_app() -> None:
    described = {
        (method.upper(), path) for path, methods in DOCUMENT["paths"].items() for method in methods
    }
    assert routed(create_app(memory_deps())) == described


@pytest.mark.parametrize("operation", operations(Settings()), ids=lambda operation: operation.id)
def test_every_operation_says_all_there_is_to_say(operation: Any) -> None:
    form = DOCUMENT["paths"][operation.path][operation.method.lower()]
    assert form["operationId"] == operation.id
    assert form["tags"] == [operation.tag]
    assert form["tags"][0] in {tag["name"] for tag in DOCUMENT["tags"]}
    assert "security" in form
    assert {p["name"] for p in form["parameters"] if p["in"] == "path"} == set(
        re.findall(r"\{(\w+)\}", operation.path)
    )
    assert {str(reason.status) for reason in refusals(operation)} <= set(form["responses"])
    assert ("404" in form["responses"]) == ("{" in operation.path)


def test_answers_that_hang_on_who_asks_say_so_to_caches() -> None:
    for path in ("board", "actions", "events", "log"):
        answer = DOCUMENT["paths"][f"/v1/meetings/{{meeting}}/{path}"]["get"]["responses"]["200"]
        for name in ("Cache-Control", "Vary"):
            assert answer["headers"][name]["required"], f"{path} {name}"


def test_operation_ids_are_unique() -> None:
    ids = [operation.id for operation in operations(Settings())]
    assert len(set(ids)) == len(ids)


def test_components_of_a_game_bear_its_name_and_their_title_is_their_key() -> None:
    schemas = DOCUMENT["components"]["schemas"]
    assert {"BookmakerPlaceBet", "BookmakerBoard", "BookmakerOptions"} <= set(schemas)
    assert "PlaceBet" not in schemas
    assert all(schema["title"] == name for name, schema in schemas.items())


def test_words_of_a_known_set_are_components_that_bodies_and_answers_share() -> None:
    schemas = DOCUMENT["components"]["schemas"]
    horse = {"$ref": "#/components/schemas/BookmakerHorseName"}
    assert schemas["BookmakerHorseName"]["enum"] == ["blue", "green", "red", "yellow"]
    assert schemas["BookmakerPlaceBet"]["properties"]["horse"] == horse
    assert schemas["BookmakerBetPlaced"]["properties"]["horse"] == horse
    assert schemas["BookmakerHorseView"]["properties"]["horse"] == horse
    for board in schemas["Board"]["oneOf"]:
        fields = schemas[board["$ref"].rpartition("/")[2]]["properties"]
        assert fields["status"] == {"$ref": "#/components/schemas/MeetingStatus"}
        phase = schemas[fields["phase"]["anyOf"][0]["$ref"].rpartition("/")[2]]
        assert set(phase["enum"]) == set(GAMES[fields["game"]["const"]].phases)


def test_commands_are_told_apart_by_their_type() -> None:
    command = DOCUMENT["components"]["schemas"]["Command"]
    types = {type_of(kind) for game in GAMES.values() for kind in game.commands}
    assert set(command["discriminator"]["mapping"]) == types
    assert len(command["oneOf"]) == len(types)


def test_events_are_told_apart_by_their_type() -> None:
    event = DOCUMENT["components"]["schemas"]["Event"]
    kinds = [*SHARED_EVENTS, *(kind for game in GAMES.values() for kind in game.events)]
    assert set(event["discriminator"]["mapping"]) == {type_of(kind) for kind in kinds}


WITHOUT_FORM = {
    "ActionList/schema": "a JSON Schema",
    "CommandEntry/schema": "a JSON Schema",
    "EventEntry/schema": "a JSON Schema",
    "GameEntry/options": "a JSON Schema",
    "MeetingOpened/options": "hangs on the game, which may be one that the client does not know",
    "MeetingSummary/options": "likewise",
    "Problem/parts": "what each part tells is for people",
    "ProblemSample/body": "what a caller sent",
    "ProblemSample/problem": "a problem, with members that some of them have",
    "Ready/parts": "likewise",
}
"""The fields that a generated client has as a map of anything."""


def test_a_client_knows_the_form_of_all_else() -> None:
    schemas = DOCUMENT["components"]["schemas"]
    anything = {
        f"{name}/{field}"
        for name, schema in schemas.items()
        for field, form in schema.get("properties", {}).items()
        for part in walk(form)
        if not part.keys() - {"description"}
        or part.get("items") == {}
        or part.get("additionalProperties") is True
    }
    assert anything == set(WITHOUT_FORM)


def test_bodies_are_closed_and_answers_are_open() -> None:
    schemas = DOCUMENT["components"]["schemas"]

    def names(schema: Any) -> set[str]:
        return set(re.findall(r"#/components/schemas/(\w+)", json.dumps(schema)))

    def reach(start: set[str]) -> set[str]:
        found: set[str] = set()
        while start:
            found |= start
            start = {n for name in start for n in names(schemas[name])} - found
        return found

    calls = [form for methods in DOCUMENT["paths"].values() for form in methods.values()]
    taken = reach({n for c in calls if "requestBody" in c for n in names(c["requestBody"])})
    given = reach({n for c in calls for n in names(c["responses"])})
    objects = {name for name in taken if "properties" in schemas[name]}
    assert {name for name in objects if schemas[name].get("additionalProperties") is not False} == (
        set()
    )
    given -= reach({"Command", "GivenCommand"})  # in answers too these are bodies to be posted
    shut = {name for name in given if schemas[name].get("additionalProperties") is False}
    assert shut == set()


def test_no_event_of_a_feed_shows_what_only_the_log_has() -> None:
    schemas = DOCUMENT["components"]["schemas"]
    for reference in schemas["Event"]["oneOf"]:
        event = schemas[reference["$ref"].rpartition("/")[2]]
        assert not {"seq", "audience", "private"} & set(event["properties"])
        assert {"version", "type", "at", "meeting"} <= set(event["required"])


def test_every_stored_event_has_its_schema_in_the_lock() -> None:
    lock = events_document()
    kinds = [*SHARED_EVENTS, *(kind for game in GAMES.values() for kind in game.events)]
    assert set(lock) == {type_of(kind) for kind in kinds}
    for schema in lock.values():
        jsonschema.Draft202012Validator.check_schema(schema)
