"""Setup: how many races, money, the pack, who is bookmaker (BM-S)."""

from collections import Counter
from typing import Any

import pytest

from domain.games.bookmaker import events as e
from domain.games.bookmaker.board import CARDS
from domain.games.bookmaker.options import read_options
from domain.kernel.rejection import Malformed
from domain.racing.events import MeetingOpened
from tests.kit.meetings import Played, seated
from tests.kit.ring import bet, declare, meeting, raced, set_odds, settle
from tests.kit.spec import board, given

FAIR = {2: 2, 3: 3, 4: 2, 5: 5, 6: 3, 7: 7, 8: 4, 9: 9}
"""The shortest fair programme by number of seats."""


@pytest.mark.parametrize(("seats", "shortest"), FAIR.items())
def test_the_default_programme_is_the_shortest_fair_number_of_plain_races(
    seats: int, shortest: int
) -> None:
    """BM-S1"""
    assert read_options({}, seats)["programme"] == ["plain"] * shortest


@pytest.mark.parametrize(("seats", "shortest"), FAIR.items())
def test_every_multiple_up_to_36_races_and_no_other_length_is_a_programme(
    seats: int, shortest: int
) -> None:
    """BM-S1"""
    for length in range(60):
        programme = ["trot"] * length
        if length and length <= 36 and length % shortest == 0:
            assert read_options({"programme": programme}, seats)["programme"] == programme
        else:
            with pytest.raises(Malformed) as caught:
                read_options({"programme": programme}, seats)
            assert caught.value.pointer == "/options/programme"


def test_options_left_out_are_written_in_full_with_their_defaults() -> None:
    """BM-S1, BM-S2, BM-O1, BM-I1, BM-K1"""
    assert read_options({}, 3) == {
        "programme": ["plain", "plain", "plain"],
        "odds_step": 1,
        "in_running": False,
        "brocco": False,
        "cash": 1000,
    }


@pytest.mark.parametrize(
    ("options", "pointer"),
    [
        ({"programme": None}, "/options/programme"),
        ({"programme": ["plain", "steeplechase"]}, "/options/programme/1"),
        ({"programme": "plain"}, "/options/programme"),
        ({"odds_step": 2}, "/options/odds_step"),
        ({"odds_step": "1"}, "/options/odds_step"),
        ({"odds_step": True}, "/options/odds_step"),
        ({"odds_step": None}, "/options/odds_step"),
        ({"odds_step": [1]}, "/options/odds_step"),
        ({"in_running": 1}, "/options/in_running"),
        ({"in_running": None}, "/options/in_running"),
        ({"brocco": "true"}, "/options/brocco"),
        ({"cash": 9}, "/options/cash"),
        ({"cash": 100_001}, "/options/cash"),
        ({"cash": 99.5}, "/options/cash"),
        ({"cash": "1000"}, "/options/cash"),
        ({"cash": True}, "/options/cash"),
        ({"jockeys": 4}, "/options/jockeys"),
    ],
)
def test_options_that_the_table_does_not_allow_are_malformed(
    options: dict[str, Any], pointer: str
) -> None:
    """BM-S1, BM-S2, BM-O1"""
    with pytest.raises(Malformed) as caught:
        read_options(options, 2)
    given_at = caught.value.pointer
    assert given_at is not None
    assert given_at == pointer or given_at.startswith(pointer + "/")


@pytest.mark.parametrize("cash", [10, 15, 999, 100_000])
def test_every_seat_starts_with_the_cash_of_the_option(cash: int) -> None:
    """BM-S2"""
    played = meeting(3, cash=cash)
    assert [seat["cash"] for seat in board(played)["seats"]] == [cash] * 3


@pytest.mark.parametrize("stake", [15, 11, 5, 1, 0, -10])
def test_stakes_are_multiples_of_ten_from_ten(stake: int) -> None:
    """BM-S2, BM-B1"""
    from tests.kit.ring import at_bets

    given(at_bets(3)).when(2, bet(1, "red", stake)).refused("stake_off_step", "BM-B1")


def test_the_pack_has_each_colour_twice_from_one_to_ten() -> None:
    """BM-S3"""
    assert len(CARDS) == 80
    assert Counter(CARDS) == {
        f"{horse}-{n}": 2 for horse in ("red", "blue", "green", "yellow") for n in range(1, 11)
    }


@pytest.mark.parametrize("kind", ["plain", "joker", "trot", "joker_trot"])
def test_two_jokers_are_in_joker_races_only(kind: str) -> None:
    """BM-S3"""
    played = seated(Played(seats=9, options={"programme": [kind] * 9}))
    t = played.full.table
    dealt = [card for hand in t.hands for card in hand or []]
    assert t.deck_size + len(dealt) + 4 == (82 if "joker" in kind else 80)
    if "joker" not in kind:
        assert "joker" not in dealt


def test_all_cards_are_gathered_and_shuffled_for_every_race() -> None:
    """BM-S3"""
    played = raced(
        3, run=["red-1"] * 2 + ["red-2"] * 2 + ["red-3"] * 2 + ["red-4"] * 2 + ["red-5"] * 2
    )
    settle(played)
    t = played.full.table
    assert t.race == 2
    assert t.turned == []
    assert t.deck_size == 80 - 4 - 14


@pytest.mark.parametrize(("seats", "first"), [(4, 3), (5, 5), (6, 1), (9, 8)])
def test_two_bookmakers_are_neighbours_and_the_next_two_to_the_left_follow(
    seats: int, first: int
) -> None:
    """BM-S4"""
    seen = bookmakers_by_race(seats, first)
    at = first
    for pair in seen:
        left = at % seats + 1
        assert pair == [at, left]
        at = left % seats + 1
    assert len(set(Counter(seat for pair in seen for seat in pair).values())) == 1


@pytest.mark.parametrize(("seats", "first"), [(2, 2), (3, 2)])
def test_fewer_than_four_seats_have_one_bookmaker_who_advances_by_one(
    seats: int, first: int
) -> None:
    """BM-S4"""
    seen = bookmakers_by_race(seats, first)
    assert seen == [[(first - 1 + race) % seats + 1] for race in range(seats)]


def bookmakers_by_race(seats: int, first: int) -> list[list[int]]:
    """Play a default programme by defaults and note the roles."""
    from tests.kit.meetings import as_default

    played = meeting(seats, first=first).play(as_default)
    return [event.bookmakers for event in played.events if isinstance(event, e.CardsOpened)]


def test_the_first_bookmaker_is_drawn_and_the_draw_stands_in_its_event() -> None:
    """BM-S4"""
    played = seated(Played(seats=7))
    drawn = next(event for event in played.events if isinstance(event, e.RolesDrawn))
    assert drawn.draws == {"bookmaker": [drawn.first]}
    assert board(played)["bookmakers"] == [drawn.first, drawn.first % 7 + 1]


def test_the_first_line_carries_the_options_in_full() -> None:
    """BM-S1 (contract, Log)"""
    played = Played(seats=4, options={"odds_step": 0.5})
    opened = played.events[0]
    assert isinstance(opened, MeetingOpened)
    assert opened.options == read_options({"odds_step": 0.5}, 4)
    assert opened.rules == "1"


def test_setting_up_leads_from_the_deal_to_the_odds_to_the_bets() -> None:
    """BM-S4, BM-D1, BM-O1"""
    played = meeting(3)
    assert board(played)["phase"] == "odds"
    played.give(1, set_odds(3, 3, 2, 2))
    assert board(played)["phase"] == "bets"
    declare(played)
    assert board(played)["phase"] == "settlement"
