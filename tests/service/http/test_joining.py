"""What is written in one turn of the loop leaves together; nothing is lost or held for long."""

import asyncio
from random import Random
from typing import Any, cast

import pytest

from service.http.joining import Joined


class Recording:
    """A transport that keeps what it is given to send."""

    def __init__(self) -> None:
        self.sent: list[bytes] = []
        self.closed = False
        self.paused = False

    def write(self, data: bytes) -> None:
        """As a transport does."""
        assert not self.closed, "nothing is written behind the end"
        self.sent.append(data)

    def close(self) -> None:
        """As a transport does."""
        self.closed = True

    def is_closing(self) -> bool:
        """As a transport does."""
        return self.closed

    def get_extra_info(self, name: str) -> str:
        """As a transport does."""
        return f"the {name}"

    def pause_reading(self) -> None:
        """As a transport does."""
        self.paused = True


@pytest.fixture
async def below() -> Recording:
    """What lies below."""
    return Recording()


@pytest.fixture
async def joined(below: Recording) -> Joined:
    """The transport that writes to it."""
    return Joined(cast(Any, below), asyncio.get_running_loop())


async def test_head_and_body_are_one_write(below: Recording, joined: Joined) -> None:
    joined.write(b"head")
    joined.write(b"body")
    assert below.sent == [b"headbody"]
    await asyncio.sleep(0)
    assert below.sent == [b"headbody"]


async def test_an_answer_without_a_body_is_not_held_back(below: Recording, joined: Joined) -> None:
    joined.write(b"head")
    joined.write(b"")
    assert below.sent == [b"head"]


async def test_a_head_whose_body_is_long_in_coming_leaves_in_the_next_turn(
    below: Recording, joined: Joined
) -> None:
    joined.write(b"head")
    await asyncio.sleep(0)
    assert below.sent == [b"head"]
    joined.write(b"first line")
    await asyncio.sleep(0)
    assert below.sent == [b"head", b"first line"]


async def test_what_was_written_is_sent_before_the_end(below: Recording, joined: Joined) -> None:
    joined.write(b"the last words")
    joined.close()
    assert below.sent == [b"the last words"]
    assert joined.is_closing()
    await asyncio.sleep(0)


async def test_whatever_is_written_comes_whole_and_in_order(
    below: Recording, joined: Joined
) -> None:
    random = Random(5)
    told = [b"%d;" % number * random.randrange(3) for number in range(500)]
    for piece in told:
        joined.write(piece)
        if random.random() < 0.3:
            await asyncio.sleep(0)
    joined.close()
    assert b"".join(below.sent) == b"".join(told)


async def test_all_else_is_as_the_connection_does_it(below: Recording, joined: Joined) -> None:
    joined.pause_reading()
    assert below.paused
    assert joined.get_extra_info("peername") == "the peername"
