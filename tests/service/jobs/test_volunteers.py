"""Built-in bots that act where their seat owes nothing."""

import asyncio
from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from structlog.testing import capture_logs

from domain.games.bookmaker import commands as c
from domain.games.bookmaker.bot import BOTS
from domain.games.bookmaker.events import OddsChanged
from domain.kernel.game import Bot
from service.handling import Meetings
from service.jobs.settlement import settle
from service.jobs.turns import play
from tests.kit.jobs import BOOKMAKER, assert_played_rightly, seat_bots
from tests.kit.ring import bet, set_odds

GO_ON = asyncio.Event()


def with_volunteer(monkeypatch: pytest.MonkeyPatch, volunteer: Callable[..., Any]) -> None:
    """Let the bot `steady` volunteer otherwise."""
    steady = msgspec.structs.replace(BOTS["steady"], volunteer=volunteer)
    game = msgspec.structs.replace(BOOKMAKER, bots={**BOTS, "steady": steady})
    for place in ("domain.registry", "service.keeping"):
        monkeypatch.setattr(f"{place}.GAMES", {"bookmaker": game})


async def play_out(meetings: Meetings, meeting: str) -> None:
    """Visit until nothing is owed any more."""
    for _ in range(300):
        more = await play(meetings, meeting, GO_ON)
        more |= await settle(meetings, meeting, GO_ON)
        if not more and (await meetings.fresh(meeting)).full.status == "finished":
            return
    raise AssertionError("the meeting does not end")


async def test_a_bookmaker_that_owes_nothing_changes_odds_that_a_bet_shows_to_be_too_high(
    kept_meetings: Meetings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """BM-B5: a lone bookmaker owes nothing while nobody's offer waits."""

    def decide(view: Any, seat: int, chooser: Any) -> Any:
        if view.table.phase == "odds":
            return set_odds(9, 1, 1, 1)
        return BOTS["steady"].decide(view, seat, chooser)

    generous: Bot = msgspec.structs.replace(BOTS["steady"], decide=decide)
    game = msgspec.structs.replace(BOOKMAKER, bots={**BOTS, "steady": generous})
    for place in ("domain.registry", "service.keeping"):
        monkeypatch.setattr(f"{place}.GAMES", {"bookmaker": game})
    bookmakers = [3]
    while bookmakers == [3]:  # the person is the bookmaker of every third meeting
        meeting = await seat_bots(kept_meetings, "steady", "steady", None)
        bookmakers = (await kept_meetings.fresh(meeting)).full.table.bookmakers
    await play(kept_meetings, meeting, GO_ON)
    await kept_meetings.command(meeting, 3, bet(bookmakers[0], "red", 10))
    await play(kept_meetings, meeting, GO_ON)
    kept = await kept_meetings.fresh(meeting)
    events = [kept.read(line) for line in await kept_meetings.log.read(meeting)]
    changes = [event for event in events if isinstance(event, OddsChanged)]
    assert {event.seat for event in changes} == set(bookmakers)
    assert kept.game.waiting(kept.full) == [3]


def _raises(*_: Any) -> Any:
    raise KeyError("odds")


@pytest.mark.parametrize(
    "volunteer", [_raises, lambda *_: c.Borrow(amount=7), lambda *_: {"type": "bookmaker.done"}]
)
async def test_a_bot_that_fails_without_need_is_logged_and_the_meeting_goes_on(
    volunteer: Callable[..., Any], kept_meetings: Meetings, monkeypatch: pytest.MonkeyPatch
) -> None:
    with_volunteer(monkeypatch, volunteer)
    meeting = await seat_bots(kept_meetings, "steady", "random", "steady", in_running=True)
    with capture_logs() as logs:
        await play_out(kept_meetings, meeting)
    await assert_played_rightly(kept_meetings, meeting)
    assert {entry["bot"] for entry in logs if entry["event"] == "bot_failed"} == {"steady"}


async def test_who_owes_a_decision_is_not_asked_to_volunteer(
    kept_meetings: Meetings, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = []

    def volunteer(view: Any, seat: int, chooser: Any) -> Any:
        asked.append((view.viewer == seat, view.might, view.owed))

    with_volunteer(monkeypatch, volunteer)
    meeting = await seat_bots(kept_meetings, "steady", "random", "steady", in_running=True)
    await play_out(kept_meetings, meeting)
    assert set(asked) == {(True, True, False)}
