"""Whatever is asked of the log in Redis, in whatever order: it is what a dict of lists would be.

Logs that are over move to an archive meanwhile, views are filled and built anew, the clock jumps.
"""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, TypeVar

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from hypothesis.stateful import run_state_machine_as_test as run_machine
from structlog.testing import capture_logs

from projections.leaderboards import leaderboards
from projections.lobby import LOBBY
from projections.results import results
from service.archive.folder import Folder
from service.archiving import Mover
from service.filling import Filler
from service.ports import (
    KEY_SECONDS,
    RETRY_SECONDS,
    Appended,
    Conflict,
    Diverged,
    Head,
    KeyReused,
    Line,
    Snapshot,
)
from service.projecting import Projector
from service.redis.event_log import RedisEventLog
from service.redis.gate import check
from service.redis.mux import open_calls, open_waiting
from service.redis.views import RedisViews
from service.tending import Tending
from tests.kit import histories
from tests.kit.histories import TERMS, Story
from tests.kit.log_lines import START, audit, batch, chained, end
from tests.kit.redis_cluster import Cluster
from tests.kit.redis_server import RedisServer
from tests.kit.viewing import assert_folded

T = TypeVar("T")
NAMES = ("m", "n", "o", "p")
MEETINGS = st.sampled_from(NAMES)
COUNTS = st.integers(1, 4)
PARTITIONS = 2
PIECE_ENTRIES = 3
HOUR = 3600
DAY = 24 * HOUR
PROJECTIONS = {p.name: p for p in (LOBBY, results(TERMS), leaderboards(TERMS))}


WRITTEN_EACH = 10
"""Of so many examples that wrote something one ends with a kill and a move."""


