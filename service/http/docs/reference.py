"""The reference: every operation and schema of the OpenAPI document, from that document alone."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from markupsafe import Markup
from msgspec import Struct

from domain.registry import GAMES
from service.http.docs import links
from service.http.docs.forms import Field, as_text, described, kind_of, told
from service.http.docs.markdown import quoted
from service.http.docs.pages import Heading, fill, page
from service.http.schemas import pascal

Document = Mapping[str, Any]
SHARED = "Shared by all games"


class Example(Struct, frozen=True, kw_only=True):
    """An example of a body or an answer."""

    title: str
    text: str


class Content(Struct, frozen=True, kw_only=True):
    """One form of a body or an answer."""

    media: str
    kind: Markup
    examples: tuple[Example, ...]


class Answered(Struct, frozen=True, kw_only=True):
    """What an operation may answer with one status."""

    status: str
    words: Markup
    headers: tuple[Field, ...]
    contents: tuple[Content, ...]
    leads: tuple[str, ...]


class Called(Struct, frozen=True, kw_only=True):
    """An operation as it is shown."""

    id: str
    method: str
    path: str
    summary: str
    words: Markup
    token: str
    parameters: tuple[tuple[str, Field], ...]
    body: tuple[Content, ...]
    body_needed: bool
    answers: tuple[Answered, ...]
    refusals: tuple[Answered, ...]


_TOKENS = {
    (): "No token is read.",
    (False,): "A token is needed.",
    (True, False): "A token may be given.",
}


def operations_page(document: Document) -> bytes:
    """Every operation, by chapter."""
    chapters, headings = [], []
    for tag in document["tags"]:
        calls = [call for call in _calls(document) if tag["name"] in call[0]]
        title = tag["name"].capitalize()
        chapters.append(
            {
                "id": f"tag-{tag['name']}",
                "title": title,
                "words": quoted(tag["description"]),
                "calls": [call for _, call in calls],
            }
        )
        headings.append(Heading(2, f"tag-{tag['name']}", title))
        headings += [Heading(3, call.id, call.summary) for _, call in calls]
    info = document["info"]
    body = fill("reference.html", info=info, chapters=chapters, schemas=links.SCHEMAS)
    return page("Operations", body, here=links.REFERENCE, headings=headings)


def schemas_page(document: Document) -> bytes:
    """Every schema: the shared ones, then each game's."""
    groups: dict[str, list[Any]] = {SHARED: []}
    prefixes = {pascal(id_): game.title for id_, game in GAMES.items()}
    for name, schema in document["components"]["schemas"].items():
        title = next((t for prefix, t in prefixes.items() if name.startswith(prefix)), SHARED)
        groups.setdefault(title, []).append(described(name, schema))
    chapters, headings = [], []
    for title, schemas in groups.items():
        anchor = re.sub(r"\W+", "-", title.lower())
        chapters.append({"id": anchor, "title": title, "schemas": schemas})
        headings.append(Heading(2, anchor, title))
        headings += [Heading(3, schema.name, schema.name) for schema in schemas]
    body = fill("schemas.html", chapters=chapters)
    return page("Schemas", body, here=links.SCHEMAS, headings=headings)


def _calls(document: Document) -> Iterator[tuple[list[str], Called]]:
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            yield operation["tags"], _call(path, method, operation, document)


def _call(path: str, method: str, operation: Document, document: Document) -> Called:
    body = operation.get("requestBody", {})
    answers = tuple(
        Answered(
            status=status,
            words=_linked(answer["description"]),
            headers=_headers(answer, document),
            contents=_contents(answer),
            leads=tuple(answer.get("links", ())),
        )
        for status, answer in operation["responses"].items()
    )
    return Called(
        id=operation["operationId"],
        method=method.upper(),
        path=path,
        summary=operation["summary"],
        words=quoted(operation.get("description", "")),
        token=_TOKENS[tuple(way == {} for way in operation["security"])],
        parameters=tuple(_parameter(given) for given in operation["parameters"]),
        body=_contents(body),
        body_needed=body.get("required", False),
        answers=tuple(answer for answer in answers if answer.status < "4"),
        refusals=tuple(answer for answer in answers if answer.status >= "4"),
    )


def _parameter(given: Document) -> tuple[str, Field]:
    return given["in"], Field(
        name=given["name"],
        required=given.get("required", False),
        kind=kind_of(given["schema"]),
        words=told(given),
    )


def _headers(answer: Document, document: Document) -> tuple[Field, ...]:
    found = []
    shared = document["components"]["headers"]
    for name, form in answer.get("headers", {}).items():
        header = shared[form["$ref"].rpartition("/")[2]] if "$ref" in form else form
        found.append(
            Field(
                name=name,
                required=header.get("required", False),
                kind=kind_of(header["schema"]),
                words=told(header),
            )
        )
    return tuple(found)


def _contents(holder: Document) -> tuple[Content, ...]:
    return tuple(
        Content(
            media=media,
            kind=kind_of(content.get("schema", True)),
            examples=tuple(_examples(content)),
        )
        for media, content in holder.get("content", {}).items()
    )


def _examples(content: Document) -> Iterator[Example]:
    if "example" in content:
        yield Example(title="Example", text=as_text(content["example"]))
    for name, example in content.get("examples", {}).items():
        if "$ref" in example:  # a refusal, which the page of its code shows
            continue
        value = example["value"]
        text = value if isinstance(value, str) else as_text(value)
        yield Example(title=quoted(example.get("summary", name)), text=text)


_CODE = re.compile(r"<code>([a-z_]+)</code>")


def _linked(description: str) -> Markup:
    """What an answer says, codes of problems linked to their pages."""
    words = quoted(description)
    if not description.startswith("One of: "):
        return words
    return Markup(_CODE.sub(r'<a href="/problems/\1"><code>\1</code></a>', str(words)))
