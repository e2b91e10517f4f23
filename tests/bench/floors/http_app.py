"""The floor of HTTP: Litestar as its documentation writes it, one Lua script a command, no rules.

POST /m/{id}/commands  {"cmd", "actor", "expected", "args", "key", "events"}
    -> one EVALSHA (version check, so many XADDs to the meeting's stream and to the feed)
    -> {"version": n, "events": k}
GET /stored -> 4 KB read from a Redis string          GET /bytes -> 4 KB encoded beforehand

Run as a program it listens on the socket that it inherits: fd, URL of Redis.
"""

import socket
import sys
from pathlib import Path

import msgspec
import uvicorn
from litestar import Litestar, MediaType, Response, get, post
from redis.asyncio import Redis

STORED = "{p1}:view"
APPEND = (Path(__file__).parent / "append.lua").read_text()


class Command(msgspec.Struct, frozen=True):
    """A command; `events` is how many it makes."""

    cmd: str
    actor: str
    expected: int
    args: dict[str, int | str]
    key: str
    events: int


class Reply(msgspec.Struct, frozen=True):
    """Where the meeting stands."""

    version: int
    events: int


class Card(msgspec.Struct, frozen=True):
    """A piece of the view."""

    id: str
    face: str
    owner: int
    up: bool


class View(msgspec.Struct, frozen=True):
    """About 4 KB."""

    meeting: str
    version: int
    turn: int
    seats: list[dict[str, int | str]]
    cards: list[Card]


encoder = msgspec.json.Encoder()
VIEW_BYTES = encoder.encode(
    View(
        "01HZX3K9Q2",
        117,
        2,
        [{"seat": seat, "name": f"player-{seat}", "score": seat * 7} for seat in range(5)],
        [Card(f"c{at:03d}", f"R{at % 10}", at % 5, at % 3 == 0) for at in range(74)],
    )
)


class Store:
    """Redis by redis-py's pool, as its documentation writes it."""

    def __init__(self, url: str) -> None:
        self.redis = Redis.from_url(url, max_connections=256)
        self.sha = ""

    async def append(self, meeting: str, command: Command) -> int:
        """Append its events, of about 250 bytes each, if the version is as expected."""
        if not self.sha:
            self.sha = await self.redis.script_load(APPEND)
        event = encoder.encode(
            {
                "type": "CardPlayed",
                "meeting": meeting,
                "actor": command.actor,
                "args": command.args,
                "key": command.key,
                "at": 1730000000.123,
                "pad": "a" * 100,
            }
        )
        tag = f"{{p{hash(meeting) & 7}}}"
        version: int = await self.redis.evalsha(
            self.sha,
            2,
            f"{tag}:m:{meeting}",
            f"{tag}:feed",
            str(command.expected),
            meeting,
            *([event] * command.events),
        )
        return version


def create_app(store: Store) -> Litestar:
    """The floor's application."""

    @post("/m/{meeting:str}/commands", status_code=200)
    async def command(meeting: str, data: Command) -> Reply:
        return Reply(await store.append(meeting, data), data.events)

    @get("/bytes", media_type=MediaType.JSON)
    async def get_bytes() -> Response[bytes]:
        return Response(VIEW_BYTES, media_type=MediaType.JSON)

    @get("/stored", media_type=MediaType.JSON)
    async def get_stored() -> Response[bytes]:
        stored = await store.redis.get(STORED)
        assert isinstance(stored, bytes)
        return Response(stored, media_type=MediaType.JSON)

    return Litestar(
        [command, get_bytes, get_stored], openapi_config=None, logging_config=None, debug=False
    )


def main(fd: str, url: str) -> None:
    """Serve until told to end."""
    config = uvicorn.Config(
        create_app(Store(url)),
        loop="uvloop",
        http="httptools",
        access_log=False,
        log_level="warning",
    )
    uvicorn.Server(config).run(sockets=[socket.socket(fileno=int(fd))])


if __name__ == "__main__":
    main(*sys.argv[1:])
