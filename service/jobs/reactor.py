"""The reactor: tails the feeds of the log and names what each changed meeting owes.

It has no effect but wakes, so several at once, or one that reads an entry twice, are harmless. What
it remembers can be had again from the log alone: the roster in the queue's Redis only spares it the
way through all feeds.
"""

import asyncio

import msgspec

from domain.kernel.message import type_of
from domain.racing.events import MeetingAbandoned, MeetingFinished
from service.archive.content import Damaged, Foreign
from service.jobs.persist import persist
from service.jobs.reconcile import TEND_SECONDS, Reconciler
from service.jobs.site import Site
from service.jobs.watch import LOOKS_AT_ONCE, Watch
from service.logs import get_logger
from service.ports import EventLog, FeedEntry
from service.redis.client import PoolCalls
from service.redis.roster import Roster
from service.redis.wakes import Wakes

FOLLOW_SECONDS = 2.0
GATHER_SECONDS = 0.005
"""How long news gather behind news: under load many entries are looked at for the price of one."""

_ENDS = frozenset((type_of(MeetingFinished), type_of(MeetingAbandoned)))


class _Line(msgspec.Struct):
    type: str


_line = msgspec.json.Decoder(_Line)

log = get_logger("jobs.reactor")


async def react(site: Site, stopping: asyncio.Event) -> None:
    """Tail the feeds, reconcile and tend the draining jobs until `stopping` is set.

    Raises:
        Whatever keeps the log from being opened.
    """
    working = asyncio.create_task(_react(site))
    ending = asyncio.create_task(stopping.wait())
    await asyncio.wait({working, ending}, return_when=asyncio.FIRST_COMPLETED)
    ending.cancel()
    if not working.done():
        working.cancel()
    await asyncio.gather(ending, return_exceptions=True)
    try:
        await working
    except asyncio.CancelledError:
        if not stopping.is_set():
            raise


async def _react(site: Site) -> None:
    calls = PoolCalls(site.queue_url)
    try:
        async with site.meetings() as meetings, asyncio.TaskGroup() as tasks:
            wakes = Wakes(calls)
            watch = Watch(meetings, wakes, site)
            reactor = Reactor(meetings.log, watch, Roster(calls, site.store))
            reconciler = Reconciler(meetings, watch, wakes, site)

            async def reconcile() -> None:
                await reconciler.reconcile()
                await reactor.keep_roster()

            await persist("start", reactor.start, 0, once=True)
            tasks.create_task(persist("tend", reconciler.tend, TEND_SECONDS))
            tasks.create_task(persist("tail", reactor.step, 0))
            tasks.create_task(persist("reconcile", reconcile, site.reconcile_seconds))
            tasks.create_task(_archive(site))
    finally:
        await calls.close()


async def _archive(site: Site) -> None:
    """Move old logs to the archive, where there is one."""
    if site.mover is None:
        return
    async with site.mover() as mover:

        async def step() -> None:
            try:
                await mover.step()
            except (Damaged, Foreign, OSError) as stop:
                log.error("archive_stopped", reason=str(stop))

        await persist("archive", step, site.archive_seconds)


class Reactor:
    """Follows all feeds from where the roster stands.

    Args:
        log: whose feeds.
        watch: learns of every meeting that changes.
        roster: brought on as the feeds are read.
    """

    def __init__(self, log: EventLog, watch: Watch, roster: Roster) -> None:
        self._log = log
        self._watch = watch
        self._roster = roster
        self._positions = [0] * log.partitions

    async def start(self) -> None:
        """Learn which meetings are not over: from the roster, else from the feed itself."""
        made_anew = 0
        for partition in range(self._log.partitions):
            kept = await self._roster.load(partition)
            if kept is None:
                made_anew += 1
                position, meetings = await self._from_feed(partition)
                await self._roster.save(partition, position, meetings)
            else:
                position, meetings = kept.position, kept.meetings
            self._positions[partition] = position
            for meeting in meetings:
                self._watch.owed.setdefault(meeting, None)
        log.info("reactor_started", meetings=len(self._watch.owed), rosters_made=made_anew)

    async def _from_feed(self, partition: int) -> tuple[int, list[str]]:
        slots = asyncio.Semaphore(LOOKS_AT_ONCE)

        async def over(meeting: str) -> bool:
            async with slots:
                return await self._over(meeting)

        position, meetings = 0, list[str]()
        while entries := await self._log.feed(partition, position):
            position = entries[-1].position
            opened = [entry.meeting for entry in entries if entry.first == 1]
            ended = await asyncio.gather(*map(over, opened))
            meetings += [m for m, is_over in zip(opened, ended, strict=True) if not is_over]
        return position, meetings

    async def _over(self, meeting: str) -> bool:
        head = await self._log.head(meeting)
        if head is None or await self._log.stored_away(meeting):
            return True
        lines = await self._log.read(meeting, head.version - 1, count=1)
        return bool(lines) and _line.decode(lines[0].body).type in _ENDS

    async def step(self) -> None:
        """Take the next entries of the feeds, derive what is owed, and note how far that goes.

        An entry counts as read only once its meeting's wake stands, so a crash repeats it.
        """
        entries = await self._log.follow(self._positions, FOLLOW_SECONDS)
        over = await self._watch.look(list(dict.fromkeys(entry.meeting for entry in entries)))
        by_partition: dict[int, list[FeedEntry]] = {}
        for entry in entries:
            by_partition.setdefault(entry.partition, []).append(entry)
        for partition, news in by_partition.items():
            changed = {entry.meeting for entry in news}
            before, after = self._positions[partition], news[-1].position
            kept = await self._roster.advance(
                partition, before, after, changed - over, changed & over
            )
            self._positions[partition] = after
            if not kept:
                await self._save(partition)
        if entries:
            await asyncio.sleep(GATHER_SECONDS)

    async def keep_roster(self) -> None:
        """Write anew what was lost of the roster."""
        for partition, position in enumerate(self._positions):
            if not await self._roster.advance(partition, position, position, (), ()):
                await self._save(partition)

    async def _save(self, partition: int) -> None:
        meetings = [m for m in self._watch.owed if self._log.partition(m) == partition]
        await self._roster.save(partition, self._positions[partition], meetings)
        log.info("roster_saved", partition=partition, meetings=len(meetings))
