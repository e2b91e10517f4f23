"""Meetings that are over in a log, and what moves them to an archive."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random
from typing import Any

from domain.kernel.lines import GENESIS, split
from service.archive.files import DRAFT
from service.archive.folder import Folder
from service.archiving import Mover
from service.ports import EventLog, Head, Line
from service.redis.event_log import RedisEventLog
from service.redis.gate import check
from service.redis.mux import open_calls, open_waiting
from tests.kit.meetings import Played, by_bots

GAMES = ("bookmaker", "ticket-gagnant", "change-horses", "tuyaux")


@asynccontextmanager
async def open_log(
    url: str, folder: Path | None, partitions: int = 2
) -> AsyncIterator[RedisEventLog]:
    """The log at a URL with its archive, as a process of the server opens both."""
    calls, waiting = open_calls(url), open_waiting(url)
    try:
        facts = await check(calls, fsync="everysec", partitions=partitions)
        archive = None if folder is None else Folder(folder, facts.store)
        yield RedisEventLog(calls, waiting, partitions, archive)
    finally:
        await waiting.close()
        await calls.close()


def mover(log: RedisEventLog, **options: Any) -> Mover:
    """What moves every meeting that is over, however young, unless told otherwise."""
    return Mover(log, **{"after_seconds": -1e12, "piece_entries": 40, **options})


def played(meeting: str, game: str = "change-horses", seed: int = 1) -> Played:
    """A meeting that bots played to its end."""
    story = Played(game, meeting=meeting, seed=seed.to_bytes(32, "big"))
    for seat in range(1, len(story.full.seats) + 1):
        story.sit_bot(seat, "random")
    return story.begin().play(by_bots(Random(seed), ("random",)))


async def append(log: EventLog, story: Played, commands: int | None = None) -> Head:
    """Put a meeting into a log, command by command, up to so many; the head then."""
    lines = [Line(seq, *split(line[:-1])) for seq, line in enumerate(story.lines(), 1)]
    head = Head(0, GENESIS)
    for number, size in enumerate(story.sizes[:commands]):
        batch = lines[head.version : head.version + size]
        await log.append(story.full.id, head, f"{story.full.id}-{number}", "print", batch)
        head = Head(batch[-1].version, batch[-1].digest)
    return head


def files(folder: Path) -> dict[str, bytes]:
    """Every whole file of an archive."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not path.name.startswith(DRAFT)
    }
