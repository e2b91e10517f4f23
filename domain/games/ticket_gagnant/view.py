"""The board of Ticket Gagnant: what one viewer's folded state shows (sheet, Board fields)."""

from typing import Any

from msgspec import Struct

from domain.games.ticket_gagnant.board import HORSES
from domain.games.ticket_gagnant.options import Spot
from domain.games.ticket_gagnant.phases import waiting
from domain.games.ticket_gagnant.settle import forty_tokens
from domain.games.ticket_gagnant.state import Choice, Table, river_row
from domain.games.ticket_gagnant.track import lane_of, space_of
from domain.racing.events import Rank
from domain.racing.meeting import ABANDONED, FINISHED, Meeting


class PredictionView(Struct, frozen=True, kw_only=True):
    """A prediction; null where nothing is predicted."""

    first: str | None
    second: str | None
    third: str | None


class SeatView(Struct, frozen=True, kw_only=True):
    """A seat; `hand` is its owner's, `prediction` null where it is not to be seen."""

    seat: int
    player: str | None
    name: str | None
    kind: str | None
    hand: list[str] | None
    hand_count: int | None
    prediction: dict[str, str | None] | None
    predicted: bool | None
    score: int | None
    forty_tokens: int | None
    last_net: int | None


class HorseView(Struct, frozen=True, kw_only=True):
    """Where a horse stands; its rank once the race is over (null if disqualified)."""

    horse: str
    lane: int
    space: int
    rank: int | None
    disqualified: bool


class CourseView(Struct, frozen=True, kw_only=True):
    """The geometry in force whatever the kind; `river` the row under water in this race."""

    lanes: int
    last: int
    start: int
    line: int
    hedges: list[int]
    hoofprints: list[Spot]
    river: int | None


class Position(Struct, frozen=True, kw_only=True):
    """Where a horse stood at the end of a race."""

    horse: str
    lane: int
    space: int


class RaceResult(Struct, frozen=True, kw_only=True):
    """A finished race."""

    race: int
    choice: Choice
    ranking: list[str]
    disqualified: list[str]
    positions: list[Position]
    predictions: list[PredictionView]
    nets: list[int]


class Board(Struct, frozen=True, kw_only=True):
    """The meeting as one viewer may see it (contract, Board)."""

    meeting: str
    game: str
    status: str
    version: int
    viewer: int | str
    race: int
    races: int | None
    phase: str | None
    to_act: list[int] | None
    decision: int | None
    deadline: str | None
    seats: list[SeatView]
    ranking: list[Rank] | None
    first_player: int | None
    course: CourseView | None
    choice: Choice | None
    horses: list[HorseView] | None
    discard: list[str] | None
    results: list[RaceResult] | None


def view(m: Meeting) -> Board:
    """The board of the meeting's viewer."""
    over = m.status in (FINISHED, ABANDONED)
    t: Table = m.table
    begun = t.race > 0
    return Board(
        meeting=m.id,
        game=m.game,
        status=m.status,
        version=m.version,
        viewer=m.viewer if m.viewer > 0 else "public",
        race=m.race,
        races=t.races,
        phase=None if over else t.phase,
        to_act=waiting(m),
        decision=m.decision,
        deadline=None,
        seats=[seat_view(m, t, i, begun) for i in range(len(m.seats))],
        ranking=m.ranking,
        **(table_fields(t) if begun else NOTHING_YET),
    )


def seat_view(m: Meeting, t: Table, i: int, begun: bool) -> SeatView:
    """One seat as the viewer may see it."""
    place = m.seats[i]
    return SeatView(
        seat=place.seat,
        player=place.player,
        name=place.name,
        kind=place.kind,
        hand=t.hands[i] if begun else None,
        hand_count=t.hand_counts[i] if begun else None,
        prediction=t.predictions[i] if begun else None,
        predicted=t.predicted[i] if begun else None,
        score=t.scores[i] if begun else None,
        forty_tokens=forty_tokens(t.scores[i]) if begun else None,
        last_net=t.last_nets[i] if begun else None,
    )


def table_fields(t: Table) -> dict[str, Any]:
    """The game's own fields once play has begun."""
    course = t.course
    return {
        "first_player": t.first,
        "course": CourseView(
            lanes=course["lanes"],
            last=course["last"],
            start=course["start"],
            line=course["line"],
            hedges=course["hedges"],
            hoofprints=course["hoofprints"],
            river=river_row(t),
        ),
        "choice": t.choice,
        "horses": [
            HorseView(
                horse=horse,
                lane=lane_of(where),
                space=space_of(where),
                rank=rank,
                disqualified=horse in t.disqualified,
            )
            for horse, where, rank in zip(HORSES, t.places, t.ranks, strict=False)
        ],
        "discard": t.discard,
        "results": t.results,
    }


NOTHING_YET: dict[str, Any] = dict.fromkeys(
    ("first_player", "course", "choice", "horses", "discard", "results")
)
