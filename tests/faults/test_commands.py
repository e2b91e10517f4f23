"""A process that dies at any step of a command, callers that give up, clocks that jump."""

import asyncio
import os
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any

import pytest

from domain.racing import lifecycle
from domain.racing.draft import Draft
from domain.verification import verify
from service.handling import Meetings, Outcome
from service.idempotency import Key
from service.keeping import Kept
from service.memory.event_log import MemoryEventLog
from service.ports import EventLog
from service.redis.event_log import RedisEventLog
from service.redis.mux import open_calls, open_waiting
from tests.kit.jobs import assert_played_rightly, now, seat_bots
from tests.kit.log_lines import assert_stored_once, audit
from tests.kit.log_load import Load
from tests.kit.oracle import with_hashes
from tests.service.jobs.test_turns import play_out

SIT = Key(command_id="sit", fingerprint="print", seconds=600)


@pytest.fixture
async def stored(redis_url: str) -> AsyncIterator[RedisEventLog]:
    """A log in Redis."""
    calls, waiting = open_calls(redis_url), open_waiting(redis_url)
    yield RedisEventLog(calls, waiting, 2)
    await waiting.close()
    await calls.close()


# ---------------------------------------------------------------------- dying


class Killed(BaseException):
    """The process ends here, without a chance to tidy up."""


class Dying:
    """A log on which the process dies at its n-th call: before that is sent, or answered."""

    def __init__(self, inner: EventLog, steps: int, *, before: bool) -> None:
        self._inner = inner
        self._steps = steps
        self._before = before

    def __getattr__(self, name: str) -> Any:
        inner = getattr(self._inner, name)
        if not asyncio.iscoroutinefunction(inner):
            return inner

        async def call(*args: Any, **options: Any) -> Any:
            self._steps -= 1
            if self._steps == 0 and self._before:
                raise Killed
            answer = await inner(*args, **options)
            if self._steps == 0:
                raise Killed
            return answer

        return call


def sit(draft: Draft, _kept: Kept) -> int:
    """Ann takes the lowest free seat."""
    return lifecycle.take_seat(draft, None, player="ann", name="Ann")


async def sits(log: Any, meeting: str) -> Outcome | None:
    """What a process that knows nothing yet answers her; None where it dies."""
    try:
        return await Meetings(log, now, os.urandom).act(meeting, sit, SIT)
    except Killed:
        return None


@pytest.mark.parametrize("before", [True, False], ids=["before", "after"])
async def test_a_process_that_dies_at_any_step_of_a_command_leaves_it_done_once_or_not_at_all(
    stored: RedisEventLog, before: bool
) -> None:
    """The caller asks again, of another process, until it is answered: always the same."""
    deaths, done_before_it_died = 0, 0
    while True:
        meeting = await seat_bots(Meetings(stored, now, os.urandom), "steady", seats=3)
        head = await stored.head(meeting)
        assert head is not None
        first = await sits(Dying(stored, deaths + 1, before=before), meeting)
        left = await stored.head(meeting)
        assert left is not None
        assert left.version in (head.version, head.version + 1)
        done_before_it_died += first is None and left != head
        answers = [await sits(stored, meeting) for _ in range(2)]
        for answer in filter(None, (first, *answers)):
            assert (answer.first, answer.last) == (head.version + 1, head.version + 1)
        (events,) = {len(await stored.read(meeting))}
        assert events == head.version + 1, "she sits once"
        if first is not None:
            break
        deaths += 1
    assert deaths >= 3, "else nothing was tested"
    assert done_before_it_died == (0 if before else 1)


# ---------------------------------------------------------------------- giving up


class Storm(Load):
    """Writers of whose calls three of ten are given up at any moment, and made again."""

    given_up = 0

    async def command(self, command_id: str) -> None:
        """One command, until it is answered."""
        random = Random(command_id)
        while True:
            task = asyncio.create_task(super().command(command_id))
            if random.random() < 0.3:
                for _ in range(random.randrange(40)):
                    await asyncio.sleep(0)
                self.given_up += task.cancel()
            try:
                return await task
            except asyncio.CancelledError:
                pass


@pytest.mark.parametrize("commands", [40, pytest.param(1000, marks=pytest.mark.long)])
async def test_calls_that_are_given_up_at_any_moment_are_done_once_when_made_again(
    stored: RedisEventLog, commands: int
) -> None:
    """No answer comes to another than its caller."""
    meetings = [f"meeting-{number}" for number in range(10)]
    storm = Storm(stored, meetings)
    await storm.write(writers=16, commands=commands)
    assert storm.given_up > commands
    assert storm.doubles, "some were done though their caller was gone"
    logs = await audit(stored, meetings)
    assert len(storm.done) == 16 * commands
    assert sum(map(len, logs.values())) == sum(count for _, _, count in storm.done.values())
    assert_stored_once(logs, storm.done)
    print(f"{storm.given_up} calls given up of {len(storm.done)} commands")


# ---------------------------------------------------------------------- clocks


@pytest.mark.parametrize("seed", range(3))
async def test_a_clock_that_jumps_changes_no_order_and_no_meeting(seed: int) -> None:
    """An hour back, a day on, over the change of summer time: order is by number alone."""
    random = Random(seed)
    clock = datetime(2026, 10, 25, 0, 30, tzinfo=UTC)

    def jumping() -> str:
        nonlocal clock
        clock += random.choice([timedelta(seconds=1), timedelta(hours=-1), timedelta(days=1)])
        return clock.isoformat(timespec="milliseconds").replace("+00:00", "Z")

    meetings = Meetings(MemoryEventLog(2), jumping, os.urandom)
    meeting = await seat_bots(meetings, "steady", "random", "steady")
    await play_out(meetings, meeting)
    await assert_played_rightly(meetings, meeting)
    report = verify(with_hashes(await meetings.log.read(meeting)))
    assert report.ok, report.problems
