"""Positions of Ticket Gagnant, reached from an arranged deal; and its commands in short.

Seat 1 is the first player of race 1, and orange to black stand in lanes 1 to 7, unless said
otherwise. A case that is about one way of standing puts the horses there by hand, in the full
meeting alone: boards are of positions that were played.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import UNSET

from domain.games.ticket_gagnant import commands as c
from domain.kernel.message import Command
from tests.kit.meetings import Played, seated

GAME = "ticket-gagnant"
HORSES = ("orange", "purple", "green", "blue", "red", "yellow", "black")
SINGLES = [f"{horse}-{n}" for horse in HORSES for n in (1, 2, 3)]
PAIRS = [
    "black+blue",
    "black+green",
    "black+orange",
    "black+purple",
    "black+red",
    "black+yellow",
    "blue+green",
    "blue+orange",
    "blue+purple",
    "blue+red",
    "blue+yellow",
    "green+orange",
    "green+purple",
    "green+red",
    "green+yellow",
    "orange+purple",
    "orange+red",
    "orange+yellow",
    "purple+red",
    "purple+yellow",
    "red+yellow",
]
WILDS = {"free": ["wild", "wild", "wild"], "printed": ["wild-1", "wild-2", "wild-3"]}
DECKS = {wild: [*SINGLES, *PAIRS, *cards] for wild, cards in WILDS.items()}
"""The 45 cards as the sheet lists them, written out here a second time."""

RACES = {2: 4, 3: 3, 4: 4, 5: 5, 6: 6}
Spot = tuple[int, int]
"""(lane, space)."""

CUSTOM: dict[str, Any] = {
    "lanes": 7,
    "last": 11,
    "start": 1,
    "line": 9,
    "hedges": [3, 5],
    "hoofprints": [],
}
"""The course of the sheet's worked case."""

MOAT: dict[str, Any] = {
    "lanes": 7,
    "last": 8,
    "start": 0,
    "line": 6,
    "hedges": [1, 3],
    "hoofprints": [],
}
"""With the river in front of hedge 1, nobody gets one space forward or back from the start."""
STUCK = ["black+orange", "blue+orange", "purple+yellow"]
"""Pairs of lanes three apart or more: unplayable while all stand in one row behind a river."""


# ---------------------------------------------------------------- commands


def choose(kind: str = "flat", deal: int = 5, hidden: Any = UNSET, river: Any = None) -> Command:
    """A choice; `river` as (hedge, side)."""
    lies = UNSET if river is None else c.River(hedge=river[0], side=river[1])
    return c.ChooseRace(kind=kind, deal=deal, hidden=hidden, river=lies)  # type: ignore[arg-type]


def predict(*horses: str | None) -> Command:
    """A prediction, by place; None where there is none."""
    named = zip(("first", "second", "third"), horses, strict=False)
    body: dict[str, Any] = {place: horse for place, horse in named if horse is not None}
    return c.Predict(**body)


def put(spot: Spot | None) -> Any:
    """Where a displaced horse is put."""
    return UNSET if spot is None else c.To(lane=spot[0], space=spot[1])


def single(card: str, direction: Any, to: Spot | None = None) -> Command:
    """A single: `red-3`."""
    return c.PlayCard(card=card, direction=direction, displaced_to=put(to))


def wild(horse: Any, direction: Any, spaces: int, to: Spot | None = None) -> Command:
    """A free wild card."""
    return c.PlayCard(
        card="wild", horse=horse, direction=direction, spaces=spaces, displaced_to=put(to)
    )


def printed(number: int, horse: Any, direction: Any, to: Spot | None = None) -> Command:
    """A wild card with a printed number."""
    card = f"wild-{number}"
    return c.PlayCard(card=card, horse=horse, direction=direction, displaced_to=put(to))


def pair(card: str, horse: Any, beside: Any, to: Spot | None = None) -> Command:
    """A pair: `horse` moves beside the other."""
    return c.PlayCard(card=card, horse=horse, beside=beside, displaced_to=put(to))


def discard(card: str) -> Command:
    """A card goes unplayed."""
    return c.DiscardCard(card=card)


