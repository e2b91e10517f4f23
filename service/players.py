"""Players, their roles and tokens; of a token only its SHA-256 is kept.

A token names its player (`hs_<player>_<secret>`), so a look-up reads one record, and every change
of a player's tokens is one atomic swap of that record. A record kept in this process is good enough
to accept a token for two seconds, never to refuse one.
"""

import secrets
import time
from base64 import urlsafe_b64encode
from collections import OrderedDict
from collections.abc import Callable
from hmac import compare_digest

import msgspec
from msgspec import Struct

from service.player_records import (
    ADMIN,
    ADMIN_ID,
    ORGANISER,
    PLAYER,
    ROLES,
    Player,
    PlayerStore,
    Token,
    digest_of,
    player_of,
)

__all__ = [
    "ADMIN",
    "ADMIN_ID",
    "ORGANISER",
    "PLAYER",
    "ROLES",
    "Login",
    "Player",
    "PlayerUnknown",
    "Players",
]

GRACE_SECONDS = 3600
"""How long a rotated token works at most."""

KEPT_SECONDS = 2.0
"""How old a kept record may be that accepts a token: a dead token is refused within 5 s."""

KEPT_MAX = 20_000
_SWAPS_MAX = 20


class Login(Struct, frozen=True):
    """Who calls, and the digest of the token that says so."""

    player: Player
    digest: str


class PlayerUnknown(Exception):
    """There is no player of this id."""


_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(Player).decode


class Players:
    """All players.

    Args:
        store: where their records are.
        clock: seconds since 1970.
        entropy: (n) -> n bytes from the operating system's CSPRNG.
    """

    def __init__(
        self,
        store: PlayerStore,
        clock: Callable[[], float] = time.time,
        entropy: Callable[[int], bytes] = secrets.token_bytes,
    ) -> None:
        self._store = store
        self._clock = clock
        self._entropy = entropy
        self._kept: OrderedDict[str, tuple[float, Player]] = OrderedDict()

    # ------------------------------------------------------------------ who calls

    async def login(self, token: str, *, fresh: bool = True) -> Login | None:
        """Who a token belongs to; None for a dead or unknown one.

        The first use of a token that replaces another ends the other.

        Args:
            fresh: read the record anew; without it one up to two seconds old may accept.
        """
        digest = digest_of(token)
        for player_id in dict.fromkeys((player_of(token), ADMIN_ID)):
            login = None if fresh else self._from_kept(player_id, digest)
            login = login or await self._from_store(player_id, digest)
            if login is not None:
                return login
        return None

    def _from_kept(self, player_id: str, digest: str) -> Login | None:
        kept = self._kept.get(player_id)
        if kept is None or time.monotonic() - kept[0] >= KEPT_SECONDS:
            return None
        found = self._find(kept[1], digest)
        return None if found is None or found.fresh else Login(kept[1], digest)

    async def _from_store(self, player_id: str, digest: str) -> Login | None:
        for _ in range(_SWAPS_MAX):
            stored = await self._store.load(player_id)
            player = None if stored is None else _decode(stored)
            found = None if player is None else self._find(player, digest)
            if player is None or found is None:
                return None
            if not found.fresh:
                self._keep(player)
                return Login(player, digest)
            used = msgspec.structs.replace(player, tokens=(Token(digest=digest),))
            if await self._store.swap(player_id, stored, _encode(used)):
                self._keep(used)
                return Login(used, digest)
        return None

    def _find(self, player: Player, digest: str) -> Token | None:
        now = self._clock()
        for token in player.tokens:
            if compare_digest(token.digest, digest) and (token.until is None or token.until > now):
                return token
        return None

    # ------------------------------------------------------------------ reading and changing

    async def get(self, player_id: str) -> Player:
        """The player of this id.

        Raises:
            PlayerUnknown.
        """
        stored = await self._store.load(player_id)
        if stored is None:
            raise PlayerUnknown(player_id)
        player = _decode(stored)
        self._keep(player)
        return player

    async def create(self, name: str) -> tuple[Player, str]:
        """A new player of this name, and the token, which is shown this once."""
        player_id = "p" + self._entropy(8).hex()
        token = self._mint(player_id)
        player = Player(id=player_id, name=name, tokens=(Token(digest=digest_of(token)),))
        if not await self._store.swap(player_id, None, _encode(player)):
            raise AssertionError("64 random bits named a player that there was")
        return player, token

    async def rotate(self, login: Login) -> str:
        """A new token; the one that asked lives until the new one is used, at most an hour."""
        token = self._mint(login.player.id)

        def change(player: Player) -> Player:
            asked = self._find(player, login.digest)
            ends = self._clock() + GRACE_SECONDS
            if asked is not None and asked.until is not None:
                ends = min(ends, asked.until)
            tokens = (
                Token(digest=login.digest, until=ends),
                Token(digest=digest_of(token), fresh=True),
            )
            return msgspec.structs.replace(player, tokens=tokens)

        await self._change(login.player.id, change)
        return token

    async def reissue(self, player_id: str) -> str:
        """A new token in place of all that there were."""
        token = self._mint(player_id)
        tokens = (Token(digest=digest_of(token)),)
        await self._change(player_id, lambda p: msgspec.structs.replace(p, tokens=tokens))
        return token

    async def revoke(self, player_id: str) -> None:
        """End all tokens of a player."""
        await self._change(player_id, lambda p: msgspec.structs.replace(p, tokens=()))

    async def set_roles(self, player_id: str, roles: tuple[str, ...]) -> Player:
        """Give a player these roles and no others."""
        return await self._change(player_id, lambda p: msgspec.structs.replace(p, roles=roles))

    async def configure_admin(self, token: str, *, make_only: bool) -> bool:
        """Make the player `admin` with this token where there is none yet.

        Args:
            token: the configured one, or one just made.
            make_only: leave an admin that there is alone; else a token that was not configured
                before takes the place of the admin's own.

        Returns:
            Whether this token was given to the admin now.
        """
        digest = digest_of(token)
        tokens = (Token(digest=digest),)
        first = Player(id=ADMIN_ID, name=ADMIN_ID, roles=ROLES, tokens=tokens, configured=digest)
        if await self._store.swap(ADMIN_ID, None, _encode(first)):
            return True
        admin = await self.get(ADMIN_ID)
        if make_only or admin.configured == digest:
            return False
        await self._change(
            ADMIN_ID,
            lambda p: msgspec.structs.replace(p, tokens=tokens, configured=digest),
        )
        return True

    async def _change(self, player_id: str, change: Callable[[Player], Player]) -> Player:
        self._kept.pop(player_id, None)
        for _ in range(_SWAPS_MAX):
            stored = await self._store.load(player_id)
            if stored is None:
                raise PlayerUnknown(player_id)
            player = change(_decode(stored))
            if await self._store.swap(player_id, stored, _encode(player)):
                self._keep(player)
                return player
        raise AssertionError("a player's record changed under every one of twenty swaps")

    def _mint(self, player_id: str) -> str:
        return f"hs_{player_id}_{urlsafe_b64encode(self._entropy(32)).decode().rstrip('=')}"

    def _keep(self, player: Player) -> None:
        self._kept[player.id] = (time.monotonic(), player)
        self._kept.move_to_end(player.id)
        if len(self._kept) > KEPT_MAX:
            self._kept.popitem(last=False)
