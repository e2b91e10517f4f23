"""What a finished race pays, and the ranking: coins as whole numbers."""

from collections.abc import Mapping, Sequence

from domain.games.tuyaux.board import FAVOURITE, LONGSHOT, OUTSIDER
from domain.games.tuyaux.events import BetForm

Lines = Sequence[Sequence[str]]
"""The field at the end, front first."""

WIN_PAYS = {FAVOURITE: 1, OUTSIDER: 2, LONGSHOT: 3}
PLACE_PAYS = {FAVOURITE: 1, OUTSIDER: 1, LONGSHOT: 2}


def winners(lines: Lines) -> list[str]:
    """The horses on the front line; more than one are a dead heat (TU-E1)."""
    return list(lines[0])


def placed(lines: Lines) -> list[str]:
    """Those on the first line and, if that holds one horse, on the second (TU-E1)."""
    first = list(lines[0])
    return first if len(first) > 1 else [*first, *lines[1]]


def pay(lines: Lines, values: Mapping[str, int], bet: BetForm) -> int:
    """The coins of one bet, all its right parts added (TU-E1).

    Args:
        lines: the field at the end, front first.
        values: of the starters.
        bet: of one seat.
    """
    coins = sum(WIN_PAYS[values[horse]] for horse in bet.win or () if horse in lines[0])
    if bet.place is not None and bet.place in placed(lines):
        coins += PLACE_PAYS[values[bet.place]]
    if bet.tierce is not None:
        coins += pay_tierce(lines, values, bet.tierce)
    return coins


def pay_tierce(lines: Lines, values: Mapping[str, int], tierce: Sequence[str]) -> int:
    """Some order of the horses within their lines decides, for the bettor (TU-E1).

    So the three are right as named if each stands on the line that holds its position, and the
    first three in any order if together they stand on the lines of the first three positions.
    """
    line_of = {horse: i for i, line in enumerate(lines) for horse in line}
    positions = [i for i, line in enumerate(lines) for _ in line][:3]
    named = [line_of[horse] for horse in tierce]
    if named == positions:
        return sum(WIN_PAYS[values[horse]] for horse in tierce)
    if sorted(named) == positions:
        return sum(PLACE_PAYS[values[horse]] for horse in tierce)
    return 0


def ranking(coins: Sequence[int], target: int) -> list[tuple[int, int, int]]:
    """(seat, rank, coins), by rank, then seat (TU-E2, TU-E3).

    All who reached the target are first, with more coins or fewer; the others rank by coins, and a
    rank is 1 + the number of seats ranked above.
    """
    height = [min(have, target) for have in coins]
    rows = [
        (i + 1, 1 + sum(other > own for other in height), coins[i]) for i, own in enumerate(height)
    ]
    return sorted(rows, key=lambda row: (row[1], row[0]))
