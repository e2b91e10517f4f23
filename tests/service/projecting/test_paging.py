"""Pages of lists that change between one page and the next."""

from random import Random
from typing import Any

import pytest

from projections.projection import Projection
from service.lists import Leaderboards, Lobby
from service.projecting import Projector
from service.tending import Tending
from tests.kit import histories
from tests.kit.histories import GAMES, Story, finished
from tests.service.projecting.conftest import Store

STATUSES = ("open", "running", "finished", "abandoned")


def go_on(story: Story, random: Random) -> None:
    """The next thing that happens at a table."""
    done = len(story.commands)
    if random.random() < 0.15:
        story.abandon()
    elif done == 1:
        story.sit(1, random.choice(("bea", "cid")))
    elif done == 2:
        story.sit(2, "dan").begin(2)
    elif done > 3:
        story.finish([1, 2])


class Table:
    """A lobby in motion.

    Args:
        to: where it is.
        projections: what follows it.
        seed: of what happens.
    """

    def __init__(self, to: Store, projections: list[Projection], seed: int) -> None:
        self.random = Random(seed)
        self.stories: list[Story] = []
        self.over: set[str] = set()
        self._store = to
        self._projector = Projector(*to, projections)
        self._tending = Tending(*to, projections)
        self._last = 0

    async def move(self, opened: int, steps: int) -> None:
        """Open some meetings (some of them as if by a slower clock), and play on in others."""
        for _ in range(opened):
            self._last += 1
            at = self._last - self.random.choice((0, 0, 0, 5, 30))
            story = Story(f"m{self._last:04d}", at=max(0, at))
            self.stories.append(story.open(self.random.choice(GAMES), seats=2))
        for _ in range(steps):
            story = self.random.choice(self.stories)
            if story.meeting not in self.over:
                go_on(story, self.random)
                last = story.commands[-1][-1]["type"]
                if last in ("meeting_finished", "meeting_abandoned"):
                    self.over.add(story.meeting)
        for story in self.stories:
            await histories.store(self._store[0], story)
        if self.random.random() < 0.3:
            await self._tending.rebuild("lobby")
        await self._projector.catch_up()


async def walk(table: Table, lobby: Lobby, filters: dict[str, Any], limit: int) -> None:
    """Page through, with everything in motion; nothing twice, and nothing that stayed is missed."""
    before = {s.id for s in await whole(lobby, filters)}
    stayed = set(before)
    seen: list[str] = []
    cursor = None
    while True:
        page = await lobby.list(cursor=cursor, limit=limit, **filters)
        seen += [summary.id for summary in page.items]
        cursor = page.next_cursor
        if cursor is None:
            break
        await table.move(opened=2, steps=6)
        stayed &= {s.id for s in await whole(lobby, filters)}
    assert len(seen) == len(set(seen))
    assert stayed <= set(seen)


async def whole(lobby: Lobby, filters: dict[str, Any]) -> list[Any]:
    """The list in one page."""
    page = await lobby.list(limit=1000, **filters)
    assert page.next_cursor is None
    return page.items


@pytest.mark.parametrize("seed", range(4))
async def test_a_cursor_of_the_lobby_shows_each_meeting_once_whatever_happens_meanwhile(
    store: Store, projections: list[Projection], seed: int
) -> None:
    table = Table(store, projections, seed)
    await table.move(opened=40, steps=120)
    lobby = Lobby(*store)
    for filters in (
        {},
        {"status": table.random.choice(STATUSES)},
        {"game": GAMES[0]},
        {"player": "bea"},
    ):
        await walk(table, lobby, filters, limit=table.random.choice((3, 7)))


async def ladder(board: Leaderboards, limit: int, between: Any = None) -> list[Any]:
    """All pages of a leaderboard; `between` is done after each."""
    rows: list[Any] = []
    cursor = None
    while True:
        page = await board.list("hurdles", cursor=cursor, limit=limit)
        rows += page.items
        cursor = page.next_cursor
        if cursor is None:
            return rows
        if between is not None:
            await between()


async def test_on_a_leaderboard_all_are_met_once_who_do_not_cross_the_cursor(
    store: Store, projections: list[Projection]
) -> None:
    log, _ = store
    random = Random(1)
    people = [f"p{number:02d}" for number in range(24)]
    moving = set(people[:6])
    projector = Projector(*store, projections)
    at = 700

    async def play(who: list[str]) -> None:
        nonlocal at
        at += 1
        story = finished(f"m{at}", who, random.sample((1, 2, 3), 3), at=at)
        await histories.store(log, story)
        await projector.catch_up()

    for _ in range(20):
        await play(random.sample(people, 3))
    board = Leaderboards(*store)
    still = [r.player for r in await ladder(board, 50) if r.player not in moving]

    async def between() -> None:
        await play(random.sample(sorted(moving), 3))

    rows = await ladder(board, 4, between)
    assert [r.player for r in rows if r.player not in moving] == still


async def test_ranks_and_ratings_of_a_page_are_of_one_moment(
    store: Store, projections: list[Projection]
) -> None:
    """While standings change, no page has two first places that are not ties, or a wrong order."""
    log, _ = store
    random = Random(2)
    people = [f"p{number}" for number in range(8)]
    projector = Projector(*store, projections)
    board = Leaderboards(*store)
    for turn in range(25):
        story = finished(f"m{turn}", random.sample(people, 2), [1, 2], at=700 + turn)
        await histories.store(log, story)
        await projector.catch_up()
        rows = (await board.list("hurdles")).items
        better = [sum(other.rating > row.rating for other in rows) for row in rows]
        assert [row.rank for row in rows] == [count + 1 for count in better]
