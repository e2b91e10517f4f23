"""Refusals by the rules as clients see them: the problem document that a command is answered with.

The position of a domain test is put behind the HTTP face, and the command is posted by the player
of its seat. Positions made by hand have no log, so the face is given the state itself.
"""

import asyncio
import copy
import json
from functools import cache
from types import SimpleNamespace
from typing import Any

import httpx
import msgspec

from domain.kernel.message import Command
from domain.racing import lifecycle
from domain.racing.draft import Draft
from service.http.app import create_app
from service.http.decoding import decode
from service.players import Login, Player
from tests.kit.meetings import Played, moment
from tests.kit.memory_face import memory_deps

CALL = "POST /v1/meetings/{meeting}/commands"
MEETING = "m0123456789abcdef"


class _Everybody:
    """Players whose token is their id."""

    async def login(self, token: str, *, fresh: bool = True) -> Login:
        """Who calls."""
        return Login(Player(id=token, name=token), "")


class _Position:
    """One meeting, whatever id is asked for, in which commands are decided and nothing is kept."""

    played: Played

    async def known(self, _meeting: str) -> Any:
        """The meeting."""
        return SimpleNamespace(game=self.played.game, full=self.played.full)

    async def command(self, _meeting: str, seat: Any, command: Command, *_: Any) -> None:
        """Decide it; it must be refused."""
        played = self.played
        number = seat(SimpleNamespace(full=played.full))
        full = copy.deepcopy(played.full)
        draft = Draft(full, played.game, moment(played.clock), played.chance)
        lifecycle.decide(draft, number, command)


_position = _Position()


@cache
def _face() -> Any:
    return create_app(
        msgspec.structs.replace(
            memory_deps(rate_limit=False), players=_Everybody(), meetings=_position
        )
    )


def refusal(
    played: Played, seat: int, command: Command
) -> tuple[dict[str, Any], dict[str, Any]] | None:
    """The body posted and the problem document that answers it.

    None for a command that no body can bring, for instance with a whole number as a float.
    """
    body = {**msgspec.to_builtins(command), "seat": seat}
    raw = json.dumps(body).encode()
    if msgspec.json.encode(decode(raw)) != msgspec.json.encode(body):
        return None
    player = played.full.seats[seat - 1].player
    assert player is not None, "somebody sits there"
    _position.played = played
    return body, asyncio.run(_post(player, raw))


async def _post(player: str, raw: bytes) -> dict[str, Any]:
    transport = httpx.ASGITransport(app=_face())
    headers = {"Authorization": f"Bearer {player}", "Content-Type": "application/json"}
    async with httpx.AsyncClient(transport=transport, base_url="http://face") as client:
        path = f"/v1/meetings/{MEETING}/commands"
        answer = await client.post(path, content=raw, headers=headers)
    told: dict[str, Any] = answer.json()
    return told
