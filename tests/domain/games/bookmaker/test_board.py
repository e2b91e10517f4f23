"""The board, field by field (sheet, Board fields; contract, Board)."""

from typing import Any

import pytest

from domain.games.bookmaker import commands as c
from domain.racing.events import MeetingStarted
from tests.kit.meetings import Played, as_default, seated
from tests.kit.ring import (
    at_bets,
    at_odds,
    bet,
    by_horse,
    change,
    hand_of,
    meeting,
    raced,
    settle,
    winning,
)
from tests.kit.spec import board, fork

COMMON = {
    "meeting",
    "game",
    "status",
    "version",
    "viewer",
    "race",
    "races",
    "phase",
    "to_act",
    "decision",
    "deadline",
    "seats",
    "ranking",
}
OWN = {
    "bookmakers",
    "race_kind",
    "open_cards",
    "tokens",
    "horses",
    "turned",
    "odds",
    "limits",
    "exchanged",
    "bets",
    "bank",
    "results",
    "brocco",
    "ledger",
}
SEAT = {"seat", "player", "name", "kind", "hand", "hand_count", "cash", "loan", "done"}


def at(played: Played, count: int) -> Played:
    """The meeting after its first events."""
    earlier = fork(played)
    earlier.events = earlier.events[:count]
    return earlier


@pytest.mark.parametrize(
    "position",
    [
        lambda: Played(seats=4),
        lambda: meeting(4, brocco=True),
        lambda: at_bets(4),
        lambda: raced(4, in_running=True),
        lambda: meeting(4, brocco=True).play(as_default),
        lambda: at_bets(4).abandon(),
        lambda: Played(seats=4).abandon(),
    ],
)
def test_every_field_is_there_at_every_time_for_every_viewer(position: Any) -> None:
    """Contract, Board: null, never absent."""
    played = position()
    for viewer in range(5):
        shown = board(played, viewer)
        assert set(shown) == COMMON | OWN
        for seat in shown["seats"]:
            assert set(seat) == SEAT


def test_before_the_start_the_games_fields_are_null() -> None:
    """Contract, Board"""
    played = Played(seats=4)
    shown = board(played)
    assert (shown["race"], shown["phase"], shown["races"]) == (0, None, 2)
    assert shown["to_act"] == []
    assert all(shown[name] is None for name in OWN)
    for seat in shown["seats"]:
        assert all(seat[name] is None for name in ("hand", "hand_count", "cash", "loan", "done"))
    assert shown["ranking"] is None


def test_from_the_start_lists_are_empty_and_counts_0() -> None:
    """Contract, Board: also at the very event that starts the meeting."""
    played = seated(Played(seats=4))
    count = next(i for i, ev in enumerate(played.events, 1) if isinstance(ev, MeetingStarted))
    shown = board(at(played, count), 2)
    assert (shown["status"], shown["race"], shown["phase"]) == ("running", 0, None)
    for name in ("bookmakers", "open_cards", "tokens", "turned", "bets", "results"):
        assert shown[name] == [], name
    assert shown["bank"] == {"lent": 0, "taken": 0}
    assert [horse["space"] for horse in shown["horses"]] == [0, 0, 0, 0]
    for name in ("odds", "limits", "exchanged", "brocco", "ledger"):
        assert shown[name] is None, name
    assert [seat["hand_count"] for seat in shown["seats"]] == [0] * 4
    assert [seat["cash"] for seat in shown["seats"]] == [1000] * 4
    assert [seat["loan"] for seat in shown["seats"]] == [0] * 4
    assert [seat["done"] for seat in shown["seats"]] == [False] * 4


def test_no_board_of_any_time_names_a_phase_that_is_not_in_the_sheet() -> None:
    """Sheet, Commands"""
    played = meeting(4, brocco=True, kind="joker_trot").play(as_default)
    seen = set()
    for count in range(1, len(played.events) + 1):
        shown = board(at(played, count), count % 5)
        seen.add(shown["phase"])
        if shown["phase"] is None:
            assert shown["to_act"] == []
    assert seen == {None, "exchange", "odds", "bets", "race", "settlement", "brocco"}


def test_what_was_dealt_is_shown_as_the_sheet_names_it() -> None:
    """Board"""
    played = meeting(4, open_cards=["red-1", "blue-2", "green-3", "red-1"], kind="joker")
    shown = board(played, 3)
    assert shown["bookmakers"] == [1, 2]
    assert shown["race_kind"] == "joker"
    assert shown["open_cards"] == ["red-1", "blue-2", "green-3", "red-1"]
    assert shown["horses"] == [
        {"horse": "red", "space": 0, "out": False},
        {"horse": "blue", "space": 0, "out": False},
        {"horse": "green", "space": 0, "out": False},
        {"horse": "yellow", "space": 0, "out": False},
    ]
    assert shown["tokens"] == shown["turned"] == shown["bets"] == shown["results"] == []
    assert shown["viewer"] == 3
    assert board(played)["viewer"] == "public"
    assert shown["seats"][2]["hand"] == hand_of(played, 3)
    assert shown["seats"][0]["hand"] is None


