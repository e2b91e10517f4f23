"""Change Horses as people see it in a terminal, over whole meetings of every seat count."""

from random import Random
from typing import Any

import msgspec
import pytest

from domain.games.change_horses.events import EVENTS
from domain.kernel.lines import redact, wire
from domain.kernel.message import type_of
from domain.registry import GAMES, command_types
from service.terminal.plain import names_of
from service.terminal.rendering import renderer
from tests.domain.games.change_horses.paddock import (
    CHANGE,
    FAST,
    PACK,
    at_turns,
    bid,
    card,
    play_round,
    race,
    slippery,
    stumble,
)
from tests.kit.meetings import Played, by_bots, seated
from tests.kit.terminal import board_of, shown, told_to_all

DRAWN = renderer("change-horses")

SILENT = {
    "meeting_opened": "seats are told as they are taken",
    "race_closed": "the end of the race is told",
}
"""Events that are not worth a line, and why."""


@pytest.mark.parametrize(("seats", "turn_order"), [(2, "basic"), (4, "derby"), (5, "basic")])
def test_whole_meetings_are_told_and_drawn_for_every_viewer(seats: int, turn_order: str) -> None:
    """Nothing breaks, and each event is told or silent on purpose."""
    options = {"turn_order": turn_order, "races": 2}
    played = seated(Played("change-horses", seats=seats, options=options))
    source = Random(seats)
    played.play(by_bots(source, ("random",)), until=lambda p: p.full.race == 2)
    assert "round 1" in shown(DRAWN.board(board_of(played, 1)))
    played.play(by_bots(source, ("random",)))
    told = told_to_all(DRAWN, played, SILENT)
    assert {"race_opened", "change-horses.horses_moved", "change-horses.race_ended"} <= told


def test_every_event_of_the_game_is_told_or_silent_on_purpose() -> None:
    """A new event is not forgotten here."""
    for kind in EVENTS:
        try:
            line = DRAWN.told({"type": type_of(kind)}, {})
        except KeyError:  # it is told, and misses the event's fields here
            continue
        assert line is not None or type_of(kind) in SILENT, kind


def test_the_track_is_seen_lane_by_lane_and_the_betting_board_with_its_counts() -> None:
    """CH-M1, CH-W1: a covered card stands in brackets."""
    played = at_turns(3).give(1, FAST).give(1, card(PACK[0]))
    played.give(2, stumble(PACK[0])).give(2, card(PACK[1]))
    text = shown(DRAWN.board(board_of(played, 3)))
    lines = text.splitlines()
    assert next(line for line in lines if line.startswith("1 ")).split()[1:4] == ["·", "·", "A"]
    assert "board  [blue+green]  blue+orange   counts  orange 1  blue 1" in text
    assert "your hand  blue+red" in text
    assert "red" in next(line for line in lines if line.startswith("3 "))


def test_what_is_hidden_is_not_told() -> None:
    """Hidden"""
    played = at_turns(3).give(1, CHANGE)
    event = played.events[-1]
    names = names_of(board_of(played))
    for viewer, which in ((1, "yellow for green"), (0, "change of horse!")):
        known = redact(event, viewer)
        assert known is not None
        line = DRAWN.told(wire(known, viewer, 1), names)
        assert line is not None
        assert line.plain.endswith(which)


def test_before_the_start_the_seats_are_seen() -> None:
    """Contract, Board"""
    text = shown(DRAWN.board(board_of(Played("change-horses", seats=3).sit(2, "Ben"))))
    assert "seat 1  free" in text
    assert "seat 2  Ben" in text


SHORT: list[tuple[str, Any]] = [
    ("pick green+blue red+blue", {"cards": ["blue+green", "blue+red"]}),
    ("bid 7", bid(7)),
    ("stand", {}),
    ("stumble red+blue", stumble("blue+red")),
    ("slippery red in blue out", slippery(("red", "inside"), ("blue", "outside"))),
    ("fast", FAST),
    ("change", CHANGE),
    ("change red", {"option": "change", "certificate": "red"}),
    ("red+blue", card("blue+red")),
]


@pytest.mark.parametrize(("words", "meant"), SHORT)
def test_short_forms_stand_for_commands(words: str, meant: Any) -> None:
    """Every one is a command by its types."""
    body = DRAWN.shorthand(words.split(), board_of(race(3)))
    assert body is not None
    command = msgspec.convert(body, command_types("change-horses")[body["type"]])
    if isinstance(meant, dict):
        assert {name: body[name] for name in meant} == meant
    else:
        assert command == meant


@pytest.mark.parametrize("words", ["", "bid", "bid x", "pick", "slippery red up blue in", "gallop"])
def test_other_words_stand_for_nothing(words: str) -> None:
    """The person is told so."""
    assert DRAWN.shorthand(words.split(), board_of(race(3))) is None


def test_each_phase_tells_what_may_be_typed() -> None:
    """As the help of a session shows it."""
    played = race(3, turn_order="derby")
    assert any("pick" in line for line in DRAWN.forms(board_of(played)))
    played = at_turns(3, turn_order="derby")
    assert any("stumble" in line for line in DRAWN.forms(board_of(played)))
    assert any("bid" in line for line in DRAWN.forms(board_of(play_round(played))))
    assert set(GAMES["change-horses"].phases) == {"select", "auction", "turn"}
