"""The way of a command: kept state, decide, one append, evolve, the caller's own view.

A kept meeting is good enough to accept, because the append script checks it; never to refuse or to
show: before that the head of the log is read and the tail folded (design, The way of a command).
"""

import asyncio
import hashlib
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable
from typing import Any

from msgspec import Struct

from domain.kernel.chance import SEED_BYTES
from domain.kernel.game import Game
from domain.kernel.lines import GENESIS, canonical, chain, join, redact, wire
from domain.kernel.message import Command, Event
from domain.kernel.rejection import MEETING_NOT_RUNNING, Malformed, Reason, Rejected
from domain.racing import lifecycle
from domain.racing.draft import Draft
from domain.racing.meeting import FULL, RUNNING, Meeting
from domain.registry import GAMES
from service.keeping import Kept, load, replay
from service.ports import (
    KEY_SECONDS,
    RETRY_SECONDS,
    Appended,
    Conflict,
    Diverged,
    EventLog,
    Head,
    Line,
    LogUnavailable,
)

KEPT_MAX = 5_000
TRIES_MAX = 50
SNAPSHOT_EVENTS = 100

STALE_DECISION = Reason(
    code="stale_decision", status=409, detail="The seat has another decision now."
)
VERSION_AHEAD = Reason(
    code="version_ahead", status=409, detail="The viewer's events have not come that far."
)


class MeetingUnknown(Exception):
    """There is no meeting of this id."""


class Key(Struct, frozen=True, kw_only=True):
    """What makes a call the same call: its id, what it asked, and how long that is known."""

    command_id: str
    fingerprint: str
    seconds: int = RETRY_SECONDS

    @staticmethod
    def of_caller(player: str, path: str, key: str, body: bytes) -> "Key":
        """The key of an `Idempotency-Key` header: same player, path and key, same call.

        Args:
            player: who calls.
            path: the path of the call.
            key: the header's value.
            body: the body as decoded, in canonical form.
        """
        text = "\0".join((player, path, key)).encode()
        return Key(
            command_id=hashlib.sha256(text).hexdigest()[:32],
            fingerprint=hashlib.sha256(body).hexdigest()[:32],
            seconds=KEY_SECONDS,
        )


class Outcome(Struct, frozen=True, kw_only=True):
    """What a call did.

    Args:
        meeting: the id.
        first, last: the seqs of its events; last = first - 1 if there are none.
        events: its events, as the full log has them.
        duplicate: whether an earlier call of the same key did it.
        result: what the decision returned (a seat's number …); None for a duplicate.
    """

    meeting: str
    first: int
    last: int
    events: list[Event]
    duplicate: bool
    result: Any


class Answer(Struct, frozen=True, kw_only=True):
    """The caller's own view of what happened: its version, its events, its state then."""

    version: int
    events: list[dict[str, Any]]
    view: Meeting


