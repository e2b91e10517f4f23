"""Every legal play of a card, in one pass over the ground: decide, actions and the bot read it."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from domain.games.ticket_gagnant.board import (
    BESIDES,
    DIRECTIONS,
    HORSES,
    PAIR_OF,
    SINGLE_OF,
    WILD_LENGTHS,
)
from domain.games.ticket_gagnant.track.ground import BACK, NO_SPACE, Ground


class Play(NamedTuple):
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


def beside_end(ground: Ground, mover: int, other: int, side: int) -> int:
    """Where a pair's mover comes to stand beside the other (TG-M5), or NO_SPACE, or BACK.

    Args:
        mover, other: the places of the two.
        side: number of the side, as in BESIDES.
    """
    end = ground.beside[other][side]
    if end >= ground.floors[mover] or end < 0:
        return end
    return BACK if not ground.wins and mover >= ground.line else NO_SPACE


def displaced_options(
    ground: Ground, taken: int, left: int, places: Sequence[int]
) -> tuple[int, ...]:
    """Where the horse that stood on `taken` may be put; the mover left `left` free (TG-M6)."""
    return tuple(near for near in ground.around[taken] if near == left or near not in places)


def displacement(
    ground: Ground, places: Sequence[int], horse: int, end: int
) -> tuple[int, tuple[int, ...]]:
    """(who is displaced or -1, where it may be put) when a horse ends on a place (TG-M6)."""
    if end not in places:
        return -1, ()
    displaced = places.index(end)
    if displaced == horse:
        return -1, ()
    return displaced, displaced_options(ground, end, places[horse], places)


def legal_plays(ground: Ground, places: Sequence[int], hand: Sequence[str]) -> Iterator[Play]:
    """Every legal play of every card, equal cards once; displacement left open."""
    for card in dict.fromkeys(hand):
        if card in SINGLE_OF:
            horse, length = SINGLE_OF[card]
            yield from straight_plays(ground, places, card, horse, (length,))
        elif card in PAIR_OF:
            yield from pair_plays(ground, places, card)
        else:
            for horse in range(len(HORSES)):
                yield from straight_plays(ground, places, card, horse, WILD_LENGTHS[card])


def straight_plays(
    ground: Ground, places: Sequence[int], card: str, horse: int, lengths: Sequence[int]
) -> Iterator[Play]:
    """The legal straight moves of a horse (TG-M1 to TG-M4)."""
    ends = ground.straight[places[horse]]
    for number, way in enumerate(DIRECTIONS):
        for length in lengths:
            end = ends[3 * number + length - 1]
            if end < 0:
                continue
            if end not in places:
                yield Play(card, horse, way, length, end, -1, ())
                continue
            displaced, options = displacement(ground, places, horse, end)
            if options:
                yield Play(card, horse, way, length, end, displaced, options)


def pair_plays(ground: Ground, places: Sequence[int], card: str) -> Iterator[Play]:
    """The legal ways to play a pair, without moving too (TG-M5)."""
    first, second = PAIR_OF[card]
    for horse, other in ((first, second), (second, first)):
        for number, side in enumerate(BESIDES):
            end = beside_end(ground, places[horse], places[other], number)
            if end < 0:
                continue
            displaced, options = displacement(ground, places, horse, end)
            if displaced < 0 or options:
                yield Play(card, horse, side, 0, end, displaced, options)


def has_play(ground: Ground, places: Sequence[int], hand: Sequence[str]) -> bool:
    """Whether a seat holds a legal play (TG-M11)."""
    return next(legal_plays(ground, places, hand), None) is not None
