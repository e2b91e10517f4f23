"""The terms on which meetings are rated, and the verdict on one.

A projection knows no game: what the games say of themselves (their default options, their built-in
bots) is handed to it here as plain data.
"""

from collections.abc import Mapping
from hashlib import sha256
from typing import Any

import msgspec
from msgspec import Struct

ARRANGED = "arranged"
OWN_OPTIONS = "own_options"
UNKNOWN_BOT = "unknown_bot"
ONE_OWNER = "one_owner"
BUILT_IN_BOTS_ALONE = "built_in_bots_alone"


class BuiltIn(Struct, frozen=True, kw_only=True):
    """A built-in bot: the player it appears as, the name shown, its fixed published rating."""

    player: str
    name: str
    rating: float


class Terms(Struct, frozen=True, kw_only=True):
    """What the games say.

    Args:
        defaults: game -> number of seats -> the options in full that a meeting has by default.
        bots: game -> name of a built-in bot, as `seat_taken` gives it in `bot` -> the bot.
    """

    defaults: Mapping[str, Mapping[int, Mapping[str, Any]]]
    bots: Mapping[str, Mapping[str, BuiltIn]]

    def default_options(self, game: str, seats: int) -> Mapping[str, Any] | None:
        """The default options of a game at so many seats; None where it is not played so."""
        return self.defaults.get(game, {}).get(seats)

    def edition(self) -> str:
        """A short digest of these terms: views that rest on others must be built anew."""
        plain = msgspec.json.encode(msgspec.to_builtins(self, str_keys=True), order="sorted")
        return sha256(plain).hexdigest()[:12]


class Sitter(Struct, frozen=True, kw_only=True):
    """Who sat in a seat at the end. `bot` names the built-in bot, null for anybody else."""

    seat: int
    player: str
    name: str
    kind: str
    bot: str | None


def why_not_rated(
    terms: Terms, game: str, *, arranged: bool, defaults: bool, seats: list[Sitter]
) -> str | None:
    """Why a finished meeting is not rated, or None if it is (contract, Ratings).

    Built-in bots are the server's own, not anybody's way to sit at a table twice, so they may be
    several. A player's results against them alone don't count: two others at least must sit.

    Args:
        terms: what the games say.
        game: the meeting's.
        arranged: whether its draws were fixed.
        defaults: whether its options are the defaults of that many seats.
        seats: who sat at the end.
    """
    if arranged:
        return ARRANGED
    if not defaults:
        return OWN_OPTIONS
    known = terms.bots.get(game, {})
    if any(sitter.bot is not None and sitter.bot not in known for sitter in seats):
        return UNKNOWN_BOT
    owners = [sitter.player for sitter in seats if sitter.bot is None]
    if len(set(owners)) < len(owners):
        return ONE_OWNER
    if len(owners) < 2:
        return BUILT_IN_BOTS_ALONE
    return None
