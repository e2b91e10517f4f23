"""The calls that show pages for people."""

from typing import Any

from domain.registry import GAMES
from service.http import params
from service.http import problems as p
from service.http.call import Answer, Call
from service.http.docs import links, pages, site
from service.http.operation import Form, Operation

TAG = "operations"
HTML, CSS, SVG = "text/html", "text/css", "image/svg+xml"


def as_page(body: bytes) -> Answer:
    """A page as an answer."""
    return Answer(body=body, media=pages.MEDIA, headers=dict(pages.HEADERS))


async def show_home(call: Call) -> Answer:
    """Where to begin."""
    return as_page(call.documents.site.home())


async def show_reference(call: Call) -> Answer:
    """Every operation."""
    return as_page(call.documents.site.reference())


async def show_schemas(call: Call) -> Answer:
    """Every schema."""
    return as_page(call.documents.site.schemas())


async def show_contract(call: Call) -> Answer:
    """What clients may rely on."""
    return as_page(call.documents.site.contract())


async def find_guide(call: Call) -> None:
    """The guide that the path names."""
    if call.path("guide") not in links.GUIDES:
        raise p.Refusal(p.NOT_FOUND)


async def show_guide(call: Call) -> Answer:
    """A guide."""
    return as_page(call.documents.site.guide(call.path("guide")))


async def find_game(call: Call) -> None:
    """The game that the path names."""
    if call.path("game") not in GAMES:
        raise p.Refusal(p.GAME_NOT_FOUND)


async def show_rules(call: Call) -> Answer:
    """The rules of a game."""
    return as_page(call.documents.site.rules(call.path("game")))


async def find_file(call: Call) -> None:
    """The file that the path names."""
    if call.path("file") not in site.FILES:
        raise p.Refusal(p.NOT_FOUND)


async def show_file(call: Call) -> Answer:
    """A stylesheet or a picture."""
    name = call.path("file")
    return Answer(body=site.file(name), media=site.FILES[name])


async def show_document(call: Call) -> Answer:
    """The OpenAPI document."""
    return Answer(body=call.documents.openapi)


def _shown(id_: str, path: str, summary: str, handle: Any, *media: str, **rest: Any) -> Operation:
    return Operation(
        id=id_,
        method="GET",
        path=path,
        tag=TAG,
        summary=summary,
        handle=handle,
        token="none",
        rate=None,
        answers={200: Form(schema={"type": "string"}, media=media or (HTML,))},
        **rest,
    )


OPERATIONS: tuple[Operation, ...] = (
    Operation(
        id="ShowDocument",
        method="GET",
        path="/openapi.json",
        tag=TAG,
        summary="This document",
        handle=show_document,
        token="none",
        rate=None,
        answers={200: Form(schema={"type": "object", "additionalProperties": True})},
    ),
    _shown(
        "ShowDocs",
        links.HOME,
        "The first page for people",
        show_home,
        meaning="It needs no internet and no script; so do the pages that it leads to.",
    ),
    _shown("ShowReference", links.REFERENCE, "Every operation, for people", show_reference),
    _shown("ShowSchemas", links.SCHEMAS, "Every schema, for people", show_schemas),
    _shown("ShowContract", links.CONTRACT, "What clients may rely on", show_contract),
    _shown(
        "ShowGuide",
        links.guide_url("{guide}"),
        "A guide",
        show_guide,
        subject=find_guide,
        path_parameters=(params.GUIDE,),
        refusals=(p.NOT_FOUND,),
    ),
    _shown(
        "ShowRules",
        links.rules_url("{game}"),
        "The rules of a game",
        show_rules,
        meaning="The `rule` of a problem is an anchor in it: `/docs/rules/bookmaker#BM-B1`.",
        subject=find_game,
        path_parameters=(params.GAME,),
        refusals=(p.GAME_NOT_FOUND,),
    ),
    _shown(
        "ShowDocsFile",
        "/docs/files/{file}",
        "What the pages load beside themselves",
        show_file,
        CSS,
        SVG,
        subject=find_file,
        path_parameters=(params.FILE,),
        refusals=(p.NOT_FOUND,),
    ),
)
