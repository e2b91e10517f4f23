"""Twin meetings of Bookmaker: alike in all that one viewer may know, other in all that it may not.

The first is played at random on decks that the test draws. For its twin the cards that the viewer
never sees are dealt anew (hands of others, the deck behind what was turned), other jokers holders
are found for jokers that were never played, bookmakers give other cards where the viewer gets none
of them, jokers are kept by other answers, other horses are named. Then the same public course is
played again. Both stop before the end, where all is revealed.
"""

from collections import Counter
from collections.abc import Sequence
from random import Random
from typing import Any

import msgspec
from msgspec import UNSET

from domain.games.bookmaker import commands as c
from domain.games.bookmaker import events as e
from domain.kernel.lines import redact, wire
from domain.kernel.message import Command, Event, body_of
from domain.racing.events import MeetingFinished
from domain.racing.folding import apply
from domain.racing.meeting import Meeting
from tests.kit.meetings import Played, seated
from tests.kit.ring import HORSES, PACK
from tests.kit.walk import Walk

JOKER = "joker"
Draws = dict[str, list[Any]]


class Race:
    """How one race of the first meeting went, for dealing its twin.

    Args:
        number: of the race.
        open_cards, hands: as dealt.
        deck: what the deal left, in its order.
        tokens: the cards drawn for tokens.
        turned: the cards turned in the first pass; later by pass.
    """

    def __init__(self, number: int, kind: str) -> None:
        self.number = number
        self.kind = kind
        self.bookmakers: list[int] = []
        self.open_cards: list[str] = []
        self.hands: list[list[str]] = []
        self.deck: list[str] = []
        self.tokens: list[str] = []
        self.passes: dict[int, list[str]] = {1: []}
        self.gave: dict[int, list[str]] = {}
        self.played: set[int] = set()


