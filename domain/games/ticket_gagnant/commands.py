"""What seats may ask (sheet, Commands)."""

from collections.abc import Mapping
from typing import Any, ClassVar, Literal

from msgspec import UNSET, Struct, UnsetType

from domain.games.ticket_gagnant.board import (
    PAIR_OF,
    WILD,
    WILD_NUMBERED,
    Beside,
    CardName,
    Direction,
    HorseName,
    Kind,
)
from domain.games.ticket_gagnant.options import River
from domain.kernel.message import Command


class To(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Where a displaced horse is put."""

    lane: int
    space: int


class ChooseRace(Command, frozen=True, kw_only=True, tag="ticket-gagnant.choose_race"):
    """The first player chooses the race before a card is seen (TG-S4)."""

    kind: Kind
    deal: int
    hidden: bool = False
    river: River | UnsetType = UNSET


class Predict(Command, frozen=True, kw_only=True, tag="ticket-gagnant.predict"):
    """A seat predicts one to three horses, in secret (TG-B1)."""

    first: HorseName | UnsetType = UNSET
    second: HorseName | UnsetType = UNSET
    third: HorseName | UnsetType = UNSET


class PlaySingle(Command, frozen=True, kw_only=True, tag="ticket-gagnant.play_card"):
    """The form of `play_card` for a single (TG-M1)."""

    card: CardName
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

    card: CardName
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
        """The form for the body's card."""
        card = body.get("card")
        if card == WILD:
            return PlayWild
        if card in WILD_NUMBERED:
            return PlayNumberedWild
        return PlayPair if isinstance(card, str) and card in PAIR_OF else PlaySingle


class DiscardCard(Command, frozen=True, kw_only=True, tag="ticket-gagnant.discard_card"):
    """A seat without a legal play discards a card of its choice (TG-M11)."""

    card: CardName


COMMANDS: tuple[type[Command], ...] = (ChooseRace, Predict, PlayCard, DiscardCard)
SYSTEM_COMMANDS: tuple[type[Command], ...] = ()
