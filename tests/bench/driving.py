"""Callers that send their next request once the last is answered, each on a connection of its own.

All of them run on one core beside Redis. Requests are made beforehand and answers read afterwards,
so that the callers cost as little as they can.
"""

import asyncio
import time
from collections.abc import Sequence
from functools import partial
from statistics import quantiles

import uvloop
from msgspec import Struct

from tests.bench.machine import CLIENT_CORE, cpu_seconds, on_core

Reply = tuple[int, bytes]
"""Status and body."""


class Driven(Struct, frozen=True, kw_only=True):
    """What came of it.

    Args:
        answers: by caller, in the order of its requests, as they came.
        seconds: that it took.
        cpu: seconds of CPU of the server meanwhile.
        waits: seconds from each request to its answer.
    """

    answers: list[list[bytes]]
    seconds: float
    cpu: float
    waits: list[float]

    @property
    def replies(self) -> list[list[Reply]]:
        """Status and body of the answers."""
        return [[_read(answer) for answer in answers] for answers in self.answers]

    @property
    def figures(self) -> dict[str, float]:
        """The usual ones."""
        count = len(self.waits)
        cuts = quantiles(self.waits, n=100, method="inclusive")
        return {
            "CPU µs": self.cpu / count * 1e6,
            "per s": count / self.seconds,
            "p50 ms": cuts[49] * 1e3,
            "p99 ms": cuts[98] * 1e3,
        }


class _Caller(asyncio.Protocol):
    def __init__(self, requests: Sequence[bytes]) -> None:
        self.requests = requests
        self.answers: list[bytes] = []
        self.waits: list[float] = []
        self.done = asyncio.get_running_loop().create_future()
        self._next = iter(requests)
        self._got = b""
        self._transport: asyncio.Transport

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = transport  # type: ignore[assignment] # uvloop's, which is one

    def begin(self) -> None:
        request = next(self._next, None)
        if request is None:
            self.done.set_result(None)
            return
        self._sent = time.perf_counter()
        self._transport.write(request)

    def data_received(self, data: bytes) -> None:
        got = self._got + data if self._got else data
        if len(got) < _length(got):
            self._got = got
            return
        self.waits.append(time.perf_counter() - self._sent)
        self._got = b""
        self.answers.append(got)
        self.begin()

    def connection_lost(self, exc: Exception | None) -> None:
        if not self.done.done():
            self.done.set_exception(ConnectionError(f"the server hung up: {exc}"))


def _length(got: bytes) -> float:
    """How long an answer is in all, infinite while that isn't known."""
    head = got.find(b"\r\n\r\n")
    if head < 0:
        return float("inf")
    at = got.find(b"content-length: ", 0, head)
    if at < 0:
        return head + 4
    return head + 4 + int(got[at + 16 : got.find(b"\r", at)])


def _read(answer: bytes) -> Reply:
    head, _, body = answer.partition(b"\r\n\r\n")
    return int(head[9:12]), body


def _itself(caller: _Caller) -> _Caller:
    return caller


def drive(port: int, plans: Sequence[Sequence[bytes]], pid: int) -> Driven:
    """Send these requests, a connection for each plan, to the server with this pid.

    Raises:
        ConnectionError: the server hung up.
    """

    async def run() -> Driven:
        loop = asyncio.get_running_loop()
        callers = []
        for plan in plans:
            caller = _Caller(plan)
            await loop.create_connection(partial(_itself, caller), "127.0.0.1", port)
            callers.append(caller)
        cpu, began = cpu_seconds(pid), time.perf_counter()
        for caller in callers:
            caller.begin()
        await asyncio.gather(*(caller.done for caller in callers))
        seconds, cpu = time.perf_counter() - began, cpu_seconds(pid) - cpu
        for caller in callers:
            caller._transport.close()
        return Driven(
            answers=[caller.answers for caller in callers],
            seconds=seconds,
            cpu=cpu,
            waits=[wait for caller in callers for wait in caller.waits],
        )

    with on_core(CLIENT_CORE), asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        return runner.run(run())


def request(method: str, path: str, body: bytes = b"", **headers: str) -> bytes:
    """A request as it goes over the wire."""
    lines = [f"{method} {path} HTTP/1.1", "host: bench"]
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    if body:
        lines += ["content-type: application/json", f"content-length: {len(body)}"]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + body
