"""Twin meetings of Tuyaux: alike in all that one viewer may know, other in all that it may not.

The first is played at random on decks that the test draws, and stopped somewhere in a race. For its
twin the tips that the viewer has not seen are dealt anew, the race cards not turned lie in another
order, and bets that are still hidden are others; in the races before, the tips that were not dealt.
Then the same public course is played again.
"""

from random import Random
from typing import Any

import msgspec
from msgspec import UNSET

from domain.games.tuyaux import commands as c
from domain.games.tuyaux import events as e
from domain.kernel.lines import redact, wire
from domain.kernel.message import Command, body_of
from domain.racing.events import MeetingFinished
from domain.racing.folding import apply
from domain.racing.meeting import RUNNING, Meeting
from tests.domain.games.tuyaux.paddock import printed, race_deck, rest_of, tips_of
from tests.kit.meetings import Played, at_random, seated
from tests.kit.spec import fork

Draws = dict[str, list[Any]]
RACES = 8


class Twins:
    """Two meetings that one viewer can't tell apart.

    Args:
        viewer: a seat, or 0 for the public.
        seats, options: of both meetings.
        source: of all chance.
        moves: after how many commands to stop, unless the meeting ends before.
    """

    def __init__(
        self, viewer: int, seats: int, options: dict[str, Any], source: Random, moves: int
    ) -> None:
        self.viewer = viewer
        self.seats = seats
        self.options = options
        self.source = source
        self.draws = self._first_draws()
        self.one = self._begun(self.draws)
        self.commands: list[tuple[int, Command]] = []
        self._play(moves)
        self.other = self._begun(self._other_draws())
        self._replay()

    def _begun(self, draws: Draws) -> Played:
        played = Played("tuyaux", seats=self.seats, options=self.options, draws=draws)
        return seated(played, ("a", None))

    def _first_draws(self) -> Draws:
        draws: Draws = {"dealer": [self.source.randint(1, self.seats)]}
        for race in range(1, RACES + 1):
            card = self.source.choice(list(printed()))
            draws[f"race-{race}/programme"] = [card]
            draws[f"race-{race}/race-deck"] = self._mixed(race_deck(card))
            draws[f"race-{race}/tips"] = self._mixed(tips_of(card))
        return draws

    def _mixed(self, items: list[Any]) -> list[Any]:
        return self.source.sample(items, len(items))

    def _play(self, moves: int) -> None:
        choose = at_random(self.source)
        while len(self.commands) < moves and self.one.full.race <= RACES:
            seat = self.source.choice(self.one.game.waiting(self.one.full))
            command = choose(self.one, seat)
            if ends(self.one, seat, command):
                return
            self.one.give(seat, command)
            self.commands.append((seat, command))

    # ------------------------------------------------------------- how the twin is dealt

    def _other_draws(self) -> Draws:
        draws = dict(self.draws)
        now = self.one.full.race
        for race in range(1, now):
            dealt = self._size(race) * self.seats
            tips = self.draws[f"race-{race}/tips"]
            draws[f"race-{race}/tips"] = [*tips[:dealt], *self._mixed(tips[dealt:])]
        draws[f"race-{now}/tips"] = self._deal_anew(now)
        turned = self.one.full.table.turned
        deck = self.draws[f"race-{now}/race-deck"]
        draws[f"race-{now}/race-deck"] = [*turned, *self._mixed(deck[len(turned) :])]
        for race in range(now + 1, RACES + 1):
            draws[f"race-{race}/tips"] = self._mixed(self.draws[f"race-{race}/tips"])
        return draws

    def _size(self, race: int) -> int:
        return printed()[self.draws[f"race-{race}/programme"][0]][0]

    def _deal_anew(self, race: int) -> list[str]:
        """What others still hold and what was not dealt may lie anyhow."""
        size = self._size(race)
        table = self.one.full.table
        order = [(table.dealer + i) % self.seats + 1 for i in range(self.seats)]
        tips = self.draws[f"race-{race}/tips"]
        known: dict[int, list[str]] = {
            seat: [played.card for played in table.tips_played if played.seat == seat]
            for seat in order
        }
        if self.viewer:
            at = order.index(self.viewer) * size
            known[self.viewer] = tips[at : at + size]
        unseen = self._mixed(rest_of(tips, [card for cards in known.values() for card in cards]))
        dealt: list[str] = []
        for seat in order:
            drawn = [unseen.pop() for _ in range(size - len(known[seat]))]
            dealt += self._mixed([*known[seat], *drawn])
        return dealt + unseen

    # ------------------------------------------------------------- how the twin is played

    def _replay(self) -> None:
        begins = [i for i, event in enumerate(self.one.events) if isinstance(event, e.TipsDealt)]
        since = sum(
            event.command is not UNSET or isinstance(event, e.BetMade)
            for event in self.one.events[: begins[-1]]
        )
        hidden = not (self.options.get("open_bets") and self.one.full.table.turned)
        for number, (seat, command) in enumerate(self.commands):
            own = seat == self.viewer
            if isinstance(command, c.Bet) and number >= since and hidden and not own:
                other = self.source.choice(self.other.game.actions(self.other.full, seat).actions)
                self.other.give(seat, other)
            else:
                self.other.give(seat, command)


def ends(played: Played, seat: int, command: Command) -> bool:
    """Whether a command would end the meeting, which reveals the seed, or leave arranged races."""
    after = fork(played).give(seat, command)
    return after.full.status != RUNNING or after.full.race > RACES


def seen(played: Played, viewer: int) -> list[bytes]:
    """All that a viewer is sent: events, boards, actions, defaults; commitments and times apart."""
    view = Meeting(viewer=viewer)
    found: list[Any] = []
    for event in played.events:
        assert not isinstance(event, MeetingFinished)
        known = redact(event, viewer)
        if known is None:
            continue
        apply(view, known, played.game)
        told = wire(known, viewer, view.version)
        told.pop("commitment", None)
        told.pop("at")
        found += [told, played.game.view(view)]
        if viewer:
            listing = played.game.actions(view, viewer)
            found.append([body_of(action) for action in listing.actions])
            found.append([listing.complete, listing.schema])
            default = played.game.default(view, viewer)
            found.append(default and body_of(default))
    return [msgspec.json.encode(part) for part in found]
