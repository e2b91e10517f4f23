"""The lists that HTTP shows: lobby, results, leaderboards."""

from collections.abc import Mapping, Sequence

from msgspec import Struct

from domain.racing.events import PlayerKind
from domain.racing.meeting import Status
from projections import ladder, lobby, results
from projections.projection import first_of_key
from service.reading import Page, ViewReader, cursor_of, member_of

PAGE_ITEMS = 50
SCAN_MAX = 2_000
"""Meetings that one call looks through for its filters; a rarer match is on a later page."""

SEATS_MAX = 1_000
"""Most meetings under way that `of_player` tells of."""

PAST_SEATS_MAX = 100
"""Most meetings that are over that it tells of beside these: the newest."""


class Seated(Struct, frozen=True, kw_only=True):
    """A seat that a player has."""

    meeting: str
    seat: int
    status: Status


class LeaderboardRow(Struct, frozen=True, kw_only=True):
    """A line of a leaderboard; equal ratings share a rank, the next counts those before it."""

    rank: int
    player: str
    name: str
    kind: PlayerKind
    rating: float
    meetings: int
    wins: int


class Lobby(ViewReader):
    """Every meeting's public summary, newest first."""

    view = lobby.LOBBY.name

    async def get(self, meeting: str) -> lobby.Summary | None:
        """The summary of a meeting."""
        body = await self.document(meeting)
        return None if body is None else lobby.FORM.decode(body).summary

    async def list(
        self,
        *,
        game: str | None = None,
        status: str | None = None,
        player: str | None = None,
        name: str | None = None,
        cursor: str | None = None,
        limit: int = PAGE_ITEMS,
    ) -> Page[lobby.Summary]:
        """A page of the meetings that fit all filters given; it may hold fewer than `limit`.

        Args:
            game: its id.
            status: open, running, finished or abandoned.
            player: who has, or is kept, a seat.
            name: text within the meeting's name, whatever the case of its letters.
            cursor: as the page before gave it.
            limit: most items.

        Raises:
            BadCursor, LogUnavailable.
        """
        after = member_of(cursor)
        index = _index(game, status, player)
        wanted = None if name is None else name.casefold()
        chunk = limit + 1
        items: list[lobby.Summary] = []
        scanned = 0
        while True:
            found = (await self.read(index, after, chunk, backwards=True)).items
            for member, body in found:
                summary = lobby.FORM.decode(body).summary
                if _fits(summary, game, status, wanted):
                    if len(items) == limit:
                        return Page(items=items, next_cursor=cursor_of(after or ""))
                    items.append(summary)
                after = member
            scanned += len(found)
            if len(found) < chunk:
                return Page(items=items)
            if scanned >= SCAN_MAX:
                return Page(items=items, next_cursor=cursor_of(after or ""))
            chunk = min(4 * chunk, 500, SCAN_MAX - scanned)

    async def of_player(self, player: str) -> Sequence[Seated]:
        """The seats that a player has taken: of all meetings under way, then the newest past ones.

        Newest first in both; a seat that is only kept for the player is none.
        """
        under_way = await self.read(lobby.to_play(player), None, SEATS_MAX, backwards=True)
        recent = await self.read(lobby.of_player(player), None, PAST_SEATS_MAX, backwards=True)
        seats: dict[str, list[Seated]] = {}
        for _, body in (*under_way.items, *recent.items):
            listed = lobby.FORM.decode(body)
            summary = listed.summary
            seats[summary.id] = [
                Seated(meeting=summary.id, seat=seat, status=summary.status)
                for seat in listed.seats_of(player)
            ]
        return [seat for seats_of_one in seats.values() for seat in seats_of_one]


class Results(ViewReader):
    """Finished meetings, newest first."""

    view = "results"

    async def get(self, meeting: str) -> results.Result | None:
        """The result of a meeting that is finished."""
        body = await self.document(meeting)
        result = None if body is None else results.FORM.decode(body)
        return result if result is not None and result.at is not None else None

    async def of(self, meetings: Sequence[str]) -> Mapping[str, results.Result]:
        """The results of those of these meetings that are finished."""
        bodies = await self.documents(meetings)
        found = (results.FORM.decode(body) for body in bodies.values() if body is not None)
        return {result.meeting: result for result in found if result.at is not None}

    async def list(
        self,
        *,
        game: str | None = None,
        player: str | None = None,
        cursor: str | None = None,
        limit: int = PAGE_ITEMS,
    ) -> Page[results.Result]:
        """A page of results, of a player or of a game where asked (of one of both).

        Raises:
            BadCursor, LogUnavailable.
            ValueError: both filters at once.
        """
        if game is not None and player is not None:
            raise ValueError("results are listed by game or by player")
        index = results.ALL
        if game is not None:
            index = results.of_game(game)
        elif player is not None:
            index = results.of_player(player)
        found = (await self.read(index, member_of(cursor), limit + 1, backwards=True)).items
        return Page(
            items=[results.FORM.decode(body) for _, body in found[:limit]],
            next_cursor=cursor_of(found[limit - 1][0]) if len(found) > limit else None,
        )


class Leaderboards(ViewReader):
    """The rated players of each game, best first."""

    view = "leaderboards"

    async def list(
        self, game: str, *, cursor: str | None = None, limit: int = PAGE_ITEMS
    ) -> Page[LeaderboardRow]:
        """A page of a game's leaderboard.

        It goes on behind the rating of the last line read: who rises or falls past that point
        between two pages is met twice or not at all, nobody else.

        Raises:
            BadCursor, LogUnavailable.
        """
        part = await self.read(ladder.of_game(game), member_of(cursor), limit + 1)
        found = part.items
        rows: list[LeaderboardRow] = []
        if found:
            rank = part.lower + 1
            rating = first_of_key(found[0][0])
            for place, (member, body) in enumerate(found[:limit], part.before + 1):
                if first_of_key(member) != rating:
                    rating, rank = first_of_key(member), place
                rows.append(_row(rank, ladder.STANDING.decode(body)))
        more = len(found) > limit
        return Page(items=rows, next_cursor=cursor_of(found[limit - 1][0]) if more else None)


def _row(rank: int, standing: ladder.Standing) -> LeaderboardRow:
    shared = (field for field in LeaderboardRow.__struct_fields__ if field != "rank")
    return LeaderboardRow(rank=rank, **{field: getattr(standing, field) for field in shared})


def _index(game: str | None, status: str | None, player: str | None) -> str:
    """The smallest index that holds all meetings asked for."""
    if player is not None:
        return lobby.of_player(player)
    if game is not None and status is not None:
        return lobby.of_game_in_status(game, status)
    if game is not None:
        return lobby.of_game(game)
    if status is not None:
        return lobby.in_status(status)
    return lobby.ALL


def _fits(summary: lobby.Summary, game: str | None, status: str | None, name: str | None) -> bool:
    """Whether a meeting fits; the index may be a moment ahead of the document."""
    return (
        (game is None or summary.game == game)
        and (status is None or summary.status == status)
        and (name is None or name in (summary.name or "").casefold())
    )
