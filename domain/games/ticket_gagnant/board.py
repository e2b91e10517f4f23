"""What is printed on the board and the cards."""

from typing import TYPE_CHECKING, Annotated, Any, Literal

from msgspec import Meta

from domain.kernel.words import known, printed

HorseName = Annotated[
    Literal["orange", "purple", "green", "blue", "red", "yellow", "black"],
    Meta(title="HorseName"),
]
HORSES: tuple[HorseName, ...] = ("orange", "purple", "green", "blue", "red", "yellow", "black")
Horse = Annotated[str, printed("HorseName", *HORSES)]
HORSE_INDEX: dict[str, int] = {horse: i for i, horse in enumerate(HORSES)}

SINGLES = tuple(f"{horse}-{n}" for horse in HORSES for n in (1, 2, 3))
PAIRS = tuple(
    sorted("+".join(sorted((a, b))) for i, a in enumerate(HORSES) for b in HORSES[i + 1 :])
)
WILD = "wild"
WILD_NUMBERED = ("wild-1", "wild-2", "wild-3")
WILDS = {"free": (WILD, WILD, WILD), "printed": WILD_NUMBERED}
DECKS = {option: (*SINGLES, *PAIRS, *wilds) for option, wilds in WILDS.items()}
"""The 45 cards in the sheet's order, by the option `wild` (TG-S5)."""

CARD_NAMES = (*SINGLES, *PAIRS, WILD, *WILD_NUMBERED)

if TYPE_CHECKING:
    SingleName = str  # a type checker reads no computed Literal
    PairName = str
    CardName = str
else:
    SingleName = Annotated[Literal[SINGLES], Meta(title="SingleName")]
    PairName = Annotated[Literal[PAIRS], Meta(title="PairName")]
    CardName = Annotated[Literal[CARD_NAMES], Meta(title="CardName")]
Card = Annotated[str, printed("CardName", *CARD_NAMES)]

SINGLE_OF = {card: (HORSE_INDEX[card.split("-")[0]], int(card[-1])) for card in SINGLES}
PAIR_OF = {card: tuple(HORSE_INDEX[name] for name in card.split("+")) for card in PAIRS}
WILD_LENGTHS = {WILD: (1, 2, 3), "wild-1": (1,), "wild-2": (2,), "wild-3": (3,)}

Direction = Annotated[
    Literal["forward", "backward", "left", "right"],
    Meta(title="Direction"),
]
DIRECTIONS: tuple[Direction, ...] = ("forward", "backward", "left", "right")
DIRECTION_INDEX: dict[str, int] = {way: i for i, way in enumerate(DIRECTIONS)}
STEPS = {"forward": (0, 1), "backward": (0, -1), "left": (-1, 0), "right": (1, 0)}
"""(lanes, spaces) of one step; left is towards the rail (TG-M1)."""
Beside = Annotated[Literal["front", "behind", "left", "right"], Meta(title="Beside")]
BESIDES: tuple[Beside, ...] = ("front", "behind", "left", "right")
BESIDE_INDEX: dict[str, int] = {side: i for i, side in enumerate(BESIDES)}
BESIDE_STEPS = {"front": (0, 1), "behind": (0, -1), "left": (-1, 0), "right": (1, 0)}

HEDGES = (1, 2)
"""The hedges by number, the nearer to the start first (TG-S2)."""

Kind = Annotated[
    Literal["flat", "obstacle", "steeplechase", "harness"],
    known("RaceKind", "flat", "obstacle", "steeplechase", "harness"),
]
KINDS: tuple[Kind, ...] = ("flat", "obstacle", "steeplechase", "harness")
RaceKind = Annotated[str, known("RaceKind", *KINDS)]
HEDGED = frozenset({"obstacle", "steeplechase"})
PLACES = ("first", "second", "third")

RACES = {2: (4, 6), 3: (3, 6), 4: (4, 8), 5: (5,), 6: (6,)}
"""Numbers of races by seats, the first the default (TG-S1)."""

DEAL_LEAST, DEAL_MOST = 3, 7
DEFAULT_DEAL = 5

STANDARD: dict[str, Any] = {
    "lanes": 7,
    "last": 15,
    "start": 1,
    "line": 13,
    "hedges": [4, 8],
    "hoofprints": [
        {"lane": lane, "space": space}
        for lane, space in (
            (2, 4),
            (5, 5),
            (3, 6),
            (6, 7),
            (1, 8),
            (4, 9),
            (7, 10),
            (2, 11),
            (5, 12),
            (3, 13),
            (6, 14),
        )
    ],
}
"""The standard course `[D]` (TG-S2)."""

PAYS_EXACT = (7, 5, 4)
PAYS_SHOWN = 3
NO_SHOW = -1
DISQUALIFIED = -2
TRIFECTA = 5
BOXED = 2
SCORE_LEAST = -8
FORTY = 40

ROW = 16
"""Places are numbered space × 16 + lane, so that one further forward has a higher number."""


def place(lane: int, space: int) -> int:
    """The number of a place."""
    return space * ROW + lane


def lane_of(where: int) -> int:
    """The lane of a place."""
    return where % ROW


def space_of(where: int) -> int:
    """The space of a place."""
    return where // ROW
