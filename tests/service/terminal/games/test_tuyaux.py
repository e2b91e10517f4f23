"""Tuyaux as people see it in a terminal, over whole meetings of every option."""

from random import Random
from typing import Any

import pytest

from domain.games.tuyaux.events import EVENTS
from domain.kernel.lines import wire
from domain.kernel.message import type_of
from domain.registry import GAMES
from service.terminal.plain import names_of
from service.terminal.rendering import renderer
from tests.domain.games.tuyaux.paddock import dead_heat, meeting, off, play, win
from tests.kit.meetings import Played, by_bots, seated
from tests.kit.terminal import board_of, shown, told_to_all

DRAWN = renderer("tuyaux")

SILENT = {
    "tuyaux.dealer_drawn": "who deals is told with the programme",
    "meeting_opened": "seats are told as they are taken",
    "race_closed": "the settlement is told",
}
"""Events that are not worth a line, and why."""


@pytest.mark.parametrize("bets", ["win", "two_wins", "win_and_place", "tierce"])
@pytest.mark.parametrize("open_bets", [False, True])
def test_whole_meetings_are_told_and_drawn_for_every_viewer(bets: str, open_bets: bool) -> None:
    """Every event, every board: nothing breaks, and each type is told or silent on purpose."""
    options = {"bets": bets, "open_bets": open_bets, "target": 2}
    played = seated(Played("tuyaux", seats=3, options=options))
    played.play(by_bots(Random(1), ("random",)))
    told = told_to_all(DRAWN, played, SILENT)
    wanted = {type_of(kind) for kind in EVENTS} - set(SILENT)
    assert wanted - (set() if open_bets else {"tuyaux.bets_revealed"}) <= told


def test_the_field_is_seen_front_first_and_the_turn_with_its_tips() -> None:
    """TU-M1"""
    played = off(2, deck=["noiro-2"], hands={2: ["cocotte-0"]})
    text = shown(DRAWN.board(board_of(play(played, "cocotte-0"))))
    assert "front ▸ noiro │ vertige grisou perle │ cocotte" in text
    assert "turn 1 of 5: noiro-2  tips: seat 2 cocotte-0 -1" in text
    assert "noiro favourite" in text


def test_a_seat_sees_its_own_hand_and_bet_and_no_other() -> None:
    """Hidden"""
    played = meeting(2, hands={1: ["perle-whip"], 2: ["vertige-whip"]}).give(1, win("noiro"))
    own, others = (shown(DRAWN.board(board_of(played, viewer))) for viewer in (1, 2))
    assert "perle-whip" in own
    assert "noiro to win" in own
    assert "perle-whip" not in others
    assert "noiro to win" not in others
    assert "hidden" in others


def test_a_dead_heat_is_told_with_its_coins() -> None:
    """TU-E1"""
    played = play(dead_heat(win("vertige"), win("noiro"), target=1), "noiro-0")
    names = names_of(board_of(played))
    (settled,) = (ev for ev in played.events if type_of(ev) == "tuyaux.race_settled")
    line = DRAWN.told(wire(settled, 0, 1), names)
    assert line is not None
    assert line.plain == "vertige and perle win together! Coins: seat 1 3"


def test_before_the_start_the_seats_are_seen() -> None:
    """Contract, Board"""
    text = shown(DRAWN.board(board_of(Played("tuyaux", seats=2).sit(2, "Ben [red]"))))
    assert "seat 1  free" in text
    assert "Ben [red]" in text, "names are never markup"


def test_sums_that_do_not_agree_are_found() -> None:
    """TU-E1, TU-E2"""
    board = board_of(play(dead_heat(win("vertige"), target=1), "noiro-0"))
    assert [right for _, right in DRAWN.checks(board)] == [True, True]
    board["seats"][0]["coins"] += 1
    assert [right for _, right in DRAWN.checks(board)] == [False, False]


@pytest.mark.parametrize(
    ("words", "body"),
    [
        ("win noiro", {"type": "tuyaux.bet", "win": ["noiro"]}),
        ("win noiro perle", {"type": "tuyaux.bet", "win": ["noiro", "perle"]}),
        ("win noiro place perle", {"type": "tuyaux.bet", "win": ["noiro"], "place": "perle"}),
        (
            "tierce noiro perle grisou",
            {"type": "tuyaux.bet", "tierce": ["noiro", "perle", "grisou"]},
        ),
        ("noiro-whip", {"type": "tuyaux.play_tip", "card": "noiro-whip"}),
    ],
)
def test_commands_have_short_forms(words: str, body: dict[str, Any]) -> None:
    """Commands"""
    assert DRAWN.shorthand(words.split(), {"phase": "bet", "game": "tuyaux"}) == body


@pytest.mark.parametrize("words", ["win", "tierce", "red-1", "play noiro-2"])
def test_what_is_no_short_form_is_none(words: str) -> None:
    """Commands"""
    assert DRAWN.shorthand(words.split(), {"phase": "bet", "game": "tuyaux"}) is None


def test_the_short_forms_of_each_phase_are_told() -> None:
    """Commands"""
    for phase in GAMES["tuyaux"].phases:
        assert DRAWN.forms({"phase": phase})
    assert DRAWN.forms({"phase": None}) == ()
