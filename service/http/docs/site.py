"""All pages under /docs, made when they are first asked for."""

from collections.abc import Callable, Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from markupsafe import Markup

from domain.registry import GAMES
from service.http.docs import links
from service.http.docs.markdown import lead_of, render
from service.http.docs.pages import fill, page
from service.http.docs.reference import operations_page, schemas_page

FILES = {"style.css": "text/css; charset=utf-8", "icon.svg": "image/svg+xml"}
"""What pages load beside themselves, with its media type."""


class Site:
    """The pages of a server.

    Args:
        document: its OpenAPI document.
    """

    def __init__(self, document: Mapping[str, Any]) -> None:
        self._document = document
        self._made: dict[str, bytes] = {}

    def home(self) -> bytes:
        """The first page."""
        return self._keep(links.HOME, _home)

    def reference(self) -> bytes:
        """Every operation."""
        return self._keep(links.REFERENCE, lambda: operations_page(self._document))

    def schemas(self) -> bytes:
        """Every schema."""
        return self._keep(links.SCHEMAS, lambda: schemas_page(self._document))

    def contract(self) -> bytes:
        """The public contract."""
        return self._keep(links.CONTRACT, lambda: _text(links.CONTRACT_FILE, links.CONTRACT))

    def guide(self, name: str) -> bytes:
        """A guide."""
        url = links.guide_url(name)
        return self._keep(url, lambda: _text(links.guide_file(name), url))

    def rules(self, game: str) -> bytes:
        """The rules of a game."""
        url = links.rules_url(game)
        return self._keep(url, lambda: _text(links.rules_file(game), url))

    def _keep(self, url: str, make: Callable[[], bytes]) -> bytes:
        if url not in self._made:
            self._made[url] = make()
        return self._made[url]


def _text(file: str, url: str) -> bytes:
    text = render(file)
    return page(text.title, text.body, here=url, headings=text.headings)


def _home() -> bytes:
    leads = {links.guide_url(name): lead_of(links.guide_file(name)) for name in links.GUIDES}
    for id_, game in GAMES.items():
        fewest, most = game.seats
        leads[links.rules_url(id_)] = Markup("{} to {} seats.").format(fewest, most)
    body = fill("home.html", menu=links.menu(), leads=leads)
    return page(
        "Homestretch",
        body,
        here=links.HOME,
        lead="A server for horse-race board games: event-sourced, open over HTTP, provably fair.",
    )


@cache
def file(name: str) -> bytes:
    """One of FILES."""
    return files("service.http.docs").joinpath("files", name).read_bytes()
