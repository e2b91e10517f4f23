"""The roster of meetings that are not over, kept in the queue's Redis."""

from collections.abc import AsyncIterator

import pytest

from domain.racing.lifecycle import abandon
from service.handling import Meetings
from service.jobs.reactor import Reactor
from service.jobs.watch import Watch
from service.redis.client import PoolCalls
from service.redis.roster import Entry, Roster
from service.redis.wakes import Wakes
from tests.kit.jobs import queue_url, seat_bots, site_of


@pytest.fixture
async def calls(redis_url: str) -> AsyncIterator[PoolCalls]:
    """Calls to the queue's database."""
    calls = PoolCalls(queue_url(redis_url))
    yield calls
    await calls.close()


@pytest.fixture
def roster(calls: PoolCalls) -> Roster:
    """An empty roster."""
    return Roster(calls, "store")


async def test_meetings_join_and_leave_as_the_feed_tells(roster: Roster) -> None:
    await roster.save(0, 0, [])
    assert await roster.advance(0, 0, 3, {"m1", "m2"}, set())
    assert await roster.advance(0, 3, 4, {"m3"}, {"m1"})
    entry = await roster.load(0)
    assert entry is not None
    assert (entry.position, sorted(entry.meetings)) == (4, ["m2", "m3"])


async def test_partitions_and_stores_have_rosters_of_their_own(
    roster: Roster, calls: PoolCalls
) -> None:
    await roster.save(0, 7, ["m1"])
    assert await roster.load(1) is None
    assert await Roster(calls, "another").load(0) is None


async def test_a_lost_roster_is_not_begun_in_the_middle(roster: Roster) -> None:
    assert not await roster.advance(0, 3, 4, {"m1"}, set())
    assert await roster.load(0) is None


async def test_a_roster_that_another_reactor_brought_further_stays_as_it_is(
    roster: Roster,
) -> None:
    await roster.save(0, 9, ["m1"])
    assert await roster.advance(0, 3, 4, {"m2"}, {"m1"})
    assert await roster.load(0) == Entry(9, ["m1"])


async def test_a_roster_behind_is_written_anew_by_who_knows_more(roster: Roster) -> None:
    await roster.save(0, 2, ["m1"])
    assert not await roster.advance(0, 5, 6, {"m2"}, set())
    await roster.save(0, 6, ["m2"])
    assert await roster.load(0) == Entry(6, ["m2"])


async def test_a_reactor_writes_anew_what_was_lost_of_its_roster(
    redis_url: str, calls: PoolCalls, stored_meetings: Meetings, roster: Roster
) -> None:
    watch = Watch(stored_meetings, Wakes(calls), site_of(redis_url))
    reactor = Reactor(stored_meetings.log, watch, roster)
    await reactor.start()
    meeting = await seat_bots(stored_meetings, "steady", "steady", start="manual")
    await reactor.step()
    partition = stored_meetings.log.partition(meeting)
    kept = await roster.load(partition)
    await calls.call("FLUSHDB")
    await reactor.keep_roster()
    assert kept is not None
    assert await roster.load(partition) == kept
    assert kept.meetings == [meeting]


async def test_a_reactor_without_a_roster_reads_the_feed_and_leaves_out_what_is_over(
    redis_url: str, calls: PoolCalls, stored_meetings: Meetings, roster: Roster
) -> None:
    going = [await seat_bots(stored_meetings, None, None) for _ in range(3)]
    for _ in range(3):
        ended = await seat_bots(stored_meetings, None, None)
        await stored_meetings.act(ended, lambda draft, _kept: abandon(draft, "test"))
    watch = Watch(stored_meetings, Wakes(calls), site_of(redis_url))
    await Reactor(stored_meetings.log, watch, roster).start()
    assert sorted(watch.owed) == sorted(going)
