"""The game against the sheet written down once more: the same answers, the same boards."""

from collections import Counter
from random import Random
from typing import Any

import msgspec
import pytest

from domain.games.bookmaker.board import KINDS
from domain.kernel.chance import derive_key, shuffle
from domain.kernel.message import Command, body_of
from domain.kernel.rejection import Malformed, Rejected
from domain.racing.meeting import RUNNING
from tests.kit.meetings import SEED, Played, seated
from tests.kit.mutations import mutations, strangers
from tests.kit.reference import Reference, Refused
from tests.kit.spec import board

Options = dict[str, Any]


def pair(seats: int, options: Options, nonce: str) -> tuple[Played, Reference]:
    """A meeting and its reference, on the same draws."""
    played = seated(Played(seats=seats, options=options), (nonce,))
    key = derive_key(SEED, [nonce, *[""] * (seats - 1)])
    options = played.full.options
    return played, Reference(seats, options, lambda label, items: shuffle(key, label, items))


def outcome(played: Played, seat: int, command: Command) -> str:
    """What the game says: accepted, a 409 by its code, rule (422), malformed (400)."""
    try:
        played.give(seat, command)
    except Malformed:
        return "malformed"
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


def number(tenths: int) -> float:
    """Odds as boards have them."""
    return tenths // 10 if tenths % 10 == 0 else tenths / 10


def bets(rows: list[Any]) -> list[Any]:
    """Bets as boards have them."""
    return [{**row, "odds": number(row["odds"])} for row in rows]


def compare(played: Played, r: Reference) -> None:
    """Boards and hands, side by side."""
    shown = board(played)
    table = played.full.table
    assert table.phase == r.phase
    assert played.game.waiting(played.full) == r.to_act()
    assert shown["bookmakers"] == r.books
    assert (shown["race"], shown["race_kind"]) == (r.race, r.kind)
    assert shown["open_cards"] == r.face_up
    assert shown["turned"] == r.turned
    assert [(token["horse"], token["space"]) for token in shown["tokens"]] == r.tokens
    assert {h["horse"]: h["space"] for h in shown["horses"]} == r.space
    assert {h["horse"] for h in shown["horses"] if h["out"]} == r.out
    assert {i + 1: hand for i, hand in enumerate(table.hands)} == r.hands
    if r.odds is None or r.limits is None:
        assert shown["odds"] is shown["limits"] is None
    else:
        assert shown["odds"] == {
            str(book): {horse: number(tenths) for horse, tenths in odds.items()}
            for book, odds in r.odds.items()
        }
        assert shown["limits"] == {str(book): limits for book, limits in r.limits.items()}
    assert shown["bets"] == bets(r.bets)
    assert shown["bank"] == {"lent": r.lent, "taken": r.taken}
    for seat in shown["seats"]:
        assert seat["cash"] == r.cash[seat["seat"]]
        assert seat["loan"] == r.loan[seat["seat"]]
        assert seat["done"] == r.done[seat["seat"]]
        assert seat["hand_count"] == len(r.hands[seat["seat"]])


def compare_end(played: Played, r: Reference) -> None:
    """What the end shows."""
    shown = board(played)
    assert r.over
    results = [{**row, "bets": bets(row["bets"])} for row in r.results]
    assert shown["results"] == results
    assert shown["ranking"] == r.ranking()
    assert shown["brocco"] == r.brocco
    ledger = [{k: v for k, v in line.items() if k != "event"} for line in shown["ledger"]]
    assert ledger == r.ledger


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
        played = self.played
        while played.full.status == RUNNING:
            owed = played.game.awaits(played.full)
            if owed is not None and self.source.random() < 0.8:
                self.give(0, owed)
                continue
            seat = self._seat()
            for command in self._commands(seat):
                self.give(seat, command)
                self.known = [*self.known[-300:], command]
        compare_end(played, self.reference)
        return self

    def give(self, seat: int, command: Command) -> None:
        """To both, and compare."""
        told = outcome(self.played, seat, command)
        right = expected(self.reference, seat, command)
        assert told == right, f"{self.reference.phase}: seat {seat}: {command}"
        self.figures[told] += 1
        if told == "accepted" and not self.reference.over:
            compare(self.played, self.reference)

    def _seat(self) -> int:
        owing = self.played.game.waiting(self.played.full)
        every = [place.seat for place in self.played.full.seats]
        return self.source.choice(owing if owing and self.source.random() < 0.7 else every)

    def _commands(self, seat: int) -> list[Command]:
        game, source = self.played.game, self.source
        listed = game.actions(self.played.view(seat), seat).actions
        kinds = list(dict.fromkeys(type(command) for command in listed))
        found: list[Command] = []
        if kinds:
            kind = source.choice(kinds)
            found.append(source.choice([c for c in listed if type(c) is kind]))
        if source.random() < self.wild:
            base = source.choice(listed) if listed else None
            wilder = list(mutations(source, base, 3)) if base else []
            wilder.extend(strangers(source, game.commands, self.known, 3))
            found = source.sample(wilder, min(4, len(wilder))) + found
        return found


def options_of(source: Random, seats: int) -> Options:
    """Any options, short programmes of all kinds."""
    length = seats // 2 if seats >= 4 and seats % 2 == 0 else seats
    return {
        "programme": [source.choice(KINDS) for _ in range(length)],
        "odds_step": source.choice((1, 0.5, 0.1)),
        "in_running": source.random() < 0.5,
        "brocco": source.random() < 0.5,
        "cash": source.choice((10, 15, 45, 100, 1000, 100_000)),
    }


@pytest.mark.parametrize("seats", range(2, 10))
def test_the_game_and_the_sheet_say_the_same(seats: int) -> None:
    """Random meetings with legal and illegal commands, compared after each."""
    for number_of in range(4 if seats < 5 else 2 if seats < 7 else 1):
        source = Random(f"{seats} {number_of}")
        match = Match(seats, options_of(source, seats), source, wild=0.5).run()
        assert match.figures["accepted"] > 20
        assert match.figures["rule"] > 5
        assert match.figures["wrong_phase"] > 5


@pytest.mark.long
@pytest.mark.parametrize("seats", range(2, 10))
def test_the_game_and_the_sheet_say_the_same_many_times(seats: int) -> None:
    """Likewise, two hundred meetings."""
    total: Counter[str] = Counter()
    for number_of in range(200):
        source = Random(f"long {seats} {number_of}")
        match = Match(seats, options_of(source, seats), source, wild=source.random()).run()
        total.update(match.figures)
    print(f"{seats} seats: {msgspec.json.encode(dict(total)).decode()}")
