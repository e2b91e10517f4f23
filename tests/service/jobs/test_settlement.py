"""Settlement by the server, once however often it is asked for."""

import asyncio
from collections import Counter

import msgspec
import pytest
from structlog.testing import capture_logs

from domain.kernel.message import type_of
from domain.kernel.rejection import WRONG_PHASE, Rejected
from service.handling import Meetings
from service.jobs.settlement import settle
from service.jobs.turns import play
from service.keeping import Kept
from tests.kit.jobs import BOOKMAKER, assert_played_rightly, now, seat_bots

GO_ON = asyncio.Event()


async def play_to_settlement(meetings: Meetings, meeting: str) -> bool:
    """Play until the server is awaited; False once the meeting is over."""
    while await play(meetings, meeting, GO_ON):
        pass
    return (await meetings.fresh(meeting)).full.status == "running"


async def types_of(meetings: Meetings, meeting: str) -> Counter[str]:
    """How many events of each type there are."""
    kept = await meetings.fresh(meeting)
    lines = await meetings.log.read(meeting)
    return Counter(type_of(kept.read(line)) for line in lines)


async def test_a_race_is_settled_and_the_next_one_opened(kept_meetings: Meetings) -> None:
    meeting = await seat_bots(kept_meetings, "steady", "steady")
    await play_to_settlement(kept_meetings, meeting)
    assert not await settle(kept_meetings, meeting, GO_ON)
    found = await types_of(kept_meetings, meeting)
    assert (found["bookmaker.race_settled"], found["race_opened"]) == (1, 2)


async def test_nothing_is_settled_that_is_not_awaited(kept_meetings: Meetings) -> None:
    meeting = await seat_bots(kept_meetings, "steady", "steady")
    head = await kept_meetings.log.head(meeting)
    assert not await settle(kept_meetings, meeting, GO_ON)
    assert await kept_meetings.log.head(meeting) == head


async def test_five_settlements_at_once_have_one_effect(stored_meetings: Meetings) -> None:
    five = [Meetings(stored_meetings.log, now, stored_meetings.entropy) for _ in range(5)]
    meeting = await seat_bots(stored_meetings, "steady", "random", "steady")
    races = 0
    while await play_to_settlement(stored_meetings, meeting):
        races += 1
        await asyncio.gather(*(settle(each, meeting, GO_ON) for each in five))
        found = await types_of(stored_meetings, meeting)
        assert found["bookmaker.race_settled"] == min(races, 3)
    await assert_played_rightly(stored_meetings, meeting)


@pytest.mark.parametrize("findings", [[], ["seq 9: a dollar is missing"]])
async def test_a_meeting_that_is_over_is_audited(
    findings: list[str], kept_meetings: Meetings, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = msgspec.structs.replace(BOOKMAKER, audit=lambda *_: findings or BOOKMAKER.audit(*_))
    monkeypatch.setattr("domain.registry.GAMES", {"bookmaker": game})
    meeting = await seat_bots(kept_meetings, "steady", "steady")
    with capture_logs() as logs:
        while await play_to_settlement(kept_meetings, meeting):
            await settle(kept_meetings, meeting, GO_ON)
    said = [(entry["log_level"], entry["event"]) for entry in logs]
    assert said == [("error", "audit_failed") if findings else ("info", "meeting_audited")]


async def test_a_game_that_refuses_what_it_awaits_is_a_fault_that_is_told(
    kept_meetings: Meetings, monkeypatch: pytest.MonkeyPatch
) -> None:
    meeting = await seat_bots(kept_meetings, "steady", "steady")
    await play_to_settlement(kept_meetings, meeting)
    monkeypatch.setattr("domain.racing.lifecycle.decide", _refuse)
    with pytest.raises(Rejected):
        await settle(kept_meetings, meeting, GO_ON)


def _refuse(*_: Kept) -> None:
    raise Rejected(WRONG_PHASE)
