"""Options and setup (CH-S, CH-T1, CH-D1, CH-E6)."""

from typing import Any

import pytest

from domain.games.change_horses import events as e
from domain.games.change_horses.board import CARDS
from domain.games.change_horses.options import read_options
from domain.kernel.rejection import Malformed
from domain.racing.events import RaceOpened
from tests.domain.games.change_horses.paddock import (
    CHANGE,
    HORSES,
    PACK,
    card,
    line_up,
    pick_all,
    play_round,
    race,
    spaces,
    table,
)
from tests.kit.meetings import Played, seated
from tests.kit.spec import board


def test_options_left_out_are_written_in_full_with_their_defaults() -> None:
    """CH-T1, CH-E6, CH-S1"""
    assert read_options({}, 4) == {"turn_order": "basic", "races": 1, "finish": 12}


@pytest.mark.parametrize(
    ("options", "seats"),
    [
        ({"turn_order": "derby"}, 3),
        ({"turn_order": "derby"}, 5),
        ({"turn_order": "basic"}, 2),
        ({"races": 1}, 2),
        ({"races": 10}, 5),
        ({"finish": 8}, 2),
        ({"finish": 24}, 5),
    ],
)
def test_every_value_of_the_table_is_taken(options: dict[str, Any], seats: int) -> None:
    """CH-D1, CH-E6, CH-S1"""
    assert read_options(options, seats) == {**read_options({}, seats), **options}


@pytest.mark.parametrize(
    ("options", "seats", "pointer"),
    [
        ({"turn_order": "derby"}, 2, "/options/turn_order"),
        ({"turn_order": "auction"}, 4, "/options/turn_order"),
        ({"turn_order": None}, 4, "/options/turn_order"),
        ({"races": 0}, 4, "/options/races"),
        ({"races": 11}, 4, "/options/races"),
        ({"races": 1.5}, 4, "/options/races"),
        ({"races": True}, 4, "/options/races"),
        ({"races": "2"}, 4, "/options/races"),
        ({"races": None}, 4, "/options/races"),
        ({"finish": 7}, 4, "/options/finish"),
        ({"finish": 25}, 4, "/options/finish"),
        ({"lanes": 6}, 4, "/options/lanes"),
    ],
)
def test_any_other_value_is_malformed(options: dict[str, Any], seats: int, pointer: str) -> None:
    """Contract, Errors; CH-D1: the Derby League has 3 to 5 seats."""
    with pytest.raises(Malformed) as caught:
        read_options(options, seats)
    assert caught.value.pointer == pointer


def test_six_horses_stand_in_the_lanes_as_drawn_at_space_0() -> None:
    """CH-S1"""
    lanes = ["green", "yellow", "purple", "red", "blue", "orange"]
    shown = board(race(lanes=lanes))["horses"]
    assert [horse["horse"] for horse in shown] == list(HORSES)
    assert [horse["letter"] for horse in shown] == list("ABCDEF")
    assert [horse["lane"] for horse in shown] == [lanes.index(horse) + 1 for horse in HORSES]
    assert {(horse["space"], horse["crossed"]) for horse in shown} == {(0, False)}


@pytest.mark.parametrize("finish", [8, 12, 24])
def test_a_horse_has_crossed_when_its_space_is_at_least_the_finish(finish: int) -> None:
    """CH-S1"""
    played = race(finish=finish)
    line_up(played, finish - 1, finish, finish + 1, 0, 0, 0)
    shown = played.game.view(played.full)
    assert [horse.crossed for horse in shown.horses] == [False, True, True, False, False, False]  # type: ignore[attr-defined] # a board


