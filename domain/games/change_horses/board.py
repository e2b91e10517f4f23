"""What is printed on the board and the cards."""

from itertools import combinations
from typing import TYPE_CHECKING, Annotated, Literal

from msgspec import Meta

from domain.kernel.words import printed

HorseName = Annotated[
    Literal["yellow", "orange", "red", "green", "blue", "purple"], Meta(title="HorseName")
]
HORSES: tuple[HorseName, ...] = ("yellow", "orange", "red", "green", "blue", "purple")
"""A to F (CH-S1)."""
Horse = Annotated[str, printed("HorseName", *HORSES)]
LETTERS = "ABCDEF"
HORSE_INDEX: dict[str, int] = {horse: i for i, horse in enumerate(HORSES)}
LANES = 6

CARDS = tuple("+".join(pair) for pair in combinations(sorted(HORSES), 2))
"""The 15 movement cards that every seat has, in alphabetical order (CH-S2)."""

if TYPE_CHECKING:
    CardName = str  # a type checker reads no computed Literal
else:
    CardName = Annotated[Literal[CARDS], Meta(title="CardName")]
Card = Annotated[str, printed("CardName", *CARDS)]

CARD_HORSES: dict[str, tuple[int, int]] = {
    card: (HORSE_INDEX[card.split("+")[0]], HORSE_INDEX[card.split("+")[1]]) for card in CARDS
}
"""The two horses of a card, by their index from A."""

Side = Annotated[Literal["inside", "outside"], Meta(title="Side")]
SIDES: tuple[Side, ...] = ("inside", "outside")
SIDE_STEP: dict[str, int] = {"inside": -1, "outside": 1}

WILD_CARDS = 2
CARROTS_EACH = 11
"""Derby: so many for each seat of the table, to every seat (CH-S4)."""
SLIPPERY_MOVES = 2
FAST_ROWS = 2
FAST_STEPS = 2

POINTS = {1: 3, 2: 2, 3: 1}
"""Match points by rank; the leaders get none (CH-E6)."""
LOST = 4
"""The rank of a seat whose horse is among the leaders (CH-E6)."""

ROUNDS_TWO_SEATS = 7
ROUNDS = 14

_PICKS = (3, 0, 2, 0, 2, 0, 2, 0, 2, 0, 2, 0, 2, 0)
_PICKS_TWO_SEATS = (4, 2, 2, 2, 2, 2, 1)


def rounds(seats: int) -> int:
    """How many rounds a race has at most (CH-E1)."""
    return ROUNDS_TWO_SEATS if seats == 2 else ROUNDS


def picks(seats: int, number: int) -> int:
    """How many cards each seat picks before a round (CH-R1, CH-R4, CH-2B)."""
    return (_PICKS_TWO_SEATS if seats == 2 else _PICKS)[number - 1]


def empties(number: int) -> bool:
    """Whether the board is full, and emptied, after a round: they come in twos (CH-R4, CH-2B)."""
    return number % 2 == 0
