"""Words and colours of Ticket Gagnant that boards and events share."""

from collections.abc import Sequence

from rich.text import Text

from service.terminal.plain import Json

STYLES = {
    "orange": "dark_orange",
    "purple": "magenta",
    "green": "green",
    "blue": "blue",
    "red": "red",
    "yellow": "yellow",
    "black": "bold",
}
"""Each horse in its colour, so that it can be read on light and dark ground."""

MARKS = {
    "orange": "O",
    "purple": "P",
    "green": "G",
    "blue": "B",
    "red": "R",
    "yellow": "Y",
    "black": "K",
}
"""A letter for each horse on the track; black is K."""

PLACES = ("first", "second", "third")


def told_choice(choice: Json) -> str:
    """The race in words."""
    words = [choice["kind"]]
    if choice["river"] is not None:
        side = "in front of" if choice["river"]["side"] == "front" else "behind"
        words.append(f"river {side} hedge {choice['river']['hedge']}")
    words.append(f"{choice['deal']} cards")
    if choice["hidden"]:
        words.append("predictions hidden")
    return ", ".join(words)


def told_prediction(prediction: Json) -> str:
    """Horses by place; - where nothing is predicted."""
    return " ".join(prediction[place] or "-" for place in PLACES)


def told_order(horses: Sequence[str]) -> str:
    """Horses one behind the other."""
    return " ".join(horses) or "none"


def coloured(line: str) -> Text:
    """Horses and their cards in their colours; nothing in the line is markup."""
    text = Text(line)
    for horse, style in STYLES.items():
        text.highlight_regex(rf"\b{horse}(-\d)?\b", style)
    return text
