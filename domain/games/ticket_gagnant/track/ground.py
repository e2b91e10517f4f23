"""The ground of a race, worked out once: where each straight move ends, how far back a horse may
come, which spaces lie around a space.

A place is one number (board.py); the tables of the ground are lists by place.
"""

from collections.abc import Sequence
from functools import lru_cache

from msgspec import Struct

from domain.games.ticket_gagnant.board import (
    BESIDE_STEPS,
    BESIDES,
    DIRECTIONS,
    HORSES,
    STEPS,
    lane_of,
    place,
    space_of,
)

LENGTHS = (1, 2, 3)
NOTHING, BACK, NO_SPACE = -1, -2, -3
"""No end of a move: nothing is left of it (TG-M2), it leads back over the line (TG-M10), or the
space beside a horse is off the track, in the river or behind a hedge crossed (TG-M5)."""


class Ground(Struct, frozen=True, kw_only=True):
    """The ground of one race; lists by place have nothing that counts where no horse may stand.

    Args:
        lanes, last: as the course has them.
        line: the first place past the dashed line.
        wins: whether crossing it ends the race (TG-M9); else it may not be crossed back (TG-M10).
        floors: by place, the lowest place to which a horse that stands there may ever be brought:
            hedges crossed (TG-M7) and, with `no_return`, the line.
        straight: by place, then (direction, length) in their order, where that move ends (TG-M1,
            TG-M2); or NOTHING, or BACK.
        around: by place, where a horse displaced from it may be put if that is free (TG-M6).
        beside: by place, then side, the place there, or NO_SPACE.
        hoofprints: places that disqualify at the end (TG-R1).
    """

    lanes: int
    last: int
    line: int
    wins: bool
    floors: list[int]
    straight: list[tuple[int, ...]]
    around: list[tuple[int, ...]]
    beside: list[tuple[int, ...]]
    hoofprints: frozenset[int]


@lru_cache(maxsize=256)
def ground_of(
    lanes: int,
    last: int,
    line: int,
    hedges: tuple[int, ...],
    river: int | None,
    hoofprints: tuple[tuple[int, int], ...],
    wins: bool,
) -> Ground:
    """The ground of a race.

    Args:
        hedges: those that stand in this race, each on h|h+1; () in a race without.
        river: the row under water, or None (TG-M8).
        hoofprints: (lane, space) of those that count in this race.
        wins: whether crossing the line ends the race.
    """
    size = place(0, last + 1)
    floors = [0] * size
    straight: list[tuple[int, ...]] = [()] * size
    around: list[tuple[int, ...]] = [()] * size
    beside: list[tuple[int, ...]] = [()] * size
    land = [
        place(lane, space)
        for space in range(last + 1)
        if space != river
        for lane in range(1, lanes + 1)
    ]
    on_land = frozenset(land)
    for where in land:
        lane, space = lane_of(where), space_of(where)
        floors[where] = place(0, floor_of(space, hedges, line, wins))
        straight[where] = tuple(
            BACK if direction == "backward" and not wins and space >= line else end
            for direction in DIRECTIONS
            for end in straight_ends(lane, space, direction, lanes, last, river, hedges)
        )
        around[where] = tuple(
            near
            for step in (-1, 0, 1)
            for side in (-1, 0, 1)
            if (near := place(lane + side, space + step)) in on_land
            and near != where
            and near >= floors[where]
        )
        near_by = [BESIDE_STEPS[side] for side in BESIDES]
        beside[where] = tuple(
            near if (near := place(lane + dl, space + ds)) in on_land else NO_SPACE
            for dl, ds in near_by
        )
    return Ground(
        lanes=lanes,
        last=last,
        line=place(0, line),
        wins=wins,
        floors=floors,
        straight=straight,
        around=around,
        beside=beside,
        hoofprints=frozenset(place(lane, space) for lane, space in hoofprints),
    )


def floor_of(space: int, hedges: Sequence[int], line: int, wins: bool) -> int:
    """The lowest space to which a horse on this space may ever be brought (TG-M7, TG-M10)."""
    if not wins and space >= line:
        return space
    return max((h + 1 for h in hedges if h < space), default=0)


def straight_ends(
    lane: int,
    space: int,
    direction: str,
    lanes: int,
    last: int,
    river: int | None,
    hedges: Sequence[int],
) -> tuple[int, ...]:
    """Where straight moves of 1, 2 and 3 spaces end, cut only where they must be (TG-M2).

    Nobody in between is in the way: horses and the river are passed (TG-M3, TG-M8).
    """
    lane_step, space_step = STEPS[direction]
    back_to = max((h + 1 for h in hedges if h < space), default=0)
    ends = []
    for length in LENGTHS:
        end_lane = min(max(lane + lane_step * length, 1), lanes)
        end_space = min(max(space + space_step * length, back_to), last)
        if end_space == river:
            end_space -= space_step
        end = place(end_lane, end_space)
        ends.append(NOTHING if end == place(lane, space) else end)
    return tuple(ends)


def ranking(ground: Ground, places: Sequence[int], order: Sequence[int] | None) -> list[int]:
    """Horses by rank, the disqualified left out (TG-R1).

    Args:
        places: by horse.
        order: of horses on one space the earlier in it is ahead (TG-R2); None: the nearer the rail
            (TG-R3).
    """
    racing = [h for h in range(len(HORSES)) if places[h] not in ground.hoofprints]
    if order is None:
        return sorted(racing, key=lambda h: (-space_of(places[h]), lane_of(places[h])))
    return sorted(racing, key=lambda h: (-space_of(places[h]), order.index(h)))
