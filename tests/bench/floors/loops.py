"""The floors of work behind the log, each a loop with Redis alone: `loops <kind> <url>`.

wake: BLPOP, then RPUSH; echo: XREAD of a feed, then RPUSH; fork: RQ's forking worker, whose job is
an RPUSH; append: one append after the other, on each line of stdin for so many seconds.
"""

import sys
import time
from pathlib import Path
from typing import Any

from redis import Redis
from rq import Queue, Worker, get_current_job

WAKE, DONE, FEED, QUEUE = "wake", "done", "{p1}:feed", "bench"
APPEND = Path(__file__).parent / "append.lua"
EVENT = b'{"type":"CardPlayed","meeting":"01HZX3K9Q2","seat":2,"card":"R7","x":"%s"}' % (b"a" * 176)


def wake(redis: Redis) -> None:
    """Answer each wake."""
    while True:
        if found := redis.blpop([WAKE], timeout=1):
            redis.rpush(DONE, found[1])


def echo(redis: Redis) -> None:
    """Answer each entry of the feed."""
    last: bytes | str = "$"
    redis.rpush(DONE, "up")
    while True:
        found: Any = redis.xread({FEED: last}, count=100, block=1000) or ()
        for _, entries in found:
            last = entries[-1][0]
            for entry, _ in entries:
                redis.rpush(DONE, entry)


def tell(token: str) -> None:
    """The job: say that it ran."""
    job = get_current_job()
    assert job is not None
    job.connection.rpush(DONE, token)


def fork(redis: Redis) -> None:
    """A job a process."""
    queue = Queue(QUEUE, connection=redis)
    Worker([queue], connection=redis).work(logging_level="ERROR")


def append(redis: Redis) -> None:
    """One event an append, the version expected."""
    sha = redis.script_load(APPEND.read_text())
    for meeting, line in enumerate(sys.stdin):
        seconds, version, began = float(line), 0, time.perf_counter()
        while time.perf_counter() - began < seconds:
            stream = f"{{p1}}:m:{meeting}"
            version = redis.evalsha(sha, 2, stream, FEED, version, str(meeting), EVENT)
        print(version / (time.perf_counter() - began), flush=True)


KINDS = {"wake": wake, "echo": echo, "fork": fork, "append": append}

if __name__ == "__main__":
    KINDS[sys.argv[1]](Redis.from_url(sys.argv[2], socket_timeout=60))
