"""What a host may arrange: labels that the meeting draws, lists that can be (contract, Chance)."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from domain.games.tuyaux.board import RACE_CARDS, RACE_DECKS, RACE_TIPS, races_most
from domain.kernel.fitting import some_of
from domain.kernel.rejection import Malformed

RACE_LABEL = re.compile(r"race-([1-9][0-9]{0,2})/(programme|race-deck|tips)")
ALWAYS = {"dealer": some_of((1, 2)), "race-1/programme": some_of(RACE_CARDS)}
Draws = Mapping[str, Sequence[Any]]


def check_arranged(options: Mapping[str, Any], seats: int, draws: Draws) -> None:
    """Refuse an arrangement that can't be.

    A race deck and tips are those of the starters, so they need an arranged programme of that race
    and are checked with it: no list can fail to fit when its draw comes.

    Raises:
        Malformed: with a pointer under /arranged/draws.
    """
    for label, items in draws.items():
        problem = problem_with(options, seats, draws, label, items)
        if problem:
            pointer = "/arranged/draws/" + label.replace("~", "~0").replace("/", "~1")
            raise Malformed(f"{label[:40]}: {problem}", pointer)


def problem_with(
    options: Mapping[str, Any], seats: int, draws: Draws, label: str, items: Sequence[Any]
) -> str | None:
    """What is wrong with one arranged list, or None."""
    if label == "dealer":
        return fits(items, range(1, seats + 1))
    match = RACE_LABEL.fullmatch(label)
    if match is None or int(match[1]) > races_most(options["target"]):
        return "this meeting draws nothing under this label."
    race, draw = match[1], match[2]
    if draw == "programme":
        return fits(items, RACE_CARDS)
    programme = list(draws.get(f"race-{race}/programme", ()))[:1]
    if not programme:
        return f"race-{race}/programme must be arranged too."
    if fits(programme, RACE_CARDS):
        return None  # the programme's own fault, told under its label
    card = programme[0]
    return fits(items, RACE_DECKS[card] if draw == "race-deck" else RACE_TIPS[card])


def fits(items: Sequence[Any], pool: Sequence[Any]) -> str | None:
    """Whether the items are all among those to draw from, none too often."""
    if any(isinstance(item, bool) or not isinstance(item, str | int) for item in items):
        return "items are seats or card names."
    if Counter(items) - Counter(pool):
        return "an item is unknown here, or stands too often."
    return None
