"""The rank of a race and what it earns (TG-R1 to TG-R3, TG-P1 to TG-P8)."""

from collections.abc import Mapping, Sequence
from itertools import permutations
from typing import Any

import msgspec
import pytest

from domain.games.ticket_gagnant import events as e
from domain.games.ticket_gagnant.settle import final_ranking, forty_tokens, net, new_score
from domain.racing.events import MeetingFinished
from tests.domain.games.ticket_gagnant.turf import (
    GAME,
    HORSES,
    Spot,
    listed,
    moving,
    row,
    single,
    standing,
)
from tests.kit.meetings import Played, as_default, seated

BACK = {"forward": (0, -1), "backward": (0, 1), "left": (1, 0), "right": (-1, 0)}
"""From where a horse comes that moves one space this way."""


def finished(
    stand: Mapping[str, Spot],
    predictions: Mapping[int, Sequence[str | None]] | None = None,
    **rest: Any,
) -> e.RaceScored:
    """How race 1 of two seats is scored that ends with the horses here (the others on space 2).

    The last card is orange-1, played by seat 2 from a space beside where orange ends.
    """
    return scored(ended(stand, predictions, **rest))


def ended(
    stand: Mapping[str, Spot],
    predictions: Mapping[int, Sequence[str | None]] | None = None,
    *,
    photo: Sequence[str] | None = None,
    **rest: Any,
) -> Played:
    """The meeting after that race; `photo` are the first horses of the photo finish."""
    final = row(2, but=stand)
    draws = {"race-1/photo-finish": list(photo)} if photo else {}
    played = moving(
        2, deal=3, hands={2: ["orange-1"]}, predictions=predictions, draws=draws, **rest
    )
    table = played.full.table
    table.hands, table.hand_counts, table.turn = [[], ["orange-1"]], [0, 1], 2
    for direction, (across, along) in BACK.items():
        start = (final["orange"][0] + across, final["orange"][1] + along)
        standing(played, {**final, "orange": start})
        command = single("orange-1", direction)
        free = start not in [spot for horse, spot in final.items() if horse != "orange"]
        if free and 1 <= start[0] <= 7 and command in listed(played, 2):
            played.give(2, command)
            return played
    raise AssertionError("orange can't come there")


def last_card(predictions: Mapping[int, Sequence[str | None]] | None, **rest: Any) -> Played:
    """Orange-1 is all that is left to play, in the hand of seat 2."""
    played = moving(2, deal=3, hands={2: ["orange-1"]}, predictions=predictions, **rest)
    table = played.full.table
    table.hands, table.hand_counts, table.turn = [[], ["orange-1"]], [0, 1], 2
    return played


def shown(played: Played) -> dict[str, Any]:
    """The board of the full meeting, in which horses may have been put somewhere by hand."""
    board: dict[str, Any] = msgspec.to_builtins(played.game.view(played.full))
    return board


def scored(played: Played) -> e.RaceScored:
    """The scoring of the race that ended last."""
    return [event for event in played.events if isinstance(event, e.RaceScored)][-1]


ORDER = {
    "black": (7, 12),
    "red": (5, 11),
    "blue": (4, 10),
    "yellow": (6, 9),
    "orange": (1, 7),
    "green": (4, 6),
    "purple": (2, 5),
}
"""Black, red, blue, then yellow, orange, green 6th and purple 7th."""


# ---------------------------------------------------------------- TG-R1


def test_further_forward_ranks_higher() -> None:
    """TG-R1"""
    event = finished(ORDER)
    assert event.ranking == list(ORDER)
    assert event.disqualified == []


def test_the_board_shows_ranks_until_the_next_race_opens() -> None:
    """TG-R1 (Board fields): rank null until the race ends."""
    played = seated(Played(GAME, seats=2, options={"choice": "flat_only"})).play(as_default)
    horses = shown(played)["horses"]
    ranking = scored(played).ranking
    assert [h["rank"] for h in horses] == [ranking.index(h["horse"]) + 1 for h in horses]
    early = seated(Played(GAME, seats=2))
    assert {h["rank"] for h in shown(early)["horses"]} == {None}


