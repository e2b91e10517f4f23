"""Turns of built-in bots: each decides from what its own seat knows, and gives a command like any.

A bot that fails does not hold up the table: its error is logged, without what it knew, and the
game's default is played for it.
"""

import asyncio
import os
import random
from collections.abc import Callable
from enum import Enum, auto
from functools import partial

from rq.timeouts import JobTimeoutException

from domain.kernel.message import Command
from domain.kernel.rejection import MEETING_NOT_RUNNING, Rejected
from domain.racing.forms import UnknownEvent
from domain.racing.meeting import RUNNING, Meeting
from service.handling import STALE_DECISION, Meetings, MeetingUnknown
from service.jobs.faults import fault
from service.jobs.identity import derived_key
from service.keeping import Kept
from service.logs import get_logger
from service.ports import LogError

MOVES_PER_VISIT = 20
"""Turns that one visit plays; then the other meetings that wait come first."""

_OVERTAKEN = (STALE_DECISION, MEETING_NOT_RUNNING)

log = get_logger("jobs.turns")
chooser = random.Random()
# Each job is a fork of its worker: else all of them would choose the same, one after the other, and
# who saw one could tell what the next one's bots hide.
os.register_at_fork(after_in_child=chooser.seed)


class _Fate(Enum):
    PLAYED = auto()
    OVERTAKEN = auto()
    REFUSED = auto()


async def play(meetings: Meetings, meeting: str, stopping: asyncio.Event) -> bool:
    """Play what built-in bots owe in a meeting; whether they may owe more.

    Ends after the turn in hand once `stopping` is set.

    Raises:
        MeetingUnknown, Diverged, LogUnavailable.
    """
    helpless: set[int] = set()
    unwilling: set[int] = set()
    look = meetings.fresh
    for _ in range(MOVES_PER_VISIT):
        if stopping.is_set():
            return True
        kept = await look(meeting)
        # Behind a move what is kept is good enough to move again: the append tells if it is not.
        moved = await _volunteer(meetings, kept, unwilling)
        if not moved:
            seat = _next_seat(kept, helpless)
            if seat is not None:
                moved = True
                if not await _take_turn(meetings, kept, seat):
                    helpless.add(seat)
            elif look == meetings.fresh:
                return False
        look = meetings.known if moved else meetings.fresh
    return True


async def _volunteer(meetings: Meetings, kept: Kept, unwilling: set[int]) -> bool:
    """One move of a bot whose seat owes nothing and has something better to do, if there is one.

    Nothing waits for it, so a bot that fails here is left alone for the rest of the visit.
    """
    for place in kept.full.seats if kept.full.status == RUNNING else ():
        bot = kept.game.bots.get(place.bot or "")
        view = kept.view(place.seat)
        if bot is None or bot.volunteer is None or place.seat in unwilling:
            continue
        if not view.might or view.owed:
            continue
        turn = _Turn(meetings, kept, place.seat)
        command: Command | None = None
        try:
            command = bot.volunteer(view, place.seat, chooser)
        except JobTimeoutException:
            raise
        except Exception as error:
            await turn.refused(bot.name, error)
            unwilling.add(place.seat)
        if command is not None:
            fate = await turn.give(kept, bot.name, partial(_known, command))
            if fate is _Fate.REFUSED:
                unwilling.add(place.seat)
            return True
    return False


def _known(command: Command, _view: Meeting) -> Command:
    """A command chosen before."""
    return command


def _next_seat(kept: Kept, helpless: set[int]) -> int | None:
    """The first bot's seat that owes a decision, by what it knows itself."""
    if kept.full.status != RUNNING:
        return None
    for seat in kept.game.waiting(kept.full):
        bot = kept.full.seats[seat - 1].bot
        if bot is not None and seat not in helpless and kept.game.owes(kept.view(seat), seat):
            return seat
    return None


async def _take_turn(meetings: Meetings, kept: Kept, seat: int) -> bool:
    """One decision of one seat; False if neither the bot nor the game had one that was taken."""
    game = kept.game
    name = kept.full.seats[seat - 1].bot or ""
    turn = _Turn(meetings, kept, seat)
    fate = await turn.give(kept, name, lambda view: game.bots[name].decide(view, seat, chooser))
    if fate is _Fate.REFUSED:
        kept = await meetings.fresh(turn.meeting)
        fate = await turn.give(kept, "default", lambda view: game.default(view, seat))
    return fate is not _Fate.REFUSED


class _NothingDone(Exception):
    """A bot's command that changes nothing would be given for ever."""


class _Turn:
    """One decision of a seat: what it answers, and under which id."""

    def __init__(self, meetings: Meetings, kept: Kept, seat: int) -> None:
        view = kept.view(seat)
        self.meetings = meetings
        self.meeting = kept.full.id
        self.seat = seat
        self.version = view.version
        self.decision = view.decision
        self.key = derived_key("turn", self.meeting, seat, view.version)

    async def give(
        self, kept: Kept, who: str, choose: Callable[[Meeting], Command | None]
    ) -> _Fate:
        """Choose from the seat's own view and give the command; not if the seat knows more now."""
        view = kept.view(self.seat)
        if view.version != self.version:
            return _Fate.OVERTAKEN
        try:
            command = choose(view)
            if not isinstance(command, kept.game.commands):
                raise TypeError("no command of a seat")
            done = await self.meetings.command(
                self.meeting, self.seat, command, self.decision, self.key
            )
            if not done.duplicate and not done.events:
                raise _NothingDone
        except (LogError, MeetingUnknown, UnknownEvent, JobTimeoutException):
            raise
        except Exception as error:
            return await self.refused(who, error)
        return _Fate.PLAYED

    async def refused(self, who: str, error: Exception) -> _Fate:
        """What a failure means: news that it did not know of, or a fault, which is logged."""
        overtaken = isinstance(error, Rejected) and error.reason in _OVERTAKEN
        if overtaken or (await self._version()) != self.version:
            return _Fate.OVERTAKEN
        code = error.reason.code if isinstance(error, Rejected) else None
        log.error(
            "bot_failed",
            meeting=self.meeting,
            seat=self.seat,
            bot=who,
            version=self.version,
            code=code,
            **fault(error),
        )
        return _Fate.REFUSED

    async def _version(self) -> int:
        return (await self.meetings.fresh(self.meeting)).view(self.seat).version
