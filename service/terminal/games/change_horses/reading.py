"""What a person may type in Change Horses instead of JSON."""

from collections.abc import Sequence
from typing import Any

from service.terminal.games.change_horses.words import SIDES, STYLES
from service.terminal.plain import Json

_FORMS: dict[str, tuple[str, ...]] = {
    "select": ("pick blue+red green+yellow …    the cards to show",),
    "auction": ("bid 7 · stand",),
    "turn": (
        "blue+red                        the card to play",
        "stumble blue+red                cover a card of the board",
        "slippery red in blue out        two horses, one lane each",
        "fast · change · change red      (two seats name the horse)",
    ),
}


def forms(board: Json) -> Sequence[str]:
    """What may be typed in this phase."""
    return _FORMS.get(board["phase"] or "", ())


def card(word: str) -> str:
    """A card by its two horses in either order."""
    return "+".join(sorted(word.split("+")))


def wild(option: str, **fields: Any) -> Json:
    """A Wild Horse card."""
    return {"type": "change-horses.play_wild", "option": option, **fields}


def shorthand(words: Sequence[str], board: Json) -> Json | None:
    """The body of a command in short form, or None."""
    match list(words):
        case ["pick", *cards] if cards:
            return {"type": "change-horses.select_cards", "cards": [card(name) for name in cards]}
        case ["bid", carrots] if carrots.isdecimal():
            return {"type": "change-horses.bid", "carrots": int(carrots)}
        case ["stand"]:
            return {"type": "change-horses.stand"}
        case ["stumble", name]:
            return wild("stumble", card=card(name))
        case ["slippery", one, side, other, other_side] if {side, other_side} <= set(SIDES):
            pairs = ((one, side), (other, other_side))
            return wild("slippery", moves=[{"horse": h, "side": SIDES[s]} for h, s in pairs])
        case ["fast" | "change" as option]:
            return wild(option)
        case ["change", horse] if horse in STYLES:
            return wild("change", certificate=horse)
        case [name] if "+" in name:
            return {"type": "change-horses.play_card", "card": card(name)}
    return None
