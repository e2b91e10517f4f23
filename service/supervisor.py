"""Keeps the parts of one machine running: starts them, tells what they say, stops them in order.

Each part is a child process. It is started again when it ends by itself, with growing pauses; it is
asked to end (SIGTERM) and, after a grace, made to (SIGKILL); it ends with this process however that
ends. The store (an embedded Redis) starts before the parts and stops after them.
One thread does it all: a process that starts children between fork and exec must have no other.
"""

import asyncio
import signal
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from typing import Protocol

from service.child import Child, Part
from service.embedded import EmbeddedError

REFUSED = 78
"""A part ends with this code (EX_CONFIG) where starting it again could not help."""

PAUSE_FIRST = 0.5
PAUSE_LAST = 30.0
STEADY_SECONDS = 10.0
"""A part that ran this long before it ended begins with the first pause again."""

HURRY_SECONDS = 1.0
"""A Ctrl-C so long after the first means that nobody wants to wait for the grace. What comes sooner
is the same wish, told twice: by a terminal and by make, or to each process of a group."""

Say = Callable[[str, str], None]
"""(name of the part, line): writes one line of the common log."""

Where = Callable[[str], Mapping[str, str]]
"""(URL of the store) -> the variables that tell it to the parts."""


def redis_variable(url: str) -> Mapping[str, str]:
    """The log's URL alone."""
    return {"HOMESTRETCH_REDIS_URL": url}


class Store(Protocol):
    """What the parts stand on: service.embedded.EmbeddedRedis, or a twin in tests."""

    @property
    def pid(self) -> int | None:
        """Its process while it lives."""
        ...

    def start(self) -> str:
        """Start it, wait until it answers; its URL. EmbeddedError where that can't be."""
        ...

    def stop(self) -> None:
        """End it cleanly."""
        ...


