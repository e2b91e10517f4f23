"""Replays of the `eventsourcing` library: on each line read from stdin it loads an aggregate of a
thousand events over and over for so many seconds, and writes events a second of CPU.
"""

import gc
import sys
import time
from uuid import UUID

from eventsourcing.application import Application
from eventsourcing.domain import Aggregate, event

EVENTS = 1_000


class Table(Aggregate):
    """The floor's card game: four seats, a deck, a discard pile."""

    @event("Started")
    def __init__(self, deck):
        self.deck = deck
        self.hands = [[] for _ in range(4)]
        self.discard = []
        self.scores = [0, 0, 0, 0]
        self.turn = 0
        self.number = 0

    @event("Played")
    def play(self, seat, card):
        self.hands[seat].append(card)
        self.hands[seat].remove(card)
        self.discard.append(card)

    @event("TurnBegan")
    def begin(self, seat, number):
        self.turn = seat
        self.number = number


def main():
    tables = Application[UUID]()
    table = Table(list(range(52)))
    for at in range(EVENTS - 1):
        table.play(at % 4, at % 52) if at % 3 else table.begin(at % 4, at)
    tables.save(table)
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)
    for line in sys.stdin:
        seconds, events, began = float(line), 0, time.process_time()
        while time.process_time() - began < seconds:
            assert tables.repository.get(table.id).version == EVENTS
            events += EVENTS
        print(events / (time.process_time() - began), flush=True)


if __name__ == "__main__":
    main()
