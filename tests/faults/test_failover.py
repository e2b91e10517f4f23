"""A replica that lost writes takes over: what it lacks is reported, read-only, never continued."""

import asyncio
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from service.anchors import FILE
from service.guarding import Guard
from service.ports import Diverged, FellBack, Head, Line
from service.redis.event_log import RedisEventLog
from service.redis.mux import open_calls, open_waiting
from tests.faults.test_fallen import BORROW, noted, said
from tests.kit.face import PARTITIONS, Api
from tests.kit.log_lines import START, assert_stored_once, audit, batch, end
from tests.kit.log_load import Load
from tests.kit.lossy_proxy import LossyThread
from tests.kit.redis_server import RedisServer
from tests.kit.tables import running

MEETINGS = [f"meeting-{number}" for number in range(16)]
MakeRedis = Callable[..., RedisServer]


class Pair:
    """A primary and its replica; clients come to whichever serves through one address."""

    def __init__(self, make_redis: MakeRedis) -> None:
        self.primary = make_redis(fsync="always", port=True)
        self._link = LossyThread(self.primary.port, loss=0, silent=True)
        self._link.__enter__()
        self.replica = make_redis(fsync="always", port=True)
        with self.replica.client() as replica:
            replica.replicaof("127.0.0.1", self._link.port)
        self.replica.wait_for("master_link_status", "up", seconds=60)
        self._front = LossyThread(self.primary.port, loss=0)
        self._front.__enter__()

    @property
    def url(self) -> str:
        """Where the log is, whoever serves it."""
        return self._front.url

    def in_step(self) -> None:
        """Wait until the replica has all that the primary has."""
        with self.primary.client() as primary:
            assert primary.wait(1, 60_000) == 1

    def cut(self) -> None:
        """From now on nothing reaches the replica, which sees a link that is merely silent."""
        self._link.loss = 1.0

    def fail_over(self) -> None:
        """The primary dies, its replica takes over, and the address leads there."""
        self.primary.kill()
        with self.replica.client() as replica:
            replica.replicaof("NO", "ONE")
        self._front.target = self.replica.port

    def close(self) -> None:
        """End both lines."""
        self._link.__exit__()
        self._front.__exit__()


@pytest.fixture
def pair(make_redis: MakeRedis) -> Iterator[Pair]:
    """Two servers in step."""
    made = Pair(make_redis)
    yield made
    made.close()


async def closed(log: RedisEventLog) -> None:
    """Close a log's connections."""
    await log._waiting.close()
    await log._calls.close()


def opened(url: str) -> RedisEventLog:
    """The log as a process that starts opens it."""
    return RedisEventLog(open_calls(url), open_waiting(url), 16)


def guard_of(folder: Path, log: RedisEventLog) -> Guard:
    """What holds it against the anchor."""
    return Guard(folder / FILE, log, "here", lambda: "2026-05-01T14:00:00.000Z")


async def heads(log: RedisEventLog) -> dict[str, Head]:
    """Where each meeting ends."""
    return {meeting: await log.head(meeting) or START for meeting in MEETINGS}


@pytest.mark.parametrize(
    "seed", [1, *(pytest.param(n, marks=pytest.mark.long) for n in range(2, 12))]
)
async def test_what_a_replica_lacks_is_refused_by_who_saw_it_and_by_who_starts(
    pair: Pair, tmp_path: Path, seed: int
) -> None:
    old = opened(pair.url)
    load = Load(old, MEETINGS, seed)
    await load.write(writers=4, commands=12)
    pair.in_step()
    pair.cut()
    before = dict(load.done)
    await load.write(writers=2, commands=1 + seed % 4)  # acknowledged, and lost
    seen = await heads(old)
    await guard_of(tmp_path, old).note()
    pair.fail_over()

    fresh = opened(pair.url)
    await guard_of(tmp_path, fresh).look()
    left = await heads(fresh)
    lost = {meeting for meeting in MEETINGS if left[meeting] != seen[meeting]}
    assert lost == {meeting for name, (meeting, *_) in load.done.items() if name not in before}
    assert fresh.fallen == {fresh.partition(meeting) for meeting in lost}
    for meeting in lost:
        with pytest.raises(Diverged):
            await old.append(meeting, seen[meeting], "on", "print", batch(seen[meeting]))
        with pytest.raises(FellBack):
            await fresh.append(meeting, left[meeting], "on", "print", batch(left[meeting]))
    assert await heads(fresh) == left, "nothing is continued"
    assert_stored_once(await audit(fresh, MEETINGS), before)
    whole = next(m for m in MEETINGS if fresh.partition(m) not in fresh.fallen)
    await fresh.append(whole, left[whole], "on", "print", batch(left[whole]))

    # A person takes the anchor away, and other events come to the same numbers: a fork.
    (tmp_path / FILE).rename(tmp_path / "kept")
    await guard_of(tmp_path, fresh).look()
    for meeting in lost:
        other = batch(left[meeting], seen[meeting].version - left[meeting].version, "other")
        await fresh.append(meeting, left[meeting], "other", "print", other)
        assert end(other).version == seen[meeting].version
        with pytest.raises(Diverged, match="another history"):
            await old.append(meeting, seen[meeting], "late", "print", batch(seen[meeting]))
    (tmp_path / FILE).unlink(missing_ok=True)
    (tmp_path / "kept").rename(tmp_path / FILE)
    await guard_of(tmp_path, fresh).look()
    assert fresh.fallen == {fresh.partition(meeting) for meeting in lost}, "the anchor tells it"
    print(f"seed {seed}: {len(load.done) - len(before)} of {len(load.done)} acknowledged lost")
    for log in (old, fresh):
        await closed(log)


async def stored(server: RedisServer, meeting: str) -> list[Line]:
    """The log of a meeting as one server has it."""
    log = RedisEventLog(open_calls(server.url), open_waiting(server.url), PARTITIONS)
    lines = await log.read(meeting)
    await closed(log)
    return lines


def test_a_server_that_runs_through_it_and_one_that_starts_refuse_what_was_lost(
    pair: Pair, tmp_path: Path
) -> None:
    data = tmp_path / "data"
    api = Api(pair.url, data, fsync="always")
    meeting, (ann, ben) = running(api)
    path = f"{meeting.path}/commands"
    known = meeting.board(ann)["version"]
    noted(data / FILE, known)
    pair.in_step()
    before = asyncio.run(stored(pair.primary, meeting.id))
    pair.cut()
    for _ in range(3):
        assert meeting.give(ann, BORROW).status_code == 200
    noted(data / FILE, known + 3)
    pair.fail_over()

    until = time.monotonic() + 60
    while not said(api, "log_fell_back"):
        assert time.monotonic() < until, "the process does not notice"
        assert meeting.give(ben, BORROW).status_code == 503
    for person in (ann, ben):
        refused = meeting.give(person, BORROW)
        assert (refused.status_code, refused.json()["code"]) == (503, "log_diverged")
    api.stop()

    again = Api(pair.url, data, fsync="always")
    ready = again.client().get("/health/ready")
    assert (ready.status_code, ready.json()["parts"]["event_log"]["state"]) == (503, "unfit")
    assert said(again, "log_fell_back")
    for person in (ann, ben):
        caller = person.on(again)
        refused = caller.post(path, json=BORROW)
        assert (refused.status_code, refused.json()["code"]) == (503, "log_diverged")
        board = caller.get(f"{meeting.path}/board")
        assert (board.status_code, board.json()["version"]) == (200, known), "it can be read"
    again.stop()
    assert asyncio.run(stored(pair.replica, meeting.id)) == before, "nothing was continued"
