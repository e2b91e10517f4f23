"""The board's fields: their names, what is null, what is in order (contract, Board; the sheet)."""

from typing import Any

import pytest

from domain.kernel.lines import redact
from domain.racing.folding import apply
from domain.racing.meeting import Meeting
from tests.domain.games.change_horses.paddock import (
    CHANGE,
    FAST,
    HORSES,
    PACK,
    at_turns,
    card,
    change,
    in_turn,
    line_up,
    pick,
    pick_all,
    play_round,
    race,
    stumble,
    table,
)
from tests.kit.meetings import Played, as_default, seated
from tests.kit.spec import board

COMMON = [
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
]
OWN = [
    "horses",
    "betting_board",
    "round",
    "positions",
    "starts",
    "wild_played",
    "auction",
    "pile_count",
    "results",
]
SEAT = ["seat", "player", "name", "kind"]
SEAT_OWN = [
    "hand",
    "hand_count",
    "shown",
    "wild_left",
    "changed",
    "carrots",
    "certificates",
    "points",
]


def test_before_the_start_the_games_fields_are_null() -> None:
    """Contract, Board"""
    played = Played("change-horses", seats=3, options={"races": 4}).sit(2, "Ben")
    shown = board(played)
    assert list(shown) == COMMON + OWN
    assert [shown[name] for name in OWN] == [None] * len(OWN)
    assert (shown["race"], shown["races"], shown["phase"], shown["to_act"]) == (0, 4, None, [])
    for place in shown["seats"]:
        assert list(place) == SEAT + SEAT_OWN
        assert [place[name] for name in SEAT_OWN] == [None] * len(SEAT_OWN)


def test_at_the_start_lists_are_empty_and_counts_0() -> None:
    """Contract, Board"""
    shown = board(race(4))
    assert {name: shown[name] for name in OWN if name != "horses"} == {
        "betting_board": [],
        "round": 1,
        "positions": {"1": 1, "2": 2, "3": 3, "4": 4},
        "starts": None,
        "wild_played": False,
        "auction": None,
        "pile_count": 2,
        "results": [],
    }
    assert shown["phase"] == "select"
    assert shown["seats"][2] == {
        "seat": 3,
        "player": "p-cleo",
        "name": "Cleo",
        "kind": "human",
        "hand": None,
        "hand_count": 15,
        "shown": [],
        "wild_left": 2,
        "changed": False,
        "carrots": None,
        "certificates": None,
        "points": 0,
    }


def test_only_ones_own_hand_and_certificate_are_shown() -> None:
    """Hidden"""
    played = race(4)
    for viewer in range(5):
        for place in board(played, viewer)["seats"]:
            own = place["seat"] == viewer
            assert (place["hand"] is not None) == own
            assert (place["certificates"] is not None) == own


def test_lists_of_a_seat_are_in_alphabetical_order() -> None:
    """The sheet's board fields."""
    played = race(2, certificates=["yellow", "blue", "red", "orange", "green", "purple"])
    pick_all(played, {1: [PACK[14], PACK[2], PACK[8], PACK[5]]})
    own = board(played, 1)["seats"][0]
    assert own["certificates"] == ["blue", "yellow"]
    assert own["shown"] == [PACK[2], PACK[5], PACK[8], PACK[14]]
    assert own["hand"] == [name for name in PACK if name not in own["shown"]]
    play_round(played)
    pick_all(played, {1: [PACK[0], PACK[13]]})
    own = board(played, 1)["seats"][0]
    assert own["shown"] == sorted(own["shown"])
    assert own["hand"] == sorted(own["hand"])


def test_horses_stand_a_to_f_with_lane_space_and_whether_they_crossed() -> None:
    """The sheet's board fields."""
    shown = board(at_turns(4).give(1, FAST))["horses"]
    assert shown == [
        {"horse": horse, "letter": letter, "lane": lane, "space": 2, "crossed": False}
        for lane, (horse, letter) in enumerate(zip(HORSES, "ABCDEF", strict=True), 1)
    ]


def test_the_betting_board_is_shown_as_played() -> None:
    """The sheet's board fields."""
    played = at_turns(3, {2: PACK[3:6]}).give(1, card(PACK[1])).give(2, stumble(PACK[1]))
    played.give(2, card(PACK[4]))
    assert board(played)["betting_board"] == [
        {"card": PACK[1], "seat": 1, "covered": True},
        {"card": PACK[4], "seat": 2, "covered": False},
    ]


