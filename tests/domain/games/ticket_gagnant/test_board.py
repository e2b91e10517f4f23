"""The board, field by field (sheet, Board fields; contract, Board)."""

from typing import Any

import pytest

from domain.racing.events import MeetingStarted
from tests.domain.games.ticket_gagnant.turf import (
    CUSTOM,
    GAME,
    HORSES,
    choose,
    dealt,
    moving,
    opened,
    pair,
    play_out,
    predict,
    river_of,
    single,
)
from tests.kit.meetings import Played, as_default, seated
from tests.kit.spec import board, fork

COMMON = {
    *("meeting", "game", "status", "version", "viewer", "race", "races", "phase", "to_act"),
    *("decision", "deadline", "seats", "ranking"),
}
OWN = {"first_player", "course", "choice", "horses", "discard", "results"}
PERSON = {"seat", "player", "name", "kind"}
SEAT = {
    *("hand", "hand_count", "prediction", "predicted", "score", "forty_tokens", "last_net"),
}


def at(played: Played, count: int) -> Played:
    """The meeting after its first events."""
    earlier = fork(played)
    earlier.events = earlier.events[:count]
    return earlier


@pytest.mark.parametrize(
    "position",
    [
        lambda: Played(GAME, seats=3),
        lambda: opened(3),
        lambda: dealt(3, hidden=True),
        lambda: moving(3),
        lambda: moving(3).play(as_default),
        lambda: moving(3).abandon(),
        lambda: Played(GAME, seats=3).abandon(),
    ],
)
def test_every_field_is_there_at_every_time_for_every_viewer(position: Any) -> None:
    """Contract, Board: null, never absent."""
    played = position()
    for viewer in range(4):
        shown = board(played, viewer)
        assert set(shown) == COMMON | OWN
        for seat in shown["seats"]:
            assert set(seat) == PERSON | SEAT


@pytest.mark.parametrize("over", [False, True])
def test_before_the_start_the_games_fields_are_null(over: bool) -> None:
    """Contract, Board: and after an end before it."""
    played = Played(GAME, seats=4, options={"races": 8})
    shown = board(played.abandon() if over else played)
    assert (shown["race"], shown["phase"], shown["races"]) == (0, None, 8)
    assert (shown["to_act"], shown["ranking"]) == ([], None)
    assert all(shown[name] is None for name in OWN)
    for seat in shown["seats"]:
        assert all(seat[name] is None for name in SEAT)


def test_from_the_start_lists_are_empty_and_counts_0() -> None:
    """Contract, Board: also at the very event that starts the meeting."""
    played = opened(2)
    count = next(i for i, ev in enumerate(played.events, 1) if isinstance(ev, MeetingStarted))
    shown = board(at(played, count), 2)
    assert (shown["status"], shown["race"], shown["phase"]) == ("running", 0, None)
    assert (shown["horses"], shown["discard"], shown["results"]) == ([], [], [])
    assert (shown["first_player"], shown["choice"]) == (None, None)
    assert shown["course"]["lanes"] == 7
    for seat in shown["seats"]:
        own = seat["seat"] == 2
        assert {name: seat[name] for name in SEAT} == {
            "hand": [] if own else None,
            "hand_count": 0,
            "prediction": None,
            "predicted": False,
            "score": 0,
            "forty_tokens": 0,
            "last_net": None,
        }


def test_no_board_of_any_time_names_a_phase_that_is_not_in_the_sheet() -> None:
    """Commands: while a race is dealt or scored there is none."""
    played = moving(3).play(as_default)
    seen = {board(at(played, count))["phase"] for count in range(1, len(played.events) + 1)}
    assert seen == {None, "choose", "predict", "move"}


def test_while_the_race_is_chosen() -> None:
    """Board fields: the choice is null, an own hand [] (it is dealt later)."""
    shown = board(opened(3, first=2), 2)
    assert (shown["race"], shown["races"], shown["first_player"]) == (1, 3, 2)
    assert (shown["phase"], shown["to_act"]) == ("choose", [2])
    assert shown["choice"] is None
    assert [seat["hand"] for seat in shown["seats"]] == [None, [], None]
    assert [seat["hand_count"] for seat in shown["seats"]] == [0, 0, 0]
    assert shown["horses"] == [
        {"horse": horse, "lane": lane, "space": 1, "rank": None, "disqualified": False}
        for lane, horse in enumerate(HORSES, 1)
    ]


def test_while_all_predict() -> None:
    """Board fields: own hand as dealt, counts for all."""
    hand = ["red-3", "wild", "blue+red", "wild", "red-1"]
    played = dealt(2, kind="steeplechase", river=(2, "front"), hidden=True, hands={2: hand})
    for viewer in range(3):
        shown = board(played, viewer)
        assert shown["choice"] == {
            "kind": "steeplechase",
            "deal": 5,
            "hidden": True,
            "river": river_of((2, "front")),
        }
        assert shown["course"]["river"] == 8
        assert [seat["hand_count"] for seat in shown["seats"]] == [5, 5]
        hands = [seat["hand"] for seat in shown["seats"]]
        assert [h is not None for h in hands] == [viewer == 1, viewer == 2]
    assert board(played, 2)["seats"][1]["hand"] == hand


def test_a_hand_is_as_dealt_without_what_was_played() -> None:
    """Board fields: of two of one name either, the others keep their order."""
    hand = ["wild", "red-3", "blue-1", "wild", "red-1"]
    played = moving(2, hands={1: hand, 2: ["green-1"]})
    played.give(1, single("blue-1", "forward")).give(2, single("green-1", "forward"))
    shown = board(played, 1)
    assert shown["seats"][0]["hand"] == ["wild", "red-3", "wild", "red-1"]
    assert shown["discard"] == ["blue-1", "green-1"]
    assert board(played, 2)["seats"][0]["hand"] is None


