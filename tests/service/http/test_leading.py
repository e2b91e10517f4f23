"""The links of the document: each can be followed, and says where the values really stand."""

from collections.abc import Iterator
from typing import Any

import pytest

from service.http.leading import BODIES, LEADS
from service.http.openapi import document

DOCUMENT = document()
CALLS = {call["operationId"]: call for path in DOCUMENT["paths"].values() for call in path.values()}
LINKS = [
    (source, target, link)
    for source, call in CALLS.items()
    for answer in call["responses"].values()
    for target, link in answer.get("links", {}).items()
]
links = pytest.mark.parametrize(
    ("source", "target", "link"), LINKS, ids=[f"{source}-{target}" for source, target, _ in LINKS]
)


def test_every_lead_is_a_link_of_the_document() -> None:
    told = {source: set(targets) for source, targets in LEADS.items()}
    assert {name: {t for s, t, _ in LINKS if s == name} for name in told} == told
    assert {(s, t) for s, t, link in LINKS if "requestBody" in link} == set(BODIES)


@links
def test_a_link_gives_a_call_what_it_needs(source: str, target: str, link: Any) -> None:
    assert link["operationId"] == target
    parameters = {row["name"]: row for row in CALLS[target]["parameters"]}
    needed = {name for name, row in parameters.items() if row["required"]}
    assert link["parameters"].keys() <= parameters.keys()
    assert needed <= link["parameters"].keys()
    for value in link["parameters"].values():
        if value.startswith("$request.path."):
            name = value.removeprefix("$request.path.")
            assert name in {row["name"] for row in CALLS[source]["parameters"]}
        elif value.startswith("$response.header."):
            name = value.removeprefix("$response.header.")
            assert all(
                name in answer["headers"]
                for answer in CALLS[source]["responses"].values()
                if target in answer.get("links", {})
            )


@links
def test_what_a_link_reads_stands_in_an_example_of_the_answer(
    source: str, target: str, link: Any
) -> None:
    shown = list(examples(source, target))
    assert shown
    for value in (*link["parameters"].values(), link.get("requestBody", "")):
        at = value.removeprefix("$response.body#/")
        if at != value:
            assert any(stands(example, at.split("/")) for example in shown), value


def examples(source: str, target: str) -> Iterator[Any]:
    """All examples of the answers that have this link."""
    for answer in CALLS[source]["responses"].values():
        if target in answer.get("links", {}):
            for content in answer["content"].values():
                yield from (shown["value"] for shown in content.get("examples", {}).values())


def stands(value: Any, steps: list[str]) -> bool:
    """Whether something is at the end of these steps."""
    for step in steps:
        try:
            value = value[int(step)] if isinstance(value, list) else value[step]
        except LookupError:
            return False
    return True
