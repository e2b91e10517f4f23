"""The anchor: a log that holds less than it did is noticed, and not written on."""

import asyncio
import os
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from structlog.testing import capture_logs

from service import guarding as guarding_module
from service.anchors import FILE, Anchor, AnchorDamaged, Mark, read, take, write
from service.guarding import Guard, guarding
from service.memory.event_log import MemoryEventLog
from service.ports import Appended, EventLog, FellBack, Head
from service.redis.event_log import RedisEventLog
from service.redis.mux import open_calls, open_waiting
from tests.kit.log_lines import START, audit, batch, end, grow
from tests.kit.redis_server import RedisServer

MEETINGS = [f"meeting-{number}" for number in range(8)]


@asynccontextmanager
async def opened(url: str) -> AsyncIterator[RedisEventLog]:
    """The log in a Redis."""
    calls, waiting = open_calls(url), open_waiting(url)
    try:
        yield RedisEventLog(calls, waiting, 16)
    finally:
        await waiting.close()
        await calls.close()


def guard_of(folder: Path, log: RedisEventLog, store: str = "here") -> Guard:
    return Guard(folder / FILE, log, store, lambda: "2026-05-01T14:00:00.000Z")


async def filled(log: EventLog, seed: int = 1) -> dict[str, Head]:
    """Some commands in some meetings; where they end."""
    random = Random(seed)
    return {m: await grow(log, m, *(random.randint(1, 3) for _ in range(3))) for m in MEETINGS}


async def test_a_log_that_is_whole_or_longer_is_taken_on(redis_url: str, tmp_path: Path) -> None:
    async with opened(redis_url) as log:
        guard = guard_of(tmp_path, log)
        await guard.look()
        await guard.note()
        assert read(tmp_path / FILE) == Anchor(
            store="here", at="2026-05-01T14:00:00.000Z", marks=[None] * 16
        )
        heads = await filled(log)
        await guard.note()
        for meeting, head in heads.items():
            await log.append(meeting, head, "more", "print", batch(head))
        await guard.look()
        assert log.fallen == frozenset()


async def test_a_mark_is_the_last_command_of_its_partition(redis_url: str, tmp_path: Path) -> None:
    memory = MemoryEventLog()
    async with opened(redis_url) as log:
        for one in (log, memory):
            heads = await filled(one)
            last = {one.partition(meeting): meeting for meeting in MEETINGS}
            anchor = await take(one, "here", "now")
            for partition, mark in enumerate(anchor.marks):
                meeting = last.get(partition)
                if meeting is None:
                    assert mark is None
                else:
                    head = heads[meeting]
                    told = len(await one.feed(partition, 0))
                    assert mark == Mark(told, meeting, head.version, head.digest)


async def test_a_log_that_lost_its_end_takes_nothing_more_there_and_can_be_read(
    redis_url: str, redis_server: RedisServer, tmp_path: Path
) -> None:
    async with opened(redis_url) as log:
        guard = guard_of(tmp_path, log)
        with redis_server.client() as client:
            await filled(log)
            older = {key: client.dump(key) for key in client.scan_iter()}
            lost = await grow(log, "meeting-3", 2)
            await guard.note()
            client.flushall()
            for key, value in older.items():
                client.restore(key, 0, value)
        with capture_logs() as said:
            await guard.look()
            await guard.look()
        (line,) = said
        assert (line["event"], line["log_level"]) == ("log_fell_back", "critical")
        mine = log.partition("meeting-3")
        assert line["partitions"] == [mine] == list(log.fallen)
        head = await log.head("meeting-3") or START
        assert head.version == lost.version - 2
        assert len(await log.read("meeting-3")) == head.version
        with pytest.raises(FellBack):
            await log.append("meeting-3", head, "c", "print", batch(head))
        other = next(m for m in MEETINGS if log.partition(m) != mine)
        await grow(log, other, 1)
        before = (tmp_path / FILE).read_bytes()
        await guard.note()
        assert (tmp_path / FILE).read_bytes() == before, "what was lost is not forgotten"
        (tmp_path / FILE).unlink()  # a person has decided
        await guard.note()
        assert await log.append("meeting-3", head, "c", "print", batch(head)) == Appended(
            first=head.version + 1, last=head.version + 1
        )
        await audit(log, MEETINGS)


