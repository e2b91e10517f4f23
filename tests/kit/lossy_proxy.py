"""A proxy before a server that loses answers: what the server did, its client does not hear."""

import asyncio
import threading
from pathlib import Path
from random import Random


class LossyProxy:
    """Listens on a loopback port and passes all on to a server.

    Args:
        target: the server's unix socket, or its port of the loopback; another one holds for new
            connections.
        loss: the part of answers (pieces of data from the server) that are lost.
        silent: whether the connection then stays open without a word; else it is cut.
    """

    def __init__(
        self, target: Path | int, *, loss: float, silent: bool = False, seed: int = 1
    ) -> None:
        self.lost = 0
        self.loss = loss
        self.target = target
        self._silent = silent
        self._random = Random(seed)
        self._server: asyncio.Server | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    @property
    def port(self) -> int:
        """Where it listens."""
        assert self._server is not None
        port: int = self._server.sockets[0].getsockname()[1]
        return port

    @property
    def url(self) -> str:
        """The URL of a Redis behind it."""
        return f"redis://127.0.0.1:{self.port}/0"

    async def __aenter__(self) -> "LossyProxy":
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        return self

    async def __aexit__(self, *exc: object) -> None:
        assert self._server is not None
        self._server.close()
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._server.wait_closed()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        try:
            await self._pass_on(reader, writer)
        except asyncio.CancelledError:
            pass  # the proxy ends
        finally:
            writer.transport.abort()
            self._tasks.discard(task)

    async def _pass_on(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            if isinstance(self.target, int):
                up_reader, up_writer = await asyncio.open_connection("127.0.0.1", self.target)
            else:
                up_reader, up_writer = await asyncio.open_unix_connection(self.target)
        except OSError:
            return
        try:
            async with asyncio.TaskGroup() as both:
                both.create_task(self._requests(reader, up_writer))
                both.create_task(self._answers(up_reader, writer))
        except* (OSError, EOFError):
            pass
        finally:
            up_writer.transport.abort()

    async def _requests(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while data := await reader.read(65536):
            writer.write(data)
            await writer.drain()
        raise EOFError

    async def _answers(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while data := await reader.read(65536):
            if self._random.random() < self.loss:
                self.lost += 1
                if self._silent:
                    await reader.read(-1)  # a black hole, for good
                raise EOFError
            writer.write(data)
            await writer.drain()
        raise EOFError


class LossyThread(LossyProxy):
    """The same in a thread of its own, for tests that are not asynchronous."""

    def __enter__(self) -> "LossyThread":
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        asyncio.run_coroutine_threadsafe(self.__aenter__(), self._loop).result(10)
        return self

    def __exit__(self, *exc: object) -> None:
        asyncio.run_coroutine_threadsafe(self.__aexit__(), self._loop).result(10)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(10)
        self._loop.close()