class Meetings:
    """All meetings, as one process keeps them.

    Args:
        log: where they are stored.
        now: the time as RFC 3339 UTC with milliseconds.
        entropy: (n) -> n bytes from the operating system's CSPRNG.
    """

    def __init__(
        self, log: EventLog, now: Callable[[], str], entropy: Callable[[int], bytes]
    ) -> None:
        self.log = log
        self.now = now
        self.entropy = entropy
        self._kept: OrderedDict[str, Kept] = OrderedDict()
        self._locks: dict[str, asyncio.Lock] = {}
        self._saving: set[asyncio.Task[None]] = set()

    # ------------------------------------------------------------------ writing

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
        lines = _lines(draft.events, Head(0, GENESIS))
        try:
            done = await self.log.append(
                meeting, Head(0, GENESIS), key.command_id, key.fingerprint, lines, key.seconds
            )
        except Conflict:  # the key has ended, the meeting it opened has not
            done = Appended(first=1, last=1, duplicate=True)
        events = draft.events
        if done.duplicate:
            events = await self._read_events(meeting, done)
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
        async with self._lock(meeting):
            for _ in range(TRIES_MAX):
                kept = await self._keep(meeting)
                draft = Draft(kept.full, kept.game, self.now(), kept.chance())
                try:
                    result = work(draft, kept)
                except (Rejected, Malformed):
                    assert not draft.events, "a decider refuses before it records"
                    if await self._catch_up(meeting, kept):
                        continue
                    done = await self._seen(meeting, key) if asked else None
                    if done is None:
                        raise
                    return await self._repeated(meeting, done)
                except BaseException:
                    self._drop(meeting)
                    raise
                if not draft.events:
                    if await self._catch_up(meeting, kept):
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
        lines = _lines(draft.events, kept.head)
        self._drop(meeting)  # what was decided is not so until the log says so
        done = await self.log.append(
            meeting, kept.head, key.command_id, key.fingerprint, lines, key.seconds
        )
        if done.duplicate:
            return await self._repeated(meeting, done)
        kept.stored(draft.events, lines)
        self._kept[meeting] = kept
        if kept.head.version - kept.snapshot_version >= SNAPSHOT_EVENTS:
            self._save(meeting, kept)
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
            events=await self._read_events(meeting, done),
            duplicate=True,
            result=None,
        )

    async def command(
        self,
        meeting: str,
        seat: int,
        command: Command,
        decision: int | None = None,
        key: Key | None = None,
    ) -> Outcome:
        """Give a game command for a seat (0: the system).

        Args:
            decision: the seat's decision number that the caller answers, if it named one.
        """

        def work(draft: Draft, kept: Kept) -> None:
            if kept.full.status != RUNNING:
                raise Rejected(MEETING_NOT_RUNNING)
            if decision is not None:
                view = kept.view(seat)
                if view.decision != decision:
                    raise Rejected(STALE_DECISION, version=view.version, seat=seat, sent=decision)
            lifecycle.decide(draft, seat, command)

        return await self.act(meeting, work, key)

    # ------------------------------------------------------------------ reading

    async def fresh(self, meeting: str) -> Kept:
        """The meeting kept, not behind the log's head as of this call.

        Raises:
            MeetingUnknown, Diverged, LogUnavailable.
        """
        kept = self._kept.get(meeting)
        head = await self.log.head(meeting)
        if head is None:
            raise MeetingUnknown(meeting)
        if kept is not None and kept.head == head and self._kept.get(meeting) is kept:
            return kept
        async with self._lock(meeting):
            kept = await self._keep(meeting)
            await self._catch_up(meeting, kept)
            return kept

    async def view(self, meeting: str, viewer: int, at: int | None = None) -> Meeting:
        """The meeting as a viewer (seat, or 0: the public) knows it, now or after its event `at`.

        The answer is read at once: it changes with the next event.

        Raises:
            Rejected: VERSION_AHEAD for an `at` that has not come.
        """
        kept = await self.fresh(meeting)
        view = kept.view(viewer)
        if at is None or at == view.version:
            return view
        if at > view.version:
            raise Rejected(VERSION_AHEAD, version=view.version)
        return await self.view_at(meeting, viewer, kept.seq_of(viewer, at))

    async def view_at(self, meeting: str, viewer: int, seq: int) -> Meeting:
        """The meeting as a viewer knew it when the log was at `seq`."""
        kept = await self.fresh(meeting)
        return replay(await self.log.read(meeting, 0, upto=seq), kept.game, viewer)

    async def events(
        self, meeting: str, viewer: int, after: int, limit: int
    ) -> tuple[list[dict[str, Any]], int]:
        """A viewer's events behind its number `after`, at most `limit`, and its version now.

        Raises:
            Rejected: VERSION_AHEAD.
        """
        kept = await self.fresh(meeting)
        version = kept.view(viewer).version
        if after > version:
            raise Rejected(VERSION_AHEAD, version=version)
        upto = min(after + limit, version)
        if upto == after:
            return [], version
        first, last = kept.seq_of(viewer, after + 1), kept.seq_of(viewer, upto)
        items = await self._wire(meeting, kept, viewer, first, last, after)
        return items, version

    async def answer(self, outcome: Outcome, viewer: int) -> Answer:
        """What a call answers to its caller: as of then, also when it is repeated."""
        if not outcome.duplicate:
            kept = self._kept.get(outcome.meeting)
            if kept is not None and kept.head.version == outcome.last:
                view = kept.view(viewer)
                before = view.version - kept.visible(viewer, outcome.first, outcome.last)
                events = kept.wire(viewer, outcome.first, outcome.events, before)
                return Answer(version=view.version, events=events, view=view)
        view = await self.view_at(outcome.meeting, viewer, outcome.last)
        kept = await self.fresh(outcome.meeting)
        before = view.version - kept.visible(viewer, outcome.first, outcome.last)
        events = await self._wire(
            outcome.meeting, kept, viewer, outcome.first, outcome.last, before
        )
        return Answer(version=view.version, events=events, view=view)

    async def lines(self, meeting: str) -> AsyncIterator[bytes]:
        """The log's lines as exported, without line ends."""
        after = 0
        while page := await self.log.read(meeting, after, count=500):
            for line in page:
                yield join(line.body, line.digest)
            after = page[-1].version

    # ------------------------------------------------------------------ keeping

    def _lock(self, meeting: str) -> asyncio.Lock:
        lock = self._locks.get(meeting)
        if lock is None:
            lock = self._locks[meeting] = asyncio.Lock()
        return lock

    def _drop(self, meeting: str) -> None:
        self._kept.pop(meeting, None)

    async def _keep(self, meeting: str) -> Kept:
        kept = self._kept.get(meeting)
        if kept is not None:
            self._kept.move_to_end(meeting)
            return kept
        kept = await load(self.log, meeting)
        if kept is None:
            self._locks.pop(meeting, None)
            raise MeetingUnknown(meeting)
        self._kept[meeting] = kept
        while len(self._kept) > KEPT_MAX:
            old, _ = self._kept.popitem(last=False)
            lock = self._locks.get(old)
            if lock is not None and not lock.locked():
                del self._locks[old]
        return kept

    async def _catch_up(self, meeting: str, kept: Kept) -> bool:
        """Fold what the log has beyond the kept state; whether there was anything."""
        head = await self.log.head(meeting)
        if head is None or head.version < kept.head.version:
            raise Diverged(f"{meeting}: the log is behind what this process has seen")
        if head.version == kept.head.version:
            if head.digest != kept.head.digest:
                raise Diverged(f"{meeting}: the log has another history than this process has seen")
            return False
        kept.extend(await self.log.read(meeting, kept.head.version))
        return True

    def _save(self, meeting: str, kept: Kept) -> None:
        snapshot = kept.snapshot()

        async def save() -> None:
            try:
                await self.log.save_snapshot(meeting, snapshot)
            except LogUnavailable:
                kept.snapshot_version = 0  # tried again after the next command

        task = asyncio.ensure_future(save())
        self._saving.add(task)
        task.add_done_callback(self._saving.discard)

    async def _read_events(self, meeting: str, done: Appended) -> list[Event]:
        kept = await load(self.log, meeting)
        if kept is None:
            raise MeetingUnknown(meeting)
        lines = await self.log.read(meeting, done.first - 1, upto=done.last)
        return [kept.decode(line.body) for line in lines]

    async def _wire(
        self, meeting: str, kept: Kept, viewer: int, first: int, last: int, before: int
    ) -> list[dict[str, Any]]:
        tail = kept.between(first, last)
        if tail is None:
            lines = await self.log.read(meeting, first - 1, upto=last)
            tail = [(kept.decode(line.body), line.digest) for line in lines]
        items = []
        for event, digest in tail:
            seen = redact(event, viewer)
            if seen is not None:
                before += 1
                items.append(wire(seen, viewer, before, kept.shown_hash(event, digest)))
        return items


def _lines(events: list[Event], head: Head) -> list[Line]:
    lines = []
    digest = head.digest
    for event in events:
        body = canonical(event)
        digest = chain(digest, body)
        lines.append(Line(event.seq, body, digest))
    return lines


def game_named(name: str) -> Game:
    """The game of this id.

    Raises:
        Malformed: there is none.
    """
    game = GAMES.get(name)
    if game is None:
        raise Malformed(f"There is no game {name[:60]!r}.", "/game")
    return game
