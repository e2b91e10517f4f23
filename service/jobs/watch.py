"""What one reactor knows of the meetings that are not over: what each owes, and since when."""

import asyncio
import time
from collections.abc import Collection

from domain.racing.forms import UnknownEvent
from service.handling import Meetings, MeetingUnknown
from service.jobs.faults import fault
from service.jobs.owed import QUEUES, Owed, owed_by
from service.jobs.site import Site
from service.logs import get_logger
from service.ports import Diverged, LogUnavailable
from service.redis.wakes import Wakes

LOOKS_AT_ONCE = 32

log = get_logger("jobs.watch")


class Watch:
    """The meetings that are not over, each as it stood when it was last looked at.

    Args:
        meetings: of this process.
        wakes: where what is owed is named.
        site: when a meeting is too old.
    """

    def __init__(self, meetings: Meetings, wakes: Wakes, site: Site) -> None:
        self.owed: dict[str, Owed | None] = {}
        """By meeting; None where it has not been looked at yet. The longest unseen come first."""

        self._newer: set[str] = set()
        self._meetings = meetings
        self._wakes = wakes
        self._site = site

    async def look(self, meetings: Collection[str]) -> set[str]:
        """Derive from the log what these meetings owe and name it; those that are over.

        Raises:
            LogUnavailable, Refused, Unreachable: look again.
        """
        slots = asyncio.Semaphore(LOOKS_AT_ONCE)
        await asyncio.gather(*(self._look(meeting, slots) for meeting in meetings))
        await self.wake(meetings)
        return {meeting for meeting in meetings if meeting not in self.owed}

    async def wake(self, meetings: Collection[str]) -> None:
        """Name what is owed in these meetings, as far as it is known."""
        now = time.time()
        for queue in QUEUES:
            await self._wakes.wake(
                queue,
                [m for m in meetings if (owed := self.owed.get(m)) and owed.queue == queue],
                now,
            )

    async def _look(self, meeting: str, slots: asyncio.Semaphore) -> None:
        async with slots:
            owed = await self._read(meeting)
        self.owed.pop(meeting, None)
        if owed is None or not owed.over:
            self.owed[meeting] = owed

    async def _read(self, meeting: str) -> Owed | None:
        try:
            return owed_by(await self._meetings.fresh(meeting), self._site)
        except LogUnavailable:
            raise
        except MeetingUnknown:
            return Owed(over=True)
        except Diverged as lost:
            log.critical("log_diverged", meeting=meeting, detail=str(lost))
        except UnknownEvent as news:
            if meeting not in self._newer:
                self._newer.add(meeting)
                log.warning("meeting_of_newer_release", meeting=meeting, reason=str(news))
            return Owed()
        except Exception as error:  # whatever is wrong with it: the others go on
            log.error("meeting_unreadable", meeting=meeting, **fault(error))
        return None

    def owing(self) -> list[str]:
        """The meetings that owe work, or may: those not looked at yet are among them."""
        return [m for m, owed in self.owed.items() if owed is None or owed.queue is not None]

    def ageing(self, now: float) -> list[str]:
        """The meetings that may be too old."""
        return [
            meeting
            for meeting, owed in self.owed.items()
            if owed is not None and owed.look_at is not None and owed.look_at <= now
        ]

    def longest_unseen(self, count: int) -> list[str]:
        """So many meetings, those first that were looked at longest ago."""
        return [meeting for meeting, _ in zip(self.owed, range(count), strict=False)]

    def oldest(self) -> dict[str, float | None]:
        """For each queue the second since which its oldest meeting waits."""
        found: dict[str, float | None] = dict.fromkeys(QUEUES)
        for owed in self.owed.values():
            if owed is not None and owed.queue is not None:
                known = found[owed.queue]
                found[owed.queue] = owed.since if known is None else min(known, owed.since)
        return found