class LogMachine(RuleBasedStateMachine):
    """A log in Redis, and a dict of lists that it must equal after every step."""

    server: RedisServer | Cluster
    folder: Path
    examples = 0
    restarts = 0
    moves = 0
    builds = 0
    written = 0

    def __init__(self) -> None:
        super().__init__()
        self.loop = asyncio.new_event_loop()
        self.model: dict[str, list[Line]] = {}
        self.stories: dict[str, Story] = {}
        self.answers: dict[tuple[str, str], tuple[Appended, Head, list[Line]]] = {}
        self.forgotten = dict(self.answers)
        self.known: dict[tuple[str, str], int] = {}  # seconds for which an answer is kept
        self.snapshots: dict[str, Snapshot] = {}
        self.feeds: list[list[tuple[str, int]]] = [[] for _ in range(PARTITIONS)]
        self.passed = [0] * PARTITIONS
        self.over: dict[str, int] = {}  # meeting -> when it ended
        self.moved: set[str] = set()
        self.clock = 0
        self.commands = 0
        self.restarted = False

    def ask(self, work: Awaitable[T]) -> T:
        """What the log answers."""
        return self.loop.run_until_complete(asyncio.wait_for(work, 60))

    @initialize()
    def begin(self) -> None:
        """An empty Redis, and an empty archive."""
        LogMachine.examples += 1
        self.archive = self.folder / str(LogMachine.examples)
        self.on_each(lambda client: client.flushall())
        self.open()

    def on_each(self, work: Callable[[Any], object]) -> None:
        """Do something on each redis-server."""
        nodes = self.server.nodes if isinstance(self.server, Cluster) else [self.server]
        for node in nodes:
            with node.client() as client:
                work(client)

    def open(self) -> None:
        """As a process that starts does."""

        async def opened() -> None:
            self.calls, self.waiting = open_calls(self.server.url), open_waiting(self.server.url)
            facts = await check(self.calls, fsync="always", partitions=PARTITIONS)
            archive = Folder(self.archive, facts.store)
            self.log = RedisEventLog(self.calls, self.waiting, PARTITIONS, archive)
            self.views = RedisViews(self.calls, PARTITIONS)

        self.ask(opened())

    def close(self) -> None:
        """As a process that ends does."""
        self.ask(self.waiting.close())
        self.ask(self.calls.close())

    def head(self, meeting: str) -> Head:
        """Where the model's log ends."""
        lines = self.model.get(meeting)
        return end(lines) if lines else START

    @rule(meeting=MEETINGS, count=COUNTS, known=st.sampled_from([RETRY_SECONDS, KEY_SECONDS]))
    def append(self, meeting: str, count: int, known: int) -> None:
        """A new command, whose id is known for so long."""
        if meeting in self.over:
            self.too_late(meeting)
        else:
            self.write(meeting, self.told(meeting, count, ending=False), known)

    @precondition(lambda self: len(self.model) > len(self.over))
    @rule(data=st.data())
    def finish(self, data: st.DataObject) -> None:
        """The last command of a meeting."""
        self.end(data.draw(st.sampled_from(sorted(set(self.model) - set(self.over)))))

    def end(self, meeting: str) -> None:
        """Finish it."""
        self.write(meeting, self.told(meeting, 1, ending=True), RETRY_SECONDS)
        self.over[meeting] = self.clock

    def write(self, meeting: str, bodies: list[bytes], known: int) -> None:
        """Append, and put it into the model."""
        self.commands += 1
        head, name = self.head(meeting), f"c{self.commands}"
        lines = chained(head, bodies)
        answer = self.ask(self.log.append(meeting, head, name, "print", lines, known))
        assert answer == Appended(first=lines[0].version, last=lines[-1].version)
        self.model.setdefault(meeting, []).extend(lines)
        self.feeds[self.log.partition(meeting)].append((meeting, lines[-1].version))
        self.answers[meeting, name] = answer, head, lines
        self.known[meeting, name] = known

    def told(self, meeting: str, count: int, ending: bool) -> list[bytes]:
        """The events of the meeting's next command."""
        story = self.stories.setdefault(meeting, Story(meeting))
        before, story.at = len(story.bodies()), self.clock
        if not before:
            story.open(game=histories.GAMES[len(self.stories) % 2])
        story.play(count)
        if ending:
            story.sit(1, "ann").sit(2, "ben").begin(2).finish([1, 2])
        return story.bodies()[before:]

    def too_late(self, meeting: str) -> None:
        """What has moved to the archive takes nothing more."""
        if meeting in self.moved:
            head = self.head(meeting)
            with pytest.raises(Diverged, match="archive"):
                self.ask(self.log.append(meeting, head, "late", "print", batch(head)))

    @precondition(lambda self: self.answers)
    @rule(data=st.data(), later=st.booleans())
    def retry(self, data: st.DataObject, later: bool) -> None:
        """A command asked again, as it was, or decided anew on a later state."""
        meeting, name = data.draw(st.sampled_from(sorted(self.answers)))
        answer, head, lines = self.answers[meeting, name]
        if later:
            head = self.head(meeting)
            lines = batch(head, 1, "anew")
        again = self.ask(self.log.append(meeting, head, name, "print", lines))
        assert again == Appended(answer.first, answer.last, duplicate=True)

    @precondition(lambda self: self.forgotten)
    @rule(data=st.data())
    def retry_late(self, data: st.DataObject) -> None:
        """A command asked again when nobody knows of it any longer: not done a second time."""
        meeting, name = data.draw(st.sampled_from(sorted(self.forgotten)))
        _, head, lines = self.forgotten[meeting, name]
        with pytest.raises(Conflict) as refusal:
            self.ask(self.log.append(meeting, head, name, "print", lines))
        assert refusal.value.version == len(self.model[meeting])

    @precondition(lambda self: self.answers)
    @rule(data=st.data())
    def reuse(self, data: st.DataObject) -> None:
        """Another command under a name that is taken."""
        meeting, name = data.draw(st.sampled_from(sorted(self.answers)))
        head = self.head(meeting)
        with pytest.raises(KeyReused):
            self.ask(self.log.append(meeting, head, name, "other", batch(head)))

    @precondition(lambda self: self.model)
    @rule(data=st.data(), count=COUNTS)
    def stale(self, data: st.DataObject, count: int) -> None:
        """A writer that is behind."""
        meeting = data.draw(st.sampled_from(sorted(self.model)))
        lines = self.model[meeting]
        behind = data.draw(st.integers(0, len(lines) - 1))
        head = end(lines[:behind]) if behind else START
        with pytest.raises(Conflict) as refusal:
            self.ask(self.log.append(meeting, head, "stale", "print", batch(head, count)))
        assert refusal.value.version == len(lines)

    @rule(meeting=MEETINGS, ahead=st.integers(0, 2))
    def another(self, meeting: str, ahead: int) -> None:
        """A writer that has seen more, or another history."""
        head = self.head(meeting)
        seen = Head(head.version + ahead, "e" * 64)
        with pytest.raises(Diverged):
            self.ask(self.log.append(meeting, seen, "other", "print", batch(seen)))

    @rule(meeting=MEETINGS, version=st.integers(0, 9), form=st.sampled_from(["a", "b"]))
    def snapshot(self, meeting: str, version: int, form: str) -> None:
        """The latest one is kept."""
        snapshot = Snapshot(version, "d" * 64, form, b"\x00|\xff")
        self.ask(self.log.save_snapshot(meeting, snapshot))
        kept = self.snapshots.get(meeting)
        if kept is None or kept.version <= version:
            self.snapshots[meeting] = snapshot
        assert self.ask(self.log.load_snapshot(meeting)) == self.snapshots[meeting]

    @rule(meeting=MEETINGS, after=st.integers(0, 12), count=st.integers(0, 5))
    def read(self, meeting: str, after: int, count: int) -> None:
        """A part of a log."""
        lines = self.model.get(meeting, [])
        assert self.ask(self.log.read(meeting, after, None, count)) == lines[after:][:count]

    @rule()
    def forget_scripts(self) -> None:
        """Redis forgets its scripts."""
        self.on_each(lambda client: client.script_flush())

    @rule(seconds=st.sampled_from([-HOUR, HOUR, DAY]))
    def jump(self, seconds: int) -> None:
        """The clocks jump: ours, and that of Redis, for which ids of commands are known."""
        self.clock += seconds

        def shift(client: Any) -> None:
            for key in client.scan_iter("es:*:key:*"):
                client.pexpire(key, client.pttl(key) - 1000 * seconds)

        self.on_each(shift)
        for name in list(self.known):
            self.known[name] -= seconds
            if self.known[name] <= 0:
                del self.known[name]
                self.forgotten[name] = self.answers.pop(name)

    @precondition(lambda self: len(self.model) > len(self.moved))
    @rule(after=st.sampled_from([-DAY, 0, DAY]))
    def move(self, after: int) -> None:
        """Logs that have been over for so long leave Redis, and pieces of the feeds after them."""
        if len(self.over) == len(self.moved):
            self.end(min(set(self.model) - set(self.over)))
        at = histories.START.timestamp() + self.clock
        mover = Mover(self.log, after, now=lambda: at, piece_entries=PIECE_ENTRIES)
        leaving = self.leaving(after)
        done = self.ask(mover.step())
        assert (done.meetings, done.left) == (len(leaving), 0)
        LogMachine.moves += done.meetings
        self.moved |= leaving
        for meeting in leaving:
            self.snapshots.pop(meeting, None)
        for meeting in NAMES:
            assert self.ask(self.log.stored_away(meeting)) == (meeting in self.moved)

    def leaving(self, after: int) -> set[str]:
        """The meetings that a walk over the feeds moves: it stops at the first too young one."""
        leaving: set[str] = set()
        for partition, entries in enumerate(self.feeds):
            for meeting, last in entries[self.passed[partition] :]:
                if meeting in self.over and last == len(self.model[meeting]):
                    if self.over[meeting] > self.clock - after:
                        break
                    leaving.add(meeting)
                self.passed[partition] += 1
        return leaving

    @rule(view=st.sampled_from(sorted(PROJECTIONS)), steps=st.integers(0, 3))
    def rebuild(self, view: str, steps: int) -> None:
        """A view is begun anew; whoever builds it ends half-way."""

        async def begin() -> None:
            projections = list(PROJECTIONS.values())
            number = await Tending(self.log, self.views, projections).rebuild(view)
            filler = Filler(self.log, self.views, PROJECTIONS[view], number, batch_entries=1)
            await filler.start()
            for _ in range(steps):
                await filler.step(0)

        self.ask(begin())

    @rule()
    def project(self) -> None:
        """A projector goes on with all views, and with those begun: they are folds of the lists."""

        async def fill() -> None:
            projections = list(PROJECTIONS.values())
            before = {view: await self.views.state(view) for view in PROJECTIONS}
            await Projector(self.log, self.views, projections).catch_up()
            for view, state in before.items():
                live = await self.views.live(view)
                LogMachine.builds += live != state.live
                assert live == max([*state.versions, live or 0]), "what was begun is in use"
            await assert_folded(self.log, self.views, projections, list(self.stories.values()))

        self.ask(fill())

    @rule()
    def reopen(self) -> None:
        """Another process."""
        self.close()
        self.open()

    @precondition(lambda self: not self.restarted and self.commands > 2)
    @rule()
    def kill(self) -> None:
        """Redis is killed, and starts again on what it left."""
        self.restarted = True
        LogMachine.restarts += 1
        self.close()
        self.server.restart()
        self.open()

    @invariant()
    def whole(self) -> None:
        """Logs, heads and feeds are those of the model."""
        if hasattr(self, "log"):
            assert self.ask(audit(self.log, NAMES)) == {
                meeting: self.model.get(meeting, []) for meeting in NAMES
            }

    def teardown(self) -> None:
        """A last look at the views; end what is open.

        What chance may leave out is done now and then in any case: a kill and a move.
        """
        if hasattr(self, "log"):
            LogMachine.written += self.commands > 0
            if self.commands and LogMachine.written % WRITTEN_EACH == 1:
                self.kill()
                if len(self.model) > len(self.moved):
                    self.move(after=0)
                self.whole()
            self.project()
            self.close()
        self.loop.run_until_complete(self.loop.shutdown_asyncgens())
        self.loop.close()


def explore(server: RedisServer | Cluster, folder: Path, examples: int) -> None:
    """Ask so many times whatever comes to mind."""
    LogMachine.server, LogMachine.folder = server, folder
    LogMachine.restarts = LogMachine.moves = LogMachine.builds = LogMachine.written = 0
    with capture_logs():
        run_machine(
            LogMachine,
            settings=settings(
                max_examples=examples,
                stateful_step_count=25,
                deadline=None,
                derandomize=examples < 100,
                database=None,
                suppress_health_check=list(HealthCheck),
            ),
        )
    print(
        f"{examples} examples, Redis killed {LogMachine.restarts} times, "
        f"{LogMachine.moves} logs moved to the archive, {LogMachine.builds} views built"
    )
    assert LogMachine.restarts
    assert LogMachine.moves
    assert LogMachine.builds


@pytest.mark.parametrize("examples", [12, pytest.param(500, marks=pytest.mark.long)])
def test_the_log_is_what_a_dict_of_lists_would_be(
    make_redis: Any, tmp_path: Path, examples: int
) -> None:
    explore(make_redis(fsync="always"), tmp_path, examples)
