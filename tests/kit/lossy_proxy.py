"""A proxy before a server that loses answers: what the server did, its client does not hear."""

import asyncio
from pathlib import Path
from random import Random


class LossyProxy:
    """Listens on a loopback port and passes all on to a unix socket.

    Args:
        target: the server's socket.
        loss: the part of answers (pieces of data from the server) that are lost.
        silent: whether the connection then stays open without a word; else it is cut.
    """

    def __init__(self, target: Path, *, loss: float, silent: bool = False, seed: int = 1) -> None:
        self.lost = 0
        self.loss = loss
        self._target = target
        self._silent = silent
        self._random = Random(seed)
        self._server: asyncio.Server | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    @property
    def url(self) -> str:
        """Where it listens."""
        assert self._server is not None
        return f"redis://127.0.0.1:{self._server.sockets[0].getsockname()[1]}/0"

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
            up_reader, up_writer = await asyncio.open_unix_connection(self._target)
        except OSError:
            writer.transport.abort()
            return
        finally:
            self._tasks.discard(task)
        self._tasks.add(task)
        try:
            async with asyncio.TaskGroup() as both:
                both.create_task(self._requests(reader, up_writer))
                both.create_task(self._answers(up_reader, writer))
        except* (OSError, EOFError):
            pass
        finally:
            writer.transport.abort()
            up_writer.transport.abort()
            self._tasks.discard(task)

    async def _requests(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while data := await reader.read(65536):
            writer.write(data)
            await writer.drain()
        raise EOFError

    async def _answers(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while data := await reader.read(65536):
            if self._random.random() < self.loss:
                self.lost += 1
                if not self._silent:
                    raise EOFError
                await reader.read(-1)
            writer.write(data)
            await writer.drain()
        raise EOFError