class Supervisor:
    """Runs the parts until SIGINT or SIGTERM.

    Args:
        parts: what to keep running, in the order of starting.
        env: the environment of the parts.
        say: writes the common log; what is about no part is said by "up".
        grace_seconds: how long a part may take to end.
        store: starts first, stops last; None where the parts bring or need none.
        where: what the store's URL adds to the environment of the parts.
    """

    def __init__(
        self,
        parts: Sequence[Part],
        *,
        env: Mapping[str, str],
        say: Say,
        grace_seconds: float,
        store: Store | None = None,
        where: Where = redis_variable,
    ) -> None:
        self._parts = parts
        self._env = dict(env)
        self._say = say
        self._grace = grace_seconds
        self._store = store
        self._where = where
        self._url: str | None = None
        self._children: dict[str, Child] = {}
        self._stopping = asyncio.Event()
        self._stopping_since = 0.0
        self._hurry = asyncio.Event()
        self._somebody_ended = asyncio.Event()
        self._code = 0

    async def run(self, meanwhile: Callable[[], Awaitable[None]] | None = None) -> int:
        """Start everything and return once everything has ended: 0, or 1 where a part refused.

        `meanwhile` runs beside the parts (it may wait for them to be ready, and say so).

        Raises:
            EmbeddedError: the store could not be started; nothing runs.
        """
        loop = asyncio.get_running_loop()
        loop.add_signal_handler(signal.SIGTERM, self.stop)
        loop.add_signal_handler(signal.SIGINT, self._interrupt)
        loop.add_signal_handler(signal.SIGCHLD, self._look)
        tasks: list[asyncio.Future[None]] = []
        try:
            if self._store is not None:
                self._found(self._store.start())
                tasks.append(self._task(self._keep_store(self._store)))
            tasks += [self._task(self._keep(part)) for part in self._parts]
            if meanwhile is not None:
                tasks.append(self._task(meanwhile()))
            await self._stopping.wait()
            await asyncio.gather(*(self._end(name) for name in self._children))
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            for child in self._children.values():
                child.close()
            if self._store is not None:
                self._store.stop()
        self._say("up", "stopped")
        return self._code

    def stop(self) -> None:
        """Begin to stop; asked again, nothing changes."""
        if not self._stopping.is_set():
            self._say("up", "stopping")
            self._stopping_since = asyncio.get_running_loop().time()
            self._stopping.set()

    def _interrupt(self) -> None:
        """Begin to stop; when a person insists, kill the parts that still run."""
        if self._stopping.is_set():
            if asyncio.get_running_loop().time() - self._stopping_since >= HURRY_SECONDS:
                self._hurry.set()
        else:
            self.stop()

    @property
    def pids(self) -> dict[str, int]:
        """The parts that run now, by name."""
        return {name: child.pid for name, child in self._children.items() if not child.ended.done()}

    def _task(self, work: Awaitable[None]) -> asyncio.Future[None]:
        """Run something beside the rest; if it fails, everything stops and says why."""

        async def guarded() -> None:
            try:
                await work
            except Exception as error:  # the last resort of a program that must not stand still
                self._say("up", f"failed: {error!r}")
                self._code = 1
                self.stop()

        return asyncio.ensure_future(guarded())

    async def _keep(self, part: Part) -> None:
        """Run a part, and again whenever it ends by itself."""
        loop = asyncio.get_running_loop()
        pause = PAUSE_FIRST
        while not self._stopping.is_set():
            began = loop.time()
            child = Child(part, env=self._env, each=lambda line: self._say(part.name, line))
            self._children[part.name] = child
            code = await asyncio.shield(child.ended)
            if self._stopping.is_set():
                return
            if code == REFUSED:
                self._say("up", f"{part.name} refuses to start, so everything stops")
                self._code = 1
                self.stop()
                return
            if loop.time() - began >= STEADY_SECONDS:
                pause = PAUSE_FIRST
            self._say("up", f"{part.name} {_how(code)}; it starts again in {pause:g} s")
            await _unless(self._stopping, pause)
            pause = min(pause * 2, PAUSE_LAST)

    async def _keep_store(self, store: Store) -> None:
        """Start the store again whenever it ends by itself."""
        pause = PAUSE_FIRST
        while not self._stopping.is_set():
            await self._somebody_ended.wait()
            self._somebody_ended.clear()
            if store.pid is not None or self._stopping.is_set():
                continue
            self._say("up", "redis ended by itself; it starts again")
            try:
                self._found(store.start())
                self._say("up", "redis answers again")
                pause = PAUSE_FIRST
            except EmbeddedError as error:
                self._say("up", f"{error}; next try in {pause:g} s")
                await _unless(self._stopping, pause)
                pause = min(pause * 2, PAUSE_LAST)
                self._somebody_ended.set()

    def _found(self, url: str) -> None:
        """Tell the parts where the store is; those that were told another place start again."""
        if url == self._url:
            return
        self._url = url
        self._env.update(self._where(url))
        for child in self._children.values():
            child.ask_to_end()

    def _look(self) -> None:
        """See who ended: SIGCHLD tells neither who nor how many."""
        self._somebody_ended.set()
        for child in self._children.values():
            child.look()

    async def _end(self, name: str) -> None:
        """Ask a part to end, and make it after the grace."""
        child = self._children[name]
        if child.ended.done():
            return
        child.ask_to_end()
        hurry = asyncio.ensure_future(self._hurry.wait())
        first = asyncio.FIRST_COMPLETED
        await asyncio.wait((child.ended, hurry), timeout=self._grace, return_when=first)
        hurry.cancel()
        if not child.ended.done():
            self._say("up", f"{name} does not stop; it is killed")
            child.kill()
            await child.ended


async def _unless(event: asyncio.Event, seconds: float) -> None:
    """Wait, but not longer than for the event."""
    with suppress(TimeoutError):
        await asyncio.wait_for(event.wait(), seconds)


def _how(code: int) -> str:
    if code < 0:
        return f"was ended by {signal.Signals(-code).name}"
    return f"ended with code {code}"
