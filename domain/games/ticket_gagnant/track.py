"""How horses move: from places and a play to places. No hands, no seats, no points.

A place is one number, space × 16 + lane. The ground of a race is worked out once: where each
straight move ends, how far back a horse may come, which spaces lie around a space.
"""

from collections.abc import Sequence
from functools import lru_cache

from msgspec import Struct

from domain.games.ticket_gagnant.board import (
    BESIDE_STEPS,
    DIRECTIONS,
    HORSES,
    STEPS,
)

ROW = 16
LENGTHS = (1, 2, 3)


class Ground(Struct, frozen=True, kw_only=True):
    """The ground of one race.

    Args:
        lanes, last, line: as the course has them.
        river: the row under water, or None (TG-M8).
        floors: by space, the lowest space to which a horse that stands there may ever be brought:
            hedges crossed (TG-M7) and, with `no_return`, the line (TG-M10).
        straight: by place, then direction, where moves of 1, 2 and 3 spaces end (TG-M1, TG-M2); the
            place itself where nothing is left of the move.
        around: by place, where a horse displaced from it may be put if that is free (TG-M6).
        beside: by place, then side, the place there, or -1 off the track or in the river (TG-M5).
        hoofprints: places that disqualify at the end (TG-R1).
    """

    lanes: int
    last: int
    line: int
    wins: bool
    river: int | None
    floors: tuple[int, ...]
    straight: dict[int, dict[str, tuple[int, int, int]]]
    around: dict[int, tuple[int, ...]]
    beside: dict[int, dict[str, int]]
    hoofprints: frozenset[int]


def place(lane: int, space: int) -> int:
    """The number of a place."""
    return space * ROW + lane


def lane_of(where: int) -> int:
    """The lane of a place."""
    return where % ROW


def space_of(where: int) -> int:
    """The space of a place."""
    return where // ROW


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
        river: the row under water, or None.
        hoofprints: (lane, space) of those that count in this race.
        wins: whether crossing the line ends the race; else it may not be crossed back.
    """
    floors = tuple(floor_of(space, hedges, line, wins) for space in range(last + 1))
    land = [
        place(lane, space)
        for space in range(last + 1)
        if space != river
        for lane in range(1, lanes + 1)
    ]
    on_land = set(land)
    straight: dict[int, dict[str, tuple[int, int, int]]] = {}
    around = {}
    beside = {}
    for where in land:
        lane, space = lane_of(where), space_of(where)
        straight[where] = {
            direction: straight_ends(lane, space, direction, lanes, last, river, hedges)
            for direction in DIRECTIONS
        }
        around[where] = tuple(
            near
            for step in (-1, 0, 1)
            for side in (-1, 0, 1)
            if (step, side) != (0, 0)
            and space + step >= floors[space]
            and (near := place(lane + side, space + step)) in on_land
        )
        beside[where] = {
            side: near if (near := place(lane + dl, space + ds)) in on_land else -1
            for side, (dl, ds) in BESIDE_STEPS.items()
        }
    return Ground(
        lanes=lanes,
        last=last,
        line=line,
        wins=wins,
        river=river,
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
) -> tuple[int, int, int]:
    """Where straight moves of 1, 2 and 3 spaces end, cut only where they must be (TG-M2)."""
    lane_step, space_step = STEPS[direction]
    back_to = max((h + 1 for h in hedges if h < space), default=0)
    ends = []
    for length in LENGTHS:
        end_lane = min(max(lane + lane_step * length, 1), lanes)
        end_space = min(max(space + space_step * length, back_to), last)
        if end_space == river:
            end_space -= space_step
        ends.append(place(end_lane, end_space))
    return ends[0], ends[1], ends[2]


def displaced_options(ground: Ground, taken: int, left: int, places: Sequence[int]) -> list[int]:
    """Where the horse that stood on `taken` may be put; the mover left `left` free (TG-M6)."""
    return [near for near in ground.around[taken] if near == left or near not in places]


def beside_end(ground: Ground, mover: int, other: int, side: str) -> tuple[int, str | None]:
    """(place, problem) of a pair's mover beside the other: `space` (TG-M5) or `line` (TG-M10)."""
    end = ground.beside[other][side]
    if end < 0:
        return end, "space"
    space = space_of(mover)
    if space_of(end) < ground.floors[space]:
        past = not ground.wins and space >= ground.line
        return end, "line" if past else "space"
    return end, None


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
    at = {h: i for i, h in enumerate(order)}
    return sorted(racing, key=lambda h: (-space_of(places[h]), at[h]))
