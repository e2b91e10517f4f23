"""A supervisor over parts given as JSON, run as a program of its own by the tests of it."""

import asyncio
import os
import socket
import sys
from pathlib import Path

import msgspec

from service.child import Part
from service.common_log import CommonLog
from service.embedded import EmbeddedRedis
from service.supervisor import Supervisor


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """What to supervise.

    Args:
        parts: name -> program text in Python.
        data: folder of an embedded Redis; None: no store.
        grace_seconds: as Supervisor has it.
        listen: whether the parts inherit a listening socket; its number is in LISTEN_FD.
        fail: whether what runs beside the parts fails.
    """

    parts: dict[str, str]
    data: str | None = None
    grace_seconds: float = 60
    listen: bool = False
    fail: bool = False


async def supervise(plan: Plan) -> int:
    """Run the plan until a signal comes."""
    env = dict(os.environ)
    common = CommonLog(sys.stdout.fileno())
    say = common.say
    fds: tuple[int, ...] = ()
    with socket.socket() as listener:
        if plan.listen:
            listener.bind(("127.0.0.1", 0))
            listener.listen()
            fds = (listener.fileno(),)
            env["LISTEN_FD"] = str(fds[0])
            say("up", f"port {listener.getsockname()[1]}")
        supervisor = Supervisor(
            [
                Part(name=name, command=(sys.executable, "-c", text), fds=fds)
                for name, text in plan.parts.items()
            ],
            env=env,
            say=say,
            grace_seconds=plan.grace_seconds,
            store=None if plan.data is None else EmbeddedRedis(Path(plan.data)),
        )

        common.closed = supervisor.stop

        async def fail() -> None:
            raise RuntimeError("beside the parts")

        return await supervisor.run(fail if plan.fail else None)


if __name__ == "__main__":
    sys.exit(asyncio.run(supervise(msgspec.json.decode(sys.argv[1], type=Plan))))
