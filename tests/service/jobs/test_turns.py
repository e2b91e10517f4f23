"""Turns of built-in bots, played in process."""

import asyncio
from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from structlog.testing import capture_logs

from domain.games.bookmaker import commands as c
from domain.games.bookmaker.bot import BOTS
from domain.kernel.game import Bot
from domain.kernel.message import type_of
from domain.racing.meeting import FULL
from service.handling import Meetings
from service.jobs.settlement import settle
from service.jobs.turns import MOVES_PER_VISIT, play
from tests.kit.jobs import BOOKMAKER, assert_played_rightly, now, seat_bots
from tests.kit.programs import Program

GO_ON = asyncio.Event()


async def play_out(meetings: Meetings, meeting: str) -> None:
    """Visit until nothing is owed any more."""
    for _ in range(300):
        more = await play(meetings, meeting, GO_ON)
        more |= await settle(meetings, meeting, GO_ON)
        if not more and (await meetings.fresh(meeting)).full.status == "finished":
            return
    raise AssertionError("the meeting does not end")


def with_bot(monkeypatch: pytest.MonkeyPatch, decide: Callable[..., Any]) -> None:
    """Let the bot `steady` decide otherwise."""
    steady = Bot(name="steady", rating=0.0, decide=decide)
    game = msgspec.structs.replace(BOOKMAKER, bots={**BOTS, "steady": steady})
    for place in ("domain.registry", "service.keeping"):
        monkeypatch.setattr(f"{place}.GAMES", {"bookmaker": game})


async def test_bots_play_a_meeting_to_its_end(kept_meetings: Meetings) -> None:
    meeting = await seat_bots(kept_meetings, "steady", "random", "steady", brocco=True)
    await play_out(kept_meetings, meeting)
    await assert_played_rightly(kept_meetings, meeting)


async def test_a_visit_leaves_the_turns_of_people_alone(kept_meetings: Meetings) -> None:
    meeting = await seat_bots(kept_meetings, "steady", None, "steady")
    visits = 1
    while await play(kept_meetings, meeting, GO_ON):  # the bots may have much to do before
        assert (visits := visits + 1) < 20, "the bots play on without the person"
    full = (await kept_meetings.fresh(meeting)).full
    assert BOOKMAKER.waiting(full) == [2]


async def test_a_visit_is_bounded_so_that_other_meetings_come_first(
    kept_meetings: Meetings,
) -> None:
    meeting = await seat_bots(kept_meetings, *["random"] * 9)
    before = (await kept_meetings.log.feed(kept_meetings.log.partition(meeting), 0))[-1].position
    assert await play(kept_meetings, meeting, GO_ON)
    after = (await kept_meetings.log.feed(kept_meetings.log.partition(meeting), 0))[-1].position
    assert after - before == MOVES_PER_VISIT


async def test_a_visit_ends_before_the_next_turn_when_it_is_told_to(
    kept_meetings: Meetings,
) -> None:
    meeting = await seat_bots(kept_meetings, "steady", "steady")
    stopping = asyncio.Event()
    stopping.set()
    head = await kept_meetings.log.head(meeting)
    assert await play(kept_meetings, meeting, stopping)
    assert await kept_meetings.log.head(meeting) == head


async def test_a_bot_decides_from_the_view_of_its_own_seat(
    kept_meetings: Meetings, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = []

    def decide(view: Any, seat: int, chooser: Any) -> Any:
        asked.append((view.viewer, seat))
        assert view.viewer != FULL
        return BOTS["steady"].decide(view, seat, chooser)

    with_bot(monkeypatch, decide)
    meeting = await seat_bots(kept_meetings, "steady", "random", "steady")
    await play_out(kept_meetings, meeting)
    assert {seat for _, seat in asked} == {1, 3}
    assert all(viewer == seat for viewer, seat in asked)


def _raises(view: Any, seat: int, _chooser: Any) -> Any:
    raise KeyError(f"hand {view.table.hands[seat - 1]}")


FAULTS: dict[str, Callable[..., Any]] = {
    "raises": _raises,
    "says nothing": lambda *_: None,
    "says no command": lambda *_: {"type": "bookmaker.done"},
    "breaks a rule": lambda *_: c.Borrow(amount=7),
    "plays out of turn": lambda *_: c.NameBrocco(horse="red"),
    "takes the server's part": lambda *_: c.SettleRace(),
    "names a seat that is none": lambda *_: c.PlaceBet(bookmaker=99, horse="red", stake=10),
}


@pytest.mark.parametrize("decide", FAULTS.values(), ids=FAULTS)
async def test_a_bot_that_fails_is_played_by_default_and_logged_without_what_it_knew(
    decide: Callable[..., Any], kept_meetings: Meetings, monkeypatch: pytest.MonkeyPatch
) -> None:
    with_bot(monkeypatch, decide)
    meeting = await seat_bots(kept_meetings, "steady", "random", "steady")
    with capture_logs() as logs:
        await play_out(kept_meetings, meeting)
    events = await assert_played_rightly(kept_meetings, meeting)
    failures = [entry for entry in logs if entry["event"] == "bot_failed"]
    assert failures
    assert {entry["log_level"] for entry in failures} == {"error"}
    assert {entry["bot"] for entry in failures} == {"steady"}
    allowed = {"event", "log_level", "logger_name", "meeting", "seat", "bot", "version"}
    assert all(entry.keys() == allowed | {"error", "code", "place"} for entry in failures)
    cards = {str(card) for event in events if (hand := hand_of(event)) for card in hand}
    assert cards
    assert not any(card in str(logs) for card in cards)


def hand_of(event: Any) -> list[str]:
    """The cards that this event deals, if it does."""
    if type_of(event) != "bookmaker.hands_dealt":
        return []
    return [card for secret in event.private.values() for card in secret.get("hand", ())]


async def test_a_seat_that_neither_bot_nor_default_can_play_leaves_the_others_their_turns(
    kept_meetings: Meetings, monkeypatch: pytest.MonkeyPatch
) -> None:
    with_bot(monkeypatch, _raises)
    for place in ("domain.registry", "service.keeping"):
        games = __import__(place, fromlist=["GAMES"]).GAMES
        game = msgspec.structs.replace(games["bookmaker"], default=lambda _m, _seat: None)
        monkeypatch.setattr(f"{place}.GAMES", {"bookmaker": game})
    meeting = await seat_bots(kept_meetings, "steady", "random", "random", "random")
    with capture_logs() as logs:
        while await play(kept_meetings, meeting, GO_ON):
            pass
    full = (await kept_meetings.fresh(meeting)).full
    assert BOOKMAKER.waiting(full) == [1]
    assert {entry["bot"] for entry in logs} == {"steady", "default"}


async def test_two_workers_on_one_meeting_do_nothing_twice(stored_meetings: Meetings) -> None:
    twin = Meetings(stored_meetings.log, now, stored_meetings.entropy)
    meeting = await seat_bots(stored_meetings, *["random"] * 3, programme=["joker_trot"] * 3)
    await asyncio.gather(play_out(stored_meetings, meeting), play_out(twin, meeting))
    await assert_played_rightly(stored_meetings, meeting)


FORKING = """
import os
from service.jobs.turns import chooser
for _ in range(3):
    if os.fork() == 0:
        print(chooser.random(), flush=True)
        os._exit(0)
    os.wait()
"""


def test_each_job_chooses_by_chances_of_its_own() -> None:
    """A job is a fork of its worker, so it has a copy of all that the worker has."""
    program = Program(["-c", FORKING])
    assert program.code() == 0
    program.close()
    assert len(set(program.lines)) == 3, program.output
