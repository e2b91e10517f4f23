"""Whatever is asked of the log in Redis, in whatever order: it is what a dict of lists would be."""

import asyncio
from collections.abc import Awaitable
from typing import Any, TypeVar

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from hypothesis.stateful import run_state_machine_as_test as run_machine

from service.ports import Appended, Conflict, Diverged, Head, KeyReused, Line, Snapshot
from service.redis.event_log import RedisEventLog
from service.redis.mux import open_calls, open_waiting
from tests.kit.log_lines import START, audit, batch, end
from tests.kit.redis_server import RedisServer

T = TypeVar("T")
MEETINGS = st.sampled_from(["m", "n", "o"])
COUNTS = st.integers(1, 4)


class LogMachine(RuleBasedStateMachine):
    """A log in Redis, and a dict of lists that it must equal after every step."""

    server: RedisServer
    restarts = 0

    def __init__(self) -> None:
        super().__init__()
        self.loop = asyncio.new_event_loop()
        self.model: dict[str, list[Line]] = {}
        self.answers: dict[tuple[str, str], tuple[Appended, Head, list[Line]]] = {}
        self.snapshots: dict[str, Snapshot] = {}
        self.commands = 0
        self.restarted = False

    def ask(self, work: Awaitable[T]) -> T:
        """What the log answers."""
        return self.loop.run_until_complete(asyncio.wait_for(work, 60))

    @initialize()
    def begin(self) -> None:
        """An empty Redis."""
        with self.server.client() as client:
            client.flushall()
        self.open()

    def open(self) -> None:
        """As a process that starts does."""

        async def opened() -> None:
            self.calls, self.waiting = open_calls(self.server.url), open_waiting(self.server.url)
            self.log = RedisEventLog(self.calls, self.waiting, 2)

        self.ask(opened())

    def close(self) -> None:
        """As a process that ends does."""
        self.ask(self.waiting.close())
        self.ask(self.calls.close())

    def head(self, meeting: str) -> Head:
        """Where the model's log ends."""
        lines = self.model.get(meeting)
        return end(lines) if lines else START

    @rule(meeting=MEETINGS, count=COUNTS)
    def append(self, meeting: str, count: int) -> None:
        """A new command."""
        self.commands += 1
        head, name = self.head(meeting), f"c{self.commands}"
        lines = batch(head, count, name)
        answer = self.ask(self.log.append(meeting, head, name, "print", lines))
        assert answer == Appended(first=head.version + 1, last=head.version + count)
        self.model.setdefault(meeting, []).extend(lines)
        self.answers[meeting, name] = answer, head, lines

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
        with self.server.client() as client:
            client.script_flush()

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
            assert self.ask(audit(self.log, ["m", "n", "o"])) == {
                meeting: self.model.get(meeting, []) for meeting in ("m", "n", "o")
            }

    def teardown(self) -> None:
        """End what is open."""
        if hasattr(self, "log"):
            self.close()
        self.loop.run_until_complete(self.loop.shutdown_asyncgens())
        self.loop.close()


@pytest.mark.parametrize("examples", [12, pytest.param(500, marks=pytest.mark.long)])
def test_the_log_is_what_a_dict_of_lists_would_be(make_redis: Any, examples: int) -> None:
    LogMachine.server = make_redis(fsync="always")
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
    print(f"{examples} examples, Redis killed {LogMachine.restarts} times")
