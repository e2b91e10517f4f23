"""What one seat knows of a race, and the ways in which the rest may lie.

The order of the race deck and the others' tips are drawn from the cards that the seat has not seen.
For speed horses are bits, and the field is a list of lines, each the bits of its horses, front
first.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice

from msgspec import Struct

from domain.games.tuyaux.board import (
    HORSE_INDEX,
    RACE_CARD_HORSE,
    RACE_CARD_VALUE,
    RACE_DECKS,
    RACE_TIPS,
    TIP_HORSE,
    TIP_VALUE,
    WHIP_VALUE_MORE,
)
from domain.games.tuyaux.state import Table
from domain.games.tuyaux.track import tip_places, whip_value
from domain.kernel.chance import without
from domain.kernel.game import Chooser

BIT: Mapping[str, int] = {horse: 1 << i for horse, i in HORSE_INDEX.items()}
WHIP = -1
"""Stands for the value of a whip."""

Card = tuple[int, int]
"""The bit of its horse, its value."""
Move = tuple[int, int]
"""The bit of a horse, the places that it gains, or loses if negative."""
Field = list[int]

TIP: Mapping[str, Card] = {
    card: (BIT[horse], WHIP if (value := TIP_VALUE[card]) is None else value)
    for card, horse in TIP_HORSE.items()
}
RACE_CARD: Mapping[str, Card] = {
    card: (BIT[horse], RACE_CARD_VALUE[card]) for card, horse in RACE_CARD_HORSE.items()
}


class Outlook(Struct, frozen=True, kw_only=True):
    """What a seat knows of a race.

    Args:
        field: the lines now.
        now: the race card turned, None before the first.
        deck: race cards not turned yet, in no order.
        unseen: tips that it has not seen, in no order.
        hand: its own.
        before, after: how many others play before it, and after it, in a turn.
        whips: whips played in this turn.
        first_whip: the option of TU-M6.
    """

    field: Field
    now: Card | None
    deck: list[Card]
    unseen: list[Card]
    hand: list[Card]
    before: int
    after: int
    whips: int
    first_whip: bool


def outlook(t: Table, seat: int) -> Outlook:
    """What this seat knows; its hand must be known."""
    card = t.drawn.card
    hand = t.hands[seat - 1]
    assert hand is not None, "a bot knows its own hand"
    assert t.dealer is not None, "a race has a dealer"
    deck = without(RACE_DECKS[card], t.turned)
    unseen = without(RACE_TIPS[card], [*hand, *(played.card for played in t.tips_played)])
    assert deck is not None, "the cards turned are of the race deck"
    assert unseen is not None, "the tips seen are the starters'"
    before = (seat - t.dealer - 1) % t.seats
    return Outlook(
        field=[sum(BIT[horse] for horse in line) for line in t.lines],
        now=RACE_CARD[t.turned[-1]] if t.turned else None,
        deck=[RACE_CARD[other] for other in deck],
        unseen=[TIP[tip] for tip in unseen],
        hand=[TIP[tip] for tip in hand],
        before=before,
        after=t.seats - 1 - before,
        whips=t.whips,
        first_whip=t.first_whip,
    )


class Turn(Struct, frozen=True):
    """A turn to come, as one future has it.

    Args:
        bit, value: of the race card turned.
        before, after: moves by the others' tips before the seat's own, and after it.
        own: by tip of the seat's hand, the places that it is good for.
        gains: by tip of the seat's hand, how much more that is than what it is likely to be good
            for later.
    """

    bit: int
    value: int
    before: list[Move]
    after: list[Move]
    own: list[int]
    gains: list[float]


class Future(Struct, frozen=True):
    """One way in which the unknown may lie.

    Args:
        own: by tip of the seat's hand, the places that it is good for now, where it is its turn.
        after: moves by the others' tips after it in this turn.
        turns: those to come.
    """

    own: list[int]
    after: list[Move]
    turns: list[Turn]


def draw_future(known: Outlook, chooser: Chooser) -> Future:
    """One that fits what is known, all as likely."""
    deck = drawn(known.deck, len(known.deck), chooser)
    now, others = known.now, known.before + known.after
    wanted = others * len(deck) + (known.after if now is not None else 0)
    tips = iter(drawn(known.unseen, wanted, chooser))
    own: list[int] = []
    after: list[Move] = []
    if now is not None:
        own = [places(known, tip, now, not deck, known.whips) for tip in known.hand]
        after, _ = moves(known, tips, known.after, now, last=not deck, whips=known.whips)
    turns = []
    to_come = sum(value for _, value in deck)
    for left, card in zip(range(len(deck) - 1, -1, -1), deck, strict=True):
        to_come -= card[1]
        turns.append(draw_turn(known, tips, card, last=not left, later=to_come / max(left, 1)))
    return Future(own, after, turns)


def draw_turn(
    known: Outlook, tips: Iterator[Card], card: Card, *, last: bool, later: float
) -> Turn:
    """A turn of this race card with the next tips; `later`: the mean value of those to come."""
    before, whips = moves(known, tips, known.before, card, last=last, whips=0)
    own = [places(known, tip, card, last, whips) for tip in known.hand]
    gains = [
        now - ((WHIP_VALUE_MORE if value == WHIP else value) - later)
        for now, (_, value) in zip(own, known.hand, strict=True)
    ]
    after, _ = moves(known, tips, known.after, card, last=last, whips=whips)
    return Turn(*card, before, after, own, gains)


def moves(
    known: Outlook, tips: Iterator[Card], count: int, card: Card, *, last: bool, whips: int
) -> tuple[list[Move], int]:
    """The moves that the next tips of others make in a turn, and its whips then."""
    made = []
    for tip in islice(tips, count):
        there = places(known, tip, card, last, whips)
        if there:
            made.append((tip[0], there))
        if tip[1] == WHIP:
            whips += 1
    return made, whips


def places(known: Outlook, tip: Card, card: Card, last: bool, whips: int) -> int:
    """What a tip is good for in the turn of this race card (TU-M3 to TU-M6)."""
    bit, value = tip
    if value == WHIP:
        value = whip_value(last_turn=last, whips_before=whips, first_whip=known.first_whip)
    if bit == card[0]:
        return tip_places(value, card[1], turned=True)
    return value - card[1]


def drawn(cards: Sequence[Card], wanted: int, chooser: Chooser) -> list[Card]:
    """So many cards, drawn one by one."""
    left = list(cards)
    size = len(left)
    random = chooser.random
    for i in range(wanted):
        j = i + int(random() * (size - i))
        left[i], left[j] = left[j], left[i]
    return left[:wanted]
