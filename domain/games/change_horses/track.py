"""How horses move: from lanes and spaces to lanes and spaces. No hands, no seats, no certificates.

Horses are indices from A; `lanes` and `spaces` are lists by horse.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, product

from domain.games.change_horses.board import CARD_HORSES, FAST_ROWS, FAST_STEPS, HORSES, LANES

Steps = Sequence[int]
Move = tuple[int, int]
"""A horse and its step sideways: -1 to the inside, 1 to the outside."""

FIELD = range(len(HORSES))


def count(cards: Iterable[str]) -> list[int]:
    """How often each horse is visible on these cards (CH-M1)."""
    counts = [0] * len(HORSES)
    for card in cards:
        one, other = CARD_HORSES[card]
        counts[one] += 1
        counts[other] += 1
    return counts


def march(lanes: Sequence[int], spaces: Sequence[int], steps: Steps) -> list[tuple[int, int]]:
    """Where the horses with steps get to, in the order in which they move (CH-M2, CH-M3).

    Returns:
        (horse, space) for each of them, the blocked ones too.
    """
    moved = []
    lane = ahead = 0
    for horse in sorted(FIELD, key=lambda h: (lanes[h], -spaces[h])):
        space = spaces[horse]
        if steps[horse]:
            space += steps[horse]
            if lanes[horse] == lane and space >= ahead:
                space = ahead - 1
            moved.append((horse, space))
        lane, ahead = lanes[horse], space
    return moved


def board_steps(counts: Sequence[int]) -> list[int]:
    """Odd: as many spaces as the horse is visible; even: none (CH-M1)."""
    return [n if n % 2 else 0 for n in counts]


def fast_steps(spaces: Sequence[int]) -> list[int]:
    """Two for every horse on the two rearmost occupied rows (CH-W3)."""
    rows = sorted(set(spaces))[:FAST_ROWS]
    return [FAST_STEPS if space in rows else 0 for space in spaces]


def lane_after(lanes: Sequence[int], spaces: Sequence[int], move: Move) -> int | None:
    """The lane that a sidestep leads to, None where it can't be (CH-W2)."""
    horse, step = move
    lane = lanes[horse] + step
    if not 1 <= lane <= LANES:
        return None
    space = spaces[horse]
    for other in FIELD:
        if lanes[other] == lane and spaces[other] == space:
            return None
    return lane


def slip(lanes: Sequence[int], spaces: Sequence[int], moves: Sequence[Move]) -> list[int] | None:
    """The lanes after these sidesteps one after the other, None where one can't be (CH-W2)."""
    after = list(lanes)
    for move in moves:
        lane = lane_after(after, spaces, move)
        if lane is None:
            return None
        after[move[0]] = lane
    return after


def in_order(lanes: Sequence[int], spaces: Sequence[int], moves: list[Move]) -> list[Move]:
    """Two possible sidesteps as they are listed: the earlier horse first, where it may be."""
    one, other = moves
    if other[0] < one[0] and slip(lanes, spaces, [other, one]) is not None:
        return [other, one]
    return moves


def slips(lanes: Sequence[int], spaces: Sequence[int]) -> Iterator[list[Move]]:
    """Every possible pair of sidesteps, each once (CH-W2)."""
    for one, other in combinations(FIELD, 2):
        for side, other_side in product((-1, 1), repeat=2):
            moves = [(one, side), (other, other_side)]
            for tried in (moves, moves[::-1]):
                if slip(lanes, spaces, tried) is not None:
                    yield tried
                    break
