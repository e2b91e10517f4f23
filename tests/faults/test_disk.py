"""The file of Redis cut anywhere, or a bit of it changed: whole commands, and a loss is told."""

import os
import shutil
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random

import msgspec
import pytest

from service.anchors import FILE
from service.guarding import Guard
from service.ports import Diverged, FellBack, Head, Line
from service.redis.event_log import RedisEventLog
from service.redis.mux import open_calls, open_waiting
from tests.kit.log_lines import START, audit, batch, grow
from tests.kit.redis_server import RedisServer

MakeRedis = Callable[..., RedisServer]
MEETINGS = ["meeting-0", "meeting-1"]


@asynccontextmanager
async def opened(url: str) -> AsyncIterator[RedisEventLog]:
    """The log in a Redis."""
    calls, waiting = open_calls(url), open_waiting(url)
    try:
        yield RedisEventLog(calls, waiting, 16)
    finally:
        await waiting.close()
        await calls.close()


def guard_of(folder: Path, log: RedisEventLog) -> Guard:
    """What holds a log against the anchor in a folder."""
    return Guard(folder / FILE, log, "here", lambda: "2026-05-01T14:00:00.000Z")


@pytest.fixture
async def written(make_redis: MakeRedis, tmp_path: Path) -> RedisServer:
    """A Redis that was ended after some commands of two meetings, its anchor in the test's folder.

    `marks` of its folder holds the size of its file after each command, `heads` where logs end.
    """
    server = make_redis(fsync="always", settings={"aof-use-rdb-preamble": "no"})
    sizes = []
    async with opened(server.url) as log:
        for number, count in enumerate((3, 1, 4, 2, 3)):
            await grow(log, MEETINGS[number % 2], count)
            sizes.append(server.aof.stat().st_size)
        await guard_of(tmp_path, log).note()
        heads = {name: await log.head(name) or START for name in MEETINGS}
    server.stop()
    (server.folder / "heads").write_bytes(msgspec.json.encode(heads))
    (server.folder / "marks").write_text(" ".join(map(str, sizes)))
    return server


def marks_of(server: RedisServer) -> list[int]:
    """How long the file was after each command."""
    return [int(word) for word in (server.folder / "marks").read_text().split()]


@asynccontextmanager
async def copied(
    server: RedisServer, folder: Path, change: Callable[[Path], object]
) -> AsyncIterator[RedisServer]:
    """A server on a copy of another's file, changed before it starts."""
    shutil.copytree(server.folder, folder)
    copy = RedisServer(folder, settings=server.settings)
    change(copy.aof)
    try:
        yield copy
    finally:
        copy.stop()
        shutil.rmtree(folder)


def whole_states(counts: tuple[int, ...] = (3, 1, 4, 2, 3)) -> list[dict[str, int]]:
    """How long the logs were after each command."""
    states: list[dict[str, int]] = [{}]
    for number, count in enumerate(counts):
        name = MEETINGS[number % 2]
        states.append({**states[-1], name: states[-1].get(name, 0) + count})
    return states


@pytest.mark.parametrize("step", [31, pytest.param(1, marks=pytest.mark.long)])
async def test_a_file_cut_at_any_byte_of_the_last_two_commands_leaves_whole_ones(
    written: RedisServer, tmp_path: Path, step: int
) -> None:
    """What is gone is told before anything is written: what fell back is read-only."""
    sizes, states = marks_of(written), whole_states()
    heads = msgspec.json.decode((written.folder / "heads").read_bytes(), type=dict[str, Head])
    first, last = sizes[-3], sizes[-1]
    cuts = [*range(first, last, step), sizes[-2] - 1, sizes[-2], last - 1, last]
    found: Counter[int] = Counter()
    for cut in cuts:
        async with copied(
            written, tmp_path / str(cut), lambda file, cut=cut: os.truncate(file, cut)
        ) as copy:
            copy.start()
            async with opened(copy.url) as log:
                logs = await audit(log, MEETINGS)
                lengths = {name: len(lines) for name, lines in logs.items() if lines}
                assert lengths in states, f"half a command after a cut at {cut}"
                kept = states.index(lengths)
                assert kept >= sum(size <= cut for size in sizes), "a whole command is gone"
                found[kept] += 1
                await assert_told(log, tmp_path, heads)
    assert set(found) == {3, 4, 5}
    print(f"{len(cuts)} cuts: commands left {dict(found)}")


async def assert_told(log: RedisEventLog, folder: Path, seen: dict[str, Head]) -> None:
    """What fell back is refused to who saw more, and by the anchor to all; the rest goes on."""
    lost = {name for name in MEETINGS if await log.head(name) != seen[name]}
    for name in lost:
        with pytest.raises(Diverged):
            await log.append(name, seen[name], "late", "print", batch(seen[name]))
    await guard_of(folder, log).look()
    assert log.fallen == {log.partition(name) for name in lost}
    for name in MEETINGS:
        head = await log.head(name) or START
        if name in lost:
            with pytest.raises(FellBack):
                await log.append(name, head, "late", "print", batch(head))
        else:
            await log.append(name, head, "late", "print", batch(head))


@pytest.mark.parametrize("flips", [30, pytest.param(400, marks=pytest.mark.long)])
async def test_a_changed_bit_is_never_served_as_if_it_were_what_was_written(
    written: RedisServer, tmp_path: Path, flips: int
) -> None:
    """Redis refuses the file, or chain, feed or anchor tell; else no event has changed."""
    random = Random(flips)
    size = marks_of(written)[-1]
    async with copied(written, tmp_path / "whole", lambda file: None) as copy:
        copy.start()
        async with opened(copy.url) as log:
            whole = await audit(log, MEETINGS)
    told: Counter[str] = Counter()
    for number in range(flips):
        place, bit = random.randrange(size), 1 << random.randrange(8)
        async with copied(
            written, tmp_path / str(number), lambda file, at=place, bit=bit: flip(file, at, bit)
        ) as copy:
            told[await what_tells(copy, tmp_path, whole)] += 1
    assert told["refused"]
    assert told["audit"]
    print(f"{flips} bits changed: {dict(told)}")


def flip(file: Path, at: int, bit: int) -> None:
    """Change one bit."""
    data = bytearray(file.read_bytes())
    data[at] ^= bit
    file.write_bytes(data)


async def what_tells(copy: RedisServer, folder: Path, whole: dict[str, list[Line]]) -> str:
    """What shows that a file is not what was written; "nothing lost" where all events are there."""
    try:
        copy.start()
    except RuntimeError:
        return "refused"
    async with opened(copy.url) as log:
        await guard_of(folder, log).look()
        if log.fallen:
            return "anchor"
        try:
            logs = await audit(log, MEETINGS)
        except (AssertionError, Diverged, KeyError, ValueError):
            return "audit"
        assert logs == whole, "another log is served as if it were this one"
    return "nothing lost"