class Twins:
    """Two meetings that one viewer can't tell apart.

    Args:
        viewer: a seat, or 0 for the public.
        seats, options: of both meetings.
        source: of all chance.
    """

    def __init__(self, viewer: int, seats: int, options: dict[str, Any], source: Random) -> None:
        self.viewer = viewer
        self.seats = seats
        self.options = options
        self.source = source
        self.draws = self._first_draws()
        self.one = self._begun(self.draws)
        walk = Walk(self.one, source, looks=0)
        walk.checks = False
        walk.run()
        self.races = self._read()
        self.other = self._begun(self._other_draws())
        self._replay()

    def _begun(self, draws: Draws) -> Played:
        played = Played(seats=self.seats, options=self.options, draws=draws)
        return seated(played, ("a", "b"))

    def _first_draws(self) -> Draws:
        """Decks drawn by the test, so that both meetings are arranged."""
        source = self.source
        draws: Draws = {"bookmaker": [source.randint(1, self.seats)]}
        pack = list(PACK)
        if self.options.get("brocco"):
            draws["brocco"] = [source.choice(pack)]
            pack.remove(draws["brocco"][0])
        for number, kind in enumerate(self.options["programme"], 1):
            deck = source.sample(pack, len(pack))
            draws[f"race-{number}/deck"] = deck
            if "joker" in kind:
                behind = [*deck[4:], JOKER, JOKER]
                draws[f"race-{number}/joker-deck"] = source.sample(behind, len(behind))
        return draws

    # ------------------------------------------------------------- what the first was

    def _read(self) -> list[Race]:
        races: list[Race] = []
        number = 1
        for event in self.one.events:
            if isinstance(event, e.CardsOpened):
                number = 1
                races.append(Race(len(races) + 1, event.kind))
                races[-1].bookmakers = event.bookmakers
                races[-1].open_cards = event.open_cards
            elif isinstance(event, e.HandsDealt):
                race = races[-1]
                race.hands = [(event.secret(s) or {})["hand"] for s in range(1, self.seats + 1)]
                label = "joker-deck" if "joker" in race.kind else "deck"
                behind = self.draws[f"race-{race.number}/{label}"]
                behind = behind if label == "joker-deck" else behind[4:]
                race.deck = behind[sum(event.counts) :]
            elif isinstance(event, e.ExchangeChosen):
                seat = int(event.seat or 0)
                races[-1].gave[seat] = (event.secret(seat) or {})["cards"]
            elif isinstance(event, e.TokensPlaced):
                races[-1].tokens = next(iter((event.draws or {}).values()))
            elif isinstance(event, e.DeckReshuffled):
                number = event.cards_pass
                races[-1].passes[number] = []
            elif isinstance(event, e.CardTurned):
                races[-1].passes[number].append(event.card)
            elif isinstance(event, e.JokerPlayed):
                races[-1].played.add(int(event.seat or 0))
        return races

    # ------------------------------------------------------------- how the twin is dealt

    def _other_draws(self) -> Draws:
        draws: Draws = {"bookmaker": self.draws["bookmaker"]}
        if self.options.get("brocco"):
            draws["brocco"] = self._other_brocco()
        for race in self.races:
            draws.update(self._deal_anew(race, draws.get("brocco", [])))
        return draws

    def _other_brocco(self) -> list[str]:
        """A card aside that every race could have done without, if there is one."""
        aside = self.draws["brocco"]
        for card in self.source.sample(PACK, len(PACK)):
            if all(self._unseen(race)[card] for race in self.races):
                return [card]
        return aside

    def _unseen(self, race: Race) -> Counter[str]:
        """Race cards that this viewer can't place."""
        return Counter(card for _, card in self._free(race))

    def _free(self, race: Race) -> list[tuple[int, str]]:
        """(seat or 0 for the deck, card) of what may be dealt anew; jokers stay."""
        free = []
        for seat, hand in enumerate(race.hands, 1):
            if seat == self.viewer:
                continue
            known = list(race.gave.get(seat, ())) if self.viewer in race.bookmakers else []
            for card in hand:
                if card in known:
                    known.remove(card)
                elif card != JOKER:
                    free.append((seat, card))
        fixed = Counter(race.passes[1])
        fixed |= Counter(race.tokens)  # both are in the deck: the more of the two
        for card in race.deck:
            if fixed[card]:
                fixed[card] -= 1
            elif card != JOKER:
                free.append((0, card))
        return free

    def _deal_anew(self, race: Race, aside: list[str]) -> Draws:
        source = self.source
        free = self._free(race)
        cards = [card for _, card in free]
        if aside and aside != self.draws["brocco"]:
            cards.remove(aside[0])
            cards.append(self.draws["brocco"][0])
        source.shuffle(cards)
        hands = [list(hand) for hand in race.hands]
        deck = list(race.deck)
        for seat, card in free:
            (hands[seat - 1] if seat else deck).remove(card)
        for (seat, _), card in zip(free, cards, strict=True):
            target = hands[seat - 1] if seat else deck
            target.insert(source.randint(0, len(target)) if seat else len(target), card)
        self._move_jokers(race, hands)
        label = f"race-{race.number}"
        dealt = [card for hand in hands for card in hand]
        turned = race.passes[1]
        rest = list(deck)
        for card in turned:
            rest.remove(card)
        source.shuffle(rest)
        trot = "trot" in race.kind
        order = source.sample(deck, len(deck)) if trot else [*turned, *rest]
        draws: Draws = {}
        if "joker" in race.kind:
            draws[f"{label}/deck"] = race.open_cards
            draws[f"{label}/joker-deck"] = [*dealt, *order]
        else:
            draws[f"{label}/deck"] = [*race.open_cards, *dealt, *order]
        if trot:
            draws[f"{label}/trot"] = race.tokens
            draws[f"{label}/turn"] = [*turned, *rest]
        for number, later in race.passes.items():
            if number > 1:
                draws[f"{label}/turn-{number}"] = later
        return draws

    def _move_jokers(self, race: Race, hands: list[list[str]]) -> None:
        """A joker that its holder never played may as well have been another's."""
        able = [
            seat
            for seat in range(1, self.seats + 1)
            if seat != self.viewer and seat not in race.played and seat not in race.bookmakers
        ]
        holders = [seat for seat in able if JOKER in hands[seat - 1]]
        for holder in holders:
            to = self.source.choice(able)
            mine, theirs = hands[holder - 1], hands[to - 1]
            if to != holder and JOKER in mine:
                at = next((i for i, card in enumerate(theirs) if card != JOKER), None)
                if at is not None:
                    i = mine.index(JOKER)
                    mine[i], theirs[at] = theirs[at], mine[i]

    # ------------------------------------------------------------- how the twin is played

    def _replay(self) -> None:
        race = iter(self.races)
        now = next(race)
        resumed = 0
        for seat, command, events in self._commands():
            self._give(seat, command, now)
            resumed += goings_on(events)
            while goings_on(self.other.events) < resumed:
                self._answer_joker(now)
            if any(isinstance(event, e.CardsOpened) for event in events):
                now = next(race)

    def _commands(self) -> list[tuple[int, Command, list[Event]]]:
        """(seat, command, its events) of the first meeting, from the start on."""
        found = []
        at = 0
        kinds: dict[str, type[Command]] = {
            kind.__struct_config__.tag: kind  # type: ignore[misc] # tags are text here
            for kind in (*self.one.game.commands, *self.one.game.system_commands)
        }
        for size in self.one.sizes:
            events = self.one.events[at : at + size]
            at += size
            if not events:
                continue
            first = events[0]
            seat = 0 if first.seat is UNSET else first.seat
            body = first.command or (first.secret(seat) or {}).get("command")
            if isinstance(body, dict):
                found.append((seat, msgspec.convert(body, kinds[body["type"]]), events))
        return found

    def _give(self, seat: int, command: Command, race: Race) -> None:
        hidden = seat != self.viewer
        if isinstance(command, c.KeepJoker) and hidden:
            return
        if isinstance(command, c.ExchangeCards) and hidden and self.viewer not in race.bookmakers:
            command = self._other_exchange(seat, command)
        if isinstance(command, c.NameBrocco) and hidden:
            command = c.NameBrocco(horse=self.source.choice(HORSES))  # type: ignore[arg-type]
        self.other.give(seat, command)

    def _other_exchange(self, seat: int, command: c.ExchangeCards) -> Command:
        """Two other cards, with as many jokers among them."""
        hand = self.other.full.table.hands[seat - 1]
        jokers = command.cards.count(JOKER)
        plain = [card for card in hand if card != JOKER]
        return c.ExchangeCards(cards=[*self.source.sample(plain, 2 - jokers), *[JOKER] * jokers])

    def _answer_joker(self, race: Race) -> None:
        """Somebody who is asked in the twin keeps, for this card or as long as it may."""
        played = self.other
        seat = played.game.waiting(played.full)[0]
        assert seat != self.viewer, "the viewer answers as it did"
        lasting = [
            action
            for action in played.game.actions(played.view(seat), seat).actions
            if isinstance(action, c.KeepJoker)
        ]
        if seat in race.played:
            lasting = [c.KeepJoker()]
        played.give(seat, self.source.choice(lasting))


def goings_on(events: Sequence[Event]) -> int:
    """How often the race went on after a wait."""
    return sum(isinstance(event, e.RaceResumed) for event in events)


def seen(played: Played, viewer: int) -> list[Any]:
    """All that a viewer is sent up to the end: events, boards, actions; hashes and times apart."""
    view = Meeting(viewer=viewer)
    found: list[Any] = []
    for event in played.events:
        if isinstance(event, e.BroccoShared | e.LoansRepaid | MeetingFinished):
            break
        known = redact(event, viewer)
        if known is None:
            continue
        apply(view, known, played.game)
        told = wire(known, viewer, view.version)
        told.pop("commitment", None)
        told.pop("at")
        found.append(told)
        found.append(played.game.view(view))
        if viewer:
            listing = played.game.actions(view, viewer)
            found.append([body_of(action) for action in listing.actions])
            found.append([listing.complete, listing.schema])
    return found
