"""Settlement: the command that a game awaits from the server, given once.

The command's id follows from the meeting and from where it stands, and the game refuses a second
settlement; so each effect is there exactly once however often this runs and wherever it is killed.
"""

import asyncio

from domain.kernel.message import type_of
from domain.kernel.rejection import Rejected
from domain.racing.events import MeetingFinished
from domain.racing.meeting import RUNNING
from service.handling import Meetings
from service.jobs.auditing import audit
from service.jobs.identity import derived_key

STEPS_PER_VISIT = 8
"""Commands that one visit gives; a game seldom awaits a second one at once."""


async def settle(meetings: Meetings, meeting: str, stopping: asyncio.Event) -> bool:
    """Give what a meeting awaits; whether it may await more.

    Raises:
        MeetingUnknown, Diverged, LogUnavailable.
    """
    for _ in range(STEPS_PER_VISIT):
        if stopping.is_set():
            return True
        kept = await meetings.fresh(meeting)
        full, version = kept.full, kept.full.version
        command = kept.game.awaits(full) if full.status == RUNNING else None
        if command is None:
            return False
        key = derived_key("settle", meeting, full.race, type_of(command), version)
        try:
            done = await meetings.command(meeting, 0, command, key=key)
        except Rejected:
            if (await meetings.fresh(meeting)).full.version == version:
                raise  # nobody was faster: the game refuses what it awaits
        else:
            if not done.duplicate and isinstance(done.events[-1], MeetingFinished):
                await audit(meetings, meeting)
    return True
