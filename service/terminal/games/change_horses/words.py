"""Words and colours of Change Horses that boards and events share."""

from collections.abc import Iterable, Mapping

from rich.text import Text

from service.terminal.plain import Json

STYLES = {
    "yellow": "yellow",
    "orange": "dark_orange",
    "red": "red",
    "green": "green",
    "blue": "blue",
    "purple": "purple",
}
"""A to F, each in its jockey's colour."""
SIDES = {"in": "inside", "out": "outside"}


def coloured(line: str) -> Text:
    """The horses of a line in their colours; nothing in it is markup."""
    text = Text(line)
    for horse, style in STYLES.items():
        text.highlight_regex(rf"\b{horse}\b", style)
    return text


def told_moves(moves: Iterable[Json]) -> str:
    """Where horses have come to."""
    return ", ".join(f"{move['horse']} to {move['space']}" for move in moves) or "nobody moves"


def told_seats(numbers: Mapping[str, int]) -> str:
    """A number for each seat, in order of the numbers."""
    pairs = sorted(numbers.items(), key=lambda pair: pair[1])
    return ", ".join(f"seat {seat} {number}" for seat, number in pairs)


def counts(cards: Iterable[Json]) -> dict[str, int]:
    """How often each horse is visible on the betting board."""
    found = dict.fromkeys(STYLES, 0)
    for placed in cards:
        if not placed["covered"]:
            for horse in placed["card"].split("+"):
                found[horse] += 1
    return found