def test_the_spaces_go_on_beyond_the_finish_and_horses_there_block() -> None:
    """CH-S1, CH-M2"""
    played = pick_all(
        race(3, finish=8),
        {
            1: ["orange+red", "blue+green", "blue+purple"],
            2: ["green+orange", "blue+green", "blue+purple"],
            3: ["orange+yellow", "blue+green", "blue+purple"],
        },
    )
    line_up(played, 0, 7, 0, 0, 0, 0)
    table(played).lanes[0] = 2
    table(played).spaces[0] = 6
    for seat, name in ((1, "orange+red"), (2, "green+orange"), (3, "orange+yellow")):
        played.give(seat, card(name))
    assert spaces(played)[:2] == [7, 10], "orange crosses by three, yellow goes one"


def test_every_seat_has_the_same_fifteen_cards_of_two_horses_each() -> None:
    """CH-S2"""
    assert list(CARDS) == PACK
    played = race(5)
    for seat in range(1, 6):
        own = board(played, seat)["seats"][seat - 1]
        assert own["hand"] == PACK
        assert own["hand_count"] == 15
        assert own["wild_left"] == 2
    assert all(name.split("+") == sorted(name.split("+")) for name in PACK)


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_certificates_go_to_the_seats_in_order_and_the_rest_is_set_aside(seats: int) -> None:
    """CH-S3"""
    drawn = ["red", "blue", "yellow", "purple", "green", "orange"]
    played = race(seats, certificates=drawn)
    each = 2 if seats == 2 else 1
    for seat in range(1, seats + 1):
        own = board(played, seat)["seats"][seat - 1]["certificates"]
        assert own == sorted(drawn[(seat - 1) * each : seat * each])
    assert board(played)["pile_count"] == 6 - seats * each
    assert table(played).pile == drawn[seats * each :]


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_position_cards_are_dealt_for_the_first_round(seats: int) -> None:
    """CH-S4"""
    drawn = list(range(seats, 0, -1))
    shown = board(race(seats, positions=drawn))
    assert shown["positions"] == {str(seat): n for seat, n in enumerate(drawn, 1)}
    assert shown["starts"] is None
    assert shown["round"] == 1


def test_two_seats_have_no_position_cards_but_one_that_starts() -> None:
    """CH-S4, CH-2A"""
    for first in (1, 2):
        shown = board(race(2, positions=[first]))
        assert (shown["positions"], shown["starts"]) == (None, first)


@pytest.mark.parametrize(("seats", "carrots"), [(3, 33), (4, 44), (5, 55)])
def test_in_the_derby_every_seat_has_11_carrots_for_each_seat(seats: int, carrots: int) -> None:
    """CH-S4"""
    derby = board(race(seats, turn_order="derby"))["seats"]
    assert [place["carrots"] for place in derby] == [carrots] * seats
    basic = board(race(seats))["seats"]
    assert [place["carrots"] for place in basic] == [None] * seats


def test_a_race_is_set_up_before_anybody_acts() -> None:
    """CH-S: the events in their order."""
    played = seated(Played("change-horses", seats=4))
    kinds = [type(event) for event in played.events]
    at = kinds.index(RaceOpened)
    assert kinds[at:] == [RaceOpened, e.HorsesPlaced, e.CertificatesDealt, e.RoundOpened]
    opened = played.events[at]
    assert isinstance(opened, RaceOpened)
    assert (opened.race, opened.races) == (1, 1)


def test_each_race_is_set_up_anew() -> None:
    """CH-E6: only match points are carried over."""
    played = race(3, races=2, turn_order="derby")
    pick_all(played)
    line_up(played, 11, 11, 11, 11, 11, 11)
    played.give(1, CHANGE)
    play_round(played)
    shown = board(played, 1)
    assert shown["race"] == 2
    assert {horse["space"] for horse in shown["horses"]} == {0}
    assert [place["carrots"] for place in shown["seats"]] == [33, 33, 33]
    assert [place["wild_left"] for place in shown["seats"]] == [2, 2, 2]
    assert not any(place["changed"] for place in shown["seats"])
    assert shown["seats"][0]["hand"] == PACK
    assert shown["seats"][0]["certificates"] == ["yellow"]
    assert shown["betting_board"] == []
    assert shown["round"] == 1
