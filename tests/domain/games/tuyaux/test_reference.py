"""The game against the sheet written down once more: the same answers, the same boards."""

from collections import Counter
from itertools import product
from random import Random
from typing import Any

import msgspec
import pytest

from domain.games.tuyaux.events import BetForm
from domain.games.tuyaux.settle import pay
from domain.games.tuyaux.track import move
from domain.kernel.chance import derive_key, shuffle
from domain.kernel.message import Command, body_of
from domain.kernel.rejection import Rejected
from domain.racing.meeting import RUNNING
from tests.domain.games.tuyaux.paddock import HORSES
from tests.domain.games.tuyaux.reference import Reference, Refused, one_step, pays
from tests.kit.meetings import SEED, Played, seated
from tests.kit.mutations import mutations, strangers
from tests.kit.spec import board

Options = dict[str, Any]


def pair(seats: int, options: Options, nonce: str) -> tuple[Played, Reference]:
    """A meeting and its reference, on the same draws."""
    played = seated(Played("tuyaux", seats=seats, options=options), (nonce,))
    key = derive_key(SEED, [nonce, *[""] * (seats - 1)])
    full = played.full.options
    return played, Reference(seats, full, lambda label, items: shuffle(key, label, items))


def outcome(played: Played, seat: int, command: Command) -> str:
    """What the game says: accepted, a 409 by its code, rule (422)."""
    try:
        played.give(seat, command)
    except Rejected as refusal:
        return "rule" if refusal.reason.status == 422 else refusal.reason.code
    return "accepted"


def expected(reference: Reference, seat: int, command: Command) -> str:
    """What the sheet says."""
    try:
        reference.give(seat, body_of(command))
    except Refused as refusal:
        return refusal.kind
    return "accepted"


def compare(played: Played, r: Reference) -> None:
    """Boards and hands, side by side."""
    shown = board(played)
    assert shown["phase"] == r.phase
    assert shown["to_act"] == r.to_act()
    assert shown["results"] == r.results
    assert [seat["coins"] for seat in shown["seats"]] == list(r.coins.values())
    assert shown["race"] == r.race
    assert shown["dealer"] == r.dealer
    assert shown["programme"] == {"card": r.card, "values": r.values}
    assert list(shown["programme"]["values"]) == list(r.values)
    assert shown["turned"] == r.turned
    assert shown["turn"] == (len(r.turned) or None)
    assert shown["race_card"] == (r.turned[-1] if r.turned else None)
    assert shown["lines"] == r.field
    assert shown["tips_played"] == r.played
    assert played.full.table.hands == [r.hands[seat] for seat in range(1, r.n + 1)]
    for place in shown["seats"]:
        seat = place["seat"]
        assert place["hand_count"] == len(r.hands[seat])
        assert place["has_bet"] == (seat in r.bets)
        open_bets = r.over or (r.o["open_bets"] and r.phase == "tips")
        assert place["bet"] == (r.bets[seat] if open_bets else None)
    if r.over:
        assert shown["ranking"] == r.ranking()


class Match:
    """One meeting played by both, with commands of every sort.

    Args:
        wild: how often a command is one that nobody listed.
    """

    def __init__(self, seats: int, options: Options, source: Random, wild: float) -> None:
        self.played, self.reference = pair(seats, options, str(source.random()))
        self.source = source
        self.wild = wild
        self.known: list[Command] = []
        self.figures: Counter[str] = Counter()

    def run(self) -> "Match":
        """Play to the end."""
        while self.played.full.status == RUNNING:
            owing = self.played.game.waiting(self.played.full)
            every = [place.seat for place in self.played.full.seats]
            seat = self.source.choice(owing if self.source.random() < 0.8 else every)
            for command in self._commands(seat):
                self.give(seat, command)
                self.known = [*self.known[-300:], command]
        assert self.reference.over
        return self

    def give(self, seat: int, command: Command) -> None:
        """To both, and compare."""
        told = outcome(self.played, seat, command)
        right = expected(self.reference, seat, command)
        assert told == right, f"{self.reference.phase}: seat {seat}: {command}"
        self.figures[told] += 1
        if told == "accepted":
            compare(self.played, self.reference)

    def _commands(self, seat: int) -> list[Command]:
        game, source = self.played.game, self.source
        listed = game.actions(self.played.view(seat), seat).actions
        found: list[Command] = [source.choice(listed)] if listed else []
        if source.random() < self.wild:
            wilder = list(mutations(source, found[0], 3)) if found else []
            wilder.extend(strangers(source, game.commands, self.known, 3))
            found = source.sample(wilder, min(4, len(wilder))) + found
        return found


