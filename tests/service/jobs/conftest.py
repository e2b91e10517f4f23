"""Meetings in memory for what needs no Redis, in Redis for what does."""

import os
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any

import pytest

from service.handling import Meetings
from service.memory.event_log import MemoryEventLog
from tests.kit.jobs import now, open_meetings, part
from tests.kit.programs import Program


@pytest.fixture
def kept_meetings() -> Meetings:
    """Meetings over a log in memory."""
    return Meetings(MemoryEventLog(2), now, os.urandom)


@pytest.fixture
async def stored_meetings(redis_url: str) -> AsyncIterator[Meetings]:
    """Meetings over a log in Redis."""
    async with open_meetings(redis_url) as meetings:
        yield meetings


@pytest.fixture
def start() -> Iterator[Callable[..., Program]]:
    """Starts parts as processes of their own, as `part` does; they end with the test."""
    started: list[Program] = []

    def begin(words: str, url: str, **options: Any) -> Program:
        started.append(part(words, url, **options))
        return started[-1]

    yield begin
    for program in started:
        program.close()
