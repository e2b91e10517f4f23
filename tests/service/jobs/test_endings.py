"""Meetings that end because of their age: never begun, or asleep."""

import asyncio
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from service.handling import Meetings
from service.jobs.endings import NO_DECISION, NOT_STARTED, end_if_old
from service.jobs.owed import Owed, owed_by, seconds_of
from service.jobs.site import DAY_SECONDS, Site
from service.jobs.turns import play
from tests.kit.jobs import BOOKMAKER, seat_bots, site_of

SITE = site_of("unix:///nowhere")


@pytest.fixture
def at(kept_meetings: Meetings) -> Callable[[timedelta], None]:
    """Sets the clock of the meetings to so long ago."""

    def ago(age: timedelta) -> None:
        then = (datetime.now(UTC) - age).isoformat(timespec="milliseconds")
        kept_meetings.now = lambda: then.replace("+00:00", "Z")

    return ago


async def last(meetings: Meetings, meeting: str) -> Any:
    """The last event."""
    kept = await meetings.fresh(meeting)
    return kept.read((await meetings.log.read(meeting, kept.head.version - 1))[0])


async def test_a_meeting_that_has_not_begun_within_a_day_is_abandoned(
    kept_meetings: Meetings, at: Callable[[timedelta], None]
) -> None:
    at(timedelta(hours=25))
    meeting = await seat_bots(kept_meetings, "steady", "steady", start="manual")
    at(timedelta(0))
    await end_if_old(kept_meetings, meeting, SITE)
    assert (await kept_meetings.fresh(meeting)).full.status == "abandoned"
    assert (await last(kept_meetings, meeting)).reason == NOT_STARTED


@pytest.mark.parametrize("age", [timedelta(hours=23), timedelta(0)])
async def test_a_meeting_may_wait_a_day_for_its_start(
    age: timedelta, kept_meetings: Meetings, at: Callable[[timedelta], None]
) -> None:
    at(age)
    meeting = await seat_bots(kept_meetings, "steady", "steady", start="manual")
    await end_if_old(kept_meetings, meeting, SITE)
    assert (await kept_meetings.fresh(meeting)).full.status == "open"


async def test_a_meeting_in_which_a_person_owes_a_decision_for_thirty_days_is_abandoned(
    kept_meetings: Meetings, at: Callable[[timedelta], None]
) -> None:
    at(timedelta(days=31))
    meeting = await seat_bots(kept_meetings, None, "steady")
    await play(kept_meetings, meeting, asyncio.Event())
    assert BOOKMAKER.waiting((await kept_meetings.fresh(meeting)).full)
    at(timedelta(0))
    await end_if_old(kept_meetings, meeting, SITE)
    await end_if_old(kept_meetings, meeting, SITE)
    assert (await last(kept_meetings, meeting)).reason == NO_DECISION


async def test_the_age_counts_from_the_decision_and_not_from_the_meeting(
    kept_meetings: Meetings, at: Callable[[timedelta], None]
) -> None:
    at(timedelta(days=40))
    meeting = await seat_bots(kept_meetings, None, None)
    kept = await kept_meetings.fresh(meeting)
    (bookmaker,) = BOOKMAKER.waiting(kept.full)
    odds = BOOKMAKER.default(kept.view(bookmaker), bookmaker)
    assert odds is not None
    at(timedelta(days=29))
    await kept_meetings.command(meeting, bookmaker, odds)
    assert BOOKMAKER.waiting(kept.full) == [3 - bookmaker]
    at(timedelta(0))
    await end_if_old(kept_meetings, meeting, SITE)
    assert kept.full.status == "running"


async def test_a_meeting_of_built_in_bots_alone_is_never_abandoned(
    kept_meetings: Meetings, at: Callable[[timedelta], None]
) -> None:
    at(timedelta(days=400))
    meeting = await seat_bots(kept_meetings, "steady", "random")
    at(timedelta(0))
    await end_if_old(kept_meetings, meeting, SITE)
    kept = await kept_meetings.fresh(meeting)
    assert kept.full.status == "running"
    assert owed_by(kept, SITE).look_at is None


async def test_what_a_meeting_owes_follows_from_its_log(kept_meetings: Meetings) -> None:
    site = Site(meetings=SITE.meetings, store="", queue_url="")
    open_ = await kept_meetings.fresh(await seat_bots(kept_meetings, None, None, start="manual"))
    since = seconds_of(open_.full.at)
    opened = seconds_of(open_.full.opened_at)
    assert owed_by(open_, site) == Owed(since=since, look_at=opened + DAY_SECONDS)
    bots = await kept_meetings.fresh(await seat_bots(kept_meetings, "steady", "random"))
    assert owed_by(bots, site).queue == "turns"
    people = await kept_meetings.fresh(await seat_bots(kept_meetings, None, None))
    assert owed_by(people, site).queue is None
    while await play(kept_meetings, bots.full.id, asyncio.Event()):
        pass
    assert owed_by(await kept_meetings.fresh(bots.full.id), site).queue == "settle"
