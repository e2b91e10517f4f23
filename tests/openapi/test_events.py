"""The lock on the stored format: what was once written is read, and written back, byte for byte."""

import json
from typing import Any

import jsonschema
import msgspec
import pytest

from domain.kernel.lines import canonical, split
from domain.registry import GAMES, event_decoder, event_types
from service.http.openapi import events_document
from tests.openapi.samples import FOLDER, best, file_of, read

LOCK = events_document()
FILES = sorted(FOLDER.glob("*.ndjson"))
SAMPLES = [
    pytest.param(path.stem.rpartition("-")[0], name, line, id=f"{path.stem} {name}")
    for path in FILES
    for name, line in read(path).items()
]


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.id)
def test_every_event_type_has_a_sample_under_the_present_rules(game: Any) -> None:
    found = read(file_of(game.id, game.rules))
    missing = set(event_types(game.id)) - set(found)
    assert not missing, "record a playthrough that has it, then: python -m tests.openapi.samples"
    assert list(found) == sorted(found)


def test_every_file_of_samples_is_of_a_game_that_there_is() -> None:
    assert {path.stem.rpartition("-")[0] for path in FILES} == set(GAMES)


@pytest.mark.parametrize(("game", "name", "line"), SAMPLES)
def test_a_sample_is_decoded_and_encoded_to_the_same_bytes(
    game: str, name: str, line: bytes
) -> None:
    body, digest = split(line)
    event = event_decoder(game).decode(body)
    assert type(event) is event_types(game)[name]
    assert canonical(event) == body
    assert len(bytes.fromhex(digest)) == 32


@pytest.mark.parametrize(("game", "name", "line"), SAMPLES)
def test_what_is_private_in_a_sample_has_the_form_of_its_class(
    game: str, name: str, line: bytes
) -> None:
    kind = event_types(game)[name]
    for whose, content in json.loads(line).get("private", {}).items():
        form = kind.server_form if whose == "server" else kind.seat_form
        assert form is not None
        assert msgspec.to_builtins(msgspec.convert(content, form, strict=True)) == content


@pytest.mark.parametrize(("game", "name", "line"), SAMPLES)
def test_a_sample_is_valid_under_its_schema(game: str, name: str, line: bytes) -> None:
    del game
    validator = jsonschema.Draft202012Validator(LOCK[name])
    assert [error.message for error in validator.iter_errors(json.loads(line))] == []


def test_of_two_lines_the_one_that_says_more_is_the_sample() -> None:
    plain, more = b'{"type":"a","seat":1}', b'{"private":{"1":{"x":1}},"seat":1,"type":"a"}'
    assert best([plain, more, plain]) == {"a": more}
    longer = b'{"type":"a","seat":1111}'
    assert best([longer, plain]) == {"a": plain}


def test_a_line_that_lacks_a_field_is_not_valid() -> None:
    line = json.loads(read(file_of("bookmaker", "1"))["bookmaker.hands_dealt"])
    validator = jsonschema.Draft202012Validator(LOCK["bookmaker.hands_dealt"])
    assert validator.is_valid(line)
    for fault in ("counts", "hash", "seq"):
        assert not validator.is_valid({k: v for k, v in line.items() if k != fault})
    assert not validator.is_valid({**line, "private": {"1": {"hand": []}}})  # no salt
    assert not validator.is_valid({**line, "private": {**line["private"], "other": {}}})
