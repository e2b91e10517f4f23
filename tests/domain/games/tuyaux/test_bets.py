"""Bets: who, when, what, and who sees them (TU-B)."""

from typing import Any

import pytest

from domain.games.tuyaux import commands as c
from domain.games.tuyaux import events as e
from domain.kernel.rejection import Rejected
from tests.domain.games.tuyaux.paddock import (
    bet_all,
    both,
    dead_heat,
    form,
    meeting,
    off,
    play,
    run_race,
    tierce,
    tip,
    win,
)
from tests.kit.spec import board, event, fork, given


def test_every_seat_bets_in_any_order_and_the_last_bet_starts_the_race() -> None:
    """TU-B1, TU-T1"""
    played = meeting(3, deck=["cocotte-1"])
    after = given(played).when(3, win("perle")).then(event(e.BetMade, seat=3))
    after = given(after).when(1, win("perle")).then(event(e.BetMade, seat=1))
    assert board(after)["to_act"] == [2]
    given(after).when(2, win("noiro")).then(
        event(e.BetMade, seat=2), event(e.CardTurned, turn=1, card="cocotte-1")
    )


def test_a_bet_is_final() -> None:
    """TU-B1"""
    played = meeting(3).give(2, win("noiro"))
    given(played).when(2, win("noiro")).refused("already_done")
    given(played).when(2, win("caramel", "caramel")).refused("already_done")


def test_a_bet_can_not_be_made_once_the_race_is_off() -> None:
    """TU-B1"""
    given(off(3)).when(2, win("noiro")).refused("wrong_phase")


@pytest.mark.parametrize(
    ("bets", "bet"),
    [
        ("win", win("caramel")),
        ("two_wins", win("vertige", "caramel")),
        ("win_and_place", both("caramel", "vertige")),
        ("win_and_place", both("vertige", "caramel")),
        ("tierce", tierce("vertige", "noiro", "caramel")),
    ],
)
def test_a_bet_is_on_starters(bets: str, bet: c.Bet) -> None:
    """TU-B1: caramel does not start."""
    given(meeting(2, bets=bets)).when(1, bet).refused("not_a_starter", "TU-B1")


@pytest.mark.parametrize(
    ("bets", "bet"),
    [
        ("win", c.Bet()),
        ("win", both("noiro", "noiro")),
        ("win", c.Bet(place="noiro")),
        ("win", tierce("noiro", "perle", "grisou")),
        ("win", c.Bet(win=["noiro"], tierce=["noiro", "perle", "grisou"])),
        ("two_wins", c.Bet()),
        ("two_wins", both("noiro", "noiro")),
        ("two_wins", c.Bet(win=["noiro", "perle"], place="grisou")),
        ("win_and_place", win("noiro")),
        ("win_and_place", c.Bet(place="noiro")),
        ("win_and_place", tierce("noiro", "perle", "grisou")),
        ("tierce", c.Bet()),
        ("tierce", win("noiro")),
        ("tierce", c.Bet(place="perle", tierce=["noiro", "perle", "grisou"])),
    ],
)
def test_a_bet_has_exactly_the_fields_asked(bets: str, bet: c.Bet) -> None:
    """TU-B3"""
    given(meeting(2, bets=bets)).when(1, bet).refused("bet_fields", "TU-B3")


@pytest.mark.parametrize(
    ("bets", "bet"),
    [
        ("win", win()),
        ("win", win("noiro", "perle")),
        ("win", win("noiro", "noiro")),
        ("two_wins", win("noiro")),
        ("two_wins", win("noiro", "perle", "grisou")),
        ("win_and_place", c.Bet(win=[], place="noiro")),
        ("win_and_place", c.Bet(win=["noiro", "perle"], place="noiro")),
        ("tierce", tierce()),
        ("tierce", tierce("noiro", "perle")),
        ("tierce", tierce("noiro", "perle", "grisou", "vertige")),
    ],
)
def test_a_bet_names_as_many_horses_as_asked(bets: str, bet: c.Bet) -> None:
    """TU-B3"""
    given(meeting(2, bets=bets)).when(1, bet).refused("bet_count", "TU-B3")


@pytest.mark.parametrize(
    ("bets", "bet", "words"),
    [
        ("win", win("noiro", "perle"), "`win` must name 1 horse, not 2."),
        ("tierce", tierce("noiro", "perle"), "`tierce` must name 3 horses, not 2."),
        ("win_and_place", win("noiro"), "Give exactly `win` and `place`."),
        ("win", both("noiro", "noiro"), "Give exactly `win`."),
    ],
)
def test_a_refused_bet_is_told_what_is_asked(bets: str, bet: c.Bet, words: str) -> None:
    """TU-B3"""
    with pytest.raises(Rejected) as refused:
        meeting(2, bets=bets).give(1, bet)
    assert refused.value.detail == words


