"""What seats may ask (sheet, Commands)."""

from collections.abc import Mapping
from typing import Any, ClassVar, Literal

from msgspec import UNSET, Struct, UnsetType

from domain.games.change_horses.board import CardName, HorseName, Side
from domain.kernel.message import Command
from domain.kernel.rejection import Malformed

Option = Literal["stumble", "slippery", "fast", "change"]
WILD_TAG = "change-horses.play_wild"


class Sidestep(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A horse goes one lane to a side: `inside` is lane - 1 (CH-W2)."""

    horse: HorseName
    side: Side


class SelectCards(Command, frozen=True, kw_only=True, tag="change-horses.select_cards"):
    """A seat secretly picks hand cards that will be shown (CH-R1, CH-R4, CH-2B)."""

    cards: list[CardName]


class Bid(Command, frozen=True, kw_only=True, tag="change-horses.bid"):
    """A seat bids for the Position cards, or raises its bid (CH-D2, CH-D3)."""

    carrots: int


class Stand(Command, frozen=True, kw_only=True, tag="change-horses.stand"):
    """A seat that has a bid raises no more (CH-D3)."""


class Stumble(Command, frozen=True, kw_only=True, tag=WILD_TAG):
    """Cover a card on the betting board: its horses stop counting (CH-W1)."""

    option: Literal["stumble"]
    card: CardName


class Slippery(Command, frozen=True, kw_only=True, tag=WILD_TAG):
    """Move two horses one lane sideways, one after the other (CH-W2)."""

    option: Literal["slippery"]
    moves: list[Sidestep]


class Fast(Command, frozen=True, kw_only=True, tag=WILD_TAG):
    """The horses on the two rearmost rows go two forward (CH-W3)."""

    option: Literal["fast"]


class Change(Command, frozen=True, kw_only=True, tag=WILD_TAG):
    """Change a certificate for the top one of the pile; two seats name which (CH-W4)."""

    option: Literal["change"]
    certificate: HorseName | UnsetType = UNSET


_FORMS: dict[str, type[Command]] = {
    "stumble": Stumble,
    "slippery": Slippery,
    "fast": Fast,
    "change": Change,
}
_FIELDS: dict[str, str] = {"stumble": "card", "slippery": "moves", "change": "certificate"}


class PlayWild(Command, frozen=True, kw_only=True, tag=WILD_TAG):
    """A seat plays a Wild Horse card before its movement card (CH-R2, CH-W)."""

    forms: ClassVar[tuple[type[Command], ...]] = tuple(_FORMS.values())

    option: Option
    card: CardName | UnsetType = UNSET
    moves: list[Sidestep] | UnsetType = UNSET
    certificate: HorseName | UnsetType = UNSET

    @classmethod
    def form_of(cls, body: Mapping[str, Any]) -> type[Command]:
        """The form of this option; the command as a whole where there is no such option."""
        option = body.get("option")
        return _FORMS.get(option, cls) if isinstance(option, str) else cls

    def check(self, table: Any) -> None:
        """An option has its own field and no other; only with two seats a change names a horse.

        Raises:
            Malformed: see Command.check.
        """
        wanted = _FIELDS.get(self.option)
        if wanted == "certificate" and table.seats > 2:
            wanted = None
        for name in _FIELDS.values():
            given = getattr(self, name) is not UNSET
            if given and name != wanted:
                raise Malformed(f"`{self.option}` takes no {name} here.", f"/{name}")
            if not given and name == wanted:
                raise Malformed(f"`{self.option}` needs a {name} here.", f"/{name}")


class PlayCard(Command, frozen=True, kw_only=True, tag="change-horses.play_card"):
    """A seat plays one of its shown cards on the betting board (CH-R2, CH-2B)."""

    card: CardName


COMMANDS: tuple[type[Command], ...] = (SelectCards, Bid, Stand, PlayWild, PlayCard)