PRINTS = [
    *((2, 4), (5, 5), (3, 6), (6, 7), (1, 8), (4, 9)),
    *((7, 10), (2, 11), (5, 12), (3, 13), (6, 14)),
]


@pytest.mark.parametrize("spot", PRINTS)
def test_a_horse_on_a_hoofprint_is_disqualified_at_the_end_of_a_harness_race(spot: Spot) -> None:
    """TG-R1: it takes no rank, those behind move up."""
    event = finished({**ORDER, "red": spot}, kind="harness", dashed_line="no_return")
    assert event.disqualified == ["red"]
    assert event.ranking == [horse for horse in ORDER if horse != "red"]


@pytest.mark.parametrize("kind", ["flat", "obstacle"])
def test_hoofprints_do_nothing_in_other_races(kind: str) -> None:
    """TG-R1"""
    event = finished({**ORDER, "red": (2, 11)}, kind=kind)
    assert event.disqualified == []
    assert event.ranking[1] == "red"


def test_the_horse_that_crossed_is_first_unless_disqualified() -> None:
    """TG-R1, TG-M9: 3-13 is a hoofprint, 4-13 is not."""
    clean = finished({**ORDER, "orange": (4, 13)}, kind="harness")
    assert clean.ranking[0] == "orange"
    gallop = finished({**ORDER, "orange": (3, 13)}, kind="harness")
    assert gallop.disqualified == ["orange"]
    assert gallop.ranking[0] == "black"


def test_fewer_than_three_ranked_horses_leave_places_empty() -> None:
    """TG-R1, TG-P5: two are left; a third place is nobody's."""
    out = dict(zip(("orange", "purple", "green", "blue", "red"), PRINTS, strict=False))
    stand = {**out, "yellow": (6, 9), "black": (7, 4)}
    bets = {1: ("yellow", "black", "red"), 2: ("black", None, "yellow")}
    event = finished(stand, bets, kind="harness")
    assert event.ranking == ["yellow", "black"]
    assert event.disqualified == ["orange", "purple", "green", "blue", "red"]
    assert event.nets == [7 + 5 - 2, 3 + 3]


def test_with_none_ranked_every_bet_is_minus_2() -> None:
    """TG-R1, TG-P5"""
    stand = dict(zip(HORSES, PRINTS, strict=False))
    bets: dict[int, tuple[str | None, ...]] = {1: ("yellow", "black", "red"), 2: (None, "blue")}
    event = finished(stand, bets, kind="harness")
    assert event.ranking == []
    assert event.disqualified == list(HORSES)
    assert event.nets == [-6, -2]


# ---------------------------------------------------------------- TG-R2, TG-R3


NECK = {**ORDER, "blue": (4, 10), "purple": (2, 10)}
"""Worked case: black, red, then blue and purple neck and neck for 3rd."""


@pytest.mark.parametrize(
    ("photo", "third", "fourth"),
    [(["blue", "purple"], "blue", "purple"), (["purple", "blue"], "purple", "blue")],
)
def test_neck_and_neck_the_earlier_in_the_photo_finish_is_ahead(
    photo: list[str], third: str, fourth: str
) -> None:
    """TG-R2: worked case, drawn blue."""
    event = finished(NECK, photo=photo)
    assert event.ranking == ["black", "red", third, fourth, "yellow", "orange", "green"]


@pytest.mark.parametrize("photo", list(permutations(("blue", "purple", "red")))[:4])
def test_the_photo_finish_orders_all_horses_of_one_space(photo: tuple[str, ...]) -> None:
    """TG-R2: and none of different spaces."""
    event = finished({**NECK, "red": (5, 10)}, photo=photo)
    assert event.ranking == ["black", *photo, "yellow", "orange", "green"]