def options_of(source: Random) -> Options:
    """Any options."""
    return {
        "whip": source.choice(("last_turn", "first_whip")),
        "open_bets": source.random() < 0.5,
        "bets": source.choice(("win", "two_wins", "win_and_place", "tierce")),
        "target": source.choice((1, 3, 6, 9)),
    }


def matches(seats: int, count: int, label: str) -> Counter[str]:
    """So many matches; what was said, how often."""
    total: Counter[str] = Counter()
    for number in range(count):
        source = Random(f"{label} {seats} {number}")
        match = Match(seats, options_of(source), source, wild=source.random())
        total.update(match.run().figures)
    return total


@pytest.mark.parametrize("seats", range(2, 8))
def test_the_game_and_the_sheet_say_the_same(seats: int) -> None:
    """Random meetings with legal and illegal commands, compared after each."""
    figures = matches(seats, 4, "short")
    for answer in ("accepted", "rule", "wrong_phase", "not_your_turn", "already_done"):
        assert figures[answer] > 5, answer


@pytest.mark.long
@pytest.mark.parametrize("seats", range(2, 8))
def test_the_game_and_the_sheet_say_the_same_many_times(seats: int) -> None:
    """Likewise, a hundred meetings."""
    figures = matches(seats, 100, "long")
    print(f"tuyaux, {seats} seats: {msgspec.json.encode(dict(figures)).decode()}")
    assert figures["accepted"] > 5_000


def fields(horses: tuple[str, ...]) -> list[list[list[str]]]:
    """Every field that there can be: at most one line is shared."""
    found = []
    for lines in product(range(len(horses)), repeat=len(horses)):
        used = sorted(set(lines))
        if used == list(range(len(used))):
            field = [[h for h, at in zip(horses, lines, strict=True) if at == i] for i in used]
            found.append(field)
    return found


def test_every_move_in_every_field_is_its_steps_one_by_one() -> None:
    """TU-M7: from one to four horses, six places either way; shared lines anywhere."""
    moves = 0
    for count in range(1, 5):
        for field in fields(HORSES[:count]):
            before = msgspec.json.encode(field)
            for horse, places in product(HORSES[:count], range(-6, 7)):
                after, made = field, 0
                for _ in range(abs(places)):
                    stepped = one_step(after, horse, places > 0)
                    made += (stepped != after) * (1 if places > 0 else -1)
                    after = stepped
                assert move(field, horse, places) == (after, made), (field, horse, places)
                assert msgspec.json.encode(field) == before, "the field given stays as it is"
                moves += 1
    assert moves > 4_000


def test_every_bet_on_every_field_of_five_pays_the_same() -> None:
    """TU-E1: by orders of the horses within their lines, tried one by one."""
    horses = HORSES[:5]
    values = dict(zip(horses, (2, 1, 0, 2, 1), strict=True))
    source = Random(4)
    paid: Counter[int] = Counter()
    for field in source.sample(fields(horses), 200):
        for _ in range(20):
            three = source.sample(horses, 3)
            for bet in (
                {"win": source.sample(horses, source.choice((1, 2)))},
                {"win": [source.choice(horses)], "place": source.choice(horses)},
                {"tierce": three},
            ):
                whole = {"win": None, "place": None, "tierce": None, **bet}
                coins = pay(field, values, BetForm(**whole))
                assert coins == pays(field, values, whole), (field, bet)
                paid[coins] += 1
    assert set(paid) >= {0, 1, 2, 3, 4, 5, 6}
