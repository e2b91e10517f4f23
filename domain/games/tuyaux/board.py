"""What is printed on the cards: horses, programmes, tips (TU-S1, TU-S2, TU-S3)."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Literal

from msgspec import Meta

from domain.kernel.words import printed

HorseName = Annotated[
    Literal["vertige", "cocotte", "noiro", "grisou", "caramel", "perle"], Meta(title="HorseName")
]
HORSES: tuple[HorseName, ...] = ("vertige", "cocotte", "noiro", "grisou", "caramel", "perle")
Horse = Annotated[str, printed("HorseName", *HORSES)]
HORSE_INDEX = {horse: i for i, horse in enumerate(HORSES)}

LONGSHOT, OUTSIDER, FAVOURITE = 0, 1, 2
WHIP = "whip"
WHIP_VALUE = 2
WHIP_VALUE_MORE = 3
"""In the last turn (TU-M5), or as the first whip of a turn (TU-M6)."""

FACES = ("0", "0", "1", "1", "2", "2", WHIP)
"""The tips of one horse (TU-S2)."""

TIPS = tuple(f"{horse}-{face}" for horse in HORSES for face in FACES)
"""The 42 tips in the sheet's order."""

TIP_NAMES = tuple(dict.fromkeys(TIPS))
TIP_ORDER = {card: i for i, card in enumerate(TIP_NAMES)}
TIP_HORSE: dict[str, HorseName] = {
    f"{horse}-{face}": horse for horse in HORSES for face in dict.fromkeys(FACES)
}
TIP_VALUE: dict[str, int | None] = {
    card: None if card.endswith(WHIP) else int(card[-1]) for card in TIP_NAMES
}
"""The printed value; None of a whip, whose worth hangs on when it is played."""

if TYPE_CHECKING:
    TipName = str  # a type checker reads no computed Literal
else:
    TipName = Annotated[Literal[TIP_NAMES], Meta(title="TipName")]
Tip = Annotated[str, printed("TipName", *TIP_NAMES)]

_PRINTED: dict[str, tuple[int | None, ...]] = {
    "vertige-0": (0, 1, 2, 1, None, 0),
    "vertige-1": (1, 0, 2, None, 1, None),
    "vertige-2": (2, 0, 2, 0, 1, 1),
    "cocotte-0": (1, 0, 2, 1, 2, 0),
    "cocotte-1": (2, 1, None, 2, 1, 0),
    "noiro-1": (2, 0, 1, 0, 2, 1),
    "noiro-2": (None, 0, 2, None, 1, 1),
    "grisou-0": (1, None, 2, 0, 2, 1),
    "grisou-1": (0, None, 1, 1, 2, None),
    "grisou-2": (0, 1, 1, 2, 2, 0),
    "caramel-1": (2, 1, 2, 0, 1, 0),
    "caramel-2": (1, 0, 1, 2, 2, 0),
    "perle-0": (0, 1, 1, 2, None, 0),
    "perle-1": (None, 0, None, 1, 2, 1),
}
"""The 14 race cards as the sheet prints them, a column for each horse (TU-S3)."""

RACE_CARDS = tuple(_PRINTED)
RaceCard = Annotated[str, printed("RaceCard", *RACE_CARDS)]
PROGRAMMES: Mapping[str, Mapping[HorseName, int]] = {
    card: {horse: v for horse, v in zip(HORSES, row, strict=True) if v is not None}
    for card, row in _PRINTED.items()
}
"""Race card -> starters and their values, in table order."""

RACE_DECKS: Mapping[str, tuple[str, ...]] = {
    card: tuple(f"{horse}-{value}" for horse, value in values.items())
    for card, values in PROGRAMMES.items()
}
"""Race card -> the race cards of its starters (TU-S4), which are among the 14."""

RACE_TIPS: Mapping[str, tuple[str, ...]] = {
    card: tuple(tip for tip in TIPS if TIP_HORSE[tip] in values)
    for card, values in PROGRAMMES.items()
}
"""Race card -> the tips of its starters (TU-S4)."""

RACE_CARD_HORSE: Mapping[str, HorseName] = {
    card: horse for horse in HORSES for card in RACE_CARDS if card.startswith(horse)
}
RACE_CARD_VALUE: Mapping[str, int] = {card: int(card[-1]) for card in RACE_CARDS}

TARGET_MOST = 30
RACES_PER_COIN = 20
RACES_LEAST = 100


def races_most(target: int) -> int:
    """After this race the meeting ends in any case (TU-E3)."""
    return max(RACES_PER_COIN * target, RACES_LEAST)


def by_table(cards: Sequence[str]) -> list[str]:
    """Tips in the sheet's order."""
    return sorted(cards, key=TIP_ORDER.__getitem__)


def horses_in_order(horses: Sequence[HorseName]) -> list[HorseName]:
    """Horses in table order."""
    return sorted(horses, key=HORSE_INDEX.__getitem__)
