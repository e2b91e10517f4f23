"""The examples of the document are true: recorded from the app, complete, valid, and fresh."""

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest

from domain.kernel.message import type_of
from domain.registry import GAMES
from service.http.examples import CALLS, FOLDER, PROBLEMS
from service.http.openapi import document
from tests.openapi.recording import record

DOCUMENT = document()
REGISTRY = jsonschema_rs.Registry([("urn:document", DOCUMENT)])
ANEW = "it is not what the app says: run `sh run openapi`"


async def test_recording_anew_gives_the_same_bytes() -> None:
    made = await record()
    assert set(made) == {*CALLS.glob("*.json"), PROBLEMS}, ANEW
    for path, content in made.items():
        assert path.read_bytes() == content, f"{path.name}: {ANEW}"


def forms() -> Iterator[Any]:
    """Every media type of every body and answer: where it stands, and what it says."""
    for path, methods in DOCUMENT["paths"].items():
        for method, call in methods.items():
            at = f"{method.upper()} {path}"
            for media, form in call.get("requestBody", {}).get("content", {}).items():
                yield pytest.param(at, media, form, id=f"{call['operationId']} body")
            for status, answer in call["responses"].items():
                for media, form in answer.get("content", {}).items():
                    name = f"{call['operationId']} {status} {media}"
                    yield pytest.param(f"{at} {status}", media, form, id=name)


NO_FIELDS = {"$ref": "#/components/schemas/Nothing"}


@pytest.mark.parametrize(("at", "media", "form"), list(forms()))
def test_every_body_and_answer_has_a_valid_example(at: str, media: str, form: Any) -> None:
    if form["schema"] == NO_FIELDS:
        return  # there is nothing to show
    assert form.get("examples"), f"{at} {media} has none: add a scene to tests/openapi/scenes.py"
    validator = validator_of(json.dumps(form["schema"]))
    for name, example in form["examples"].items():
        value = looked_up(example)["value"]
        errors = [error.message for error in validator.iter_errors(value)]
        assert not errors, f"{at} {name}: {errors[:3]}"


@cache
def validator_of(schema: str) -> jsonschema_rs.Draft202012Validator:
    """A validator of a schema whose references lead into the document."""
    whole = json.loads(schema.replace('"#/', '"urn:document#/'))
    return jsonschema_rs.Draft202012Validator(whole, registry=REGISTRY)


def looked_up(example: Any) -> Any:
    if "$ref" not in example:
        return example
    return DOCUMENT["components"]["examples"][example["$ref"].rpartition("/")[2]]


def test_every_command_of_every_game_is_among_the_examples() -> None:
    call = DOCUMENT["paths"]["/v1/meetings/{meeting}/commands"]["post"]
    shown = call["requestBody"]["content"]["application/json"]["examples"]
    told = {example["value"]["type"] for example in shown.values()}
    assert told == {type_of(kind) for game in GAMES.values() for kind in game.commands}


def test_no_example_holds_a_reference() -> None:
    """Of a schema in an answer: @hey-api/openapi-ts would follow it."""
    for path in (*CALLS.glob("*.json"), PROBLEMS):
        assert b'"$ref"' not in path.read_bytes(), path.name


def test_an_example_of_a_refusal_has_the_code_under_which_it_stands() -> None:
    for code, example in DOCUMENT["components"]["examples"].items():
        assert example["value"]["code"] == code


def test_every_recorded_call_is_one_of_the_document() -> None:
    ids = {call["operationId"] for path in DOCUMENT["paths"].values() for call in path.values()}
    assert {path.stem for path in CALLS.glob("*.json")} <= ids


def test_the_examples_stand_in_the_tree_of_documents() -> None:
    assert Path(__file__).parents[2] / "openapi" / "examples" == FOLDER
