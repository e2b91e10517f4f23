"""What a log answers when Redis refuses or is away; and how a call is repeated safely."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

from service.ports import Diverged, LogElsewhere, LogError, LogUnavailable
from service.redis.client import Refused, Unreachable

T = TypeVar("T")

AGAIN_AFTER = (0.1, 0.9)
"""Pauses in seconds before a call without an answer is made again."""

AGAIN_SECONDS = 2.0
"""How long that may take in all; then the caller hears that the log is away."""

_ELSEWHERE = ("ASK", "MOVED", "TRYAGAIN")

_NOTHING_DONE = {
    "ASK": "its keys are on their way to another master",
    "BUSY": "Redis is busy with a slow script",
    "CLUSTERDOWN": "the Redis cluster is down",
    "LOADING": "Redis is loading its data",
    "MASTERDOWN": "Redis is a replica without its primary",
    "MISCONF": "Redis can't write to its disk",
    "MOVED": "the masters do not agree on who has its keys",
    "NOAUTH": "Redis wants a password",
    "NOPERM": "the user of Redis lacks a right",
    "NOREPLICAS": "Redis has too few replicas",
    "OOM": "the memory of Redis is full",
    "READONLY": "Redis is a read-only replica",
    "TRYAGAIN": "its keys are on their way to another master",
}


def answer_for(refusal: Refused) -> LogError:
    """What an error that Redis answered means for the log."""
    if detail := _NOTHING_DONE.get(refusal.code):
        return (LogElsewhere if refusal.code in _ELSEWHERE else LogUnavailable)(detail)
    if refusal.code == "WRONGTYPE" or "XADD is equal or smaller" in str(refusal):
        return Diverged("the store holds something else in the place of the log")
    return LogUnavailable(f"Redis answered {refusal.code}", maybe_stored=True)


async def once(work: Awaitable[T]) -> T:
    """The result of a call, its errors told in the words of the log.

    Raises:
        Diverged, LogUnavailable.
    """
    try:
        return await work
    except Refused as refusal:
        raise answer_for(refusal) from refusal
    except Unreachable as lost:
        raise LogUnavailable(str(lost), maybe_stored=lost.sent) from lost


async def surely(work: Callable[[], Awaitable[T]]) -> T:
    """The result of work that may be done twice; a lost answer is asked for again.

    What was never sent is not tried again: while Redis is away, callers hear so at once.

    Raises:
        Diverged, LogUnavailable: `maybe_stored` where the first try may have been done.
    """
    try:
        return await work()
    except Refused as refusal:
        raise answer_for(refusal) from refusal
    except Unreachable as lost:
        if not lost.sent:
            raise LogUnavailable(str(lost)) from lost
        return await _again(work, lost)


async def _again(work: Callable[[], Awaitable[T]], lost: Exception) -> T:
    """Further tries within AGAIN_SECONDS; a refusal of these says nothing about the first."""
    try:
        async with asyncio.timeout(AGAIN_SECONDS):
            for pause in AGAIN_AFTER:
                await asyncio.sleep(pause)
                try:
                    return await work()
                except Refused as refusal:
                    lost = answer_for(refusal)
                    if isinstance(lost, Diverged):
                        raise lost from refusal
                except Unreachable as away:
                    lost = away
    except TimeoutError:
        pass
    raise LogUnavailable(str(lost), maybe_stored=True) from lost