# ---------------------------------------------------------------- positions


def deck(
    hands: Mapping[int, Sequence[str]], seats: int, deal: int, first: int, wild: str
) -> list[str]:
    """The first cards of a deck that deals these hands; what is not named is filled up."""
    left = list(DECKS[wild])
    for cards in hands.values():
        for card in cards:
            left.remove(card)
    spare = [card for card in left if not card.startswith("wild")]
    dealt = []
    for i in range(seats):
        hand = list(hands.get((first - 1 + i) % seats + 1, ()))
        while len(hand) < deal:
            hand.append(spare.pop(0))
        dealt += hand
    return dealt


def river_of(river: tuple[int, str]) -> dict[str, Any]:
    """A river as JSON has it."""
    return {"hedge": river[0], "side": river[1]}


def opened(
    seats: int = 2,
    *,
    first: int = 1,
    lanes: Sequence[str] = HORSES,
    hands: Mapping[int, Sequence[str]] | None = None,
    deal: int = 5,
    draws: Mapping[str, Sequence[Any]] | None = None,
    nonces: Sequence[str | None] = (),
    **options: Any,
) -> Played:
    """A meeting that has begun: the first player of race 1 is to choose.

    Args:
        lanes: the horses in lanes 1 to 7.
        hands: by seat, the first of its cards, if so many are dealt as `deal` says.
        options: of the meeting.
    """
    arranged: dict[str, Sequence[Any]] = {
        "first_player": [first],
        "race-1/lanes": list(lanes),
        "race-1/deck": deck(hands or {}, seats, deal, first, options.get("wild", "free")),
        **(draws or {}),
    }
    return seated(Played(GAME, seats=seats, options=options, draws=arranged), nonces)


def dealt(
    seats: int = 2,
    *,
    kind: str = "flat",
    river: tuple[int, str] | None = None,
    deal: int = 5,
    hidden: bool = False,
    first: int = 1,
    **rest: Any,
) -> Played:
    """The race is chosen, all are to predict."""
    played = opened(seats, first=first, deal=deal, **rest)
    return played.give(first, choose(kind, deal, hidden, river))


def moving(
    seats: int = 2,
    *,
    predictions: Mapping[int, Sequence[str | None]] | None = None,
    stand: Mapping[str, Spot] | None = None,
    **rest: Any,
) -> Played:
    """All have predicted (orange first, unless said otherwise): the first player moves.

    Args:
        predictions: by seat, horses by place.
        stand: horses that stand elsewhere than at the start.
    """
    played = dealt(seats, **rest)
    for seat in range(1, seats + 1):
        played.give(seat, predict(*(predictions or {}).get(seat, ("orange",))))
    return standing(played, stand or {})


def standing(played: Played, spots: Mapping[str, Spot]) -> Played:
    """Put horses somewhere by hand."""
    for horse, (lane, space) in spots.items():
        played.full.table.places[HORSES.index(horse)] = space * 16 + lane
    return played


def spots(played: Played) -> dict[str, Spot]:
    """Where horses stand, (lane, space)."""
    return {
        horse: (where % 16, where // 16)
        for horse, where in zip(HORSES, played.full.table.places, strict=True)
    }


def row(space: int, *, but: Mapping[str, Spot] | None = None) -> dict[str, Spot]:
    """All horses on one space number, in their starting lanes, but for some."""
    return {h: (lane, space) for lane, h in enumerate(HORSES, 1)} | dict(but or {})


def listed(played: Played, seat: int) -> list[Command]:
    """The seat's list of actions in the full meeting."""
    listing = played.game.actions(played.full, seat)
    assert listing.complete
    return listing.actions


def hand_of(played: Played, seat: int) -> list[str]:
    """A seat's hand now."""
    hand = played.full.table.hands[seat - 1]
    assert hand is not None
    return list(hand)


def play_out(played: Played) -> Played:
    """Play by defaults until the race is over."""
    race = played.full.race
    return played.play(
        lambda p, seat: p.game.default(p.full, seat) or predict("orange"),
        until=lambda p: p.full.race != race,
    )
