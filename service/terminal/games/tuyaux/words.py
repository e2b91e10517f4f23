"""Words and colours of Tuyaux that boards and events share."""

from collections.abc import Mapping, Sequence

from rich.text import Text

from service.terminal.plain import Json

STYLES = {
    "vertige": "green",
    "cocotte": "blue",
    "noiro": "bold reverse",
    "grisou": "bright_black",
    "caramel": "dark_orange",
    "perle": "bold",
}
"""Each horse in its colour, so that it can be read on light and dark ground."""

WORTH = {2: "favourite", 1: "outsider", 0: "longshot"}


def told_field(lines: Sequence[Sequence[str]]) -> str:
    """Lines apart by a bar."""
    return " │ ".join(" ".join(line) for line in lines)


def told_starters(values: Mapping[str, int]) -> str:
    """The starters in table order, and what they are; JSON maps may have any order."""
    return ", ".join(f"{horse} {WORTH[values[horse]]}" for horse in STYLES if horse in values)


def told_moved(moved: int) -> str:
    """Places gained or lost."""
    return f"{moved:+}" if moved else "no place"


def told_bet(bet: Json) -> str:
    """A bet in words."""
    parts = []
    if bet["win"]:
        parts.append(f"{' and '.join(bet['win'])} to win")
    if bet["place"]:
        parts.append(f"{bet['place']} to be placed")
    if bet["tierce"]:
        parts.append(f"{', '.join(bet['tierce'])} in this order")
    return "; ".join(parts)


def coloured(line: str) -> Text:
    """Horses and their cards in their colours; nothing in the line is markup."""
    text = Text(line)
    for horse, style in STYLES.items():
        text.highlight_regex(rf"\b{horse}(-\w+)?\b", style)
    return text
