"""Twin meetings of Ticket Gagnant: alike in all that one viewer may know, other in all else.

The first is played at random on decks that the test draws, and stopped somewhere. For its twin the
cards that the viewer has not seen are dealt anew (hands of others, undealt cards), and predictions
that it has not seen are others. Then the same public course is played again.
"""

from random import Random
from typing import Any

import msgspec
from msgspec import UNSET

from domain.games.ticket_gagnant import commands as c
from domain.games.ticket_gagnant import events as e
from domain.kernel.lines import redact, wire
from domain.kernel.message import Command, body_of
from domain.racing.events import RaceOpened
from domain.racing.folding import apply
from domain.racing.meeting import RUNNING, Meeting
from tests.domain.games.ticket_gagnant.turf import DECKS, GAME
from tests.kit.meetings import Played, at_random, seated

Draws = dict[str, list[Any]]


class Race:
    """What of one race of the first meeting is known to all, and who was dealt what."""

    def __init__(self) -> None:
        self.first = 0
        self.hands: list[list[str]] = []
        self.shown: dict[int, list[str]] = {}
        self.stuck: set[int] = set()
        self.revealed = False


class Twins:
    """Two meetings that one viewer can't tell apart.

    Args:
        viewer: a seat, or 0 for the public.
        seats, options: of both meetings.
        source: of all chance.
        stop: after so many commands, or at the end.
    """

    def __init__(
        self, viewer: int, seats: int, options: dict[str, Any], source: Random, stop: int
    ) -> None:
        self.viewer = viewer
        self.seats = seats
        self.source = source
        self.options = options
        races = Played(GAME, seats=seats, options=options).full.options["races"]
        self.pack = DECKS[options.get("wild", "free")]
        self.draws: Draws = {
            f"race-{n}/deck": source.sample(self.pack, 45) for n in range(1, races + 1)
        }
        self.one = self._begun(self.draws)
        left = iter(range(stop))
        self.one.play(at_random(source), until=lambda _: next(left, None) is None)
        self.races = self._read()
        other = {f"race-{n}/deck": self._deal(n, race) for n, race in enumerate(self.races, 1)}
        self.other = self._begun({**self.draws, **other})
        self._replay()

    def _begun(self, draws: Draws) -> Played:
        played = Played(GAME, seats=self.seats, options=self.options, draws=draws)
        return seated(played, ("a", "b"))

    def _read(self) -> list[Race]:
        races: list[Race] = []
        for event in self.one.events:
            match event:
                case RaceOpened():
                    races.append(Race())
                case e.LanesDrawn():
                    races[-1].first = event.first
                case e.HandsDealt():
                    hands = [event.secret(s + 1) or {} for s in range(self.seats)]
                    races[-1].hands = [hand["hand"] for hand in hands]
                case e.CardPlayed(seat=int(seat)):
                    races[-1].shown.setdefault(seat, []).append(event.card)
                case e.CardDiscarded(seat=int(seat)):
                    races[-1].stuck.add(seat)
                case e.MovesOpened():
                    races[-1].revealed = event.predictions is not None
                case e.RaceScored():
                    races[-1].revealed = True
        return races

    def _deal(self, number: int, race: Race) -> list[str]:
        """Another deck that the viewer can't tell from the first."""
        deck = list(self.draws[f"race-{number}/deck"])
        if not race.hands:
            return self.source.sample(deck, len(deck))
        deal = len(race.hands[0])
        dealt = self.seats * deal
        order = [(race.first - 1 + block) % self.seats + 1 for block in range(self.seats)]
        free = [*range(dealt, len(deck))]
        for block, seat in enumerate(order):
            places = range(block * deal, (block + 1) * deal)
            shown = list(race.shown.get(seat, ()))
            for at in places:
                if deck[at] in shown:
                    shown.remove(deck[at])
                elif seat != self.viewer and seat not in race.stuck:
                    free.append(at)
        cards = self.source.sample([deck[at] for at in free], len(free))
        for at, card in zip(free, cards, strict=True):
            deck[at] = card
        for block, seat in enumerate(order):  # nobody else knows how a hand is sorted
            if seat != self.viewer:
                hand = deck[block * deal : (block + 1) * deal]
                deck[block * deal : (block + 1) * deal] = self.source.sample(hand, deal)
        return deck

    def _replay(self) -> None:
        at = 0
        race = 0
        for size in self.one.sizes:
            events = self.one.events[at : at + size]
            at += size
            if not events:
                continue
            first = events[0]
            seat = 0 if first.seat is UNSET else first.seat
            body = first.command or (first.secret(seat) or {}).get("command")
            race = sum(isinstance(event, RaceOpened) for event in self.one.events[: at - size])
            if isinstance(body, dict):
                self.other.give(seat, self._again(seat, body, race))

    def _again(self, seat: int, body: dict[str, Any], race: int) -> Command:
        kinds = {kind.__struct_config__.tag: kind for kind in c.COMMANDS}
        command: Command = msgspec.convert(body, kinds[body["type"]])
        secret = isinstance(command, c.Predict) and not self.races[race - 1].revealed
        if secret and seat != self.viewer:
            listed = self.one.game.actions(self.other.view(seat), seat).actions
            command = self.source.choice(listed)
        return command

    def differ(self) -> bool:
        """Whether the twins really are two."""
        secrets = [
            [event.private for event in played.events[1:]] for played in (self.one, self.other)
        ]
        return secrets[0] != secrets[1]


def seen(played: Played, viewer: int) -> list[bytes]:
    """All that a viewer is sent, step by step: events, boards, actions."""
    view = Meeting(viewer=viewer)
    found: list[Any] = []
    for event in played.events:
        known = redact(event, viewer)
        if known is None:
            continue
        apply(view, known, played.game)
        found += [wire(known, viewer, view.version), played.game.view(view)]
        if viewer and view.status == RUNNING:
            listing = played.game.actions(view, viewer)
            found.append([body_of(action) for action in listing.actions])
            default = played.game.default(view, viewer)
            found.append(None if default is None else body_of(default))
    return [msgspec.json.encode(told) for told in found]
