"""The way of a command: kept state, decide, one append, evolve, the caller's own view.

A kept meeting is good enough to accept, because the append script checks it; never to refuse or to
show: before that the head of the log is read and the tail folded (design, The way of a command).
"""

import asyncio
import hashlib
from collections.abc import Callable
from typing import Any

from domain.kernel.chance import SEED_BYTES
from domain.kernel.faults import choice
from domain.kernel.game import Game
from domain.kernel.lines import GENESIS
from domain.kernel.message import Command, type_of
from domain.kernel.rejection import MEETING_NOT_RUNNING, Malformed, Reason, Rejected
from domain.racing import lifecycle
from domain.racing.draft import Draft
from domain.racing.meeting import FULL, RUNNING, Meeting
from domain.registry import GAMES
from service.idempotency import Key, opens_alike
from service.keeping import Kept, as_lines
from service.ports import (
    Appended,
    Conflict,
    Diverged,
    EventLog,
    Head,
    KeyReused,
    LogUnavailable,
)
from service.shelf import MeetingUnknown
from service.showing import VERSION_AHEAD, Answer, Outcome, Showing

TRIES_MAX = 50

STALE_DECISION = Reason(
    code="stale_decision", status=409, detail="The seat has another decision now."
)


class Meetings(Showing):
    """All meetings, as one process keeps them.

    Args:
        log: where they are stored.
        now: the time as RFC 3339 UTC with milliseconds.
        entropy: (n) -> n bytes from the operating system's CSPRNG.
    """

    def __init__(
        self, log: EventLog, now: Callable[[], str], entropy: Callable[[int], bytes]
    ) -> None:
        super().__init__(log)
        self.now = now
        self.entropy = entropy

    def fresh_key(self) -> Key:
        """The key of a call that brings none: known just long enough for our own retries."""
        return Key(command_id=self.entropy(16).hex(), fingerprint="")

    async def open(
        self,
        game: Game,
        *,
        options: dict[str, Any],
        seats: int,
        host: str,
        name: str | None,
        start: str,
        arranged: bool = False,
        seed: bytes | None = None,
        draws: dict[str, list[Any]] | None = None,
        key: Key | None = None,
    ) -> Outcome:
        """Open a meeting. With a key its id follows from the key, so that a retry finds it.

        Args as in `lifecycle.open_meeting`; options in full, `seed` only where it is arranged.
        """
        key = key or self.fresh_key()
        meeting = "m" + hashlib.sha256(f"meeting/{key.command_id}".encode()).hexdigest()[:16]
        draft = Draft(Meeting(viewer=FULL), game, self.now())
        lifecycle.open_meeting(
            draft,
            meeting=meeting,
            seed=seed or self.entropy(SEED_BYTES),
            options=options,
            seats=seats,
            host=host,
            name=name,
            start=start,
            arranged=arranged,
            draws=draws,
        )
        lines = as_lines(draft.events, Head(0, GENESIS))
        ended = False
        try:
            done = await self.log.append(
                meeting, Head(0, GENESIS), key.command_id, key.fingerprint, lines, key.seconds
            )
        except Conflict:  # the key has ended, the meeting it opened has not
            done, ended = Appended(first=1, last=1, duplicate=True), True
        events = draft.events
        if done.duplicate:
            events = await self.read_events(meeting, done)
            if ended and not opens_alike(events[0], draft.events[0], seeded=seed is not None):
                raise KeyReused("the key opened another meeting")
        return Outcome(
            meeting=meeting, first=1, last=1, events=events, duplicate=done.duplicate, result=None
        )

    async def act(
        self, meeting: str, work: Callable[[Draft, Kept], Any], key: Key | None = None
    ) -> Outcome:
        """Decide something about a meeting and store it.

        Args:
            meeting: the id.
            work: (draft, kept) -> result; refuses by raising, records by the draft. It may be
                called again when the log has moved on, so it has no effect of its own.
            key: the caller's idempotency key, if it gave one.

        Raises:
            MeetingUnknown, Rejected, Malformed, KeyReused, Diverged, LogUnavailable.
        """
        task = asyncio.ensure_future(self._act(meeting, work, key))
        return await asyncio.shield(task)  # a caller that goes away does not leave half a step

    async def _act(
        self, meeting: str, work: Callable[[Draft, Kept], Any], key: Key | None
    ) -> Outcome:
        asked = key is not None
        key = key or self.fresh_key()
        async with self.shelf.lock(meeting):
            for _ in range(TRIES_MAX):
                kept = await self.shelf.keep(meeting)
                draft = Draft(kept.full, kept.game, self.now(), kept.chance())
                moves = lifecycle.go_over(draft)
                try:
                    result = work(draft, kept)
                except (Rejected, Malformed):
                    assert len(draft.events) == moves, "a decider refuses before it records"
                    if await self.shelf.is_ahead(meeting, kept, dirty=moves):
                        continue
                    done = await self._seen(meeting, key) if asked else None
                    if done is None:
                        raise
                    return await self._repeated(meeting, done)
                except BaseException:
                    self.shelf.take_off(meeting)
                    raise
                if len(draft.events) == moves:
                    if await self.shelf.is_ahead(meeting, kept, dirty=moves):
                        continue
                    return await self._nothing(meeting, kept, key if asked else None, result)
                try:
                    return await self._store(meeting, kept, draft, key, result)
                except Conflict:
                    continue
        raise LogUnavailable("the meeting is too busy")

    async def _store(
        self, meeting: str, kept: Kept, draft: Draft, key: Key, result: Any
    ) -> Outcome:
        lines = as_lines(draft.events, kept.head)
        self.shelf.take_off(meeting)
        try:
            done = await self.log.append(
                meeting, kept.head, key.command_id, key.fingerprint, lines, key.seconds
            )
        except Diverged as found:
            raise self.shelf.refused(meeting, found) from found
        if done.duplicate:
            return await self._repeated(meeting, done)
        kept.stored(draft.events, lines)
        self.shelf.put_back(meeting, kept)
        return Outcome(
            meeting=meeting,
            first=done.first,
            last=done.last,
            events=draft.events,
            duplicate=False,
            result=result,
        )

    async def _nothing(self, meeting: str, kept: Kept, key: Key | None, result: Any) -> Outcome:
        version = kept.head.version
        if key is not None:
            done = await self.log.remember(meeting, key.command_id, key.fingerprint, version)
            if done.duplicate:
                return await self._repeated(meeting, done)
        return Outcome(
            meeting=meeting,
            first=version + 1,
            last=version,
            events=[],
            duplicate=False,
            result=result,
        )

    async def _seen(self, meeting: str, key: Key) -> Appended | None:
        return await self.log.seen(meeting, key.command_id, key.fingerprint)

    async def _repeated(self, meeting: str, done: Appended) -> Outcome:
        return Outcome(
            meeting=meeting,
            first=done.first,
            last=done.last,
            events=await self.read_events(meeting, done),
            duplicate=True,
            result=None,
        )

    async def command(
        self,
        meeting: str,
        seat: int | Callable[[Kept], int],
        command: Command,
        decision: int | None = None,
        key: Key | None = None,
    ) -> Outcome:
        """Give a game command for a seat (0: the system), which is the outcome's result.

        Args:
            seat: its number, or what finds it in the meeting and refuses where there is none.
            decision: the seat's decision number that the caller answers, if it named one.
        """

        def work(draft: Draft, kept: Kept) -> int:
            if kept.full.status == RUNNING:  # what hangs on the meeting is looked at while it runs
                if type(command) not in (*kept.game.commands, *kept.game.system_commands):
                    known = map(type_of, kept.game.commands)
                    raise Malformed(choice("command", type_of(type(command)), known), "/type")
                command.check(kept.full.table)
            number = seat(kept) if callable(seat) else seat
            if kept.full.status != RUNNING:
                raise Rejected(MEETING_NOT_RUNNING)
            if decision is not None:
                view = kept.view(number)
                if view.decision != decision:
                    raise Rejected(STALE_DECISION, version=view.version, seat=number, sent=decision)
            lifecycle.decide(draft, number, command)
            return number

        return await self.act(meeting, work, key)


def game_named(name: str) -> Game:
    """The game of this id.

    Raises:
        Malformed: there is none.
    """
    game = GAMES.get(name)
    if game is None:
        raise Malformed(f"There is no game {name[:60]!r}.", "/game")
    return game


__all__ = [
    "STALE_DECISION",
    "VERSION_AHEAD",
    "Answer",
    "Key",
    "MeetingUnknown",
    "Meetings",
    "Outcome",
    "game_named",
]
