"""The pages under /docs: complete, linked, and nothing from elsewhere."""

import json
import re
import tomllib
from collections.abc import Iterator
from html import unescape
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path
from typing import Any
from urllib.parse import urldefrag, urljoin

import pytest
from markdown_it import MarkdownIt

from domain.registry import GAMES
from service import rulebook
from service.http.docs import links, site
from service.http.docs.forms import as_line, kind_of, told
from service.http.docs.markdown import quoted, render
from service.http.openapi import document
from service.http.table import operations
from service.settings import Settings
from tests.kit.face import Client

DOCUMENT = document()


class Page(HTMLParser):
    """A page taken apart: its ids, what it links to and what it loads."""

    def __init__(self, url: str, text: str) -> None:
        super().__init__()
        self.url = url
        self.html = text
        self.ids: list[str] = []
        self.links: list[str] = []
        self.loads: list[str] = []
        self.words: list[str] = []
        self.tags: list[str] = []
        self.feed(text)

    @property
    def text(self) -> str:
        """What a person reads."""
        return " ".join(" ".join(self.words).split())

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        told = {name: value or "" for name, value in attrs}
        self.tags.append(tag)
        assert not [name for name in told if name.startswith("on") or name == "style"]
        if "id" in told:
            self.ids.append(told["id"])
        if tag == "a":
            self.links.append(urljoin(self.url, told["href"]))
        elif "href" in told or "src" in told:
            self.loads.append(told.get("href") or told["src"])

    def handle_data(self, data: str) -> None:
        self.words.append(data)


@pytest.fixture(scope="module")
def pages(api: Any) -> dict[str, Page]:
    """Every page that can be reached from the first one, by its address."""
    found: dict[str, Page] = {}
    ahead = [links.HOME]
    with api.client() as client:
        while ahead:
            url = ahead.pop()
            if url in found:
                continue
            answer = client.get(url)
            assert answer.status_code == 200 or url == "/health/ready", url  # half a server
            if answer.headers["content-type"].startswith("text/html"):
                found[url] = Page(url, answer.text)
                ahead += [urldefrag(link).url for link in found[url].links]
    return found


def test_every_page_is_reached_from_the_first(pages: dict[str, Page]) -> None:
    wanted = {links.HOME, links.REFERENCE, links.SCHEMAS, links.CONTRACT}
    wanted |= {links.guide_url(name) for name in links.GUIDES}
    wanted |= {links.rules_url(game) for game in GAMES}
    assert wanted <= set(pages)


def test_every_link_leads_to_what_is_there(pages: dict[str, Page]) -> None:
    """That every path answers is held where the pages are fetched."""
    dead = [
        (page.url, link)
        for page in pages.values()
        for link in page.links
        if (anchor := urldefrag(link).fragment) and anchor not in pages[urldefrag(link).url].ids
    ]
    assert dead == []


def test_pages_load_nothing_from_elsewhere_and_run_nothing(
    pages: dict[str, Page], anybody: Client
) -> None:
    for page in pages.values():
        assert all(link.startswith("/") and not link.startswith("//") for link in page.links)
        assert {link.rpartition("/")[2] for link in page.loads} == set(site.FILES)
        assert not {"script", "style", "iframe", "form", "img"} & set(page.tags)
        policy = anybody.get(page.url).headers["content-security-policy"].split("; ")
        assert {"default-src 'none'", "style-src 'self'", "img-src 'self'"} <= set(policy)
        assert "script-src" not in "".join(policy)


def test_what_pages_load_is_there(anybody: Client) -> None:
    for name, media in site.FILES.items():
        answer = anybody.get(f"/docs/files/{name}")
        assert (answer.status_code, answer.headers["content-type"]) == (200, media)
        assert "url(" not in answer.text
        assert "@import" not in answer.text
    for path in ("files/page.html", "guides/nothing", "rules/hurdles"):
        assert anybody.get(f"/docs/{path}").status_code == 404


BROWSER = {"Accept": "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"}