def test_with_the_rail_the_nearer_horse_is_ahead() -> None:
    """TG-R3: worked case, purple is nearer."""
    event = finished(NECK, photo_finish="rail")
    assert event.ranking == ["black", "red", "purple", "blue", "yellow", "orange", "green"]


def test_a_photo_finish_is_drawn_at_the_end_of_every_race_tie_or_not() -> None:
    """TG-R2 (Draws)"""
    for stand in (ORDER, NECK):
        played = ended(stand, photo=["red"])
        drawn = [ev for ev in played.events if isinstance(ev, e.PhotoFinishDrawn)]
        assert len(drawn) == 1
        assert drawn[0].order[0] == "red"
        assert sorted(drawn[0].order) == sorted(HORSES)
        assert drawn[0].draws == {"race-1/photo-finish": drawn[0].order}
    railed = ended(NECK, photo_finish="rail")
    assert not any(isinstance(ev, e.PhotoFinishDrawn) for ev in railed.events)


def test_a_disqualified_horse_is_not_in_the_photo_finish() -> None:
    """TG-R1, TG-R2: red on 7-10 is out, though drawn first."""
    stand = {**NECK, "red": (7, 10)}
    event = finished(stand, photo=["red", "blue", "purple"], kind="harness")
    assert event.disqualified == ["red"]
    assert event.ranking[:3] == ["black", "blue", "purple"]


# ------------------------------------------ TG-P1, TG-P2, TG-P3, TG-P4, TG-P5, TG-P6


FINISH = list(ORDER)
PAYS: list[tuple[tuple[str | None, ...], int]] = [
    (("black", None, None), 7),
    ((None, "red", None), 5),
    ((None, None, "blue"), 4),
    (("red", None, None), 3),
    (("blue", None, None), 3),
    ((None, "black", None), 3),
    ((None, None, "red"), 3),
    (("yellow", None, None), -1),
    ((None, "green", None), -1),
    ((None, None, "purple"), -2),
    (("purple", None, None), -2),
    (("black", "green", "red"), 9),
    (("black", "red", "blue"), 21),
    (("red", "blue", "black"), 11),
    (("black", "blue", "red"), 7 + 3 + 3 + 2),
    (("red", "black", "blue"), 3 + 3 + 4 + 2),
    (("black", "red", None), 12),
    (("red", "black", None), 6),
    (("black", "red", "yellow"), 11),
    (("yellow", "orange", "green"), -3),
    (("yellow", "orange", "purple"), -4),
]


@pytest.mark.parametrize(("bet", "worth"), PAYS)
def test_what_a_prediction_earns(bet: tuple[str | None, ...], worth: int) -> None:
    """TG-P1 to TG-P6: black, red, blue, yellow, orange, green, purple; the rulebook's cases too."""
    assert finished(ORDER, {1: bet}).nets[0] == worth
    assert net(bet, FINISH, [], -2) == worth


@pytest.mark.parametrize("last_place", [-2, -1])
def test_the_last_of_seven_costs_what_the_option_says(last_place: int) -> None:
    """TG-P4"""
    bets = {1: ("purple",), 2: ("green",)}
    assert finished(ORDER, bets, last_place=last_place).nets == [last_place, -1]


def test_with_a_disqualification_there_is_no_7th() -> None:
    """TG-P4, TG-P5: purple is last of six; red on a hoofprint costs 2 wherever it was predicted."""
    stand = {**ORDER, "red": (2, 11), "purple": (2, 3)}
    bets = {1: ("purple", "red"), 2: (None, None, "red")}
    event = finished(stand, bets, kind="harness")
    assert event.disqualified == ["red"]
    assert event.nets == [-1 - 2, -2]


