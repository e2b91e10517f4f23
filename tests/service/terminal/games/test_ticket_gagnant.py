"""Ticket Gagnant as people see it in a terminal, over whole meetings of every kind."""

from random import Random
from typing import Any

import pytest

from domain.games.ticket_gagnant.events import EVENTS
from domain.kernel.lines import redact, wire
from domain.kernel.message import type_of
from domain.registry import GAMES
from service.terminal.plain import names_of
from service.terminal.rendering import renderer
from tests.domain.games.ticket_gagnant.playthroughs import MEETINGS
from tests.domain.games.ticket_gagnant.turf import (
    CUSTOM,
    GAME,
    dealt,
    moving,
    opened,
    pair,
    predict,
    river_of,
    single,
)
from tests.kit.meetings import Played, by_bots, seated
from tests.kit.terminal import board_of, shown, told_to_all

DRAWN = renderer(GAME)

SILENT = {
    "ticket-gagnant.first_player_drawn": "who is first player is told with the lanes",
    "meeting_opened": "seats are told as they are taken",
    "race_closed": "the finish is told",
}
"""Events that are not worth a line, and why."""


def lanes(played: Played) -> list[str]:
    """The rows of the track, blanks apart."""
    rows = shown(DRAWN.board(board_of(played))).splitlines()
    top = next(i for i, row in enumerate(rows) if row.startswith("rail "))
    count = board_of(played)["course"]["lanes"]
    return ["".join(row.split()) for row in rows[top + 1 : top + 1 + count]]


RACES = [
    {"kind": "flat", "deal": 3, "hidden": True},
    {"kind": "obstacle", "deal": 4},
    {"kind": "steeplechase", "deal": 5, "river": river_of((2, "behind"))},
    {"kind": "harness", "deal": 3},
]
OPTIONS: list[dict[str, Any]] = [
    {},
    {"choice": RACES, "photo_finish": "rail", "wild": "printed"},
    {"choice": "flat_only", "course": CUSTOM, "dashed_line": "no_return"},
]


@pytest.mark.parametrize("options", OPTIONS)
def test_whole_meetings_are_told_and_drawn_for_every_viewer(options: dict[str, Any]) -> None:
    """Every event, every board: nothing breaks, and each type is told or silent on purpose."""
    played = seated(Played(GAME, seats=4, options=options))
    played.play(by_bots(Random(1), ("random",)))
    told = told_to_all(DRAWN, played, SILENT)
    seldom = {"ticket-gagnant.card_discarded", "ticket-gagnant.photo_finish_drawn"}
    assert {type_of(kind) for kind in EVENTS} - set(SILENT) - seldom <= told


def test_seldom_events_are_told_too() -> None:
    """TG-M11, TG-R1, TG-R2"""
    lines = []
    for name in ("steeplechase__last_card_discarded", "harness__crossed_and_disqualified"):
        played = MEETINGS[name]()
        names = names_of(board_of(played))
        told = [DRAWN.told(wire(event, 0, 1), names) for event in public(played)]
        lines += [line.plain for line in told if line is not None]
    assert "seat 1 (Ann p-ann) can play nothing and discards black+orange" in lines
    assert any(line.startswith("Photo finish: ") for line in lines)
    assert any("Disqualified: red." in line for line in lines)
    assert "The meeting is over." in lines


def public(played: Played) -> list[Any]:
    """The events as the public sees them."""
    return [redact(event, 0) for event in played.events]


def test_a_flat_race_has_a_rail_a_line_and_turf() -> None:
    """TG-S2: horses run to the right, lane 1 is at the rail."""
    played = moving(2, hands={1: ["orange-3"], 2: ["black-2"]})
    played.give(1, single("orange-3", "forward")).give(2, single("black-2", "forward"))
    rows = lanes(played)
    assert rows[0] == "1" + "····O········" + "¦···"
    assert rows[4] == "5" + "·R···········" + "¦···"
    text = shown(DRAWN.board(board_of(played)))
    assert "rail ════" in text
    assert " 0  1  2  3  4  5  6  7  8  9 10 11 12 13 14 15" in text


@pytest.mark.parametrize(
    ("river", "row"),
    [
        ((1, "front"), "3·G··≈‖····‖····¦···"),
        ((1, "behind"), "3·G···‖≈···‖····¦···"),
        ((2, "front"), "3·G···‖···≈‖····¦···"),
        ((2, "behind"), "3·G···‖····‖≈···¦···"),
    ],
)
def test_a_steeplechase_has_hedges_and_a_river(river: tuple[int, str], row: str) -> None:
    """TG-S2"""
    assert lanes(moving(2, kind="steeplechase", river=river))[2] == row


def test_an_obstacle_race_has_hedges_alone_and_a_harness_race_hoofprints() -> None:
    """TG-S2"""
    assert lanes(moving(2, kind="obstacle"))[2] == "3·G···‖····‖····¦···"
    rows = lanes(moving(2, kind="harness"))
    assert rows[2] == "3·G····∩······¦∩··"
    assert not any("∩" in row for row in lanes(moving(2)))


