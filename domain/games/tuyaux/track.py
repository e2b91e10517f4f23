"""How horses move: from lines and a card to lines. No hands, no seats, no coins.

The field is a list of lines from front to back, each a list of horses in table order (TU-M1).
Horses leave a shared line and never join one. A line is never changed, only replaced.
"""

from collections.abc import Iterable

from domain.games.tuyaux.board import FAVOURITE, WHIP_VALUE, WHIP_VALUE_MORE


def start(starters: Iterable[str]) -> list[list[str]]:
    """All starters on one line (TU-S4)."""
    return [list(starters)]


def move(lines: list[list[str]], horse: str, places: int) -> tuple[list[list[str]], int]:
    """The field after a horse gained (or, if negative, lost) places one by one (TU-M7).

    Args:
        lines: the field; it and its lines stay as they are, and the new field shares lines with it.
        horse: one of it.
        places: how many steps.

    Returns:
        The new field, and the steps really made: at either end there are no more.
    """
    after = lines.copy()
    if places == 0:
        return after, 0
    at = 0
    while horse not in lines[at]:
        at += 1
    back = places < 0
    left = abs(places)
    line = lines[at]
    if len(line) > 1:  # the first step only leaves the line that is shared
        after[at] = [other for other in line if other != horse]
        at += back
        after.insert(at, [horse])
        left -= 1
    further = min(left, len(after) - 1 - at if back else at)
    if further:
        after.insert(at + further if back else at - further, after.pop(at))
    made = abs(places) - left + further
    return after, -made if back else made


def whip_value(*, last_turn: bool, whips_before: int, first_whip: bool) -> int:
    """What a whip is worth (TU-M5, TU-M6).

    Args:
        last_turn: whether this is the last turn of the race.
        whips_before: whips played earlier in this turn.
        first_whip: the meeting's option: the first whip of a turn counts more, not the last turn.
    """
    more = whips_before == 0 if first_whip else last_turn
    return WHIP_VALUE_MORE if more else WHIP_VALUE


def tip_places(value: int, race_value: int, *, turned: bool) -> int:
    """The places that a tip is good for (TU-M3, TU-M4).

    Args:
        value: of the tip.
        race_value: of the race card turned.
        turned: whether that race card is of the tip's own horse.
    """
    places = value - race_value
    if turned and race_value == FAVOURITE:
        return max(places, 0)
    return places
