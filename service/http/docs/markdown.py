"""Markdown files of the tree as HTML, with anchors at headlines and rules, and links led on."""

import re
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import pairwise
from posixpath import dirname, join, normpath
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.token import Token
from markupsafe import Markup, escape
from msgspec import Struct

from service.http.docs import links
from service.http.docs.pages import Heading

RULE = re.compile(r"\b[A-Z]{2}-(?:[A-Z]+[0-9]+|[0-9]+[A-Z])\b")
_HEADS = {"h1": 1, "h2": 2, "h3": 3}
_OUTSIDE = re.compile(r"[a-z]+:|/|#")


class Text(Struct, frozen=True, kw_only=True):
    """A file as it is shown.

    Args:
        title: its first headline.
        body: what stands under it.
        headings: its other headlines.
    """

    title: str
    body: Markup
    headings: tuple[Heading, ...]


@cache
def render(file: str) -> Text:
    """A file of the tree."""
    tokens = _parser().parse(links.read(file))
    title = ""
    headings: list[Heading] = []
    for token, inline in pairwise(tokens):
        level = _HEADS.get(token.tag) if token.type == "heading_open" else None
        if level is None:
            continue
        text = _plain(inline)
        token.attrSet("id", _anchor(text, [heading.id for heading in headings]))
        if level == 1:
            title = text
        else:
            headings.append(Heading(level, str(token.attrs["id"]), text))
    body = tokens[3:] if tokens[0].tag == "h1" else tokens  # the frame shows the title
    own = set(_mark_rules(body))
    for token in body:
        if token.type == "inline":
            token.children = list(_linked(token.children or [], file, own))
    rendered = _parser().renderer.render(body, _parser().options, {})
    return Text(title=title, body=Markup(rendered), headings=tuple(headings))


@cache
def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"html": False}).enable("table")
    parser.add_render_rule("fence", _fence)
    parser.add_render_rule("table_open", _table_open)
    parser.add_render_rule("table_close", _table_close)
    return parser


def _fence(_renderer: Any, tokens: Sequence[Token], at: int, *_rest: Any) -> str:
    """A block of code, which a keyboard can scroll; a file's name stands over it."""
    kind, _, name = tokens[at].info.partition(" ")
    called = "answer" if tokens[at].content.startswith("HTTP/") else _CALLED.get(kind, kind)
    head = Markup("<figcaption>{}</figcaption>").format(name or called)
    code = Markup('<pre tabindex="0"><code class="{}">{}</code></pre>').format(
        kind, tokens[at].content
    )
    return Markup("<figure>{}{}</figure>\n").format(head if kind else "", code)


_CALLED = {"console": "terminal", "http": "call"}


def _table_open(*_all: Any) -> str:
    return '<div class="wide" tabindex="0" role="group" aria-label="table"><table>\n'


def _table_close(*_all: Any) -> str:
    return "</table></div>\n"


def lead_of(file: str) -> Markup:
    """The first sentence of a file, without links."""
    first = links.read(file).split("\n\n")[1].replace("\n", " ")
    return Markup(_parser().renderInline(first.partition(". ")[0].removesuffix(".") + "."))


def _plain(inline: Token) -> str:
    return "".join(child.content for child in inline.children or [])


def _anchor(text: str, taken: Sequence[str]) -> str:
    plain = re.sub(r"[^\w]+", "-", text.lower()).strip("-")
    found, number = plain, 2
    while found in taken:
        found, number = f"{plain}-{number}", number + 1
    return found


def _mark_rules(tokens: Sequence[Token]) -> Iterator[str]:
    """Give each rule's list item its id as anchor; the ids."""
    item: Token | None = None
    for token in tokens:
        if token.type == "list_item_open":
            item = token
        elif token.type == "inline" and item is not None:
            first = [child for child in token.children or [] if child.content or child.tag][:2]
            bold = len(first) == 2 and first[0].type == "strong_open"
            if bold and RULE.fullmatch(first[1].content):
                item.attrSet("id", first[1].content)
                item.attrSet("class", "rule")
                yield first[1].content
            item = None


def _linked(children: Sequence[Token], file: str, own: set[str]) -> Iterator[Token]:
    """The parts of a line, links led to pages and ids of rules made links."""
    depth = 0
    for child in children:
        if child.type == "link_open":
            depth += 1
            child.attrSet("href", _target(str(child.attrs["href"]), file))
        elif child.type == "link_close":
            depth -= 1
        if child.type == "text" and not depth:
            yield from _rules_linked(child, own)
        else:
            yield child


def _target(href: str, file: str) -> str:
    """Where a link of a file leads in the pages.

    Raises:
        ValueError: to a file of the tree that has no page.
    """
    if _OUTSIDE.match(href):
        return href
    path, mark, anchor = href.partition("#")
    named = normpath(join(dirname(file), path))
    url = links.page_of_file().get(named)
    if url is None:
        raise ValueError(f"{file} links to {named}, which has no page")
    return f"{url}{mark}{anchor}"


def _rules_linked(text: Token, own: set[str]) -> Iterator[Token]:
    at = 0
    for found in RULE.finditer(text.content):
        rule = found[0]
        url = f"#{rule}" if rule in own else links.rule_urls().get(rule)
        if url is None:
            continue
        yield Token("text", "", 0, content=text.content[at : found.start()])
        yield Token("link_open", "a", 1, attrs={"href": url, "class": "id"})
        yield Token("text", "", 0, content=rule)
        yield Token("link_close", "a", -1)
        at = found.end()
    yield Token("text", "", 0, content=text.content[at:])


def quoted(text: str) -> Markup:
    """A text of the document: escaped, with `code` between backquotes as code."""
    parts = [str(escape(part)) for part in text.split("`")]
    if len(parts) % 2 == 0:
        return Markup(escape(text))
    marked = [part if at % 2 == 0 else f"<code>{part}</code>" for at, part in enumerate(parts)]
    return Markup("".join(marked))