def test_a_long_course_keeps_within_a_terminal() -> None:
    """TG-S2: the numbers of every fifth space."""
    course = {**CUSTOM, "lanes": 12, "last": 40, "line": 30}
    played = seated(Played(GAME, options={"course": course}))
    text = shown(DRAWN.board(board_of(played)))
    assert max(map(len, text.splitlines())) <= 100
    assert "0         5        10" in text
    assert len(lanes(played)) == 12


def test_a_seat_sees_its_own_hand_and_prediction_and_no_other() -> None:
    """Hidden"""
    played = dealt(2, hidden=True, hands={1: ["red-1"], 2: ["blue-2"]})
    played.give(1, predict("red", None, "black"))
    own, others = (shown(DRAWN.board(board_of(played, viewer))) for viewer in (1, 2))
    assert "your hand  red-1" in own
    assert "red - black" in own
    assert "red-1" not in others
    assert "red - black" not in others
    assert "made" in others


def test_plays_are_told_in_words() -> None:
    """TG-M5, TG-M6"""
    played = moving(2, hands={1: ["blue+red", "blue-1"], 2: ["red-1"]})
    played.give(1, pair("blue+red", "red", "right"))
    played.give(2, single("red-1", "left", (5, 2)))
    names = names_of(board_of(played))
    told = [DRAWN.told(wire(event, 0, 1), names) for event in public(played)[-2:]]
    assert [line.plain for line in told if line is not None] == [
        "seat 1 (Ann p-ann) plays blue+red: nobody moves",
        "seat 2 (Ben p-ben) plays red-1: red to lane 4, space 1; blue to lane 5, space 2",
    ]


def test_before_the_start_the_seats_are_seen_and_before_the_choice_the_lanes() -> None:
    """Contract, Board"""
    text = shown(DRAWN.board(board_of(Played(GAME, seats=2).sit(2, "Ben [red]"))))
    assert "seat 1  free" in text
    assert "Ben [red]" in text, "names are never markup"
    assert lanes(opened(2))[6] == "7·K···········¦···"


def test_sums_that_do_not_agree_are_found() -> None:
    """TG-P7, TG-P8"""
    board = board_of(seated(Played(GAME)).play(by_bots(Random(2), ("random",))))
    assert [right for _, right in DRAWN.checks(board)] == [True, True]
    board["seats"][0]["score"] += 1
    assert [right for _, right in DRAWN.checks(board)] == [False, False]


SHORT: list[tuple[str, dict[str, Any]]] = [
    ("flat 5", {"type": "choose_race", "kind": "flat", "deal": 5}),
    ("harness 7 hidden", {"type": "choose_race", "kind": "harness", "deal": 7, "hidden": True}),
    ("steeplechase 3 2 behind", {**RACES[2], "type": "choose_race", "deal": 3}),
    ("predict red - black", {"type": "predict", "first": "red", "third": "black"}),
    ("red-3 left", {"type": "play_card", "card": "red-3", "direction": "left"}),
    (
        "red-3 left to 4 8",
        {
            "type": "play_card",
            "card": "red-3",
            "direction": "left",
            "displaced_to": {"lane": 4, "space": 8},
        },
    ),
    (
        "wild red left 2",
        {"type": "play_card", "card": "wild", "horse": "red", "direction": "left", "spaces": 2},
    ),
    (
        "wild-2 red left",
        {"type": "play_card", "card": "wild-2", "horse": "red", "direction": "left"},
    ),
    (
        "blue+red red front",
        {"type": "play_card", "card": "blue+red", "horse": "red", "beside": "front"},
    ),
    ("discard red-3", {"type": "discard_card", "card": "red-3"}),
]


@pytest.mark.parametrize(("words", "body"), SHORT)
def test_commands_have_short_forms(words: str, body: dict[str, Any]) -> None:
    """Commands"""
    read = DRAWN.shorthand(words.split(), {"game": GAME})
    assert read == {**body, "type": f"ticket-gagnant.{body['type']}"}


@pytest.mark.parametrize(
    "words",
    [
        "flat",
        "flat five",
        "trot 5",
        "flat 5 1",
        "predict",
        "red-3",
        "wild red left",
        "red-3 left to 4",
        "red-3 left to a b",
        "pink-3 left",
        "steeplechase 5 one front",
        "",
    ],
)
def test_what_is_no_short_form_is_none(words: str) -> None:
    """Commands"""
    assert DRAWN.shorthand(words.split(), {"game": GAME}) is None


def test_the_short_forms_of_each_phase_are_told() -> None:
    """Commands"""
    for phase in GAMES[GAME].phases:
        assert DRAWN.forms({"phase": phase})
    assert DRAWN.forms({"phase": None}) == ()
