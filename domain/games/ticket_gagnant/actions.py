"""What a seat may do now, as commands ready to post."""

from collections.abc import Iterator, Sequence
from itertools import permutations

from msgspec import UNSET

from domain.games.ticket_gagnant import commands as c
from domain.games.ticket_gagnant.board import (
    DEAL_LEAST,
    DEAL_MOST,
    HEDGES,
    HORSES,
    KINDS,
    PLACES,
    ROW,
    WILD,
    WILD_NUMBERED,
    lane_of,
    space_of,
)
from domain.games.ticket_gagnant.phases import owes
from domain.games.ticket_gagnant.state import CHOOSE, PREDICT, Table, ground
from domain.games.ticket_gagnant.track import Play, legal_plays
from domain.kernel.game import Listing
from domain.kernel.message import Command
from domain.racing.meeting import RUNNING, Meeting

RIVERS = tuple(
    river
    for hedge in HEDGES
    for river in (c.River(hedge=hedge, side="front"), c.River(hedge=hedge, side="behind"))
)


def actions(m: Meeting, seat: int) -> Listing:
    """All that the seat may do: never near 500, seven cards have 432 plays at the most."""
    t: Table = m.table
    if m.status != RUNNING or not owes(m, seat):
        return Listing(actions=[], complete=True)
    if t.phase == CHOOSE:
        return Listing(actions=list(choices(t)), complete=True)
    if t.phase == PREDICT:
        return Listing(actions=list(PREDICTIONS), complete=True)
    hand = t.hands[seat - 1] or []
    plays = list(legal_plays(ground(t), t.places, hand))
    if not plays:
        return Listing(actions=discards(hand), complete=True)
    return Listing(actions=[command for play in plays for command in spell(play)], complete=True)


def choices(t: Table) -> Iterator[Command]:
    """Every race that may be chosen; `hidden` is always given (TG-S4)."""
    kinds = KINDS if t.choice_option == "first_player" else KINDS[:1]
    for kind in kinds:
        for deal in range(DEAL_LEAST, DEAL_MOST + 1):
            for hidden in (False, True):
                if kind != "steeplechase":
                    yield c.ChooseRace(kind=kind, deal=deal, hidden=hidden)
                    continue
                for river in RIVERS:
                    yield c.ChooseRace(kind=kind, deal=deal, hidden=hidden, river=river)


def predictions() -> Iterator[Command]:
    """Every prediction: horses on one, two or three places (TG-B1)."""
    for places in (1, 2, 4, 3, 5, 6, 7):  # as sets of bits: single places first
        named = [PLACES[i] for i in range(len(PLACES)) if places >> i & 1]
        for horses in permutations(HORSES, len(named)):
            yield c.Predict(**dict(zip(named, horses, strict=True)))


PREDICTIONS = tuple(predictions())
"""All 357, worked out once."""


def discards(hand: Sequence[str]) -> list[Command]:
    """Each card once (TG-M11)."""
    return [c.DiscardCard(card=card) for card in dict.fromkeys(hand)]


def spell(play: Play) -> list[Command]:
    """The commands of a play: one for each place of the horse that it displaces."""
    if play.displaced < 0:
        return [command_of(play, None)]
    return [command_of(play, to) for to in play.options]


TO = [c.To(lane=lane_of(where), space=space_of(where)) for where in range(ROW * 41)]
"""By place, up to the largest track."""


def command_of(play: Play, to: int | None) -> c.PlayCard:
    """The command of a play, with the displaced horse on a place."""
    displaced = UNSET if to is None else TO[to]
    if play.length == 0:
        return c.PlayCard(
            card=play.card,
            horse=HORSES[play.horse],
            beside=play.way,  # type: ignore[arg-type] # the sides of the board
            displaced_to=displaced,
        )
    if play.card == WILD:
        return c.PlayCard(
            card=play.card,
            horse=HORSES[play.horse],
            direction=play.way,  # type: ignore[arg-type] # the directions of the board
            spaces=play.length,
            displaced_to=displaced,
        )
    if play.card in WILD_NUMBERED:
        return c.PlayCard(
            card=play.card,
            horse=HORSES[play.horse],
            direction=play.way,  # type: ignore[arg-type] # likewise
            displaced_to=displaced,
        )
    return c.PlayCard(
        card=play.card,
        direction=play.way,  # type: ignore[arg-type] # likewise
        displaced_to=displaced,
    )
