"""Meetings of recorded scripts played in this process, as the API gives their commands."""

import random

from domain.racing import lifecycle
from domain.racing.draft import Draft
from domain.registry import GAMES
from service.bootstrap import now
from service.handling import Key, Meetings
from service.keeping import Kept
from service.ports import KEY_SECONDS, EventLog
from tests.bench.scripts import SEATS, Script


def meetings_of(log: EventLog) -> Meetings:
    """Meetings of a process that keeps none yet."""
    return Meetings(log, now, random.randbytes)


async def open_table(meetings: Meetings, one: Script) -> str:
    """A running meeting for a script; its id."""
    game = GAMES[one.game]
    opened = await meetings.open(
        game,
        options=game.read_options({}, SEATS),
        seats=SEATS,
        host="player-1",
        name=None,
        start="manual",
        seed=bytes.fromhex(one.seed),
        key=fresh_key(),
    )
    for seat in range(1, SEATS + 1):

        def sit(draft: Draft, _kept: Kept, seat: int = seat) -> None:
            lifecycle.take_seat(draft, seat, player=f"player-{seat}", name=f"Player {seat}")

        await meetings.act(opened.meeting, sit, fresh_key())
    await meetings.act(opened.meeting, _start, fresh_key())
    return opened.meeting


def _start(draft: Draft, _kept: Kept) -> None:
    lifecycle.start_meeting(draft)


def fresh_key() -> Key:
    """The key of a caller that gave one."""
    return Key(command_id=random.randbytes(16).hex(), fingerprint="0" * 32, seconds=KEY_SECONDS)
