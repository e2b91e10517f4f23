"""How a finished race ranks and what it scores: integers in, integers out."""

from collections.abc import Sequence

from msgspec import Struct

from domain.games.change_horses.board import LOST, POINTS


class Owner(Struct, frozen=True):
    """What the photo finish asks of a horse's owner (CH-E3, CH-E4).

    Args:
        seat: who holds its certificate.
        wild_left: unused Wild Horse cards.
        changed: whether it ever changed a certificate.
        last: what decides last, less is better: Derby: carrots left, negative; two seats: the space
            of the owner's other horse; else 0.
    """

    seat: int
    wild_left: int
    changed: bool
    last: int


def rank_horses(spaces: Sequence[int], owners: Sequence[Owner | None]) -> list[int]:
    """The rank of each horse, 1 the last one; ties share, the next are skipped (CH-E2 to CH-E5)."""
    photo = [
        (space, 1, 0, False, 0)
        if owner is None
        else (space, 0, -owner.wild_left, owner.changed, owner.last)
        for space, owner in zip(spaces, owners, strict=True)
    ]
    return [1 + sum(other < own for other in photo) for own in photo]


def race_points(rank: int) -> int:
    """The match points of a rank (CH-E6)."""
    return POINTS.get(rank, 0)


def best_ranks(ranks: Sequence[int], owners: Sequence[Owner | None], seats: int) -> list[int]:
    """The rank of each seat's horse, of two the better one (CH-2C)."""
    return [
        min(r for r, owner in zip(ranks, owners, strict=True) if owner and owner.seat == seat)
        for seat in range(1, seats + 1)
    ]


def ranking(best: Sequence[int], points: Sequence[int], races: int) -> list[tuple[int, int, int]]:
    """(seat, rank, points) of the meeting, by rank, then seat (CH-E6).

    Args:
        best: the rank of each seat's horse in the last race.
        points: the match points of each seat.
        races: of the meeting; of one race the seats have their horses' ranks.
    """
    rows = []
    for i, own in enumerate(points):
        if races == 1:
            rank = best[i] if best[i] in POINTS else LOST
        else:
            rank = 1 + sum(other > own for other in points)
        rows.append((i + 1, rank, own))
    return sorted(rows, key=lambda row: (row[1], row[0]))
