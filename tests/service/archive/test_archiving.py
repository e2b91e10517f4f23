"""Old logs move to the archive, and whoever reads them notices nothing, wherever a mover ends."""

import asyncio
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import datetime
from pathlib import Path

import pytest
from msgspec import structs
from redis import Redis

from service.archive.content import Damaged, Foreign
from service.archiving import Mover
from service.jobs.reactor import Reactor, react
from service.ports import Diverged, FeedEntry, Line, LogUnavailable, Snapshot
from service.redis.event_log import RedisEventLog
from tests.kit.archiving import GAMES, append, files, mover, open_log, played
from tests.kit.jobs import site_of
from tests.kit.log_lines import audit
from tests.kit.meetings import Played
from tests.kit.programs import Program

IDS = [f"m{number:016x}" for number in range(1, 9)]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Where the archive is."""
    return tmp_path / "archive"


@pytest.fixture
async def log(redis_url: str, folder: Path) -> AsyncIterator[RedisEventLog]:
    """A log with an archive."""
    async with open_log(redis_url, folder) as log:
        yield log


async def fill(log: RedisEventLog) -> dict[str, Played]:
    """A meeting of each game that is over, one that was abandoned before its start, one in play."""
    stories = {
        meeting: played(meeting, game, seed)
        for seed, (meeting, game) in enumerate(zip(IDS, GAMES, strict=False), 1)
    }
    stories[IDS[4]] = Played("tuyaux", meeting=IDS[4]).abandon()
    for story in stories.values():
        await append(log, story)
    stories[IDS[5]] = played(IDS[5], "tuyaux", 6)
    await append(log, stories[IDS[5]], 20)
    return stories


async def everything(
    log: RedisEventLog,
) -> tuple[dict[str, list[Line]], list[list[FeedEntry]], list[FeedEntry]]:
    """All that a reader can have of a log: whole logs, whole feeds, and the feeds as followed."""
    logs = {meeting: await log.read(meeting) for meeting in IDS}
    feeds = []
    for partition, head in enumerate(await log.feed_heads()):
        feeds.append([])
        while len(feeds[-1]) < head:
            feeds[-1] += await log.feed(partition, len(feeds[-1]), 37)
    followed: list[FeedEntry] = []
    positions = [0] * log.partitions
    while news := await log.follow(positions, 0, 23):
        followed += news
        for entry in news:
            positions[entry.partition] = entry.position
    followed.sort(key=lambda entry: (entry.partition, entry.position))
    return logs, feeds, followed


async def test_what_has_moved_is_read_as_before_and_its_room_in_redis_is_free(
    log: RedisEventLog, redis_url: str, folder: Path
) -> None:
    await fill(log)
    before = await everything(log)
    moved = await mover(log).step()
    assert (moved.meetings, moved.left) == (5, 0)
    assert moved.entries > 100
    with Redis.from_url(redis_url) as client:
        keys = {key.decode() for key in client.keys("es:*:log:*")}
        assert {key.rpartition(":")[2] for key in keys} == {IDS[5]}
        feed = sum(client.xlen(f"es:{{p{p:02d}}}:feed") for p in range(2))
        assert feed == sum(await log.feed_heads()) - moved.entries
    assert await everything(log) == before
    async with open_log(redis_url, folder) as fresh:
        assert await everything(fresh) == before
        await audit(fresh, IDS[:6])
        for meeting in IDS[:5]:
            lines = before[0][meeting]
            for after, upto, count in [(0, None, 3), (7, 11, None), (3, 90, 2), (5, None, None)]:
                wanted = lines[after:upto][:count]
                assert await fresh.read(meeting, after, upto, count) == wanted
            assert await fresh.read(meeting, len(lines)) == []
            assert await fresh.stored_away(meeting)
        assert not await fresh.stored_away(IDS[5])
        assert await fresh.read("m-unknown") == []


async def test_a_second_walk_finds_nothing_and_goes_on_when_a_meeting_ends(
    log: RedisEventLog,
) -> None:
    stories = await fill(log)
    await mover(log).step()
    again = await mover(log).step()
    assert (again.meetings, again.left) == (0, 0)
    story = stories[IDS[5]]
    at = sum(story.sizes[:20])
    head = (await log.read(IDS[5]))[-1]
    assert head.version == at
    other = Played("tuyaux", meeting=IDS[6]).abandon()
    await append(log, other)
    assert (await mover(log).step()).meetings == 1


async def test_only_meetings_that_have_been_over_for_so_long_are_moved(
    log: RedisEventLog,
) -> None:
    stories = await fill(log)
    ends = sorted(datetime.fromisoformat(stories[m].events[-1].at).timestamp() for m in IDS[:5])
    walked = mover(log, after_seconds=100, now=lambda: ends[0] + 99)
    assert (await walked.step()).meetings == 0
    total = 0
    for at in (ends[0] + 100, ends[2] + 100, ends[-1] + 100):
        total += (await mover(log, after_seconds=100, now=lambda at=at: at).step()).meetings
    assert total == 5


async def test_two_movers_at_once_do_what_one_does(redis_url: str, folder: Path) -> None:
    async with open_log(redis_url, folder) as one, open_log(redis_url, folder) as two:
        await fill(one)
        before = await everything(one)
        done = await asyncio.gather(*(mover(log).step() for log in (one, two, one, two)))
        assert sum(moved.left for moved in done) == 0
        assert await everything(one) == await everything(two) == before
        assert len([name for name in files(folder) if name.startswith("meetings")]) == 5


KILLED = """
import asyncio, os, signal, sys
from pathlib import Path
from tests.kit import archiving

