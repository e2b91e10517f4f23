"""What a seat may do now (contract, Actions), and defaults on expiry (sheet, Commands)."""

from collections.abc import Iterator
from itertools import product
from random import Random
from typing import Any

import msgspec
import pytest

from domain.games.ticket_gagnant import commands as c
from domain.kernel.chance import SeededChance
from domain.kernel.message import Command, body_of, type_of
from domain.kernel.rejection import Malformed, Rejected
from domain.racing import lifecycle
from domain.racing.draft import Draft
from domain.racing.meeting import RUNNING
from tests.domain.games.ticket_gagnant.turf import (
    DECKS,
    GAME,
    HORSES,
    MOAT,
    STUCK,
    choose,
    dealt,
    discard,
    listed,
    moving,
    opened,
    predict,
    river_of,
)
from tests.kit.meetings import Played, as_default, at_random, seated
from tests.kit.spec import given

PLAY = "ticket-gagnant.play_card"
WAYS = ("forward", "backward", "left", "right")
SIDES = ("front", "behind", "left", "right")


class Taken(Exception):
    """A command was accepted: it would have been recorded."""


class Trial(Draft):
    """A draft that records nothing, so that one position serves any number of commands."""

    def record(self, *args: Any, **content: Any) -> None:
        raise Taken


def accepts(played: Played, seat: int, command: Command) -> bool:
    """Whether the rules take a command here; the position stays as it is."""
    draft = Trial(played.full, played.game, "", SeededChance(b""))
    try:
        lifecycle.decide(draft, seat, command)
    except Taken:
        return True
    except (Rejected, Malformed):
        return False
    raise AssertionError("a command is taken or refused")


def key(command: Command) -> bytes:
    """What tells two commands apart."""
    return msgspec.json.encode(body_of(command), order="sorted")


def taken_of(played: Played, seat: int, bodies: Iterator[dict[str, Any]]) -> set[bytes]:
    """Of these bodies, those that are commands and that the rules take."""
    kinds = {type_of(kind): kind for kind in c.COMMANDS}
    found = set()
    for body in bodies:
        command = msgspec.convert(body, kinds[body["type"]])
        if accepts(played, seat, command):
            found.add(key(command))
    return found


def all_plays(lanes: int, last: int, cards: list[str]) -> Iterator[dict[str, Any]]:
    """Every body of these cards, legal or not: all fields, all places of a displaced horse."""
    places: list[Any] = [None]
    places += [{"lane": n, "space": s} for n, s in product(range(lanes + 2), range(-1, last + 2))]
    for card, to in product(cards, places):
        rest = {} if to is None else {"displaced_to": to}
        body: dict[str, Any] = {"type": PLAY, "card": card}
        if "+" in card:
            for horse, side in product(HORSES, SIDES):
                yield {**body, "horse": horse, "beside": side, **rest}
        elif card == "wild":
            for horse, way, spaces in product(HORSES, WAYS, range(5)):
                yield {**body, "horse": horse, "direction": way, "spaces": spaces, **rest}
        elif card.startswith("wild"):
            for horse, way in product(HORSES, WAYS):
                yield {**body, "horse": horse, "direction": way, **rest}
        else:
            for way in WAYS:
                yield {**body, "direction": way, **rest}
    for card in cards:
        yield {"type": "ticket-gagnant.discard_card", "card": card}


def positions(options: dict[str, Any], seats: int, seed: int, count: int) -> Iterator[Played]:
    """Some positions of a random meeting in which horses move."""
    source = Random(f"{options} {seed}")
    played = seated(Played(GAME, seats=seats, options=options))
    while played.full.status == RUNNING and count:
        if played.full.table.phase == "move" and source.random() < 0.3:
            count -= 1
            yield played
        played.step(at_random(source))


def race(kind: str, deal: int, river: tuple[int, str] | None = None) -> dict[str, Any]:
    """A race of a programme."""
    return {"kind": kind, "deal": deal, **({} if river is None else {"river": river_of(river)})}


SMALL = {"lanes": 7, "last": 6, "start": 0, "line": 5, "hedges": [1, 3], "hoofprints": []}
MIXES: list[dict[str, Any]] = [
    {"choice": [race("flat", 4), race("harness", 5)] * 2},
    {"choice": [race("obstacle", 5)] * 4, "wild": "printed", "dashed_line": "no_return"},
    {"choice": [race("steeplechase", 4, (1, "front")), race("steeplechase", 4, (2, "behind"))] * 2},
    {"choice": [race("steeplechase", 7, (1, "front"))] * 4, "course": SMALL},
    {"choice": [race("obstacle", 7)] * 4, "course": SMALL, "dashed_line": "no_return"},
]


@pytest.mark.parametrize("options", MIXES)
def test_listed_is_what_is_taken_of_all_bodies_that_there_are(options: dict[str, Any]) -> None:
    """Contract, Actions: brute force, nothing left out, on positions of random meetings."""
    tried = 0
    for played in positions(options, 2, 1, 4):
        seat = played.full.table.turn
        hand = list(dict.fromkeys(played.full.table.hands[seat - 1]))
        course = played.full.table.course
        bodies = all_plays(course["lanes"], course["last"], hand)
        keys = [key(command) for command in listed(played, seat)]
        assert len(set(keys)) == len(keys)
        assert taken_of(played, seat, bodies) == set(keys)
        tried += 1
    assert tried == 4


