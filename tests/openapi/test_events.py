"""The lock on the stored format: what was once written is read, and written back, byte for byte."""

import json
from typing import Any

import jsonschema
import msgspec
import pytest

from domain.kernel.lines import canonical, join, split
from domain.kernel.message import type_of
from domain.racing.forms import UnknownEvent, forms_of
from domain.registry import GAMES, event_types
from service.http.openapi import events_document
from tests.kit.releases import CARD_PLAYED, OLDER, newer, upcast
from tests.openapi.samples import FOLDER, best, file_of, read

LOCK = events_document()
FILES = sorted(FOLDER.glob("*.ndjson"))
SAMPLES = [
    pytest.param(*path.stem.rsplit("-", 1), name, line, id=f"{path.stem} {name}")
    for path in FILES
    for name, line in read(path).items()
]


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.id)
def test_every_event_type_has_a_sample_under_the_present_rules(game: Any) -> None:
    found = read(file_of(game.id, game.rules))
    never = set() if game.earlier else {"rules_changed"}  # there were none to go over from
    missing = set(event_types(game.id)) - set(found) - never
    assert not missing, "record a playthrough that has it, then: python -m tests.openapi.samples"
    assert list(found) == sorted(found)


def test_every_file_of_samples_is_of_a_game_that_there_is() -> None:
    assert {path.stem.rpartition("-")[0] for path in FILES} == set(GAMES)


@pytest.mark.parametrize(("game", "rules", "name", "line"), SAMPLES)
def test_a_sample_is_decoded_and_encoded_to_the_same_bytes(
    game: str, rules: str, name: str, line: bytes
) -> None:
    body, digest = split(line)
    event = forms_of(GAMES[game]).read(body, rules)
    assert type(event) is event_types(game)[type_of(event)]
    assert len(bytes.fromhex(digest)) == 32
    if rules == GAMES[game].rules:
        assert type_of(event) == name
        assert canonical(event) == body


def test_samples_of_earlier_rules_are_read_in_the_newest_form() -> None:
    """By a release that changed one of them."""
    game = newer(with_old_code=False)
    forms = forms_of(game)
    for name, line in read(file_of(OLDER.id, OLDER.rules)).items():
        event = forms.read(split(line)[0], OLDER.rules)
        assert type(event) is forms.types[name]
        told = json.loads(canonical(event))
        kept = json.loads(split(line)[0])
        assert told == (upcast(kept) if name == CARD_PLAYED else kept)
    with pytest.raises(UnknownEvent, match="form of"):
        forms.read(split(read(file_of(OLDER.id, OLDER.rules))[CARD_PLAYED])[0], game.rules)


@pytest.mark.parametrize(("game", "rules", "name", "line"), SAMPLES)
def test_what_is_private_in_a_sample_has_the_form_of_its_class(
    game: str, rules: str, name: str, line: bytes
) -> None:
    del name
    event = forms_of(GAMES[game]).read(split(line)[0], rules)
    for whose, content in ({} if event.private is msgspec.UNSET else event.private).items():
        form = event.server_form if whose == "server" else event.seat_form
        assert form is not None
        assert msgspec.to_builtins(msgspec.convert(content, form, strict=True)) == content


@pytest.mark.parametrize(("game", "rules", "name", "line"), SAMPLES)
def test_a_sample_is_valid_under_its_schema(game: str, rules: str, name: str, line: bytes) -> None:
    del name
    body, digest = split(line)
    event = forms_of(GAMES[game]).read(body, rules)
    validator = jsonschema.Draft202012Validator(LOCK[type_of(event)])
    newest = json.loads(join(canonical(event), digest))
    assert [error.message for error in validator.iter_errors(newest)] == []


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
