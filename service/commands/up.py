"""`homestretch up`: everything on this machine, supervised, with one readable log."""

import argparse
import asyncio
import os
import sys
from collections.abc import Mapping
from pathlib import Path

import service
from service.child import Part
from service.commands import CommandError
from service.common_log import CommonLog
from service.embedded import EmbeddedError, EmbeddedRedis, FolderLock
from service.environment import PREFIX
from service.jobs.owed import SETTLE, TURNS
from service.listening import CannotListen, listen
from service.redis.server import queue_beside
from service.settings import SettingError, Settings
from service.supervisor import Supervisor
from service.welcome import welcome


def run(_args: argparse.Namespace, settings: Settings) -> int:
    """Start everything, and return once everything has stopped.

    Raises:
        SettingError: the data folder can't be used.
        CommandError: another server has the folder or the port, or there is no Redis to start.
    """
    lock = FolderLock(settings.data)
    try:
        _acquire(lock, settings.data)
        with listen(settings.host, settings.port) as listener:
            port: int = listener.getsockname()[1]
            return asyncio.run(_up(settings, listener.fileno(), port, lock))
    except (EmbeddedError, CannotListen) as error:
        raise CommandError(str(error)) from error
    finally:
        lock.release()


def part_table(settings: Settings, fd: int) -> list[Part]:
    """The parts of one machine; the API processes share the listening socket `fd`."""
    api = [
        _part(f"api.{index}", "serve", "--fd", str(fd), "--index", str(index), fds=(fd,))
        for index in range(1, settings.api_processes + 1)
    ]
    workers = [
        _part(f"{queue}.{index}", "work", queue)
        for queue, count in ((TURNS, settings.turn_workers), (SETTLE, settings.settle_workers))
        for index in range(1, count + 1)
    ]
    return [*api, _part("projector", "project"), _part("reactor", "react"), *workers]


def _part(name: str, *words: str, fds: tuple[int, ...] = ()) -> Part:
    # -P: the folder that this was started in is not where modules are looked for.
    command = (sys.executable, "-P", "-m", "service.cli", *words, "--part", name)
    return Part(name=name, command=command, fds=fds)


async def _up(settings: Settings, fd: int, port: int, lock: FolderLock) -> int:
    parts = part_table(settings, fd)
    common = CommonLog(
        sys.stdout.fileno(),
        form=settings.log_format,
        width=max(len(part.name) for part in parts),
    )
    embedded = EmbeddedRedis(settings.data.resolve(), fsync=settings.fsync, lock=lock)
    supervisor = Supervisor(
        parts,
        env=_environment(settings.data.resolve()),
        say=common.say,
        grace_seconds=settings.grace_seconds,
        store=embedded if settings.redis_url is None else None,
        where=lambda url: _where(settings, url),
    )
    common.closed = supervisor.stop
    return await supervisor.run(lambda: welcome(settings, port, supervisor, common.say))


def _where(settings: Settings, url: str) -> Mapping[str, str]:
    """How the parts find an embedded Redis; wakes and RQ have a database of their own in it."""
    return {
        f"{PREFIX}ARCHIVE": str((settings.archive or settings.data / "archive").resolve()),
        f"{PREFIX}REDIS_URL": url,
        f"{PREFIX}QUEUE_URL": settings.queue_url or queue_beside(url),
    }


def _environment(data: Path) -> dict[str, str]:
    """That of this process, which its parts share wherever they run."""
    home = str(Path(service.__file__).parents[1])
    paths = [home, *filter(None, [os.environ.get("PYTHONPATH")])]
    return {
        **os.environ,
        f"{PREFIX}DATA": str(data),
        "PYTHONPATH": os.pathsep.join(paths),
        "PYTHONUNBUFFERED": "1",
    }


def _acquire(lock: FolderLock, data: Path) -> None:
    try:
        lock.acquire()
    except OSError as error:
        told = f"is {data}, which can't be used: {error.strerror}"
        raise SettingError(f"{PREFIX}DATA", told) from error