async def test_a_history_written_anew_to_the_same_length_is_another(
    redis_url: str, redis_server: RedisServer, tmp_path: Path
) -> None:
    async with opened(redis_url) as log:
        await grow(log, "m", 2, 2)
        guard = guard_of(tmp_path, log)
        await guard.note()
        with redis_server.client() as client:
            client.flushall()
        head = START
        for number in range(2):
            lines = batch(head, 2, "other")
            await log.append("m", head, f"c{number}", "print", lines)
            head = end(lines)
        await guard.look()
        assert log.fallen == {log.partition("m")}


async def test_another_store_in_the_place_of_the_log_is_read_only(
    redis_url: str, tmp_path: Path
) -> None:
    async with opened(redis_url) as log:
        await guard_of(tmp_path, log).note()
        await guard_of(tmp_path, log, store="there").look()
        assert log.fallen == frozenset(range(16))
        with pytest.raises(FellBack):
            await log.append("m", START, "c", "print", batch(START))


async def test_a_file_that_can_not_be_read_is_told(redis_url: str, tmp_path: Path) -> None:
    async with opened(redis_url) as log:
        (tmp_path / FILE).write_bytes(b'{"store":')
        for work in (guard_of(tmp_path, log).look, guard_of(tmp_path, log).note):
            with pytest.raises(AnchorDamaged, match=FILE):
                await work()


async def test_nothing_is_written_where_nothing_was_appended(
    redis_url: str, tmp_path: Path
) -> None:
    async with opened(redis_url) as log:
        guard = guard_of(tmp_path, log)
        head = await grow(log, "m", 1)
        await guard.note()
        before = (tmp_path / FILE).stat()
        await guard.note()
        now = (tmp_path / FILE).stat()
        assert (now.st_ino, now.st_mtime_ns) == (before.st_ino, before.st_mtime_ns)
        await log.append("m", head, "c", "print", batch(head))
        await guard.note()
        assert (tmp_path / FILE).stat().st_ino != before.st_ino


class FallingBack:
    """A log that loses its end behind the back of whoever looks where it ends."""

    def __init__(self, inner: RedisEventLog, lose: Callable[[], object]) -> None:
        self.fallen = frozenset[int]()
        self._inner = inner
        self._lose = lose
        self._asked = 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)

    async def feed_heads(self) -> list[int]:
        self._asked += 1
        if self._asked == 2:  # it was held against its anchor, and is about to be noted
            self._lose()
        return await self._inner.feed_heads()


async def test_a_log_that_falls_back_while_it_is_noted_is_not_forgotten(
    redis_url: str, redis_server: RedisServer, tmp_path: Path
) -> None:
    async with opened(redis_url) as log:
        await grow(log, "m", 2)
        await guard_of(tmp_path, log).note()
        before = (tmp_path / FILE).read_bytes()
        with redis_server.client() as client:
            falling: Any = FallingBack(log, client.flushall)
            await guard_of(tmp_path, falling).note()
        assert falling.fallen == {log.partition("m")}
        assert (tmp_path / FILE).read_bytes() == before


async def test_a_process_that_ends_notes_what_was_acknowledged_last(
    redis_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(guarding_module, "END_SECONDS", 60.0)  # a slow disk is not what this tests
    async with opened(redis_url) as log:
        async with guarding(guard_of(tmp_path, log), noting=True):
            while not (tmp_path / FILE).exists():
                await asyncio.sleep(0.01)
            head = await grow(log, "m", 2, 1)
        anchor = read(tmp_path / FILE)
        assert anchor is not None
        mark = anchor.marks[log.partition("m")]
        assert mark == Mark(2, "m", head.version, head.digest)


def test_the_file_is_replaced_as_a_whole_and_leaves_nothing_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / FILE
    one = Anchor(store="one", at="now", marks=[Mark(1, "m", 2, "a" * 64), None])
    write(path, one)
    assert path.stat().st_mode & 0o777 == 0o600
    assert read(path) == one
    assert os.listdir(tmp_path) == [FILE]
    monkeypatch.setattr(os, "fsync", lambda fd: (_ for _ in ()).throw(OSError("full")))
    with pytest.raises(OSError, match="full"):
        write(path, msgspec.structs.replace(one, store="two"))
    assert read(path) == one, "what is not on disk does not take its place"