def test_discards_listed_are_those_taken() -> None:
    """TG-M11: of all bodies of three unplayable cards."""
    rest: Any = {"kind": "steeplechase", "river": (1, "front"), "course": MOAT, "deal": 3}
    played = moving(2, hands={1: STUCK}, **rest)
    keys = {key(discard(card)) for card in STUCK}
    assert {key(command) for command in listed(played, 1)} == keys
    assert taken_of(played, 1, all_plays(7, 8, STUCK)) == keys


def test_cards_not_held_are_never_taken() -> None:
    """Refusals, on a position of all cards but those in hand."""
    held = ["red-1", "blue+red", "wild", "green-2", "black+red"]
    played = moving(hands={1: held})
    others = [card for card in DECKS["free"] + DECKS["printed"] if card not in held]
    assert taken_of(played, 1, all_plays(3, 3, others)) == set()


@pytest.mark.parametrize("choice", ["first_player", "flat_only"])
def test_choices_listed_are_those_taken(choice: str) -> None:
    """TG-S4: of all kinds, deals, rivers; `hidden` is always given in the list."""
    played = opened(2, choice=choice)
    rivers = [None, *product(range(4), ("front", "behind"))]
    bodies = (
        {
            "type": "ticket-gagnant.choose_race",
            "kind": kind,
            "deal": deal,
            "hidden": hidden,
            **({} if river is None else {"river": {"hedge": river[0], "side": river[1]}}),
        }
        for kind, deal, hidden, river in product(
            ("flat", "obstacle", "steeplechase", "harness"), range(10), (False, True), rivers
        )
    )
    keys = [key(command) for command in listed(played, 1)]
    assert taken_of(played, 1, bodies) == set(keys)
    assert len(keys) == (70 if choice == "first_player" else 10)


def test_predictions_listed_are_those_taken() -> None:
    """TG-B1: of all horses, or none, on each place."""
    played = dealt(2)
    bodies = (
        {"type": "ticket-gagnant.predict"}
        | {
            place: horse
            for place, horse in zip(("first", "second", "third"), horses, strict=True)
            if horse
        }
        for horses in product((None, *HORSES), repeat=3)
    )
    keys = [key(command) for command in listed(played, 1)]
    assert taken_of(played, 1, bodies) == set(keys)
    assert len(keys) == 357


def test_nobody_else_is_listed_anything() -> None:
    """Contract, Actions"""
    for played, seat in ((opened(3), 1), (dealt(3).give(2, predict("red")), 2), (moving(3), 1)):
        others = {1, 2, 3} - {seat} if played.full.table.phase != "predict" else {seat}
        for other in others:
            listing = played.game.actions(played.view(other), other)
            assert (listing.actions, listing.complete) == ([], True)
            assert played.game.default(played.view(other), other) is None


def test_the_longest_list_that_was_found_has_432_plays() -> None:
    """Contract, Actions: a column of all seven, one wild card and six pairs; so all are listed."""
    hand = ["wild", "black+red", "orange+yellow", "purple+yellow", "red+yellow", "purple+red"]
    column = {"orange": 5, "purple": 6, "green": 9, "blue": 3, "red": 4, "yellow": 8, "black": 7}
    stand = {horse: (3, space) for horse, space in column.items()}
    played = moving(2, deal=7, hands={1: [*hand, "black+orange"]}, stand=stand)
    listing = played.game.actions(played.full, 1)
    assert listing.complete
    assert len(listing.actions) == 432


# ---------------------------------------------------------------- defaults


def test_the_default_choice_is_flat_with_5_cards_and_not_hidden() -> None:
    """Commands"""
    for choice in ("first_player", "flat_only"):
        played = opened(2, choice=choice)
        assert played.game.default(played.view(1), 1) == choose("flat", 5, False)


def test_the_default_prediction_and_play_are_those_of_the_steady_bot() -> None:
    """Commands: what steady would do, and it never hesitates."""
    played = seated(Played(GAME, seats=3))
    steady = played.game.bots["steady"]
    while played.full.race == 1:
        seat = played.game.waiting(played.full)[0]
        view = played.view(seat)
        default = played.game.default(view, seat)
        assert default is not None
        assert default in played.game.actions(view, seat).actions
        for source in (Random(1), Random(2)):
            assert steady.decide(view, seat, source) == default
        given(played).when(seat, default).accepted()
        played.give(seat, default)


def test_the_default_discard_is_the_first_card_in_hand() -> None:
    """Commands, TG-M11"""
    rest: Any = {"kind": "steeplechase", "river": (1, "front"), "course": MOAT, "deal": 3}
    played = moving(2, hands={1: STUCK}, **rest)
    assert played.game.default(played.view(1), 1) == discard(STUCK[0])


@pytest.mark.parametrize("seats", range(2, 7))
@pytest.mark.parametrize("mix", range(len(MIXES)))
def test_defaults_alone_end_every_meeting(seats: int, mix: int) -> None:
    """Contract, Clocks"""
    options: dict[str, Any] = dict(MIXES[mix])
    races = {2: 4, 3: 3, 4: 4, 5: 5, 6: 6}[seats]
    options["choice"] = (options["choice"] * 2)[:races]
    played = seated(Played(GAME, seats=seats, options=options)).play(as_default)
    assert played.full.ranking is not None
