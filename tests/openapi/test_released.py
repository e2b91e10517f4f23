"""Nothing that a released document promised is renamed, removed or narrowed."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from service.http.openapi import document, events_document
from tests.openapi.comparing import documents, events

FOLDER = Path(__file__).parents[2] / "openapi" / "released"
VERSIONS = sorted(path.name for path in FOLDER.iterdir())
TOLD = (
    "a promise to clients is broken: change it so that it only adds. Where this version is not out "
    "yet, and the change is meant: `sh run released`"
)


def released(version: str, name: str) -> Any:
    return json.loads((FOLDER / version / name).read_bytes())


def test_there_is_a_released_document_and_each_is_whole() -> None:
    assert VERSIONS
    for version in VERSIONS:
        assert re.fullmatch(r"\d+\.\d+\.\d+", version)
        names = {path.name for path in (FOLDER / version).iterdir()}
        assert names == {"openapi.json", "events.json"}


@pytest.mark.parametrize("version", VERSIONS)
def test_the_document_keeps_what_a_release_promised(version: str) -> None:
    assert documents(released(version, "openapi.json"), document()) == [], TOLD


@pytest.mark.parametrize("version", VERSIONS)
def test_the_stored_events_keep_what_a_release_wrote(version: str) -> None:
    assert events(released(version, "events.json"), events_document()) == [], TOLD