async def main(url, folder, at):
    left = [int(at)]
    def maybe(work):
        def wrapped(*args, **kwargs):
            left[0] -= 1
            if left[0] == 0:
                os.kill(os.getpid(), signal.SIGKILL)
            return work(*args, **kwargs)
        return wrapped
    for name in ("replace", "link", "fsync", "open"):
        setattr(os, name, maybe(getattr(os, name)))
    Path.replace = maybe(Path.replace)
    Path.unlink = maybe(Path.unlink)
    Path.open = maybe(Path.open)
    async with archiving.open_log(url, Path(folder)) as log:
        calls = log.archived._calls
        calls.call = maybe(calls.call)
        await archiving.mover(log).step()

asyncio.run(main(*sys.argv[1:]))
"""


async def killed_at(url: str, folder: Path, step: int) -> bool:
    """Let a mover begin and kill it at its step of this number; False if it had fewer."""
    child = await asyncio.create_subprocess_exec(
        sys.executable, "-c", KILLED, url, str(folder), str(step)
    )
    return await child.wait() == -signal.SIGKILL


async def assert_nothing_is_lost_by_kills(url: str, folder: Path, steps: list[int]) -> None:
    """One mover after the other dies at the step given; after each everything is as it was."""
    async with open_log(url, folder) as log:
        await fill(log)
        before = await everything(log)
        died = 0
        for step in steps:
            died += await killed_at(url, folder, step)
            async with open_log(url, folder) as fresh:
                assert await everything(fresh) == before
        assert died, "else nothing was tested"
        await mover(log).step()
        assert await everything(log) == before
        assert len([name for name in files(folder) if name.startswith("meetings")]) == 5
        with Redis.from_url(url) as client:
            assert len(client.keys("es:*:log:*")) == 1


async def test_a_mover_killed_anywhere_has_lost_nothing_and_the_next_goes_on(
    redis_url: str, folder: Path
) -> None:
    await assert_nothing_is_lost_by_kills(redis_url, folder, [3, 12, 21, 33, 52])


@pytest.mark.long
async def test_a_mover_killed_at_every_step_has_lost_nothing(redis_url: str, folder: Path) -> None:
    await assert_nothing_is_lost_by_kills(redis_url, folder, list(range(1, 120)))


async def test_readers_see_every_line_while_logs_move(redis_url: str, folder: Path) -> None:
    async with open_log(redis_url, folder) as log, open_log(redis_url, folder) as reader:
        await fill(log)
        before = await everything(reader)
        moving = asyncio.ensure_future(mover(log).step())
        reads = 0
        while not moving.done():
            assert await everything(reader) == before
            reads += 1
        assert (await moving).meetings == 5
        assert reads


async def test_what_is_damaged_is_refused_said_and_healed_by_the_right_file(
    redis_url: str, folder: Path
) -> None:
    async with open_log(redis_url, folder) as log:
        await fill(log)
        before = await everything(log)
        await mover(log).step()
    path = next(folder.rglob(f"{IDS[0]}.*"))
    whole = path.read_bytes()
    path.write_bytes(whole[:-9])
    async with open_log(redis_url, folder) as log:
        for _ in range(2):
            with pytest.raises(Diverged):
                await log.read(IDS[0])
        assert await log.read(IDS[1]) == before[0][IDS[1]]
        assert (await log.archived.state(), await log.archived.damaged()) == ("damaged", 1)
        path.write_bytes(whole)
        assert await log.read(IDS[0]) == before[0][IDS[0]]
        assert (await log.archived.state(), await log.archived.damaged()) == ("ok", 0)


async def test_a_log_that_does_not_add_up_stays_in_redis_and_keeps_no_other_from_moving(
    log: RedisEventLog, redis_url: str
) -> None:
    await fill(log)
    with Redis.from_url(redis_url) as client:
        key = next(iter(client.keys(f"es:*:head:{IDS[1]}")))
        client.hset(key, "h", b"\0" * 32)
    moved = await mover(log).step()
    assert (moved.meetings, moved.left) == (4, 1)
    assert not await log.stored_away(IDS[1])


async def test_a_process_without_the_archive_says_so_and_never_that_there_is_nothing(
    log: RedisEventLog, redis_url: str, tmp_path: Path
) -> None:
    await fill(log)
    await mover(log).step()
    async with open_log(redis_url, None) as without:
        with pytest.raises(LogUnavailable, match="archive"):
            await without.read(IDS[0])
        with pytest.raises(LogUnavailable, match="archive"):
            await without.feed(0, 0)
        assert await without.archived.state() == "away"
    async with open_log(redis_url, tmp_path / "of another machine") as other:
        with pytest.raises(Foreign):
            await other.read(IDS[0])
        with pytest.raises(Foreign):
            await mover(other).step()
        assert await other.archived.state() == "away"
        assert not files(tmp_path / "of another machine")


async def test_of_two_machines_that_share_no_folder_one_alone_gets_the_archive(
    redis_url: str, tmp_path: Path
) -> None:
    async with (
        open_log(redis_url, tmp_path / "one") as one,
        open_log(redis_url, tmp_path / "two") as two,
    ):
        claims = await asyncio.gather(
            one.archived.claim(), two.archived.claim(), return_exceptions=True
        )
        assert sorted(type(claim).__name__ for claim in claims) == ["Foreign", "NoneType"]


async def test_a_log_that_has_moved_takes_no_event_and_no_snapshot_of_it_is_left(
    log: RedisEventLog, redis_url: str
) -> None:
    await fill(log)
    head = await log.head(IDS[0])
    assert head is not None
    await log.save_snapshot(IDS[0], Snapshot(head.version, head.digest, "form", b"state"))
    await mover(log).step()
    assert await log.load_snapshot(IDS[0]) is None
    line = Line(head.version + 1, b"{}", "0" * 64)
    with pytest.raises(Diverged, match="archive"):
        await log.append(IDS[0], head, "late", "print", [line])
    assert await log.head(IDS[0]) == head


async def test_a_disk_that_takes_nothing_leaves_everything_in_redis(
    log: RedisEventLog, folder: Path
) -> None:
    await fill(log)
    before = await everything(log)
    folder.parent.mkdir(exist_ok=True)
    folder.write_bytes(b"in the way")
    with pytest.raises(OSError, match=r"Not a directory|File exists"):
        await mover(log).step()
    folder.unlink()
    assert await everything(log) == before
    assert (await mover(log).step()).meetings == 5


async def test_a_piece_of_the_feed_that_is_damaged_stops_its_reader(
    redis_url: str, folder: Path
) -> None:
    async with open_log(redis_url, folder) as log:
        await fill(log)
        await mover(log).step()
    path = min((folder / "feeds").rglob("*.gz"))
    path.unlink()
    partition = int(path.parent.name[1:])
    async with open_log(redis_url, folder) as log:
        with pytest.raises(Damaged):
            await log.feed(partition, 0)
        with pytest.raises(Damaged):
            await log.follow([0, 0], 0)


async def test_a_reactor_that_lost_its_roster_finds_what_runs_without_opening_old_logs(
    log: RedisEventLog, folder: Path
) -> None:
    await fill(log)
    await mover(log).step()
    for path in (folder / "meetings").rglob("*.gz"):
        path.unlink()
    reactor = Reactor(log, None, None)  # type: ignore[arg-type] # they are not asked
    found = [await reactor._from_feed(partition) for partition in range(log.partitions)]
    assert [meeting for _, meetings in found for meeting in meetings] == [IDS[5]]
    assert [position for position, _ in found] == await log.feed_heads()


async def test_memory_that_is_full_keeps_no_log_from_moving(
    log: RedisEventLog, redis_url: str
) -> None:
    await fill(log)
    await log.archived.claim()
    head = await log.head(IDS[0])
    assert head is not None
    assert log.archived.folder is not None
    await log.archived.folder.put_log(IDS[0], await log.read(IDS[0]))
    with Redis.from_url(redis_url) as client:
        client.config_set("maxmemory", "1")
        try:
            assert await log.archived.retire(IDS[0], head)
        finally:
            client.config_set("maxmemory", "0")
    assert await log.stored_away(IDS[0])


async def test_a_reactor_moves_old_logs_by_itself(redis_url: str, folder: Path) -> None:
    @asynccontextmanager
    async def open_mover() -> AsyncIterator[Mover]:
        async with open_log(redis_url, folder) as log:
            yield mover(log)

    site = structs.replace(site_of(redis_url), mover=open_mover, archive_seconds=0.05)
    stopping = asyncio.Event()
    async with open_log(redis_url, folder) as log:
        await fill(log)
        reacting = asyncio.create_task(react(site, stopping))
        async with asyncio.timeout(60):
            while not all([await log.stored_away(meeting) for meeting in IDS[:5]]):
                await asyncio.sleep(0.02)
        stopping.set()
        await reacting


def run(url: str, folder: Path, *words: str) -> tuple[int, str]:
    """A command of an operator on this log: its exit code and what it says."""
    settings = {"REDIS_URL": url, "ARCHIVE": str(folder), "PARTITIONS": "2", "FSYNC": "everysec"}
    env = {f"HOMESTRETCH_{name}": value for name, value in settings.items()}
    program = Program(["-m", "service.cli", *words], env=env)
    try:
        return program.code(), program.output
    finally:
        program.close()


async def test_an_operator_moves_checks_and_reads_the_archive_by_commands(
    redis_url: str, folder: Path
) -> None:
    async with open_log(redis_url, folder) as log:
        await fill(log)
    code, said = await asyncio.to_thread(run, redis_url, folder, "archive", "--now")
    assert (code, said) == (0, "5 logs and 0 entries of feeds moved")
    code, said = await asyncio.to_thread(run, redis_url, folder, "archive", "--check")
    assert (code, said) == (0, "5 read, 0 damaged")
    path = next(folder.rglob(f"{IDS[1]}.*"))
    code, said = await asyncio.to_thread(run, redis_url, folder, "verify", str(path))
    assert code == 0
    assert "The log is in order." in said
    path.write_bytes(path.read_bytes()[:100])
    code, said = await asyncio.to_thread(run, redis_url, folder, "archive", "--check")
    assert code == 1
    faults = said.splitlines()
    assert faults == [f"{IDS[1]}: the archive of {IDS[1]} is no whole file", "5 read, 1 damaged"]
    code, said = await asyncio.to_thread(run, redis_url, folder, "verify", str(path))
    assert code == 2
