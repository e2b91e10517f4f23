"""What is printed on the board and the cards."""

from typing import TYPE_CHECKING, Annotated, Literal

from msgspec import Meta

from domain.kernel.words import known, printed

HorseName = Annotated[Literal["red", "blue", "green", "yellow"], Meta(title="HorseName")]
HORSES: tuple[HorseName, ...] = ("red", "blue", "green", "yellow")
Horse = Annotated[str, printed("HorseName", *HORSES)]
HORSE_INDEX = {horse: i for i, horse in enumerate(HORSES)}
FINISH = 10
JOKER = "joker"

CARDS = tuple(f"{horse}-{n}" for horse in HORSES for n in range(1, FINISH + 1) for _ in (1, 2))
"""The 80 race cards in the sheet's order (BM-S3)."""

CARD_NAMES = (*dict.fromkeys(CARDS), JOKER)

if TYPE_CHECKING:
    CardName = str  # a type checker reads no computed Literal
else:
    CardName = Annotated[Literal[CARD_NAMES], Meta(title="CardName")]
Card = Annotated[str, printed("CardName", *CARD_NAMES)]

JOKERS = (JOKER, JOKER)
CARD_ORDER = {card: i for i, card in enumerate(CARD_NAMES)}
CARD_HORSE: dict[str, HorseName] = {
    card: horse for horse in HORSES for card in CARDS if card.startswith(horse)
}
CARD_NUMBER = {card: int(card.split("-")[1]) for card in CARDS}

OPEN_CARDS = 4
HAND = 4
HAND_LONE_BOOKMAKER = 6
TOKENS = 4
EXCHANGED = 2

KINDS = ("plain", "joker", "trot", "joker_trot")
RaceKind = Annotated[str, known("RaceKind", *KINDS)]
JOKER_KINDS = frozenset({"joker", "joker_trot"})
TROT_KINDS = frozenset({"trot", "joker_trot"})

ODDS_SUM_LEAST = 100
"""In tenths: the four odds sum to at least 10 (BM-O1)."""
ODDS_LEAST = 10
ODDS_MOST = 1_000
STAKE_LEAST = 10
BROCCO_STAKE = 10

OFFERS_MOST = 20
CHANGES_MOST = 10
LIMITS_MOST = 20
SHOWS_MOST = 3
OFFERS_RUNNING_MOST = 3
LOANS_MOST = 20
LOAN_TOTAL_MOST = 1_000_000
RACES_MOST = 36
WHOLE_MOST = 2**53 - 1
DEFAULT_ODDS = (30, 30, 20, 20)


def by_card(cards: list[str]) -> list[str]:
    """Cards in the sheet's order, jokers last."""
    return sorted(cards, key=CARD_ORDER.__getitem__)
