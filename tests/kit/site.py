"""A whole site, each part a process by itself, started by the words of a file of deploy/."""

import contextlib
import os
import re
import shlex
import signal
import socket
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import httpx

from tests.kit.deployment import (
    DEPLOY,
    PASSWORD,
    ToldRedis,
    compose,
    run_shell,
    unit_environment,
    units,
)
from tests.kit.programs import PATIENCE, Program, await_end
from tests.kit.redis_server import free_port

THIRD = (
    "import os, sys; os.dup2(int(sys.argv[1]), 3); "
    "os.execv(sys.executable, [sys.executable, *sys.argv[2:]])"
)
"""What makes an inherited socket number 3, as systemd gives it."""


class Start(NamedTuple):
    """How a part is started: its words, its variables, the seconds that it may take to end."""

    words: list[str]
    env: dict[str, str]
    grace: float


class Site:
    """Redis and all parts, on free ports and a folder of the test.

    Args:
        folder: for its data.
        env: variables of every part.
    """

    redis_words: list[str]
    queue_url: str
    starts: dict[str, Start]

    def __init__(self, folder: Path, env: dict[str, str]) -> None:
        self.data = folder / "data"
        self.env = env
        self.redis_port = free_port()
        self.parts: dict[str, Program] = {}
        self.redis: ToldRedis | None = None
        self._listener = socket.create_server(("127.0.0.1", free_port()), backlog=64)
        self.port = self._listener.getsockname()[1]
        self.client = httpx.Client(
            base_url=f"http://127.0.0.1:{self.port}", timeout=PATIENCE, trust_env=False
        )

    def here(self, text: str) -> str:
        """A word of a file, with the places of this machine in it."""
        text = re.sub(r"(@redis|127\.0\.0\.1):6379", rf"\1:{self.redis_port}", text)
        text = text.replace("@redis:", "@127.0.0.1:").replace(":8080", f":{self.port}")
        places = {
            "0.0.0.0": "127.0.0.1",
            "8080": str(self.port),
            "/data": str(self.data),
            "/archive": str(self.data / "archive"),
            "/var/lib/homestretch": str(self.data),
            "/var/lib/homestretch/archive": str(self.data / "archive"),
        }
        return places.get(text, text)

    def start_redis(self, folder: Path) -> None:
        """Start Redis on this folder."""
        conf = [
            re.sub(r"^/.*redis\.conf$", str(DEPLOY / "redis.conf"), w) for w in self.redis_words
        ]
        self.redis = ToldRedis(conf, folder, self.redis_port).start()

    def start(self) -> None:
        """Start all parts, in no order, and wait until the API says that all are ready."""
        for name, told in self.starts.items():
            words, fds = ["-m", "service.cli", *told.words], ()
            if "--fd" in words:
                fds = (self._listener.fileno(),)
                words = ["-c", THIRD, str(fds[0]), *words]
            self.parts[name] = Program(words, env={**told.env, **self.env}, fds=fds)
        self.until(self.is_ready)

    def until(self, come: Callable[[], bool]) -> None:
        """Wait until it is so; no part may end meanwhile."""
        until = time.monotonic() + PATIENCE
        while not come():
            for name, program in self.parts.items():
                assert program.process.poll() is None, f"{name}: {program.code()} {program.output}"
            assert time.monotonic() < until, "it does not come"
            time.sleep(0.2)

    def is_ready(self) -> bool:
        """What the API says of the whole."""
        try:
            return self.client.get("/health/ready").status_code == 200
        except httpx.TransportError:
            return False

    def stop(self) -> None:
        """Ask every part to end, then Redis; each ends well within its time."""
        for name, program in self.parts.items():
            program.send(signal.SIGTERM)
            program.process.wait(self.starts[name].grace)
            assert program.code() == 0, f"{name}: {program.output}"
        assert self.redis is not None
        self.redis.stop()

    def kill(self) -> None:
        """End everything at once, the jobs of workers too, without a word."""
        assert self.redis is not None
        self.redis.kill()
        self._end_parts()

    def close(self) -> None:
        """End whatever runs still."""
        self.client.close()
        self._listener.close()
        self._end_parts()
        if self.redis is not None and self.redis.child is not None:
            self.redis.kill()

    def _end_parts(self) -> None:
        for program in self.parts.values():
            jobs = children(program.process.pid)
            program.close()
            for job in jobs:  # it would end by itself, once it has noticed
                with contextlib.suppress(ProcessLookupError):
                    os.kill(job, signal.SIGKILL)
                await_end(job)
        self.parts.clear()


def children(pid: int) -> list[int]:
    """The processes that a process has started and not yet waited for."""
    try:
        return [int(word) for word in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except FileNotFoundError:
        return []


class ComposeSite(Site):
    """As compose.yaml starts it; `variables` are what stands in deploy/.env."""

    def __init__(self, folder: Path, env: dict[str, str], **variables: str) -> None:
        super().__init__(folder, env)
        self._listener.close()  # here the API makes its own
        self._services = compose("compose.yaml", **variables)["services"]
        self.redis_words = self._services["redis"]["command"][1:]
        self.starts = {
            name: Start(
                service["command"],
                {key: self.here(value) for key, value in service["environment"].items()},
                float(service["stop_grace_period"].removesuffix("s")),
            )
            for name, service in self._services.items()
            if "HOMESTRETCH_DATA" in service.get("environment", ())
        }
        self.queue_url = self.starts["api"].env["HOMESTRETCH_QUEUE_URL"]

    def is_ready(self) -> bool:
        """What the health check of the API says."""
        return self.healthy("api")

    def healthy(self, name: str) -> bool:
        """What the health check of a service finds."""
        kind, *words = self._services[name]["healthcheck"]["test"]
        if kind == "CMD-SHELL":
            text = words[0].replace("redis-cli", f"redis-cli -p {self.redis_port}")
        else:
            assert kind == "CMD"
            text = shlex.join(map(self.here, words))
        told = run_shell(f"{text} 2>/dev/null && echo healthy || true", {"REDISCLI_AUTH": PASSWORD})
        return told.endswith("healthy\n")


class UnitSite(Site):
    """As the units of systemd start it, the API on their socket."""

    def __init__(self, folder: Path, env: dict[str, str]) -> None:
        super().__init__(folder, env)
        services = {name: unit["Service"] for name, unit in units().items() if "Service" in unit}
        (redis,) = services["homestretch-redis.service"]["ExecStart"]
        self.redis_words = redis.split()[1:]
        self.starts = {
            name: Start(
                service["ExecStart"][0].replace("%i", "1").split()[1:],
                {key: self.here(value) for key, value in unit_environment(service).items()},
                float(service["TimeoutStopSec"][0]),
            )
            for name, service in services.items()
            if "HOMESTRETCH_DATA" in str(service)
        }
        self.queue_url = self.starts["homestretch-reactor.service"].env["HOMESTRETCH_QUEUE_URL"]
