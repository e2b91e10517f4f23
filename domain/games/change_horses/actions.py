"""What a seat may do now, as commands ready to post; and what the server plays on expiry.

Everything is asked of the seat's own folded state. Only the first pick of two seats has more than
500 commands: there the list is a sample, and its schema tells the rest.
"""

from collections.abc import Iterator
from itertools import combinations
from math import comb
from typing import Any

from msgspec import UNSET

from domain.games.change_horses import commands as c
from domain.games.change_horses.board import HORSES, SIDES
from domain.games.change_horses.offers import legal_bids
from domain.games.change_horses.phases import owes
from domain.games.change_horses.state import Table, visible
from domain.games.change_horses.track import slips
from domain.kernel.game import Listing
from domain.kernel.message import Command, type_of
from domain.racing.meeting import RUNNING, Meeting

LISTED_MOST = 500
SAMPLE_EVERY = 13
"""Of all picks in alphabetical order; 13 meets every card of the hand, and is about a hundred."""


def actions(m: Meeting, seat: int) -> Listing:
    """The seat's actions."""
    t: Table = m.table
    if m.status != RUNNING or not owes(m, seat):
        return Listing(actions=[], complete=True)
    match t.phase:
        case "select":
            return picks(t, seat)
        case "auction":
            return Listing(actions=list(bids(t, seat)), complete=True)
    return Listing(actions=list(turn(t, seat)), complete=True)


def picks(t: Table, seat: int) -> Listing:
    """Every set of so many hand cards (CH-R1, CH-R4, CH-2B)."""
    hand = t.hands[seat - 1]
    every: Iterator[Command] = (
        c.SelectCards(cards=list(cards)) for cards in combinations(hand, t.select)
    )
    if comb(len(hand), t.select) <= LISTED_MOST:
        return Listing(actions=list(every), complete=True)
    listed = [command for i, command in enumerate(every) if i % SAMPLE_EVERY == 0]
    return Listing(actions=listed, complete=False, schema=pick_schema(hand, t.select))


def pick_schema(hand: list[str], select: int) -> dict[str, Any]:
    """JSON Schema of every pick from this hand: it says all there is to say."""
    return {
        "title": type_of(c.SelectCards),
        "description": f"{select} different cards of the hand (CH-2B).",
        "type": "object",
        "properties": {
            "type": {"const": type_of(c.SelectCards)},
            "cards": {
                "type": "array",
                "items": {"enum": list(hand)},
                "minItems": select,
                "maxItems": select,
                "uniqueItems": True,
            },
        },
        "required": ["type", "cards"],
        "additionalProperties": False,
    }


def bids(t: Table, seat: int) -> Iterator[Command]:
    """Every number that may be bid, and to stand (CH-D2, CH-D3)."""
    assert t.auction is not None, "a seat that owes a bid is in an auction"
    for number in legal_bids(t.carrots[seat - 1], t.auction.bids, seat):
        yield c.Bid(carrots=number)
    if seat in t.auction.bids:
        yield c.Stand()


def turn(t: Table, seat: int) -> Iterator[Command]:
    """Every Wild Horse that may be played, and the shown cards (CH-R2)."""
    if t.wild_left[seat - 1] and not t.wild_played:
        yield from wild(t, seat)
    for card in t.shown[seat - 1]:
        yield c.PlayCard(card=card)


def wild(t: Table, seat: int) -> Iterator[Command]:
    """The four options (CH-W1 to CH-W4)."""
    for card in dict.fromkeys(visible(t)):
        yield c.PlayWild(option="stumble", card=card)
    for moves in slips(t.lanes, t.spaces):
        yield c.PlayWild(option="slippery", moves=[sidestep(*move) for move in moves])
    yield c.PlayWild(option="fast")
    own = t.certificates[seat - 1] or []
    for horse in own if t.seats == 2 else [UNSET]:
        yield c.PlayWild(option="change", certificate=horse)  # type: ignore[arg-type] # a horse


def sidestep(horse: int, step: int) -> c.Sidestep:
    """A step sideways as commands have it."""
    return c.Sidestep(horse=HORSES[horse], side=SIDES[step > 0])


def default(m: Meeting, seat: int) -> Command | None:
    """What the server plays for a seat that owes a decision (sheet, Default on expiry)."""
    t: Table = m.table
    if m.status != RUNNING or not owes(m, seat):
        return None
    match t.phase:
        case "select":
            return c.SelectCards(cards=t.hands[seat - 1][: t.select])
        case "auction":
            assert t.auction is not None, "a seat that owes a bid is in an auction"
            if seat in t.auction.bids:
                return c.Stand()
            return c.Bid(carrots=legal_bids(t.carrots[seat - 1], t.auction.bids, seat)[0])
    return c.PlayCard(card=t.shown[seat - 1][0])
