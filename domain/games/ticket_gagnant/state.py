"""The game's part of a meeting, and the questions one may ask it.

One Struct for every viewer: what a viewer does not know is None (a hand, a prediction).
"""

from typing import Any

from msgspec import Struct, field

from domain.games.ticket_gagnant.board import HEDGED, HORSES
from domain.games.ticket_gagnant.options import course_of
from domain.games.ticket_gagnant.track import Ground, ground_of

CHOOSE, PREDICT, MOVE, DEALING = "choose", "predict", "move", "deal"
Prediction = dict[str, str | None]


class Choice(Struct, frozen=True, kw_only=True):
    """The race as chosen; `river` as in the command."""

    kind: str
    deal: int
    hidden: bool
    river: dict[str, Any] | None


class Table(Struct, kw_only=True):
    """The table of Ticket Gagnant. Lists by seat start with seat 1, lists by horse with orange.

    Args:
        first: the first player of this race; `turn` the seat whose move it is.
        places: by horse, space × 16 + lane.
        photo: the photo-finish draw of the race, by horse index.
        ranks: by horse, its rank once the race is over.
    """

    seats: int
    races: int
    dashed_line: str
    photo_finish: str
    wild: str
    last_place: int
    choice_option: Any
    course: dict[str, Any]
    phase: str | None = None
    race: int = 0
    first: int = 0
    turn: int = 0
    choice: Choice | None = None
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
    results: list[dict[str, Any]] = field(default_factory=list)

    @property
    def wins(self) -> bool:
        """Whether crossing the line ends the race (TG-M9)."""
        return self.dashed_line == "wins"


def initial(options: Any, seats: int) -> Table:
    """Before the first race."""
    return Table(
        seats=seats,
        races=options["races"],
        dashed_line=options["dashed_line"],
        photo_finish=options["photo_finish"],
        wild=options["wild"],
        last_place=options["last_place"],
        choice_option=options["choice"],
        course=course_of(options),
        hands=[None] * seats,
        hand_counts=[0] * seats,
        predicted=[False] * seats,
        predictions=[None] * seats,
        scores=[0] * seats,
        last_nets=[None] * seats,
        ranks=[None] * len(HORSES),
    )


def river_row(t: Table) -> int | None:
    """The row under water in this race (TG-S2)."""
    if t.choice is None or t.choice.river is None:
        return None
    hedge = t.course["hedges"][t.choice.river["hedge"] - 1]
    return int(hedge) if t.choice.river["side"] == "front" else int(hedge) + 1


def ground(t: Table) -> Ground:
    """The ground of this race, as its kind has it."""
    assert t.choice is not None, "the race is chosen before horses move"
    course, kind = t.course, t.choice.kind
    prints = course["hoofprints"] if kind == "harness" else ()
    return ground_of(
        course["lanes"],
        course["last"],
        course["line"],
        tuple(course["hedges"]) if kind in HEDGED else (),
        river_row(t),
        tuple((spot["lane"], spot["space"]) for spot in prints),
        t.wins,
    )


def next_seat(t: Table, seat: int) -> int:
    """The seat to the left."""
    return seat % t.seats + 1
