"""The game's part of a meeting, and the questions one may ask it.

One Struct for every viewer: what a viewer does not know is None (a hand, a prediction).
"""

from collections.abc import Mapping
from functools import cache, lru_cache
from typing import Any

from msgspec import Struct, field

from domain.games.ticket_gagnant.board import HEDGED, STANDARD, Horse, RaceKind, lane_of, space_of
from domain.games.ticket_gagnant.events import Prediction, RiverPlace
from domain.games.ticket_gagnant.track import Ground, ground_of

DEALING = "deal"
"""A race is being prepared or scored: a phase that no command meets, so no board names it."""

CHOOSE, PREDICT, MOVE = "choose", "predict", "move"


class Choice(Struct, frozen=True, kw_only=True):
    """The race as chosen; `river` as in the command."""

    kind: RaceKind
    deal: int
    hidden: bool
    river: RiverPlace | None


class Position(Struct, frozen=True, kw_only=True):
    """Where a horse stood at the end of a race."""

    horse: Horse
    lane: int
    space: int


@cache  # no more than seven horses on each space of the largest track
def position(horse: str, where: int) -> Position:
    """A horse on a place."""
    return Position(horse=horse, lane=lane_of(where), space=space_of(where))


class RaceResult(Struct, frozen=True, kw_only=True):
    """A finished race."""

    race: int
    choice: Choice
    ranking: list[Horse]
    disqualified: list[Horse]
    positions: list[Position]
    predictions: list[Prediction]
    nets: list[int]


class Table(Struct, kw_only=True):
    """The table of Ticket Gagnant. Lists by seat start with seat 1, lists by horse with orange.

    Args:
        programme: whether the races are an organiser's; `choice_option` the option itself.
        own_course: the club's own board, None for the standard one.
        first: the first player of this race; `turn` the seat whose move it is.
        river: the row under water in this race.
        places: by horse, as in track.py.
        photo: the photo-finish draw of the race, by horse index.
        ranks: by horse, its rank once the race is over, None if disqualified; [] before.
    """

    seats: int
    races: int
    wins: bool
    photo_finish: str
    wild: str
    last_place: int
    choice_option: Any
    own_course: dict[str, Any] | None
    phase: str | None = None
    race: int = 0
    first: int = 0
    turn: int = 0
    choice: Choice | None = None
    river: int | None = None
    places: list[int] = field(default_factory=list)
    hands: list[list[str] | None] = field(default_factory=list)
    hand_counts: list[int] = field(default_factory=list)
    predicted: list[bool] = field(default_factory=list)
    predictions: list[Prediction | None] = field(default_factory=list)
    discard: list[str] = field(default_factory=list)
    scores: list[int] = field(default_factory=list)
    last_nets: list[int | None] = field(default_factory=list)
    photo: list[int] = field(default_factory=list)
    ranks: list[int | None] = field(default_factory=list)
    disqualified: list[str] = field(default_factory=list)
    results: list[RaceResult] = field(default_factory=list)

    @property
    def course(self) -> dict[str, Any]:
        """The geometry in force (TG-S2)."""
        return self.own_course or STANDARD


def initial(options: Mapping[str, Any], seats: int) -> Table:
    """Before the first race."""
    course = options["course"]
    return Table(
        seats=seats,
        races=options["races"],
        wins=options["dashed_line"] == "wins",
        photo_finish=options["photo_finish"],
        wild=options["wild"],
        last_place=options["last_place"],
        choice_option=options["choice"],
        own_course=None if course == "standard" else course,
        hands=[None] * seats,
        hand_counts=[0] * seats,
        predicted=[False] * seats,
        predictions=[None] * seats,
        scores=[0] * seats,
        last_nets=[None] * seats,
    )


def river_row(course: Mapping[str, Any], river: RiverPlace | None) -> int | None:
    """The row under water: in front of a hedge its own number, behind it the next (TG-S2)."""
    if river is None:
        return None
    hedge: int = course["hedges"][river.hedge - 1]
    return hedge if river.side == "front" else hedge + 1


def ground(t: Table) -> Ground:
    """The ground of this race, as its kind has it."""
    assert t.choice is not None, "the race is chosen before horses move"
    if t.own_course is None:
        return standard_ground(t.choice.kind, t.river, t.wins)
    return ground_on(t.own_course, t.choice.kind, t.river, t.wins)


@lru_cache(maxsize=32)
def standard_ground(kind: str, river: int | None, wins: bool) -> Ground:
    """The ground of a race on the standard course."""
    return ground_on(STANDARD, kind, river, wins)


def ground_on(course: Mapping[str, Any], kind: str, river: int | None, wins: bool) -> Ground:
    """The ground of a race on a course: hedges and hoofprints count in their kinds alone."""
    prints = course["hoofprints"] if kind == "harness" else ()
    return ground_of(
        course["lanes"],
        course["last"],
        course["line"],
        tuple(course["hedges"]) if kind in HEDGED else (),
        river,
        tuple([(spot["lane"], spot["space"]) for spot in prints]),
        wins,
    )


def next_seat(t: Table, seat: int) -> int:
    """The seat to the left."""
    return seat % t.seats + 1
