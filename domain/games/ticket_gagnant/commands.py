"""What seats may ask (sheet, Commands)."""

from collections.abc import Mapping
from typing import Any, ClassVar, Literal

from msgspec import UNSET, Struct, UnsetType

from domain.games.ticket_gagnant.board import (
    PAIRS,
    SINGLES,
    WILD,
    WILD_NUMBERED,
    Beside,
    CardName,
    Direction,
    HorseName,
    Kind,
    PairName,
    SingleName,
)
from domain.kernel.message import Command


class River(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Where the river of a steeplechase lies: in front of, or behind, hedge 1 or 2 (TG-S2)."""

    hedge: int
    side: Literal["front", "behind"]


class To(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Where a displaced horse is put."""

    lane: int
    space: int


class ChooseRace(Command, frozen=True, kw_only=True, tag="ticket-gagnant.choose_race"):
    """The first player chooses the race before a card is seen (TG-S4)."""

    kind: Kind
    deal: int
    hidden: bool | UnsetType = UNSET
    river: River | UnsetType = UNSET


class Predict(Command, frozen=True, kw_only=True, tag="ticket-gagnant.predict"):
    """A seat predicts one to three horses, in secret (TG-B1)."""

    first: HorseName | UnsetType = UNSET
    second: HorseName | UnsetType = UNSET
    third: HorseName | UnsetType = UNSET


class PlaySingle(Command, frozen=True, kw_only=True, tag="ticket-gagnant.play_card"):
    """The form of `play_card` for a single (TG-M1)."""

    card: SingleName
    direction: Direction
    displaced_to: To | UnsetType = UNSET


class PlayWild(Command, frozen=True, kw_only=True, tag="ticket-gagnant.play_card"):
    """The form of `play_card` for a free wild card (TG-M4)."""

    card: Literal["wild"]
    horse: HorseName
    direction: Direction
    spaces: int
    displaced_to: To | UnsetType = UNSET


class PlayNumberedWild(Command, frozen=True, kw_only=True, tag="ticket-gagnant.play_card"):
    """The form of `play_card` for a wild card with a printed number (TG-M4)."""

    card: Literal["wild-1", "wild-2", "wild-3"]
    horse: HorseName
    direction: Direction
    displaced_to: To | UnsetType = UNSET


class PlayPair(Command, frozen=True, kw_only=True, tag="ticket-gagnant.play_card"):
    """The form of `play_card` for a pair: `horse` moves beside the other (TG-M5)."""

    card: PairName
    horse: HorseName
    beside: Beside
    displaced_to: To | UnsetType = UNSET


class PlayCard(Command, frozen=True, kw_only=True, tag="ticket-gagnant.play_card"):
    """A seat plays a card (TG-M); which fields it takes hangs on the card."""

    forms: ClassVar[tuple[type[Command], ...]] = (PlaySingle, PlayWild, PlayNumberedWild, PlayPair)

    card: CardName
    horse: HorseName | UnsetType = UNSET
    direction: Direction | UnsetType = UNSET
    spaces: int | UnsetType = UNSET
    beside: Beside | UnsetType = UNSET
    displaced_to: To | UnsetType = UNSET

    @classmethod
    def form_of(cls, body: Mapping[str, Any]) -> type[Command]:
        """The form for the body's card; where that is none, any form refuses it."""
        card = body.get("card")
        return FORM_OF_CARD.get(card, PlaySingle) if isinstance(card, str) else PlaySingle


FORM_OF_CARD: dict[str, type[Command]] = {
    **dict.fromkeys(SINGLES, PlaySingle),
    **dict.fromkeys(PAIRS, PlayPair),
    WILD: PlayWild,
    **dict.fromkeys(WILD_NUMBERED, PlayNumberedWild),
}
HANGING = ("horse", "direction", "spaces", "beside")
"""Fields of `play_card` that hang on the card."""
TAKEN = {
    card: tuple(name in form.__struct_fields__ for name in HANGING)
    for card, form in FORM_OF_CARD.items()
}


def misfit(command: PlayCard) -> str | None:
    """The field that this card does not take or that is missing (a 400), or None."""
    given = (
        command.horse is not UNSET,
        command.direction is not UNSET,
        command.spaces is not UNSET,
        command.beside is not UNSET,
    )
    taken = TAKEN[command.card]
    if given == taken:
        return None
    return next(name for name, a, b in zip(HANGING, given, taken, strict=True) if a != b)


class DiscardCard(Command, frozen=True, kw_only=True, tag="ticket-gagnant.discard_card"):
    """A seat without a legal play discards a card of its choice (TG-M11)."""

    card: CardName


COMMANDS: tuple[type[Command], ...] = (ChooseRace, Predict, PlayCard, DiscardCard)
SYSTEM_COMMANDS: tuple[type[Command], ...] = ()