def test_odds_and_limits_are_null_for_everybody_until_shown_then_name_all_horses() -> None:
    """Board"""
    played = at_odds(4).give(1, c.SetOdds(odds=c.AllOdds(red=3, blue=3, green=2, yellow=2)))
    for viewer in range(5):
        assert board(played, viewer)["odds"] is None
        assert board(played, viewer)["limits"] is None
    shown = board(at_bets(4))
    assert shown["odds"] == {"1": by_horse(3, 3, 2, 2), "2": by_horse(3, 3, 2, 2)}
    assert shown["limits"] == {
        "1": by_horse(None, None, None, None),
        "2": by_horse(None, None, None, None),
    }


def test_odds_and_limits_are_null_again_when_the_next_race_opens() -> None:
    """Board"""
    played = settle(raced(4))
    assert board(played)["odds"] is None
    assert board(played)["limits"] is None
    assert board(played)["bets"] == []
    assert board(played, 1)["exchanged"] is None


def test_a_stake_is_what_was_offered_then_what_was_accepted() -> None:
    """Board"""
    played = at_bets(4).give(3, bet(1, "red", 90))
    assert board(played)["bets"][0]["stake"] == 90
    played.give(1, c.AnswerBet(bet=1, stake=40))
    assert board(played)["bets"][0]["stake"] == 40


def test_a_closed_horse_has_odds_0() -> None:
    """Board"""
    played = at_bets(4).give(3, bet(1, "red", 10)).give(1, change(0, 6, 2, 2))
    assert board(played)["odds"]["1"]["red"] == 0


def test_race_and_races_count() -> None:
    """Contract, Board"""
    played = raced(4)
    assert (board(played)["race"], board(played)["races"]) == (1, 2)
    settle(played)
    assert board(played)["race"] == 2


def test_after_the_race_everything_stands_until_the_next_opens() -> None:
    """Board"""
    played = raced(4, run=winning("red"))
    shown = board(played, 3)
    assert shown["turned"] == winning("red")
    assert shown["seats"][2]["hand"] == hand_of(played, 3)
    assert [b["status"] for b in shown["bets"]] == ["accepted", "accepted"]
    assert shown["odds"]["1"] == by_horse(3, 3, 2, 2)


def test_once_over_the_rest_stays_as_it_was() -> None:
    """Contract, Board"""
    played = meeting(4).play(as_default)
    shown = board(played, 3)
    assert shown["status"] == "finished"
    assert (shown["phase"], shown["deadline"], shown["decision"], shown["to_act"]) == (
        None,
        None,
        None,
        [],
    )
    assert [row["rank"] for row in shown["ranking"]] == sorted(
        row["rank"] for row in shown["ranking"]
    )
    assert {row["seat"]: row["points"] for row in shown["ranking"]} == {
        seat["seat"]: seat["cash"] for seat in shown["seats"]
    }
    assert shown["race"] == 2
    assert len(shown["results"]) == 2
    assert shown["odds"] is not None
    assert shown["seats"][2]["hand"] is not None
    assert [b["status"] for b in shown["bets"]] == [
        b["status"] for b in shown["results"][1]["bets"]
    ]


def test_an_abandoned_meeting_has_no_ranking_and_keeps_the_rest() -> None:
    """Contract, Board"""
    played = at_bets(4, brocco=True).give(3, bet(1, "red", 10)).abandon()
    shown = board(played, 3)
    assert shown["status"] == "abandoned"
    assert shown["ranking"] is None
    assert (shown["phase"], shown["to_act"], shown["decision"]) == (None, [], None)
    assert shown["brocco"] is None
    assert [line["why"] for line in shown["ledger"]] == ["stake"]
    assert shown["seats"][2]["hand"] is not None


@pytest.mark.parametrize("phase", ["exchange", "odds", "bets", "race", "settlement", "brocco"])
def test_who_is_waited_for_is_told_ascending(phase: str) -> None:
    """Contract, Board"""
    played = meeting(5, first=5, brocco=True, in_running=True)
    played.play(as_default, until=lambda p: p.full.table.phase == phase)
    expected = {
        "exchange": [1, 5],
        "odds": [1, 5],
        "bets": [1, 2, 3, 4, 5],
        "race": [5],
        "settlement": [],
        "brocco": [1, 2, 3, 4, 5],
    }
    for viewer in range(6):
        assert board(played, viewer)["to_act"] == expected[phase]
