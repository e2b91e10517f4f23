"""The board, field by field (sheet, Board fields; contract, Board)."""

from typing import Any

import pytest

from domain.racing.events import MeetingStarted
from tests.domain.games.tuyaux.paddock import (
    bet_all,
    dead_heat,
    form,
    meeting,
    off,
    play,
    values_of,
    win,
)
from tests.kit.meetings import Played, as_default, seated
from tests.kit.spec import board, fork

COMMON = {
    *("meeting", "game", "status", "version", "viewer", "race", "races", "phase", "to_act"),
    *("decision", "deadline", "seats", "ranking"),
}
OWN = {
    *("dealer", "programme", "turn", "race_card", "turned", "lines", "tips_played", "results"),
}
SEAT = {
    *("seat", "player", "name", "kind", "hand", "hand_count", "bet", "has_bet", "coins"),
}


def at(played: Played, count: int) -> Played:
    """The meeting after its first events."""
    earlier = fork(played)
    earlier.events = earlier.events[:count]
    return earlier


def over() -> Played:
    """A meeting that has come to its end."""
    return play(dead_heat(win("vertige"), target=1), "noiro-0")


@pytest.mark.parametrize(
    "position",
    [
        lambda: Played("tuyaux", seats=2),
        lambda: meeting(2),
        lambda: off(2),
        dead_heat,
        over,
        lambda: off(2).abandon(),
        lambda: Played("tuyaux", seats=2).abandon(),
    ],
)
def test_every_field_is_there_at_every_time_for_every_viewer(position: Any) -> None:
    """Contract, Board: null, never absent."""
    played = position()
    for viewer in range(3):
        shown = board(played, viewer)
        assert set(shown) == COMMON | OWN
        for seat in shown["seats"]:
            assert set(seat) == SEAT
            if seat["bet"] is not None:
                assert set(seat["bet"]) == {"win", "place", "tierce"}


def test_before_the_start_the_games_fields_are_null() -> None:
    """Contract, Board"""
    shown = board(Played("tuyaux", seats=4))
    assert (shown["race"], shown["phase"], shown["races"]) == (0, None, None)
    assert shown["to_act"] == []
    assert all(shown[name] is None for name in OWN)
    for seat in shown["seats"]:
        assert all(seat[name] is None for name in ("hand", "hand_count", "bet", "has_bet", "coins"))
    assert shown["ranking"] is None


def test_from_the_start_lists_are_empty_and_counts_0() -> None:
    """Contract, Board: also at the very event that starts the meeting."""
    played = seated(Played("tuyaux", seats=4))
    count = next(i for i, ev in enumerate(played.events, 1) if isinstance(ev, MeetingStarted))
    shown = board(at(played, count), 2)
    assert (shown["status"], shown["race"], shown["phase"]) == ("running", 0, None)
    for name in ("turned", "lines", "tips_played", "results"):
        assert shown[name] == [], name
    for name in ("dealer", "programme", "turn", "race_card"):
        assert shown[name] is None, name
    for seat in shown["seats"]:
        assert (seat["hand_count"], seat["coins"], seat["has_bet"]) == (0, 0, False)
        assert seat["hand"] is seat["bet"] is None


def test_no_board_of_any_time_names_a_phase_that_is_not_in_the_sheet() -> None:
    """Commands"""
    played = meeting(3, open_bets=True).play(as_default)
    seen = set()
    for count in range(1, len(played.events) + 1):
        shown = board(at(played, count), count % 4)
        seen.add(shown["phase"])
        if shown["phase"] is None:
            assert shown["to_act"] == []
    assert seen == {None, "bet", "tips"}


def test_during_the_bets() -> None:
    """Board: no turn and no race card yet."""
    shown = board(meeting(3, dealer=2, card="perle-1"), 3)
    assert shown["dealer"] == 2
    assert shown["programme"] == {"card": "perle-1", "values": values_of("perle-1")}
    assert list(shown["programme"]["values"]) == list(values_of("perle-1")), "in table order"
    assert shown["turn"] is shown["race_card"] is None
    assert shown["turned"] == shown["tips_played"] == shown["results"] == []
    assert shown["lines"] == [["cocotte", "grisou", "caramel", "perle"]]
    assert (shown["phase"], shown["to_act"], shown["races"]) == ("bet", [1, 2, 3], None)
    assert shown["viewer"] == 3
    hands = [seat["hand"] for seat in shown["seats"]]
    assert hands[:2] == [None, None]
    assert len(hands[2]) == 4


