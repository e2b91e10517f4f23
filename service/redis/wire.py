"""One connection to Redis on which calls travel one behind the other, many at a time.

Redis answers in the order of asking. So answers are told apart by counting alone, and a caller that
gave up must keep its place in the row: its answer is taken from the wire and thrown away.
"""

import asyncio
from collections import deque
from typing import Any, cast

from hiredis import ProtocolError, Reader

from service.redis.client import Refused, Unreachable

_LOOKS = 4
"""How often a silent connection is looked at within its time limit."""


class Wire(asyncio.Protocol):
    """A connection that stands. Made by the event loop; `ask` may be called from many tasks.

    Args:
        seconds: how long Redis may be silent while somebody waits. Then the connection is given up:
            behind an answer that does not come no other comes either.
    """

    def __init__(self, seconds: float) -> None:
        self.open = False
        self._loop = asyncio.get_running_loop()
        self._seconds = seconds
        self._reader = Reader(replyError=Refused)
        self._waiting: deque[asyncio.Future[Any]] = deque()
        self._unsent: list[bytes] = []
        self._held = False
        self._silent = 0
        self._watch: asyncio.TimerHandle | None = None
        self._reason = "the connection to Redis ended"
        self.gone = self._loop.create_future()
        self._transport: asyncio.Transport

    def ask(self, packed: bytes) -> asyncio.Future[Any]:
        """The answer to one packed command, to be awaited.

        Errors are its result as well, for the caller to raise: Refused, Unreachable.
        """
        answer = self._loop.create_future()
        if not self.open:
            answer.set_result(Unreachable(self._reason, sent=False))
            return answer
        # What all tasks ask in one turn of the loop is written together.
        if not self._unsent:
            self._loop.call_soon(self._flush)
        self._unsent.append(packed)
        self._waiting.append(answer)
        if self._watch is None:
            self._watch = self._loop.call_later(self._seconds / _LOOKS, self._look)
        return answer

    async def close(self) -> None:
        """End it; who still waits hears that."""
        self.drop()
        await asyncio.shield(self.gone)

    def drop(self) -> None:
        """End it without waiting for that."""
        self._give_up("the connection to Redis was closed")

    def retire(self) -> None:
        """End it as soon as nobody waits any more; nobody may ask from now on."""
        self._reason = "the connection to Redis is being replaced"
        self.open = False
        self._end_if_idle()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """The event loop has made the connection."""
        # That of uvloop is one in all but its class.
        self._transport = cast(asyncio.Transport, transport)
        self.open = True

    def connection_lost(self, exc: Exception | None) -> None:
        """It is gone: what was written may have been done, what was not was not."""
        self.open = False
        if self._watch is not None:
            self._watch.cancel()
        reason = f"{self._reason}: {exc}" if exc else self._reason
        sent = len(self._waiting) - len(self._unsent)
        for number, answer in enumerate(self._waiting):
            if not answer.done():
                answer.set_result(Unreachable(reason, sent=number < sent))
        self._waiting.clear()
        self._unsent.clear()
        if not self.gone.done():
            self.gone.set_result(None)

    def data_received(self, data: bytes) -> None:
        """Hand out the answers that have come, in the order of asking."""
        self._silent = 0
        self._reader.feed(data)
        try:
            while (reply := self._reader.gets()) is not False:
                answer = self._waiting.popleft()
                if not answer.done():
                    answer.set_result(reply)
        except (ProtocolError, IndexError):
            self._give_up("Redis sent what no call had asked for")
        if not self.open:
            self._end_if_idle()

    def pause_writing(self) -> None:
        """The system takes no more for now."""
        self._held = True

    def resume_writing(self) -> None:
        """The system takes more again."""
        self._held = False
        self._flush()

    def _flush(self) -> None:
        if self._unsent and not self._held and not self._transport.is_closing():
            data = b"".join(self._unsent)
            self._unsent.clear()
            self._transport.write(data)

    def _look(self) -> None:
        """Count silent looks; a busy process looks late, but not more often, and harms nobody."""
        self._watch = None
        if not self._waiting:
            self._silent = 0
            return
        self._silent += 1
        if self._silent > _LOOKS:
            self._give_up(f"no answer from Redis for {self._seconds:g} s")
        else:
            self._watch = self._loop.call_later(self._seconds / _LOOKS, self._look)

    def _give_up(self, reason: str) -> None:
        self._reason = reason
        self.open = False
        self._transport.abort()

    def _end_if_idle(self) -> None:
        if not self._waiting:
            self._transport.close()
