"""Lists over many meetings: the lobby with its history, and the leaderboards."""

from typing import Any

from domain.kernel.naming import NAME_MAX
from domain.racing.meeting import ABANDONED, FINISHED, OPEN, RUNNING
from domain.registry import GAMES
from service.http import params
from service.http import problems as p
from service.http.call import Answer, Call, page
from service.http.operation import Form, Operation, Parameter
from service.http.summaries import MeetingSummary, with_verdicts
from service.lists import LeaderboardRow
from service.reading import BadCursor
from service.settings import Settings

TAG = "lists"
STATUSES = (OPEN, RUNNING, FINISHED, ABANDONED)
FRESH_SECONDS = 1.0
"""How long a first page waits for what was done just before it was asked for."""


def paged(found: Any) -> Answer:
    """A page as a list gave it."""
    return page(found.items, found.next_cursor)


async def list_meetings(call: Call) -> Answer:
    """A page of the lobby."""
    query = dict(call.query)
    query.setdefault("limit", call.deps.settings.page_items)
    if "cursor" not in query:
        await call.deps.lobby.caught_up(FRESH_SECONDS)
    try:
        found = await call.deps.lobby.list(**query)
    except BadCursor:
        raise _bad_cursor() from None
    return page(await with_verdicts(call.deps, found.items), found.next_cursor)


async def find_game(call: Call) -> None:
    """The game that the path names."""
    if call.path("game") not in GAMES:
        raise p.Refusal(p.GAME_NOT_FOUND)


async def leaderboard(call: Call) -> Answer:
    """A page of a game's leaderboard."""
    query = dict(call.query)
    query.setdefault("limit", call.deps.settings.page_items)
    if "cursor" not in query:
        await call.deps.leaderboards.caught_up(FRESH_SECONDS)
    try:
        return paged(await call.deps.leaderboards.list(call.path("game"), **query))
    except BadCursor:
        raise _bad_cursor() from None


def _bad_cursor() -> p.Refusal:
    return p.Refusal(
        p.MALFORMED,
        "The query parameter `cursor`: it is the `next_cursor` of a page of this list.",
        parameter="cursor",
    )


def operations(settings: Settings) -> tuple[Operation, ...]:
    """The operations of this file; sizes of pages are settings."""
    size = params.limit(settings.page_items, settings.page_items_max)
    filters = (
        Parameter(
            name="game",
            meaning="Id of a game.",
            schema={"enum": sorted(GAMES)},
            read=params.one_of(*GAMES),
        ),
        Parameter(
            name="status",
            meaning="How far the meetings are.",
            schema={"enum": list(STATUSES)},
            read=params.one_of(*STATUSES),
        ),
        Parameter(
            name="player",
            meaning="Id of a player who has, or is kept, a seat.",
            schema={"type": "string", "minLength": 1, "maxLength": NAME_MAX},
            read=params.text(NAME_MAX),
        ),
        Parameter(
            name="name",
            meaning="Text within the meeting's name, whatever the case of its letters.",
            schema={"type": "string", "minLength": 1, "maxLength": NAME_MAX},
            read=params.text(NAME_MAX),
        ),
    )
    return (
        Operation(
            id="ListMeetings",
            method="GET",
            path="/v1/meetings",
            tag=TAG,
            summary="Lobby and history, newest first",
            meaning="A cursor shows each meeting once, also if it changes, or others are opened, "
            "between two pages; those opened later are found by asking without a cursor.",
            handle=list_meetings,
            query=(*filters, params.CURSOR, size),
            answers={200: Form(kind=list[MeetingSummary])},
        ),
        Operation(
            id="ShowLeaderboard",
            method="GET",
            path="/v1/leaderboards/{game}",
            tag=TAG,
            summary="The rated players of a game, best first",
            meaning="Each page is as of one moment. The next goes on behind the rating of the last "
            "line: who rises or falls past that point between two pages is met twice, or not at "
            "all; everybody else exactly once.",
            handle=leaderboard,
            subject=find_game,
            path_parameters=(params.GAME,),
            query=(params.CURSOR, size),
            answers={200: Form(kind=list[LeaderboardRow])},
            refusals=(p.GAME_NOT_FOUND,),
        ),
    )