def test_a_wild_horse_is_shown_as_played_in_this_turn_alone() -> None:
    """The sheet's board fields."""
    played = at_turns(3)
    seen = [board(played)["wild_played"]]
    played.give(1, CHANGE)
    seen.append(board(played)["wild_played"])
    played.give(1, card(PACK[0]))
    seen.append(board(played)["wild_played"])
    assert seen == [False, True, False]


def test_to_act_is_who_is_waited_for() -> None:
    """Contract, Board: who has picked is public."""
    played = race(3, turn_order="derby", positions=[2, 3, 1]).give(2, pick(*PACK[:3]))
    for viewer in range(4):
        assert board(played, viewer)["to_act"] == [1, 3]
    played.give(1, pick(*PACK[:3])).give(3, pick(*PACK[:3]))
    assert board(played)["to_act"] == [3]
    play_round(played)
    assert board(played)["to_act"] == [3]
    assert board(played)["phase"] == "auction"


def test_at_the_end_phase_is_null_and_the_rest_stays() -> None:
    """Contract, Board; the sheet: all certificates are shown once the meeting is over."""
    played = at_turns(3)
    line_up(played, 11, 11, 11, 11, 11, 11)
    before = board(play_round(played))
    assert before["status"] == "finished"
    assert (before["phase"], before["deadline"], before["to_act"]) == (None, None, [])
    assert before["decision"] is None
    assert [place["certificates"] for place in before["seats"]] == [["yellow"], ["orange"], ["red"]]
    assert len(before["betting_board"]) == 3
    assert before["wild_played"] is False
    assert list(before["ranking"][0]) == ["seat", "rank", "points"]
    assert board(played, 2)["seats"][0]["hand"] is None
    assert board(played, 2)["seats"][1]["hand"] == PACK[3:]


def test_results_have_an_entry_for_each_finished_race() -> None:
    """The sheet's board fields."""
    played = race(3, races=3)
    for number in range(1, 4):
        pick_all(played)
        line_up(played, 11, 11, 11, 11, 11, 11)
        assert [entry["race"] for entry in board(played)["results"]] == list(range(1, number))
        play_round(played)
    results = board(played)["results"]
    for entry in results:
        assert list(entry) == ["race", "ranking", "points"]
        assert [list(place) for place in entry["ranking"]] == [["horse", "rank", "seat"]] * 6
        ranks = [(place["rank"], HORSES.index(place["horse"])) for place in entry["ranking"]]
        assert ranks == sorted(ranks)
        assert sorted(place["horse"] for place in entry["ranking"]) == sorted(HORSES)
    total = [sum(points) for points in zip(*(entry["points"] for entry in results), strict=True)]
    assert [place["points"] for place in board(played)["seats"]] == total


def test_certificates_of_a_finished_race_are_in_the_results_and_not_on_the_next_board() -> None:
    """Hidden"""
    played = race(3, races=2)
    pick_all(played)
    line_up(played, 11, 11, 11, 11, 11, 11)
    play_round(played)
    shown = board(played, 2)
    assert {p["seat"]: p["horse"] for p in shown["results"][0]["ranking"] if p["seat"]} == {
        1: "yellow",
        2: "orange",
        3: "red",
    }
    assert [place["certificates"] for place in shown["seats"]] == [None, ["orange"], None]


def test_abandoned_nothing_is_revealed() -> None:
    """Contract, Board: the rest stays as it was."""
    played = at_turns(4).give(1, CHANGE)
    before = board(played, 3)
    played.ask_abandon(1).abandon()
    after = board(played, 3)
    assert after["status"] == "abandoned"
    assert (after["phase"], after["to_act"], after["ranking"]) == (None, [], None)
    same = set(OWN) | {"seats", "race", "races"}
    assert {name: after[name] for name in same} == {name: before[name] for name in same}


@pytest.mark.parametrize("seats", [2, 5])
def test_every_version_has_a_board(seats: int) -> None:
    """Contract: `at` shows each; while nobody acts the phase is null."""
    played = seated(Played("change-horses", seats=seats)).play(as_default)
    for viewer in range(seats + 1):
        view = Meeting(viewer=viewer)
        for made in played.events:
            known = redact(made, viewer)
            if known is not None:
                apply(view, known, played.game)
                shown: Any = played.game.view(view)
                assert shown.phase in (None, "select", "turn")
                assert (shown.decision is not None) == (viewer in shown.to_act and viewer > 0)


def test_a_change_of_two_seats_is_in_order_again() -> None:
    """The sheet's board fields."""
    played = pick_all(race(2))
    played.give(1, change("orange"))
    assert board(played, 1)["seats"][0]["certificates"] == ["blue", "yellow"]
    assert table(played).certificates[0] == ["blue", "yellow"]
    assert in_turn(played) == 1
