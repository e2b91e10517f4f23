"""The documents of the leaderboards: meetings under way, rated results, standings."""

from collections.abc import Mapping

import msgspec
from msgspec import Struct, field

from projections.projection import Form
from projections.ratings import NEWCOMER, Strength
from projections.results import Result, decode
from projections.results import encode as encode_result
from projections.terms import Sitter

_BEST = 10**8


def of_game(game: str) -> str:
    """The index of a game's players, best first."""
    return f"game:{game}"


def rated_of(game: str) -> str:
    """The index of a game's rated results, in the order in which they count."""
    return f"rated:{game}"


class Standing(Struct, kw_only=True):
    """A player's (or built-in bot's) place in a game.

    Args:
        rating: what is shown and compared.
        meetings: rated meetings.
        wins: those in which nobody ranked better.
        strength: what the rating is computed from; not shown.
    """

    game: str
    player: str
    name: str
    kind: str
    rating: float = 0.0
    meetings: int = 0
    wins: int = 0
    strength: Strength = NEWCOMER


class Entrant(Struct, kw_only=True):
    """A seat of a rated result: who, which rank, the strength before and after it."""

    sitter: Sitter
    rank: int
    before: Strength = NEWCOMER
    after: Strength = NEWCOMER


class RatedResult(Struct, kw_only=True):
    """A result that counts, in seat order."""

    meeting: str
    game: str
    at: str
    entrants: list[Entrant] = field(default_factory=list)


def inverse(rating: float) -> str:
    """The sort key of a rating: text that is smaller where the rating is higher."""
    return f"{_BEST - round(rating * 100):010d}"


def _gone_when_over(result: Result) -> bytes | None:
    """A meeting's own document is needed until its end only; then its rated result takes over."""
    return None if result.at is not None else encode_result(result)


def _nowhere(_: Result) -> Mapping[str, str]:
    return {}


MEETING: Form[Result] = Form(prefix="m:", decode=decode, encode=_gone_when_over, places=_nowhere)
RATED: Form[RatedResult] = Form(
    prefix="r:",
    decode=msgspec.json.Decoder(RatedResult).decode,
    encode=msgspec.json.Encoder().encode,
    places=lambda rated: {rated_of(rated.game): rated.at},
)
STANDING: Form[Standing] = Form(
    prefix="s:",
    decode=msgspec.json.Decoder(Standing).decode,
    encode=msgspec.json.Encoder().encode,
    places=lambda standing: {of_game(standing.game): inverse(standing.rating)},
)


def standing_id(game: str, sitter: Sitter) -> str:
    """The document of a player or of a built-in bot; a bot is one however it is seated."""
    who = f"p:{sitter.player}" if sitter.bot is None else f"b:{sitter.bot}"
    return f"{STANDING.prefix}{game}:{who}"


def rated_result(result: Result) -> RatedResult:
    """A finished, rated meeting before its ratings are computed."""
    assert result.at is not None, "it is finished"
    rank = {line.seat: line.rank for line in result.ranking}
    return RatedResult(
        meeting=result.meeting,
        game=result.game,
        at=result.at,
        entrants=[Entrant(sitter=s, rank=rank[s.seat]) for s in result.seats],
    )
