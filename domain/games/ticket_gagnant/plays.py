"""Every legal play of a card, in one pass over the ground: decide, actions and the bot read it."""

from collections.abc import Iterator

from msgspec import Struct

from domain.games.ticket_gagnant.board import (
    BESIDES,
    DIRECTIONS,
    HORSES,
    PAIR_OF,
    SINGLE_OF,
    WILD_LENGTHS,
)
from domain.games.ticket_gagnant.state import Table
from domain.games.ticket_gagnant.track import (
    Ground,
    beside_end,
    displaced_options,
    space_of,
)


class Play(Struct, frozen=True):
    """A way to play a card: who moves where, and where the horse that stood there may be put.

    Args:
        card: its name.
        horse: index of the mover.
        way: a direction, or a side of the pair's other horse.
        length: spaces of a straight move, 0 for a pair.
        end: the place where the mover ends; its own where a pair leaves it standing.
        displaced: index of the horse that is displaced, or -1.
        options: where that may be put; () if nobody is displaced.
    """

    card: str
    horse: int
    way: str
    length: int
    end: int
    displaced: int
    options: tuple[int, ...]


def straight_problem(ground: Ground, where: int, end: int, way: str) -> str | None:
    """Why a straight move is none: `nothing` (TG-M2) or `line` (TG-M10)."""
    if way == "backward" and not ground.wins and space_of(where) >= ground.line:
        return "line"
    return "nothing" if end == where else None


def displacement(t: Table, ground: Ground, horse: int, end: int) -> tuple[int, tuple[int, ...]]:
    """(who is displaced or -1, where it may be put) when a horse ends on a place (TG-M6)."""
    places = t.places
    where = places[horse]
    if end == where or end not in places:
        return -1, ()
    return places.index(end), tuple(displaced_options(ground, end, where, places))


def legal_plays(t: Table, ground: Ground, hand: list[str]) -> Iterator[Play]:
    """Every legal play of every card, equal cards once; displacement left open."""
    for card in dict.fromkeys(hand):
        if card in SINGLE_OF:
            horse, length = SINGLE_OF[card]
            yield from straight_plays(t, ground, card, horse, (length,))
        elif card in PAIR_OF:
            yield from pair_plays(t, ground, card)
        else:
            for horse in range(len(HORSES)):
                yield from straight_plays(t, ground, card, horse, WILD_LENGTHS[card])


def straight_plays(
    t: Table, ground: Ground, card: str, horse: int, lengths: tuple[int, ...]
) -> Iterator[Play]:
    """The legal straight moves of a horse (TG-M1 to TG-M4)."""
    where = t.places[horse]
    ends = ground.straight[where]
    for way in DIRECTIONS:
        for length in lengths:
            end = ends[way][length - 1]
            if straight_problem(ground, where, end, way) is None:
                displaced, options = displacement(t, ground, horse, end)
                if displaced < 0 or options:
                    yield Play(card, horse, way, length, end, displaced, options)


def pair_plays(t: Table, ground: Ground, card: str) -> Iterator[Play]:
    """The legal ways to play a pair, without moving too (TG-M5)."""
    first, second = PAIR_OF[card]
    for horse, other in ((first, second), (second, first)):
        for side in BESIDES:
            end, problem = beside_end(ground, t.places[horse], t.places[other], side)
            if problem is None:
                displaced, options = displacement(t, ground, horse, end)
                if displaced < 0 or options:
                    yield Play(card, horse, side, 0, end, displaced, options)


def has_play(t: Table, ground: Ground, hand: list[str]) -> bool:
    """Whether a seat holds a legal play (TG-M11)."""
    return next(legal_plays(t, ground, hand), None) is not None
