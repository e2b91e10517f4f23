"""Meetings with as long a log as wanted, written straight into Redis by the real deciders.

A game of these has some hundred events at most. So before the start one seat is taken and left over
and over, which anybody may do; then play begins, as at any table.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from contextlib import asynccontextmanager
from itertools import count
from typing import Any, TypeVar

import uvloop

from domain.kernel.lines import GENESIS
from domain.racing import lifecycle
from domain.racing.draft import Draft
from domain.racing.meeting import FULL, Meeting
from domain.registry import GAMES
from service.bootstrap import now
from service.keeping import as_lines
from service.ports import LINES_MAX, Head
from service.redis.event_log import RedisEventLog
from service.redis.mux import open_calls, open_waiting
from tests.bench.scripts import Script
from tests.bench.site import PARTITIONS

_numbers = count()
T = TypeVar("T")


@asynccontextmanager
async def open_log(url: str) -> AsyncIterator[RedisEventLog]:
    """The log in this Redis, by the server's own connections."""
    calls, waiting = open_calls(url), open_waiting(url)
    try:
        yield RedisEventLog(calls, waiting, PARTITIONS)
    finally:
        await calls.close()
        await waiting.close()


def with_log(url: str, work: Callable[[RedisEventLog], Coroutine[Any, Any, T]]) -> T:
    """Do something with the log in this Redis, in an event loop of its own."""

    async def run() -> T:
        async with open_log(url) as log:
            return await work(log)

    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        return runner.run(run())


async def write_long(log: RedisEventLog, one: Script, length: int, players: Sequence[str]) -> str:
    """A running meeting for a script whose log has at least so many events; its id."""
    meeting = f"m{next(_numbers):016x}"
    game = GAMES[one.game]
    full = Meeting(viewer=FULL)
    head = Head(0, GENESIS)
    draft = Draft(full, game, now())
    lifecycle.open_meeting(
        draft,
        meeting=meeting,
        seed=bytes.fromhex(one.seed),
        options=game.read_options({}, len(players)),
        seats=len(players),
        host=players[0],
        name=None,
        start="manual",
        arranged=False,
        draws=None,
    )
    while head.version + len(draft.events) < length:
        if len(draft.events) > LINES_MAX - 2:
            head = await _append(log, meeting, head, draft)
            draft = Draft(full, game, now())
        lifecycle.take_seat(draft, 1, player=players[0], name="bench")
        lifecycle.leave_seat(draft, 1)
    for seat, player in enumerate(players, 1):
        lifecycle.take_seat(draft, seat, player=player, name="bench")
    lifecycle.start_meeting(draft)
    await _append(log, meeting, head, draft)
    return meeting


async def _append(log: RedisEventLog, meeting: str, head: Head, draft: Draft) -> Head:
    lines = []
    for start in range(0, len(draft.events), LINES_MAX):
        lines = as_lines(draft.events[start : start + LINES_MAX], head)
        await log.append(meeting, head, f"{meeting}-{head.version}", "bench", lines)
        head = Head(lines[-1].version, lines[-1].digest)
    return head