def test_a_browser_at_the_root_gets_the_first_page_and_a_program_json(anybody: Client) -> None:
    shown = anybody.get("/", headers=BROWSER)
    assert shown.content == anybody.get(links.HOME).content
    assert "default-src 'none'" in shown.headers["content-security-policy"]
    for accept in (None, "*/*", "application/json", "application/json, text/html", "image/png"):
        told = anybody.get("/", headers={"Accept": accept} if accept else {})
        assert told.json()["docs"] == links.HOME
        assert told.headers["vary"] == shown.headers["vary"] == "Accept"


def test_a_slash_too_many_leads_a_browser_to_the_page(
    pages: dict[str, Page], anybody: Client
) -> None:
    for url in [url for url in pages if url.startswith(links.HOME)]:
        for path in (f"{url}/", f"{url}//"):
            led = anybody.get(path, headers=BROWSER)
            assert (led.status_code, led.headers["location"]) == (308, url)
            told = anybody.get(path)
            assert (told.status_code, told.json()["code"]) == (404, "not_found")


@pytest.mark.parametrize("path", ["/docs/nothing", "/docs/rules", "/docs/a/b/", "/docs/%3Cb%3E"])
def test_a_browser_that_is_lost_under_docs_gets_a_page_with_the_way_back(
    anybody: Client, path: str
) -> None:
    answer = anybody.get(path, headers=BROWSER)
    assert (answer.status_code, answer.headers["cache-control"]) == (404, "no-store")
    assert "script-src" not in answer.headers["content-security-policy"]
    shown = Page(path, answer.text)
    assert links.HOME in shown.links
    assert "Nothing is at this address." in shown.text
    assert "b" not in shown.tags
    assert anybody.get(path).json()["code"] == "not_found"


def test_outside_of_the_pages_a_browser_gets_the_problem_as_all_do(anybody: Client) -> None:
    for path in ("/nothing", "/v1/nothing", "/v1/games/", "/docsx"):
        answer = anybody.get(path, headers=BROWSER)
        assert (answer.status_code, answer.json()["code"]) == (404, "not_found")
    assert anybody.post("/docs/nothing", headers=BROWSER).json()["code"] == "not_found"


def test_anchors_are_unique_and_headlines_descend_by_one(pages: dict[str, Page]) -> None:
    for page in pages.values():
        assert len(set(page.ids)) == len(page.ids), page.url
        levels = [int(tag[1]) for tag in page.tags if re.fullmatch("h[1-6]", tag)]
        assert levels.count(1) == 1, page.url
        assert levels[0] == 1, page.url
        assert all(b - a <= 1 for a, b in pairwise(levels)), page.url


@pytest.mark.parametrize("operation", operations(Settings()), ids=lambda operation: operation.id)
def test_the_reference_tells_everything_of_every_operation(
    pages: dict[str, Page], operation: Any
) -> None:
    whole = pages[links.REFERENCE].html
    part = whole[whole.index(f'id="{operation.id}"') :]
    part = unescape(part[: part.find('<section class="call">')])
    form = DOCUMENT["paths"][operation.path][operation.method.lower()]
    assert form["summary"] in part
    assert f"<code>{operation.path}</code>" in part
    assert unescape(quoted(form.get("description", ""))) in part
    for parameter in form["parameters"]:
        assert f"<code>{parameter['name']}</code>" in part
        assert unescape(quoted(parameter["description"])) in part
        assert unescape(kind_of(parameter["schema"])) in part
    for status, answer in form["responses"].items():
        assert f"<b>{status}</b>" in part
        for code in re.findall(r"`([a-z_]+)`", answer["description"]):
            assert f'href="/problems/{code}"' in part
        for name in answer.get("headers", {}):
            assert f"<code>{name}</code>" in part
        for name in answer.get("links", {}):
            assert f'href="#{name}"' in part
    for word in examples(form):
        assert word in part


def examples(form: Any) -> Iterator[str]:
    """Some words of each example of an operation: the first line that holds a value."""
    for holder in (form.get("requestBody", {}), *form["responses"].values()):
        for content in holder.get("content", {}).values():
            found = content.get("examples", {}).values()
            values = [example["value"] for example in found if "$ref" not in example]
            for value in [*values, *([content["example"]] if "example" in content else [])]:
                text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
                yield max(re.split(r'[\s{}\[\],:"\\]+', text), key=len)


