"""What a host may arrange: labels that the meeting draws, lists that can be (contract, Chance)."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from domain.games.ticket_gagnant.board import DECKS, HORSES
from domain.kernel.rejection import Malformed

RACE_LABEL = re.compile(r"race-([1-9][0-9]?)/(lanes|deck|photo-finish)")


def check_arranged(
    options: Mapping[str, Any], seats: int, draws: Mapping[str, Sequence[Any]]
) -> None:
    """Refuse an arrangement that can't be.

    Raises:
        Malformed: with a pointer under /arranged/draws.
    """
    for label, items in draws.items():
        pool = pool_of(options, seats, label)
        pointer = "/arranged/draws/" + label.replace("~", "~0").replace("/", "~1")
        if pool is None:
            raise Malformed(f"{label[:40]}: this meeting draws nothing under this label.", pointer)
        known = all(isinstance(item, str | int) and not isinstance(item, bool) for item in items)
        if not known or Counter(items) - Counter(pool):
            raise Malformed(f"{label[:40]}: an item is unknown here, or stands too often.", pointer)


def pool_of(options: Mapping[str, Any], seats: int, label: str) -> Sequence[Any] | None:
    """The list under a label, or None where nothing is drawn."""
    if label == "first_player":
        return range(1, seats + 1)
    match = RACE_LABEL.fullmatch(label)
    if match is None or int(match[1]) > options["races"]:
        return None
    if match[2] == "deck":
        return DECKS[options["wild"]]
    if match[2] == "photo-finish" and options["photo_finish"] != "draw":
        return None
    return HORSES