def test_a_disqualified_horse_spoils_a_trio() -> None:
    """TG-P5, TG-P6: blue moves up to second, yellow to third."""
    stand = {**ORDER, "red": (2, 11)}
    bets = {1: ("black", "blue", "yellow"), 2: ("black", "red", "blue")}
    assert finished(stand, bets, kind="harness").nets == [7 + 5 + 4 + 5, 7 - 2 + 3]


def test_exact_and_boxed_never_count_both() -> None:
    """TG-P6"""
    for named in permutations(("black", "red", "blue")):
        exact = sum(a == b for a, b in zip(named, FINISH, strict=False))
        pays = sum((7, 5, 4)[i] if named[i] == FINISH[i] else 3 for i in range(3))
        assert net(named, FINISH, [], -2) == pays + (5 if exact == 3 else 2)


# ---------------------------------------------------------------- TG-P7


@pytest.mark.parametrize(
    ("score", "net_sum", "after"),
    [(-7, -3, -8), (-8, 4, -4), (-8, -1, -8), (0, -6, -6), (-5, -3, -8), (38, 21, 59), (0, 0, 0)],
)
def test_a_net_sum_is_added_and_the_score_then_raised_to_the_floor(
    score: int, net_sum: int, after: int
) -> None:
    """TG-P7: worked cases first."""
    assert new_score(score, net_sum) == after


def test_scores_and_nets_of_a_race() -> None:
    """TG-P7: `nets` and `last_net` are before the floor, `score` after it."""
    played = last_card({1: ("purple", "green"), 2: ("black",)})
    played.full.table.scores = [-7, 37]
    standing(played, row(2, but={**ORDER, "orange": (1, 6)}))
    played.give(2, single("orange-1", "forward"))
    event = scored(played)
    assert event.ranking == list(ORDER)
    assert (event.nets, event.scores) == ([-3, 7], [-8, 44])
    fields = ("last_net", "score", "forty_tokens")
    told = [tuple(seat[name] for name in fields) for seat in shown(played)["seats"]]
    assert told == [(-3, -8, 0), (7, 44, 1)]


@pytest.mark.parametrize(
    ("score", "tokens"),
    [(-8, 0), (0, 0), (39, 0), (40, 0), (41, 1), (80, 1), (81, 2), (120, 2), (121, 3)],
)
def test_forty_tokens(score: int, tokens: int) -> None:
    """TG-P7: 41 is one token and 1; 40 is 40."""
    assert forty_tokens(score) == tokens
    played = moving(2)
    played.full.table.scores = [score, 0]
    assert shown(played)["seats"][0]["forty_tokens"] == tokens


# ---------------------------------------------------------------- TG-P8


@pytest.mark.parametrize(
    ("scores", "rows"),
    [
        ([5, 9], [(2, 1, 9), (1, 2, 5)]),
        ([7, 7, 3], [(1, 1, 7), (2, 1, 7), (3, 3, 3)]),
        ([3, 7, 7], [(2, 1, 7), (3, 1, 7), (1, 3, 3)]),
        ([4, 4, 4, 4], [(1, 1, 4), (2, 1, 4), (3, 1, 4), (4, 1, 4)]),
        ([-8, 0, -8, 41], [(4, 1, 41), (2, 2, 0), (1, 3, -8), (3, 3, -8)]),
    ],
)
def test_equal_scores_share_the_rank_and_the_next_is_skipped(
    scores: list[int], rows: list[tuple[int, int, int]]
) -> None:
    """TG-P8"""
    assert final_ranking(scores) == rows


def test_after_the_last_race_the_most_points_win() -> None:
    """TG-P8"""
    played = seated(Played(GAME, seats=4, options={"races": 8})).play(as_default)
    last = played.events[-1]
    assert isinstance(last, MeetingFinished)
    scores = scored(played).scores
    assert [(r.seat, r.rank, r.points) for r in last.ranking] == final_ranking(scores)
    assert len([ev for ev in played.events if isinstance(ev, e.RaceScored)]) == 8
