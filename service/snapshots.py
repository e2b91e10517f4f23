"""What a snapshot holds, and its form: another shape of state, or other rules, is another form."""

import hashlib
import zlib
from functools import cache

import msgspec

from domain.kernel.game import Game
from domain.racing.meeting import Meeting


class Stored(msgspec.Struct, frozen=True, kw_only=True):
    """The payload of a snapshot: the state of every viewer, and what each may not know of."""

    game: str
    full: Meeting
    stretches: list[tuple[int, str]]
    views: dict[int, Meeting]
    hidden: dict[int, list[int]]


_pack = msgspec.msgpack.Encoder()
_unpack = msgspec.msgpack.Decoder(Stored)


@cache
def _shape(table: type) -> str:
    shape = msgspec.json.encode(
        [msgspec.json.schema(Meeting), msgspec.json.schema(table)], order="deterministic"
    )
    return hashlib.sha256(shape).hexdigest()[:16]


def snapshot_form(game: Game) -> str:
    """Which form the snapshots of a game have."""
    return f"3/{game.rules}/{_shape(game.table)}"


def pack(stored: Stored) -> bytes:
    """The payload. All viewers know nearly the same: even quickly compressed it is a tenth."""
    return zlib.compress(_pack.encode(stored), level=zlib.Z_BEST_SPEED)


def unpack(payload: bytes) -> Stored | None:
    """What a payload holds; None if it is of another form."""
    try:
        return _unpack.decode(zlib.decompress(payload))
    except (zlib.error, msgspec.DecodeError):
        return None


def take_table(meeting: Meeting, game: Game) -> None:
    """Give the game's state its type, which a payload does not know."""
    meeting.table = msgspec.convert(meeting.table, game.table)