@pytest.mark.parametrize("name", DOCUMENT["components"]["schemas"])
def test_the_reference_tells_everything_of_every_schema(pages: dict[str, Page], name: str) -> None:
    schema = DOCUMENT["components"]["schemas"][name]
    whole = pages[links.SCHEMAS].html
    part = whole[whole.index(f'<h3 id="{name}"') :]
    part = unescape(part[: part.index("</section>")])
    assert unescape(quoted(schema.get("description", ""))) in part
    for leaf in leaves({key: value for key, value in schema.items() if key not in ("title",)}):
        assert leaf in part, leaf


def leaves(schema: Any, within: str = "") -> Iterator[str]:
    """Every word that a schema tells, as the page writes it."""
    if within in ("properties", "patternProperties"):
        for name, field in schema.items():
            yield f"<code>{name}</code>"
            yield from leaves(field)
        return
    if isinstance(schema, bool):
        return
    for key, value in schema.items():
        if key in ("properties", "patternProperties"):
            yield from leaves(value, key)
        elif key in ("oneOf", "anyOf", "allOf"):
            for part in value:
                yield from leaves(part)
        elif key in ("items", "additionalProperties"):
            yield from leaves(value)
        elif key == "$ref":
            yield f'href="{links.SCHEMAS}#{value.rpartition("/")[2]}"'
        elif key == "discriminator":
            yield from (f"<code>{kind}</code>" for kind in value["mapping"])
        elif key == "enum":
            yield from (f"<code>{as_line(item)}</code>" for item in value)
        elif key == "const":
            yield f"<code>{as_line(value)}</code>"
        elif key == "description":
            yield from value.replace("`", " ").split()
        elif key in ("minimum", "maximum", "pattern", "default", "minItems", "maxItems"):
            yield f"{key} <code>{as_line(value)}</code>"


@pytest.mark.parametrize("game", GAMES)
def test_the_rules_of_a_game_are_read_under_their_ids(pages: dict[str, Page], game: str) -> None:
    page = pages[links.rules_url(game)]
    for rule, text in rulebook.texts(game).items():
        assert rule in page.ids
        assert links.rule_urls()[rule] == f"{page.url}#{rule}"
        told = Page("", MarkdownIt("commonmark").render(text)).text
        assert "".join(told.split()) in "".join(page.text.split()), rule


def test_examples_stand_behind_what_is_said() -> None:
    form = {"description": "A `name`.", "example": "Ada", "examples": {"b": {"value": 2}}}
    assert told(form) == (
        "A <code>name</code>. For example <code>&#34;Ada&#34;</code>, <code>2</code>."
    )
    assert told({"description": "A name."}) == "A name."
    assert told({"examples": ["<"]}) == " For example <code>&#34;&lt;&#34;</code>."


def test_a_link_of_a_file_leads_to_the_page_of_the_other() -> None:
    assert f'href="{links.CONTRACT}"' in render(links.rules_file("bookmaker")).body


def test_a_link_to_a_file_without_a_page_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(links, "read", lambda file: f"# {file}\n\n[away](../run)\n")
    with pytest.raises(ValueError, match="links to openapi/run, which has no page"):
        render.__wrapped__("openapi/nowhere/other.md")


def test_markup_in_a_text_is_shown_and_never_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(links, "read", lambda _file: "# A\n\n<script>alert(1)</script>\n")
    assert "&lt;script&gt;" in render.__wrapped__("any.md").body
    assert quoted("<b> `<i>`") == "&lt;b&gt; <code>&lt;i&gt;</code>"
    assert kind_of({"const": "<b>"}) == "<code>&#34;&lt;b&gt;&#34;</code>"


def test_an_installation_has_all_that_pages_are_made_of() -> None:
    """pyproject.toml, package-data"""
    root = Path(links.__file__).parents[3]
    kinds = tomllib.loads((root / "pyproject.toml").read_text())["tool"]["setuptools"][
        "package-data"
    ]["*"]
    made_of = [path for path in Path(links.__file__).parent.rglob("*.*") if path.suffix != ".pyc"]
    assert {f"*{path.suffix}" for path in made_of} - {"*.py"} <= set(kinds)
