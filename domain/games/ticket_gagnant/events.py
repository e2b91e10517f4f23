"""The facts of Ticket Gagnant.

These names and fields are the stored format: nothing is renamed, removed or narrowed.
"""

from typing import Annotated, ClassVar

from msgspec import Struct

from domain.games.ticket_gagnant.board import Card, Horse, RaceKind
from domain.kernel.message import Event, Secret
from domain.kernel.words import known

RiverSide = Annotated[str, known("RiverSide", "front", "behind")]


class Prediction(Struct, frozen=True, kw_only=True):
    """What a seat predicts: a horse for each place, or null where nothing is predicted (TG-B1)."""

    first: Horse | None
    second: Horse | None
    third: Horse | None

    @property
    def named(self) -> tuple[str | None, str | None, str | None]:
        """By place."""
        return self.first, self.second, self.third


class FirstPlayerDrawn(Event, frozen=True, kw_only=True, tag="ticket-gagnant.first_player_drawn"):
    """Who is first player in race 1 (TG-S6)."""

    first: int


class LanesDrawn(Event, frozen=True, kw_only=True, tag="ticket-gagnant.lanes_drawn"):
    """The horses in lanes 1 to 7, at the start (TG-S3); `first` is this race's first player."""

    first: int
    lanes: list[Horse]


class RiverPlace(Struct, frozen=True, kw_only=True):
    """Where the river lies (TG-S2)."""

    hedge: int
    side: RiverSide


class RaceChosen(Event, frozen=True, kw_only=True, tag="ticket-gagnant.race_chosen"):
    """The kind of race, the cards dealt, whether predictions stay hidden (TG-S4)."""

    kind: RaceKind
    deal: int
    hidden: bool
    river: RiverPlace | None


class HandSecret(Secret, frozen=True, kw_only=True):
    """The seat's hand as dealt."""

    hand: list[Card]


class HandsDealt(Event, frozen=True, kw_only=True, tag="ticket-gagnant.hands_dealt"):
    """Every seat has `count` cards (TG-S5)."""

    seat_form: ClassVar[type[Secret] | None] = HandSecret

    count: int


class PredictionSecret(Secret, frozen=True, kw_only=True):
    """What the seat predicts."""

    prediction: Prediction


class PredictionMade(Event, frozen=True, kw_only=True, tag="ticket-gagnant.prediction_made"):
    """A seat has predicted (TG-B1)."""

    seat_form: ClassVar[type[Secret] | None] = PredictionSecret


class MovesOpened(Event, frozen=True, kw_only=True, tag="ticket-gagnant.moves_opened"):
    """All have predicted, the moves begin; `predictions` by seat unless they stay hidden."""

    predictions: list[Prediction] | None


class Moved(Struct, frozen=True, kw_only=True):
    """A horse that a play put somewhere."""

    horse: Horse
    lane: int
    space: int


class CardPlayed(Event, frozen=True, kw_only=True, tag="ticket-gagnant.card_played"):
    """A card moves a horse (null: it stays, TG-M5), and maybe displaces another (TG-M6).

    `ends` tells whether the race is over with it: no card is left, or the line is crossed (TG-M9).
    """

    card: Card
    moved: Moved | None
    displaced: Moved | None
    ends: bool


class CardDiscarded(Event, frozen=True, kw_only=True, tag="ticket-gagnant.card_discarded"):
    """A seat had no legal play (TG-M11). `ends` tells whether no card is left."""

    card: Card
    ends: bool


class PhotoFinishDrawn(Event, frozen=True, kw_only=True, tag="ticket-gagnant.photo_finish_drawn"):
    """The order among horses on one space (TG-R2)."""

    order: list[Horse]


class RaceScored(Event, frozen=True, kw_only=True, tag="ticket-gagnant.race_scored"):
    """The ranking without the disqualified, the predictions, what they earn (TG-R, TG-P).

    `nets` are the sums before the floor, `scores` the whole scores after it.
    """

    ranking: list[Horse]
    disqualified: list[Horse]
    predictions: list[Prediction]
    nets: list[int]
    scores: list[int]


EVENTS: tuple[type[Event], ...] = (
    FirstPlayerDrawn,
    LanesDrawn,
    RaceChosen,
    HandsDealt,
    PredictionMade,
    MovesOpened,
    CardPlayed,
    CardDiscarded,
    PhotoFinishDrawn,
    RaceScored,
)
