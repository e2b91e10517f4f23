"""Results: every finished meeting, who sat where, how it ended, and whether it is rated."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec
from msgspec import Struct, field

from domain.kernel.message import Event
from domain.racing import events as e
from projections.facts import Fact
from projections.projection import (
    Changes,
    Form,
    Projection,
    Steps,
    changes_of,
    fold_meetings,
)
from projections.terms import Sitter, Terms, why_not_rated

ALL = "all"
HANDLES: frozenset[type[Event]] = frozenset(
    {e.MeetingOpened, e.SeatTaken, e.SeatLeft, e.MeetingFinished, e.MeetingAbandoned}
)


def of_game(game: str) -> str:
    """The index of a game's results."""
    return f"game:{game}"


def of_player(player: str) -> str:
    """The index of a player's results."""
    return f"player:{player}"


class Result(Struct, kw_only=True):
    """A meeting's result; while it is not finished `at` is null and nobody is shown it.

    Args:
        at: when the meeting finished.
        defaults: whether it was opened with the default options of that many seats.
        rated: whether it counts for ratings; null until it is finished.
        reason: why it does not.
    """

    meeting: str
    game: str = ""
    at: str | None = None
    ranking: list[e.Rank] = field(default_factory=list)
    seats: list[Sitter] = field(default_factory=list)
    arranged: bool = False
    defaults: bool = False
    rated: bool | None = None
    reason: str | None = None
    abandoned: bool = False


def evolver(terms: Terms) -> Callable[[Result, Fact], None]:
    """The evolve of a result under these terms."""

    def opened(result: Result, event: e.MeetingOpened) -> None:
        result.game, result.arranged = event.game, event.arranged
        result.defaults = event.options == terms.default_options(event.game, event.seats)

    def finished(result: Result, event: e.MeetingFinished) -> None:
        result.at, result.ranking = event.at, event.ranking
        result.reason = why_not_rated(
            terms,
            result.game,
            arranged=result.arranged,
            defaults=result.defaults,
            seats=result.seats,
        )
        result.rated = result.reason is None

    own: Mapping[type, Callable[[Result, Any], None]] = {
        e.MeetingOpened: opened,
        e.SeatTaken: _taken,
        e.SeatLeft: _left,
        e.MeetingFinished: finished,
        e.MeetingAbandoned: _abandoned,
    }

    def evolve(result: Result, fact: Fact) -> None:
        own[type(fact)](result, fact)

    return evolve


def _taken(result: Result, event: e.SeatTaken) -> None:
    assert event.seat, "a seat event names its seat"
    sitter = Sitter(
        seat=event.seat, player=event.player, name=event.name, kind=event.kind, bot=event.bot
    )
    result.seats = sorted([*_without(result, event.seat), sitter], key=lambda s: s.seat)


def _left(result: Result, event: e.SeatLeft) -> None:
    assert event.seat, "a seat event names its seat"
    result.seats = _without(result, event.seat)


def _abandoned(result: Result, _: e.MeetingAbandoned) -> None:
    result.abandoned = True


def _without(result: Result, seat: int) -> list[Sitter]:
    return [sitter for sitter in result.seats if sitter.seat != seat]


def initial(meeting: str) -> Result:
    """A meeting of which nothing is known."""
    return Result(meeting=meeting)


def places(result: Result) -> Mapping[str, str]:
    """Where a finished meeting is listed, by the time it finished."""
    if result.at is None:
        return {}
    indexes = [ALL, of_game(result.game)]
    indexes += [of_player(sitter.player) for sitter in result.seats]
    return dict.fromkeys(indexes, result.at)


_encode = msgspec.json.Encoder().encode
decode = msgspec.json.Decoder(Result).decode


def encode(result: Result) -> bytes | None:
    """The document; of a meeting that was abandoned there is none."""
    return None if result.abandoned else _encode(result)


FORM: Form[Result] = Form(prefix="", decode=decode, encode=encode, places=places)


def results(terms: Terms) -> Projection:
    """The projection of results, rated on these terms."""
    evolve = evolver(terms)

    def fold(facts: Sequence[Fact]) -> Steps:
        old, documents = yield from fold_meetings(FORM, initial, evolve, facts)
        return Changes(changes_of(FORM, old, documents))

    return Projection(
        name="results",
        version=f"1-{terms.edition()}",
        handles=HANDLES,
        initial=initial,
        evolve=evolve,
        fold=fold,
    )
