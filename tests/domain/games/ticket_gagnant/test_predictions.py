"""Predictions (TG-B1)."""

from itertools import combinations, permutations

import pytest

from domain.games.ticket_gagnant import events as e
from domain.kernel.lines import redact, wire
from domain.kernel.message import body_of
from tests.domain.games.ticket_gagnant.turf import (
    HORSES,
    dealt,
    discard,
    listed,
    moving,
    predict,
    single,
)
from tests.kit.meetings import Played
from tests.kit.spec import board, event, given

PLACES = ("first", "second", "third")


def told(*horses: str | None) -> dict[str, str | None]:
    """A prediction as boards and events have it."""
    return dict(zip(PLACES, (*horses, None, None), strict=False))


@pytest.mark.parametrize(
    "horses",
    [
        ("black", "green", "red"),
        ("orange", "blue"),
        (None, None, "purple"),
        (None, "yellow", "red"),
        ("yellow", None, "red"),
        ("yellow",),
    ],
)
def test_a_seat_predicts_one_to_three_horses_on_any_places(horses: tuple[str | None, ...]) -> None:
    """TG-B1: the rulebook's tickets, and others."""
    after = given(dealt()).when(2, predict(*horses)).then(event(e.PredictionMade, seat=2))
    made = after.events[-1]
    assert made.private
    assert made.private["2"]["prediction"] == told(*horses)
    assert board(after, 2)["seats"][1]["prediction"] == told(*horses)
    assert [seat["predicted"] for seat in board(after)["seats"]] == [False, True]


def test_at_least_one_horse_is_predicted() -> None:
    """TG-B1"""
    given(dealt()).when(1, predict()).refused("prediction_empty", "TG-B1")


@pytest.mark.parametrize(
    "horses", [("red", "red"), ("red", None, "red"), (None, "red", "red"), ("red",) * 3]
)
def test_no_horse_is_predicted_twice(horses: tuple[str | None, ...]) -> None:
    """TG-B1"""
    given(dealt()).when(1, predict(*horses)).refused("horse_twice", "TG-B1")


def test_a_prediction_is_final() -> None:
    """TG-B1"""
    played = dealt().give(1, predict("red"))
    for command in (predict("red"), predict("blue"), predict()):
        given(played).when(1, command).refused("already_done")


def test_seats_predict_in_any_order_and_wait_for_the_last() -> None:
    """TG-B1"""
    played = dealt(4, first=2)
    left = [1, 2, 3, 4]
    for seat in (3, 1, 4, 2):
        assert board(played)["to_act"] == left
        assert board(played)["phase"] == "predict"
        given(played).when(seat, single("red-1", "forward")).refused("wrong_phase")
        given(played).when(seat, discard("red-1")).refused("wrong_phase")
        left.remove(seat)
        played = given(played).when(seat, predict("red")).accepted()
    assert (board(played)["phase"], board(played)["to_act"]) == ("move", [2])


def test_all_are_revealed_together_when_the_last_is_in() -> None:
    """TG-B1"""
    played = dealt(3).give(1, predict("red", "blue")).give(3, predict(None, "black"))
    for viewer in range(4):
        shown = [seat["prediction"] for seat in board(played, viewer)["seats"]]
        assert [p is not None for p in shown] == [viewer == 1, False, viewer == 3]
    after = (
        given(played)
        .when(2, predict("green"))
        .then(
            event(e.PredictionMade, seat=2),
            event(
                e.MovesOpened,
                predictions=[told("red", "blue"), told("green"), told(None, "black")],
            ),
        )
    )
    for viewer in range(4):
        assert [seat["prediction"] for seat in board(after, viewer)["seats"]] == [
            told("red", "blue"),
            told("green"),
            told(None, "black"),
        ]


def test_hidden_predictions_are_revealed_at_scoring() -> None:
    """TG-B1: until then each seat sees its own."""
    hands = {1: ["red-1", "red-2", "red-3"], 2: ["blue-1", "blue-2", "blue-3"]}
    played = dealt(2, hidden=True, deal=3, hands=hands).give(1, predict("red"))
    after = (
        given(played)
        .when(2, predict("blue", "red"))
        .then(event(e.PredictionMade), event(e.MovesOpened, predictions=None))
    )
    shown = [told("red"), told("blue", "red")]
    for viewer in range(3):
        seats = board(after, viewer)["seats"]
        wanted = [shown[i] if viewer == i + 1 else None for i in range(2)]
        assert [seat["prediction"] for seat in seats] == wanted
        assert [seat["predicted"] for seat in seats] == [True, True]
    for n in (1, 2, 3):
        after.give(1, single(f"red-{n}", "forward")).give(2, single(f"blue-{n}", "forward"))
    assert board(after)["results"][0]["predictions"] == shown
    assert [seat["prediction"] for seat in board(after, 1)["seats"]] == [None, None], "next race"


def test_hidden_predictions_of_the_last_race_stay_revealed() -> None:
    """TG-B1 (Board fields)"""
    fixed = {"kind": "flat", "deal": 3, "hidden": True}
    played = Played("ticket-gagnant", seats=2, options={"choice": [fixed] * 4})
    played.sit(1, "Ann").sit(2, "Ben").begin()
    played.play(lambda p, seat: p.game.default(p.view(seat), seat) or predict("red"))
    shown = board(played)
    last = shown["results"][-1]["predictions"]
    assert [seat["prediction"] for seat in shown["seats"]] == last
    assert None not in last


def test_the_feed_tells_others_that_a_seat_has_predicted_and_nothing_else() -> None:
    """TG-B1 (Hidden)"""
    played = dealt(3).give(2, predict("red"))
    made = played.events[-1]
    for viewer in (0, 1, 3):
        known = redact(made, viewer)
        assert known is not None
        told_to = wire(known, viewer, 9)
        assert set(told_to) == {"version", "at", "meeting", "type", "seat"}
    own = redact(made, 2)
    assert own is not None
    assert wire(own, 2, 9)["prediction"] == told("red")
    assert wire(own, 2, 9)["command"] == body_of(predict("red"))


def test_every_prediction_is_listed_once() -> None:
    """TG-B1 (actions): 21 on one place, 126 on two, 210 on three."""
    bodies = [body_of(command) for command in listed(dealt(), 1)]
    wanted = [
        {"type": "ticket-gagnant.predict", **dict(zip(places, horses, strict=True))}
        for count in (1, 2, 3)
        for places in combinations(PLACES, count)
        for horses in permutations(HORSES, count)
    ]
    assert len(bodies) == len(wanted) == 357
    assert sorted(bodies, key=str) == sorted(wanted, key=str)


def test_nobody_predicts_twice_or_later() -> None:
    """TG-B1 (Commands)"""
    played = dealt().give(1, predict("red"))
    assert listed(played, 1) == []
    given(moving()).when(2, predict("red")).refused("wrong_phase")
