"""The floor of replay: a small card game by hand, its events in an envelope of their own.

Four seats play a card each turn, draw one and score now and then. Folded in place by a table of
functions; nothing is checked, redacted or hashed.
"""

from collections.abc import Callable, Iterable
from random import Random
from typing import Any

import msgspec

SEATS = 4


class Event(msgspec.Struct, frozen=True, tag_field="t"):
    """Base of the facts."""


class Dealt(Event, frozen=True, tag="Dealt"):
    """A seat's first hand."""

    seat: int
    cards: tuple[int, ...]


class Played(Event, frozen=True, tag="Played"):
    """A card goes to the discards."""

    seat: int
    card: int
    target: int | None = None


class Drew(Event, frozen=True, tag="Drew"):
    """A card comes to a hand."""

    seat: int
    card: int


class Scored(Event, frozen=True, tag="Scored"):
    """Points."""

    seat: int
    points: int


class TurnBegan(Event, frozen=True, tag="TurnBegan"):
    """Whose turn it is."""

    seat: int
    number: int


class Reshuffled(Event, frozen=True, tag="Reshuffled"):
    """The discards are the deck again."""

    order: tuple[int, ...]


class Envelope(msgspec.Struct, frozen=True):
    """What the log stores."""

    meeting: str
    version: int
    at: float
    actor: str
    cause: str
    body: Dealt | Played | Drew | Scored | TurnBegan | Reshuffled


class State(msgspec.Struct):
    """The table."""

    hands: list[list[int]]
    deck: list[int]
    discard: list[int]
    scores: list[int]
    turn: int = 0
    number: int = 0


def _dealt(s: State, e: Dealt) -> None:
    s.hands[e.seat] = list(e.cards)


def _played(s: State, e: Played) -> None:
    s.hands[e.seat].remove(e.card)
    s.discard.append(e.card)


def _drew(s: State, e: Drew) -> None:
    s.deck.pop()
    s.hands[e.seat].append(e.card)


def _scored(s: State, e: Scored) -> None:
    s.scores[e.seat] += e.points


def _turn_began(s: State, e: TurnBegan) -> None:
    s.turn = e.seat
    s.number = e.number


def _reshuffled(s: State, e: Reshuffled) -> None:
    s.deck = list(e.order)
    s.discard = []


_TABLE: dict[type[Event], Callable[[State, Any], None]] = {
    Dealt: _dealt,
    Played: _played,
    Drew: _drew,
    Scored: _scored,
    TurnBegan: _turn_began,
    Reshuffled: _reshuffled,
}
encode = msgspec.json.Encoder().encode
decode = msgspec.json.Decoder(Envelope).decode


def fold(lines: Iterable[bytes]) -> State:
    """Stored lines into the state."""
    state = State([[] for _ in range(SEATS)], list(range(28, 60)), [], [0] * SEATS)
    for line in lines:
        event = decode(line).body
        _TABLE[type(event)](state, event)
    return state


def make_lines(number: int) -> list[bytes]:
    """So many events as stored, of a game of random cards."""
    chance = Random(7)
    events: list[Any] = [Dealt(s, tuple(range(s * 7, s * 7 + 7))) for s in range(SEATS)]
    hands = {s: list(range(s * 7, s * 7 + 7)) for s in range(SEATS)}
    deck, discard = list(range(28, 60)), list[int]()
    turn = 0
    while len(events) < number:
        seat = turn % SEATS
        card = hands[seat].pop(chance.randrange(len(hands[seat])))
        discard.append(card)
        target = chance.choice([None, (seat + 1) % SEATS])
        events += (TurnBegan(seat, turn), Played(seat, card, target))
        if turn % 5 == 0:
            events.append(Scored(seat, card % 10))
        if not deck:
            deck, discard = discard, []
            chance.shuffle(deck)
            events.append(Reshuffled(tuple(deck)))
        drawn = deck.pop()
        hands[seat].append(drawn)
        events.append(Drew(seat, drawn))
        turn += 1
    return [
        encode(Envelope("01HZX3K9Q2", at, 1730000000.0 + at, "u-1042", "c-93f1a", event))
        for at, event in enumerate(events[:number])
    ]
