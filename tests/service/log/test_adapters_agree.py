"""The log in memory and the log in Redis answer the same, whatever they are asked."""

from collections.abc import Awaitable, Callable
from random import Random

import pytest

from service.memory.event_log import MemoryEventLog
from service.ports import EventLog, Head, LogError, Snapshot
from service.redis.event_log import RedisEventLog
from tests.kit.log_lines import START, audit, batch

MEETINGS = ["m", "n", "o"]
Question = Callable[[EventLog], Awaitable[object]]


async def question(random: Random, log: EventLog, number: int) -> Question:
    """Something to ask of a log: often what it takes, often what it must refuse."""
    meeting = random.choice(MEETINGS)
    head = await log.head(meeting) or START
    command = f"c{random.randrange(number // 3 + 2)}"
    fingerprint = random.choice(["print", "print", "other"])
    wrong = [
        Head(max(0, head.version - 1), head.digest),
        Head(head.version + 1, head.digest),
        Head(head.version, "e" * 64),
    ]
    expected = random.choice([head, *wrong])
    lines = batch(expected, random.randint(1, 4), str(number))
    after, upto, count = random.randrange(9), random.randrange(12), random.randrange(6)
    partition = log.partition(meeting)
    snapshot = Snapshot(random.randrange(5), head.digest, f"form-{number}", b"x" * number)
    ahead = [position + random.choice([-1, 0, 0, 0, 1]) for position in await log.feed_heads()]
    cursors = [max(0, position) for position in ahead]
    asks: list[Question] = [
        lambda log: log.append(meeting, expected, f"fresh-{number}", fingerprint, lines),
        lambda log: log.append(meeting, expected, command, fingerprint, lines),
        lambda log: log.append(meeting, head, f"new-{number}", "print", batch(head, 2)),
        lambda log: log.remember(meeting, command, fingerprint, head.version),
        lambda log: log.seen(meeting, command, fingerprint),
        lambda log: log.head(meeting),
        lambda log: log.read(meeting, after, None, count),
        lambda log: log.read(meeting, after, upto),
        lambda log: log.feed(partition, after, count + 1),
        lambda log: log.feed_heads(),
        lambda log: log.follow(cursors, 0, count + 1),
        lambda log: log.save_snapshot(meeting, snapshot),
        lambda log: log.load_snapshot(meeting),
    ]
    return random.choice(asks)


async def answer(ask: Question, log: EventLog) -> object:
    """What the log answers, or which refusal."""
    try:
        return await ask(log)
    except (LogError, ValueError) as refusal:
        return type(refusal), getattr(refusal, "version", None)


@pytest.mark.parametrize("seed", range(3))
async def test_both_adapters_answer_the_same(
    redis_url: str, open_log: Callable[..., RedisEventLog], seed: int
) -> None:
    logs: list[EventLog] = [MemoryEventLog(), open_log(redis_url)]
    random = Random(seed)
    kinds: set[object] = set()
    for number in range(400):
        ask = await question(random, logs[0], number)
        said, other = [await answer(ask, log) for log in logs]
        assert said == other, number
        kinds.add(said[0] if isinstance(said, tuple) else type(said))
    assert len(kinds) == 8, "every kind of answer and refusal has come"
    assert await audit(logs[0], MEETINGS) == await audit(logs[1], MEETINGS)
