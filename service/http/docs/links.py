"""Where every page is: of a guide, a game's rules, a rule, a file of the tree."""

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from types import MappingProxyType

from msgspec import Struct

from domain.registry import GAMES
from service import rulebook

HOME, REFERENCE, SCHEMAS, CONTRACT = "/docs", "/docs/reference", "/docs/schemas", "/docs/contract"
CONTRACT_FILE = "openapi/contract.md"

GUIDES: tuple[str, ...] = (
    "first-client",
    "first-bot",
    "decisions-and-retries",
    "errors",
    "hidden-information",
    "fairness",
    "organising",
)
"""The guides in the order in which a newcomer reads them: names of files in `guides`."""


class Link(Struct, frozen=True):
    """A page, and what it is called."""

    url: str
    text: str


class Chapter(Struct, frozen=True):
    """Pages of one kind in the navigation."""

    text: str
    links: tuple[Link, ...]


def guide_url(name: str) -> str:
    """The page of a guide."""
    return f"/docs/guides/{name}"


def guide_file(name: str) -> str:
    """A guide's file in the tree."""
    return f"service/http/docs/guides/{name}.md"


def rules_url(game: str) -> str:
    """The page of a game's rules."""
    return f"/docs/rules/{game}"


def rules_file(game: str) -> str:
    """A game's rules in the tree."""
    return f"domain/games/{game.replace('-', '_')}/RULES.md"


@cache
def rule_urls() -> Mapping[str, str]:
    """Rule id -> where it stands in its game's page."""
    return MappingProxyType(
        {rule: f"{rules_url(game)}#{rule}" for game in GAMES for rule in rulebook.texts(game)}
    )


@cache
def page_of_file() -> Mapping[str, str]:
    """File in the tree -> the page that shows it."""
    found = {CONTRACT_FILE: CONTRACT}
    found |= {rules_file(game): rules_url(game) for game in GAMES}
    found |= {guide_file(name): guide_url(name) for name in GUIDES}
    return MappingProxyType(found)


def read(file: str) -> str:
    """A file of the tree that has a page, as it is installed."""
    package, _, name = file.rpartition("/")
    if file == CONTRACT_FILE:
        package = "service/http/docs"  # a link to the contract stands there
    folder = files(package.split("/")[0]).joinpath(*package.split("/")[1:])
    return folder.joinpath(name).read_text(encoding="utf-8")


def title_of(file: str) -> str:
    """The first headline of a file."""
    return read(file).partition("\n")[0].removeprefix("# ")


@cache
def menu() -> tuple[Chapter, ...]:
    """The navigation: every page once."""
    guides = tuple(Link(guide_url(name), title_of(guide_file(name))) for name in GUIDES)
    rules = tuple(Link(rules_url(id_), game.title) for id_, game in GAMES.items())
    reference = (
        Link(REFERENCE, "Operations"),
        Link(SCHEMAS, "Schemas"),
        Link(CONTRACT, "The public contract"),
        Link("/openapi.json", "openapi.json"),
    )
    chapters = (Chapter("Guides", guides), Chapter("Reference", reference), Chapter("Rules", rules))
    return tuple(chapter for chapter in chapters if chapter.links)
