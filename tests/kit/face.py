"""The HTTP face in tests: real parts of the server on a real Redis, called over real HTTP.

Every answer is held against the OpenAPI document (tests.kit.answers), so no test can get one that
it does not declare.
"""

import json
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import httpx

from tests.kit.programs import PATIENCE

PARTITIONS = 4
ADMIN = "the-admin-token-of-these-tests"


class Part:
    """A part of the server as a process, whose lines end in a file.

    Args:
        settings: by field.
        log: where its lines end.
        part: `project`, `react`, or the socket on which an API process serves.
    """

    module = "tests.kit.api_process"

    def __init__(self, settings: dict[str, Any], log: Path, part: str | socket.socket) -> None:
        fds = () if isinstance(part, str) else (part.fileno(),)
        with log.open("ab") as out:
            self._child = subprocess.Popen(
                [
                    sys.executable,
                    "-m",
                    self.module,
                    json.dumps(settings),
                    *(map(str, fds) if fds else (str(part),)),
                ],
                stdout=out,
                stderr=out,
                cwd=Path(__file__).parents[2],
                pass_fds=fds,
            )

    def kill(self) -> None:
        """End it without a word."""
        self._child.kill()
        self._child.wait()

    def stop(self) -> None:
        """End it as an operator does; its exit code must be that of a good end."""
        if self._child.poll() is None:
            self._child.terminate()
            assert self._child.wait(timeout=PATIENCE) == 0


class Api(Part):
    """An API process on a loopback port.

    Args:
        redis_url: where the log is.
        data: its data folder, where its lines end too.
        settings: further settings, by field.
    """

    def __init__(self, redis_url: str, data: Path, **settings: Any) -> None:
        data.mkdir(parents=True, exist_ok=True)
        self.data = data
        self.settings = {
            "redis_url": redis_url,
            "data": str(data),
            "fsync": "everysec",
            "partitions": PARTITIONS,
            "admin_token": ADMIN,
            "rate_limit": False,
            **settings,
        }
        self._clients: list[Client] = []
        with socket.create_server(("127.0.0.1", 0), backlog=256) as listener:
            self.port: int = listener.getsockname()[1]
            self._address = f"http://127.0.0.1:{self.port}"
            self.log = data / f"api-{self.port}.log"
            super().__init__(self.settings, self.log, listener)

    def client(self, token: str | None = None) -> "Client":
        """A caller of this process; its connection ends with the process at the latest."""
        client = Client(self._address, token)
        self._clients.append(client)
        return client

    def projector(self) -> Part:
        """A projector with the same settings."""
        return Part(self.settings, self.data / "projector.log", "project")

    def reactor(self) -> Part:
        """A reactor with the same settings."""
        return Part(self.settings, self.data / "reactor.log", "react")

    @property
    def url(self) -> str:
        """Where it listens."""
        return self._address

    def stop(self) -> None:
        """End it and its callers."""
        for client in self._clients:
            client.close()
        super().stop()


class Client(httpx.Client):
    """A caller with a token."""

    def __init__(self, address: str, token: str | None = None) -> None:
        headers = {} if token is None else {"Authorization": f"Bearer {token}"}
        super().__init__(
            transport=httpx.HTTPTransport(verify=False),  # making a TLS context takes long
            base_url=address,
            headers=headers,
            timeout=60,
        )

    def send_raw(self, method: str, path: str, body: bytes, **headers: str) -> httpx.Response:
        """A body as it stands, as JSON unless told otherwise."""
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        return self.request(
            method, path, content=body, headers={"Content-Type": "application/json", **named}
        )