def test_during_the_race() -> None:
    """Board"""
    played = off(2, deck=["noiro-2", "grisou-1"], hands={2: ["cocotte-0"], 1: ["perle-whip"]})
    play(played, "cocotte-0", "perle-whip")
    shown = board(played)
    assert (shown["turn"], shown["race_card"]) == (2, "grisou-1")
    assert shown["turned"] == ["noiro-2", "grisou-1"]
    assert shown["tips_played"] == [
        {"turn": 1, "seat": 2, "card": "cocotte-0", "moved": -1},
        {"turn": 1, "seat": 1, "card": "perle-whip", "moved": 0},
    ]
    assert shown["lines"] == [["noiro"], ["grisou"], ["vertige", "perle"], ["cocotte"]]
    assert [seat["hand_count"] for seat in shown["seats"]] == [4, 4]
    assert shown["to_act"] == [2]
    assert "cocotte-0" not in board(played, 2)["seats"][1]["hand"][:1]


def test_lines_are_in_table_order() -> None:
    """TU-M1"""
    played = off(2, card="vertige-2", deck=["caramel-1"])
    assert board(played)["lines"] == [
        ["caramel"],
        ["vertige", "cocotte", "noiro", "grisou", "perle"],
    ]


def test_between_a_dealers_tip_and_the_next_card_nobody_is_waited_for() -> None:
    """Board: at the version of the tip itself."""
    played = off(2)
    for _ in range(2):
        (seat,) = played.game.waiting(played.full)
        play(played, played.full.table.hands[seat - 1][0])
    shown = board(at(played, len(played.events) - 1))
    assert (shown["phase"], shown["turn"], shown["to_act"]) == ("tips", 1, [])


def test_a_new_race_clears_what_belongs_to_one() -> None:
    """Board"""
    played = play(dead_heat(win("vertige"), win("noiro"), target=30), "noiro-0")
    shown = board(played, 1)
    assert (shown["race"], shown["dealer"], shown["phase"]) == (2, 2, "bet")
    assert shown["turn"] is shown["race_card"] is None
    assert shown["turned"] == shown["tips_played"] == []
    assert len(shown["lines"]) == 1
    assert len(shown["results"]) == 1
    assert [seat["coins"] for seat in shown["seats"]] == [3, 0]


def test_once_over_the_rest_stays_as_it_was() -> None:
    """Contract, Board"""
    for viewer in range(3):
        shown = board(over(), viewer)
        assert shown["phase"] is shown["deadline"] is shown["decision"] is None
        assert (shown["status"], shown["to_act"]) == ("finished", [])
        assert shown["ranking"] == [
            {"seat": 1, "rank": 1, "points": 3},
            {"seat": 2, "rank": 1, "points": 3},
        ]
        assert (shown["turn"], shown["race_card"]) == (5, "perle-0")
        assert shown["lines"][0] == ["vertige", "perle"]
        assert len(shown["tips_played"]) == 10
        bets = [seat["bet"] for seat in shown["seats"]]
        assert bets == [form(win("vertige")), form(win("vertige"))]
        hands = [seat["hand"] for seat in shown["seats"]]
        assert hands == [[] if viewer == seat else None for seat in (1, 2)]


def test_an_abandoned_meeting_reveals_no_bet_and_ranks_nobody() -> None:
    """Contract, Board; Hidden"""
    played = off(2, win("vertige"), win("noiro")).abandon()
    for viewer in range(3):
        shown = board(played, viewer)
        assert shown["ranking"] is None
        assert (shown["status"], shown["phase"], shown["to_act"]) == ("abandoned", None, [])
        bets = [seat["bet"] is not None for seat in shown["seats"]]
        assert bets == [viewer == 1, viewer == 2]
        assert shown["turn"] == 1


def test_bets_are_shown_as_the_option_has_them() -> None:
    """Board: null where a part is not asked."""
    for option, parts in (
        ("win", {"win"}),
        ("two_wins", {"win"}),
        ("win_and_place", {"win", "place"}),
        ("tierce", {"tierce"}),
    ):
        shown = board(bet_all(meeting(2, bets=option)), 1)
        bet = shown["seats"][0]["bet"]
        assert {name for name, part in bet.items() if part is not None} == parts