def test_horses_stand_where_they_were_put() -> None:
    """Board fields: in number order."""
    played = moving(2, hands={1: ["red-3"], 2: ["blue+red"]})
    played.give(1, single("red-3", "forward")).give(2, pair("blue+red", "blue", "left"))
    horses = {h["horse"]: (h["lane"], h["space"]) for h in board(played)["horses"]}
    assert list(horses) == list(HORSES)
    assert (horses["red"], horses["blue"]) == ((5, 4), (4, 4))


def test_between_races_everything_of_the_race_is_fresh() -> None:
    """Board fields: but scores, last nets and results."""
    played = play_out(moving(2, kind="steeplechase", river=(1, "front"), hidden=True))
    shown = board(played, 1)
    assert (shown["race"], shown["phase"], shown["first_player"]) == (2, "choose", 2)
    assert (shown["choice"], shown["discard"], shown["course"]["river"]) == (None, [], None)
    assert {h["space"] for h in shown["horses"]} == {1}
    assert {h["rank"] for h in shown["horses"]} == {None}
    nets = shown["results"][0]["nets"]
    for seat, net in zip(shown["seats"], nets, strict=True):
        assert (seat["hand_count"], seat["prediction"], seat["predicted"]) == (0, None, False)
        assert (seat["last_net"], seat["score"]) == (net, max(net, -8))


def test_results_tell_every_finished_race_oldest_first() -> None:
    """Board fields"""
    played = moving(2, kind="steeplechase", river=(1, "behind"), hidden=True)
    played.play(as_default)
    shown = board(played)
    assert [result["race"] for result in shown["results"]] == [1, 2, 3, 4]
    first = shown["results"][0]
    assert set(first) == {
        *("race", "choice", "ranking", "disqualified", "positions", "predictions", "nets"),
    }
    assert first["choice"] == {
        "kind": "steeplechase",
        "deal": 5,
        "hidden": True,
        "river": river_of((1, "behind")),
    }
    assert sorted(first["ranking"]) == sorted(HORSES)
    assert [p["horse"] for p in first["positions"]] == list(HORSES)
    assert first["predictions"] == [{"first": "orange", "second": None, "third": None}] * 2
    assert len(first["nets"]) == 2


def test_once_over_the_rest_stays_as_it_was() -> None:
    """Contract, Board"""
    played = moving(3, predictions={2: ("red", "blue")}).play(as_default)
    shown = board(played, 3)
    assert (shown["status"], shown["phase"], shown["to_act"]) == ("finished", None, [])
    assert (shown["decision"], shown["deadline"]) == (None, None)
    assert shown["race"] == shown["races"] == 3
    assert sorted(h["rank"] for h in shown["horses"]) == [1, 2, 3, 4, 5, 6, 7]
    assert shown["choice"] is not None
    assert all(seat["predicted"] for seat in shown["seats"])
    last = shown["results"][-1]
    assert [seat["prediction"] for seat in shown["seats"]] == last["predictions"]
    assert [seat["last_net"] for seat in shown["seats"]] == last["nets"]
    points = {seat["seat"]: seat["score"] for seat in shown["seats"]}
    assert {row["seat"]: row["points"] for row in shown["ranking"]} == points
    assert shown["ranking"] == sorted(shown["ranking"], key=lambda r: (r["rank"], r["seat"]))


def test_abandoned_in_mid_race_the_rest_stays_as_it_was() -> None:
    """Contract, Board: ranking null."""
    played = moving(2, hands={1: ["red-3"]}).give(1, single("red-3", "forward"))
    before, shown = board(played, 1), board(played.abandon(), 1)
    assert (shown["status"], shown["ranking"]) == ("abandoned", None)
    assert (shown["phase"], shown["to_act"], shown["decision"]) == (None, [], None)
    for name in OWN | {"race", "seats"}:
        assert shown[name] == before[name], name


def test_a_course_of_ones_own_is_shown_as_it_was_entered() -> None:
    """TG-S2 (Board fields)"""
    course = {**CUSTOM, "hoofprints": [{"lane": 3, "space": 7}, {"lane": 1, "space": 2}]}
    played = seated(Played(GAME, options={"course": course}))
    assert board(played)["course"] == {**course, "river": None}


def test_people_and_bots_are_told_apart() -> None:
    """Contract, Board"""
    played = Played(GAME, seats=2).sit(1, "Ann").sit_bot(2, "steady").begin()
    assert [(s["name"], s["kind"]) for s in board(played)["seats"]] == [
        ("Ann", "human"),
        ("steady", "bot"),
    ]


def test_the_viewers_number_and_name() -> None:
    """Contract, Board"""
    played = opened(2).give(1, choose()).give(2, predict("red"))
    assert board(played)["viewer"] == "public"
    assert board(played, 2)["viewer"] == 2
    assert board(played)["version"] == len(played.events)


def test_at_no_event_does_a_board_ask_a_seat_that_has_nothing_to_do() -> None:
    """Contract, Board: a race that is over waits for nobody, also before it is scored."""
    played = moving(3).play(as_default)
    seats = (1, 2, 3)
    for count in range(1, len(played.events) + 1):
        then = at(played, count)
        shown = {seat: board(then, seat) for seat in seats}
        owing = [seat for seat in seats if shown[seat]["decision"] is not None]
        assert all(shown[seat]["to_act"] == owing for seat in seats)
        for seat in seats:
            listing = played.game.actions(then.view(seat), seat)
            assert bool(listing.actions) == (seat in owing)
