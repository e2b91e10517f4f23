"""What a host may arrange: labels that the meeting draws, lists that can be (contract, Chance)."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from domain.games.ticket_gagnant.board import HORSES
from domain.games.ticket_gagnant.options import pool_of
from domain.kernel.fitting import some_of
from domain.kernel.rejection import Malformed

ALWAYS = {"first_player": some_of((1, 2)), "race-1/lanes": some_of(HORSES)}


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
