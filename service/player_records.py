"""What is kept of a player: one record, with the hashes of its tokens; and where it is kept."""

import hashlib
from typing import Protocol

from msgspec import Struct

PLAYER, ORGANISER, ADMIN = "player", "organiser", "admin"
ROLES = (PLAYER, ORGANISER, ADMIN)
ADMIN_ID = "admin"


class Token(Struct, frozen=True, kw_only=True):
    """One token of a player.

    Args:
        digest: SHA-256 of the token in hex.
        until: when it ends (seconds since 1970); None while it is not being replaced.
        fresh: it replaces another and has not been used yet.
    """

    digest: str
    until: float | None = None
    fresh: bool = False


class Player(Struct, frozen=True, kw_only=True):
    """One player as stored, with all tokens that still live."""

    id: str
    name: str
    roles: tuple[str, ...] = (PLAYER,)
    kind: str = "human"
    tokens: tuple[Token, ...] = ()
    configured: str | None = None

    def has(self, role: str) -> bool:
        """Whether this player has a role."""
        return role in self.roles


class PlayerStore(Protocol):
    """Records of players by id; every call may raise service.ports.LogUnavailable."""

    async def load(self, player: str) -> bytes | None:
        """The record kept; None where there is none."""
        ...

    async def swap(self, player: str, old: bytes | None, new: bytes) -> bool:
        """Put `new` in place of `old` (None: nothing yet) in one step; False if it changed."""
        ...


def digest_of(token: str) -> str:
    """SHA-256 of a token in hex: what is stored of it."""
    return hashlib.sha256(token.encode()).hexdigest()


def player_of(token: str) -> str:
    """The player that a token names; one of another form can only be the admin's."""
    head, _, rest = token.partition("_")
    player, found, _ = rest.partition("_")
    return player if head == "hs" and found else ADMIN_ID
