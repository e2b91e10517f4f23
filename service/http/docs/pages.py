"""The frame of every page for people: one template, one stylesheet, no script."""

from collections.abc import Sequence
from functools import cache
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup
from msgspec import Struct

from service.http.docs import links
from service.http.release import RELEASE

MEDIA = "text/html; charset=utf-8"
HEADERS = {
    "Content-Security-Policy": "default-src 'none'; style-src 'self'; img-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "Referrer-Policy": "no-referrer",
}
"""Headers of every page: the browser may load what this server gives, and run nothing."""


class Heading(Struct, frozen=True):
    """A headline that the list of contents names.

    Args:
        level: 2 for a chapter, 3 for what is in it.
        id: its anchor.
        text: plain.
    """

    level: int
    id: str
    text: str


@cache
def _environment() -> Environment:
    return Environment(
        loader=PackageLoader("service.http.docs"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def page(
    title: str, body: Markup, *, here: str, headings: Sequence[Heading] = (), lead: str = ""
) -> bytes:
    """A whole page.

    Args:
        title: the page's headline.
        body: what stands under it; made from text by `fill` or the Markdown renderer.
        here: the path at which it is served, marked in the navigation.
        headings: its list of contents; none is shown for fewer than two.
        lead: a sentence under the headline.
    """
    return fill(
        "page.html",
        title=title,
        body=body,
        here=here,
        headings=headings if len(headings) > 1 else (),
        lead=lead,
        menu=links.menu(),
        release=RELEASE,
    ).encode()


def fill(template: str, **values: Any) -> Markup:
    """A template of this folder with these values; text is escaped, Markup stands as it is."""
    return Markup(_environment().get_template(template).render(**values))