@pytest.mark.parametrize(
    ("bets", "bet"),
    [
        ("two_wins", win("noiro", "noiro")),
        ("tierce", tierce("noiro", "perle", "noiro")),
        ("tierce", tierce("noiro", "noiro", "noiro")),
    ],
)
def test_a_horse_is_named_once_in_a_list(bets: str, bet: c.Bet) -> None:
    """TU-B3"""
    given(meeting(2, bets=bets)).when(1, bet).refused("bet_repeats_horse", "TU-B3")


@pytest.mark.parametrize(
    ("bets", "bet", "kept"),
    [
        ("win", win("noiro"), {"win": ["noiro"], "place": None, "tierce": None}),
        ("two_wins", win("noiro", "perle"), {"win": ["noiro", "perle"]}),
        ("two_wins", win("perle", "noiro"), {"win": ["noiro", "perle"]}),
        ("win_and_place", both("noiro", "noiro"), {"win": ["noiro"], "place": "noiro"}),
        ("win_and_place", both("perle", "noiro"), {"win": ["perle"], "place": "noiro"}),
        ("tierce", tierce("perle", "noiro", "cocotte"), {"tierce": ["perle", "noiro", "cocotte"]}),
    ],
)
def test_a_bet_is_kept_as_asked_two_wins_in_table_order(
    bets: str, bet: c.Bet, kept: dict[str, Any]
) -> None:
    """TU-B3; contract, Log: the command stands there as understood."""
    whole = {"win": None, "place": None, "tierce": None, **kept}
    after = given(meeting(2, bets=bets)).when(2, bet).then(event(e.BetMade, seat=2))
    assert board(after, 2)["seats"][1]["bet"] == whole
    written = after.events[-1].secret(2) or {}
    assert written["bet"] == whole
    assert written["command"] == {
        "type": "tuyaux.bet",
        **{name: part for name, part in whole.items() if part is not None},
    }


def test_who_has_bet_is_public_and_what_is_its_own() -> None:
    """TU-B1, Hidden"""
    played = meeting(3).give(2, win("noiro"))
    for viewer in range(4):
        shown = board(played, viewer)
        assert [seat["has_bet"] for seat in shown["seats"]] == [False, True, False]
        bets = [seat["bet"] for seat in shown["seats"]]
        assert bets == [None, form(win("noiro")) if viewer == 2 else None, None]


def test_bets_stay_hidden_until_the_race_is_over() -> None:
    """TU-B2"""
    played = off(2, win("noiro"), win("perle"))
    while not played.full.table.results:
        for viewer in range(3):
            bets = [seat["bet"] for seat in board(played, viewer)["seats"]]
            own = [form(win("noiro")), form(win("perle"))]
            assert bets == [own[i] if viewer == i + 1 else None for i in range(2)]
        (seat,) = played.game.waiting(played.full)
        play(played, played.full.table.hands[seat - 1][0])
    for viewer in range(3):
        told = board(played, viewer)["results"][0]["bets"]
        assert told == [form(win("noiro")), form(win("perle"))]


def test_open_bets_are_revealed_when_the_last_is_in() -> None:
    """TU-B2"""
    played = meeting(2, open_bets=True).give(2, win("noiro"))
    assert board(played, 1)["seats"][1]["bet"] is None
    bets = [form(win("perle")), form(win("noiro"))]
    after = (
        given(played)
        .when(1, win("perle"))
        .then(event(e.BetMade), event(e.BetsRevealed, bets=bets), event(e.CardTurned, turn=1))
    )
    for viewer in range(3):
        assert [seat["bet"] for seat in board(after, viewer)["seats"]] == bets


def test_bets_are_cleared_when_the_next_race_opens() -> None:
    """Hidden"""
    for open_bets in (False, True):
        played = run_race(off(2, open_bets=open_bets, target=30))
        assert played.full.race == 2
        for viewer in range(3):
            shown = board(played, viewer)
            assert [seat["bet"] for seat in shown["seats"]] == [None, None]
            assert [seat["has_bet"] for seat in shown["seats"]] == [False, False]


def test_after_the_last_race_bets_are_on_the_seats_too() -> None:
    """Hidden"""
    played = dead_heat(win("vertige"), win("noiro"), target=1)
    for viewer in (0, 2):
        assert board(fork(played), viewer)["seats"][0]["bet"] is None
    play(played, "noiro-0")
    assert played.full.status == "finished"
    for viewer in range(3):
        shown = board(played, viewer)
        assert [seat["bet"] for seat in shown["seats"]] == [
            form(win("vertige")),
            form(win("noiro")),
        ]
        assert [seat["has_bet"] for seat in shown["seats"]] == [True, True]


def test_a_tip_can_not_be_played_before_the_bets_are_in() -> None:
    """TU-B1, TU-T1"""
    played = meeting(2).give(1, win("noiro"))
    hand = played.full.table.hands[1]
    given(played).when(2, tip(hand[0])).refused("wrong_phase")
    given(bet_all(fork(played))).when(2, tip(hand[0])).accepted()
