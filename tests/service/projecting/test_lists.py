"""The lists that HTTP shows."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

import pytest

from projections.lobby import LOBBY
from projections.projection import Projection
from service.lists import LeaderboardRow, Leaderboards, Lobby, Results, Seated
from service.ports import LogUnavailable
from service.projecting import Projector
from service.reading import BadCursor, Page
from service.tending import Tending
from tests.kit.histories import START, Story, finished, season, store
from tests.kit.viewing import running
from tests.service.projecting.conftest import Store

Told = Callable[[Sequence[Story]], Awaitable[None]]


@pytest.fixture
def tell(store: Store, projector: Projector) -> Told:
    """Store stories and bring the views up to them."""

    async def tell_(stories: Sequence[Story]) -> None:
        for story in stories:
            await store_story(store, story)
        await projector.catch_up()

    return tell_


async def store_story(to: Store, story: Story) -> None:
    await store(to[0], story)


def opened(number: int, **fields: Any) -> Story:
    return Story(f"m{number:02d}", at=number).open(**fields)


async def pages(ask: Callable[[str | None], Awaitable[Page[Any]]]) -> list[list[Any]]:
    found, cursor = [], None
    while True:
        page = await ask(cursor)
        found.append(page.items)
        cursor = page.next_cursor
        if cursor is None:
            return found


async def ids(lobby: Lobby, **filters: Any) -> list[str]:
    return [summary.id for summary in (await lobby.list(**filters)).items]


async def test_before_any_projector_has_run_lists_are_empty(store: Store) -> None:
    assert await Lobby(*store).list() == Page(items=[])
    assert await Lobby(*store).get("m1") is None
    assert await Lobby(*store).of_player("bea") == []
    assert await Results(*store).list() == Page(items=[])
    assert await Leaderboards(*store).list("hurdles") == Page(items=[])


async def test_the_lobby_is_listed_newest_first(store: Store, tell: Told) -> None:
    await tell([opened(2), opened(3), opened(1)])
    assert await ids(Lobby(*store)) == ["m03", "m02", "m01"]


async def test_meetings_opened_at_the_same_time_are_listed_by_id(store: Store, tell: Told) -> None:
    await tell([Story(name).open() for name in ("b", "c", "a")])
    assert await ids(Lobby(*store)) == ["c", "b", "a"]


async def test_a_meeting_is_found_by_its_id(store: Store, tell: Told) -> None:
    await tell([opened(1, name="Derby")])
    summary = await Lobby(*store).get("m01")
    assert summary is not None
    assert (summary.id, summary.name) == ("m01", "Derby")
    assert await Lobby(*store).get("m02") is None


async def test_the_lobby_is_filtered(store: Store, tell: Told) -> None:
    await tell(
        [
            opened(1, game="hurdles", name="Spring Cup").sit(1, "bea"),
            opened(2, game="steeplechase", name="GROSSER PREIS der Straße").reserve(1, "bea"),
            opened(3, game="hurdles", name=None).sit(1, "cid").sit(2, "bea").begin(2),
            opened(4, game="hurdles", name="cup of tea").abandon(),
            finished("m05", ["bea", "dan"], [1, 2], at=700, name="Cup Final"),
        ]
    )
    lobby = Lobby(*store)
    assert await ids(lobby, game="hurdles") == ["m05", "m04", "m03", "m01"]
    assert await ids(lobby, status="open") == ["m02", "m01"]
    assert await ids(lobby, status="running") == ["m03"]
    assert await ids(lobby, status="finished") == ["m05"]
    assert await ids(lobby, status="abandoned") == ["m04"]
    assert await ids(lobby, player="bea") == ["m05", "m03", "m02", "m01"]
    assert await ids(lobby, player="nobody") == []
    assert await ids(lobby, game="hurdles", status="open") == ["m01"]
    assert await ids(lobby, game="hurdles", player="bea") == ["m05", "m03", "m01"]
    assert await ids(lobby, player="bea", status="open") == ["m02", "m01"]
    assert await ids(lobby, name="CUP") == ["m05", "m04", "m01"]
    assert await ids(lobby, name="strasse") == ["m02"]
    assert await ids(lobby, name="cup", game="hurdles", status="open", player="bea") == ["m01"]
    assert await ids(lobby, game="polo") == []
    assert await ids(lobby, status="lost") == []


@pytest.mark.parametrize("limit", [1, 2, 3, 7])
async def test_pages_together_show_each_meeting_once(store: Store, tell: Told, limit: int) -> None:
    await tell([opened(number) for number in range(7)])
    found = await pages(lambda cursor: Lobby(*store).list(cursor=cursor, limit=limit))
    assert [summary.id for page in found for summary in page] == [
        f"m{n:02d}" for n in range(6, -1, -1)
    ]
    assert all(len(page) == limit for page in found[:-1])
    assert found[-1], "no page for nothing"


async def test_a_filtered_list_has_full_pages_too(store: Store, tell: Told) -> None:
    await tell([opened(n, name="Cup" if n % 5 == 0 else "Derby") for n in range(40)])
    found = await pages(lambda c: Lobby(*store).list(name="cup", cursor=c, limit=3))
    assert [[s.id for s in page] for page in found] == [
        ["m35", "m30", "m25"],
        ["m20", "m15", "m10"],
        ["m05", "m00"],
    ]


async def test_a_rare_name_is_looked_for_over_several_calls(
    store: Store, tell: Told, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("service.lists.SCAN_MAX", 20)
    await tell([Story("a", at=0).open(name="Needle")])
    await tell([opened(number, name="Hay") for number in range(1, 42)])
    found = await pages(lambda c: Lobby(*store).list(name="needle", cursor=c, limit=3))
    assert [[summary.id for summary in page] for page in found] == [[], [], ["a"]]


async def test_meetings_that_come_between_two_pages_shift_none(store: Store, tell: Told) -> None:
    await tell([opened(number) for number in range(10, 20)])
    lobby = Lobby(*store)
    first = await lobby.list(limit=4)
    await tell([opened(number) for number in (30, 31, 32)])
    await tell([Story("m15-late", at=15.5).open()])
    second = await lobby.list(limit=4, cursor=first.next_cursor)
    await tell([opened(33), Story("m05", at=5).open()])
    third = await lobby.list(limit=10, cursor=second.next_cursor)
    seen = [summary.id for page in (first, second, third) for summary in page.items]
    assert len(seen) == len(set(seen))
    assert [name for name in seen if name < "m20" and name != "m15-late"] == [
        *(f"m{n}" for n in range(19, 9, -1)),
        "m05",
    ]


async def test_a_meeting_that_changes_between_two_pages_is_not_shown_twice(
    store: Store, tell: Told
) -> None:
    stories = [opened(number) for number in range(6)]
    await tell(stories)
    first = await Lobby(*store).list(limit=3)
    for story in stories:
        story.sit(1, "bea").sit(2, "cid").begin(2)
    await tell(stories)
    second = await Lobby(*store).list(limit=3, cursor=first.next_cursor)
    assert [s.id for s in (*first.items, *second.items)] == [f"m{n:02d}" for n in range(5, -1, -1)]


@pytest.mark.parametrize(
    "cursor",
    ["", "x", "!!!!", "m01", "1~", "~m01", "1|m01", "1~m~01", "1~m01 ", "é~m01"],
)
async def test_text_that_is_no_cursor_is_refused(store: Store, cursor: str) -> None:
    for ask in (
        Lobby(*store).list(cursor=cursor),
        Results(*store).list(cursor=cursor),
        Leaderboards(*store).list("hurdles", cursor=cursor),
    ):
        with pytest.raises(BadCursor):
            await ask


async def test_the_seats_of_a_player(store: Store, tell: Told) -> None:
    await tell(
        [
            finished("m00", ["bea", "cid"], [1, 2], at=600),
            opened(1).sit(1, "bea").sit(2, "bea"),
            opened(2).sit(2, "bea").sit(1, "cid").begin(2),
            opened(3).reserve(1, "bea"),
            opened(4).sit(1, "bea").leave(1, "bea"),
            opened(5).sit(1, "cid"),
        ]
    )
    assert await Lobby(*store).of_player("bea") == [
        Seated(meeting="m02", seat=2, status="running"),
        Seated(meeting="m01", seat=1, status="open"),
        Seated(meeting="m01", seat=2, status="open"),
        Seated(meeting="m00", seat=1, status="finished"),
    ]


async def test_results_are_listed_newest_first(store: Store, tell: Told) -> None:
    results = Results(*store)
    await tell(
        [
            finished("m1", ["bea", "cid"], [1, 2], at=900),
            finished("m2", ["bea", "dan"], [1, 2], at=700, game="steeplechase"),
            finished("m3", ["dan", "cid"], [1, 2], at=800, arranged=True),
            opened(4),
        ]
    )

    async def listed(**filters: Any) -> list[str]:
        found = await pages(lambda c: results.list(cursor=c, limit=1, **filters))
        return [result.meeting for page in found for result in page]

    assert await listed() == ["m1", "m3", "m2"]
    assert await listed(game="hurdles") == ["m1", "m3"]
    assert await listed(player="dan") == ["m3", "m2"]
    with pytest.raises(ValueError, match="by game or by player"):
        await results.list(game="hurdles", player="dan")
    result = await results.get("m3")
    assert result is not None
    assert (result.rated, result.reason) == (False, "arranged")
    assert await results.get("m04") is None
    assert await results.get("none") is None


async def test_a_leaderboard_shows_rank_player_rating_meetings_and_wins(
    store: Store, tell: Told
) -> None:
    await tell([finished("m1", ["bea", "cid"], [1, 2], at=700)])
    page = await Leaderboards(*store).list("hurdles")
    assert page == Page(
        items=[
            _row(1, "bot-steady", "Steady", "bot", 20.0, 0, 0),
            _row(2, "bea", "Bea", "human", 3.44, 1, 1),
            _row(3, "bot-random", "Random", "bot", 2.0, 0, 0),
            _row(4, "cid", "Cid", "human", -1.83, 1, 0),
        ]
    )


def _row(
    rank: int, player: str, name: str, kind: str, rating: float, meetings: int, wins: int
) -> LeaderboardRow:
    return LeaderboardRow(
        rank=rank, player=player, name=name, kind=kind, rating=rating, meetings=meetings, wins=wins
    )


@pytest.mark.parametrize("limit", [1, 2, 3, 50])
async def test_equal_ratings_share_a_rank_over_pages_too(
    store: Store, tell: Told, limit: int
) -> None:
    await tell([finished("m1", ["d", "c", "b", "a"], [1, 1, 1, 4], at=700)])
    board = Leaderboards(*store)
    found = await pages(lambda cursor: board.list("hurdles", cursor=cursor, limit=limit))
    ranks = [(row.player, row.rank) for page in found for row in page]
    assert [entry for entry in ranks if not entry[0].startswith("bot-")] == [
        ("b", 3),
        ("c", 3),
        ("d", 3),
        ("a", 6),
    ]
    assert ranks[0] == ("bot-steady", 1)


async def test_leaderboards_of_other_games_are_apart(store: Store, tell: Told) -> None:
    await tell([finished("m1", ["bea", "cid"], [1, 2], at=700)])
    assert len((await Leaderboards(*store).list("steeplechase")).items) == 2, "the bots alone"
    assert (await Leaderboards(*store).list("polo")).items == []


async def test_a_view_that_is_behind_tells_how_far_and_how_long(store: Store, tell: Told) -> None:
    await tell([opened(1)])
    now = START.timestamp() + 60.9
    lobby = Lobby(*store, now=lambda: now)
    lag = await lobby.lag()
    assert (lag.view, lag.entries, lag.seconds, lag.stalled) == ("lobby", 0, 0, 0)
    await store_story(store, opened(20).sit(1, "bea"))
    await store_story(store, opened(40))
    lag = await lobby.lag()
    assert (lag.entries, lag.seconds, lag.building, lag.invalid) == (3, 40, False, False)


async def test_a_view_that_nobody_fills_is_behind_by_all_there_is(store: Store) -> None:
    await store_story(store, opened(0).sit(1, "bea"))
    lag = await Results(*store, now=lambda: START.timestamp() + 5).lag()
    assert (lag.view, lag.entries, lag.seconds) == ("results", 2, 5)


async def test_a_view_that_is_being_built_anew_tells_so(
    store: Store, tell: Told, projector: Projector
) -> None:
    await tell([opened(1)])
    await Tending(*store, [LOBBY]).rebuild("lobby")
    assert (await Lobby(*store).lag()).building
    await projector.catch_up()
    assert not (await Lobby(*store).lag()).building


async def test_who_waits_sees_what_was_written_before(
    store: Store, projections: list[Projection]
) -> None:
    lobby = Lobby(*store)
    async with running(Projector(*store, projections)):
        for story in season(1, meetings=8):
            await store_story(store, story)
            assert await lobby.caught_up()
            assert await lobby.get(story.meeting) is not None


async def test_nobody_waits_for_ever(store: Store) -> None:
    await store_story(store, opened(1))
    assert not await Lobby(*store).caught_up(0.05)


async def test_a_view_that_is_there_is_not_waited_for(store: Store, tell: Told) -> None:
    await tell([opened(1)])
    assert await Lobby(*store).caught_up(0)


async def test_a_view_that_is_built_for_the_first_time_is_shown_whole_or_not_at_all(
    store: Store, projections: list[Projection]
) -> None:
    stories = [opened(number) for number in range(60)]
    for story in stories:
        await store_story(store, story)
    lobby = Lobby(*store)
    refused = 0
    assert (await lobby.lag()).missing
    async with running(Projector(*store, projections, batch_entries=1)):
        async with asyncio.timeout(30):
            while not (await lobby.lag()).building:
                await asyncio.sleep(0)
            while True:
                try:
                    assert len((await lobby.list(limit=100)).items) == len(stories)
                    break
                except LogUnavailable:
                    refused += 1
                    await asyncio.sleep(0)
    assert refused
    assert not (await lobby.lag()).missing


async def test_readers_of_a_view_under_way_never_see_half_of_it(
    store: Store, projections: list[Projection]
) -> None:
    """Each meeting that is listed is there, in its place and whole, while all is in motion."""
    lobby = Lobby(*store)
    stories = season(2, meetings=30)
    async with running(Projector(*store, projections), Projector(*store, projections)):
        assert await lobby.caught_up()
        writing = asyncio.create_task(_write(store, stories))
        while not writing.done():
            for status in ("open", "running", "finished", "abandoned"):
                for summary in (await lobby.list(status=status)).items:
                    assert summary.status == status
                    assert summary.version > 0
                    assert (summary.ranking is not None) == (status == "finished")
            await asyncio.sleep(0)
        await writing


async def _write(to: Store, stories: Sequence[Story]) -> None:
    for story in stories:
        await store_story(to, story)
        await asyncio.sleep(0)
