"""What a host may arrange: labels that the meeting draws, lists that can be (contract, Chance).

No draw of this game depends on another, or on play.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from domain.games.change_horses.board import HORSES, rounds
from domain.games.change_horses.options import DERBY
from domain.kernel.fitting import some_of
from domain.kernel.rejection import Malformed

RACE_LABEL = re.compile(r"race-([1-9]|10)/(lanes|certificates|positions|positions-([1-9][0-9]?))")
ALWAYS = {
    "race-1/lanes": some_of(HORSES),
    "race-1/certificates": some_of(HORSES),
    "race-1/positions": some_of((1, 2)),
}
Draws = Mapping[str, Sequence[Any]]


def check_arranged(options: Mapping[str, Any], seats: int, draws: Draws) -> None:
    """Refuse an arrangement that can't be.

    Raises:
        Malformed: with a pointer under /arranged/draws.
    """
    for label, items in draws.items():
        pointer = "/arranged/draws/" + label.replace("~", "~0").replace("/", "~1")
        problem = problem_with(options, seats, label, list(items))
        if problem:
            raise Malformed(f"{label[:40]}: {problem}", pointer)


def problem_with(
    options: Mapping[str, Any], seats: int, label: str, items: list[Any]
) -> str | None:
    """What is wrong with one arranged list, or None."""
    match = RACE_LABEL.fullmatch(label)
    if match is None or int(match[1]) > options["races"]:
        return "this meeting draws nothing under this label."
    if match[2] in ("lanes", "certificates"):
        return fits(items, HORSES)
    if match[3] is None:
        return fits(items, range(1, seats + 1))
    dealt = seats > 2 and options["turn_order"] != DERBY
    if not dealt or not 2 <= int(match[3]) <= rounds(seats):
        return "this meeting draws nothing under this label."
    return fits(items, range(2, seats + 1))


def fits(items: list[Any], pool: Iterable[Any]) -> str | None:
    """Whether the items are all among those to draw from, none too often."""
    if any(isinstance(item, bool) or not isinstance(item, str | int) for item in items):
        return "items are horses, or numbers of seats or Position cards."
    if Counter(items) - Counter(pool):
        return "an item is unknown here, or stands too often."
    return None
