"""The end of a race, the photo finish, points and the meeting's ranking (CH-E)."""

from collections.abc import Sequence
from typing import Any

import pytest

from domain.games.change_horses import events as e
from domain.games.change_horses.settle import Owner, best_ranks, race_points, rank_horses, ranking
from domain.games.change_horses.state import Placed
from domain.racing.events import MeetingFinished, RaceClosed, RaceOpened
from tests.domain.games.change_horses.paddock import (
    CHANGE,
    FAST,
    at_turns,
    card,
    in_turn,
    line_up,
    pick_all,
    play_cards,
    play_round,
    table,
)
from tests.kit.meetings import Played
from tests.kit.spec import board, event, given

PICKS = {seat: ["blue+red", "green+yellow", "orange+purple"] for seat in range(1, 6)}


def last_turn(seats: int, *spaces: int, **told: Any) -> Played:
    """Before the last card of the last round; with it (`blue+red`) all counts are even."""
    played = line_up(at_turns(seats, PICKS, **told), *spaces)
    t = table(played)
    t.round, t.turn = 14, seats - 1
    for own in t.shown:
        own[:] = ["blue+red", "green+yellow"]
    t.board[:] = [Placed(card="blue+red", seat=1)]
    return played


def over(seats: int, *spaces: int, **told: Any) -> Played:
    """A race over on these spaces."""
    played = last_turn(seats, *spaces, **told)
    return played.give(in_turn(played), card("blue+red"))


def result(played: Played) -> tuple[list[tuple[str, int, int | None]], list[int]]:
    """(horse, rank, seat) of all horses, and the points by seat, of the last race."""
    entry = board(played)["results"][-1]
    return [(p["horse"], p["rank"], p["seat"]) for p in entry["ranking"]], entry["points"]


def final(played: Played) -> list[tuple[int, int, int]]:
    """(seat, rank, points) of the meeting."""
    return [(r.seat, r.rank, r.points) for r in played.full.ranking or []]


# ------------------------------------------------------------- how it ends


def test_the_race_ends_once_a_horse_has_crossed_and_all_due_moves_are_made() -> None:
    """CH-E1: the board is not emptied, no turn order is set."""
    played = line_up(at_turns(3, PICKS), 11, 4, 5, 6, 7, 8)
    play_cards(played, "green+yellow", "blue+red")
    after = (
        given(played)
        .when(3, card("orange+purple"))
        .then(
            event(e.CardPlayed),
            event(e.HorsesMoved),
            event(e.RaceEnded, how="crossed"),
            event(RaceClosed, race=1),
            event(MeetingFinished),
        )
    )
    shown = board(after)
    assert len(shown["betting_board"]) == 3
    assert shown["round"] == 1
    assert shown["positions"] == {"1": 1, "2": 2, "3": 3}


def test_a_full_board_is_checked_before_it_is_emptied() -> None:
    """CH-R4, CH-E1"""
    played = line_up(play_round(at_turns(3, PICKS)), 11, 11, 11, 11, 11, 11)
    play_round(played)
    assert played.full.status == "finished"
    assert len(board(played)["betting_board"]) == 6
    assert not any(isinstance(made, e.BoardEmptied) for made in played.events)


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_the_race_ends_after_the_move_of_the_fourteenth_round(seats: int) -> None:
    """CH-E1"""
    played = last_turn(seats, 1, 2, 3, 4, 5, 6)
    after = (
        given(played)
        .when(in_turn(played), card("blue+red"))
        .then(
            event(e.CardPlayed),
            event(e.HorsesMoved, moves=[]),
            event(e.RaceEnded, how="rounds"),
            event(RaceClosed),
            event(MeetingFinished),
        )
    )
    assert [len(own) for own in table(after).shown] == [2] * (seats - 1) + [1]


def test_an_even_board_does_not_end_a_race_before_its_last_round() -> None:
    """CH-E1"""
    played = last_turn(3, 1, 2, 3, 4, 5, 6)
    table(played).round = 12
    played.give(in_turn(played), card("blue+red"))
    assert played.full.status == "running"
    assert board(played)["round"] == 13


def test_certificates_are_revealed_at_the_end() -> None:
    """CH-E6"""
    played = last_turn(4, 1, 2, 3, 4, 5, 6)
    owned = {"1": ["yellow"], "2": ["orange"], "3": ["red"], "4": ["green"]}
    after = given(played).when(4, card("blue+red")).accepted()
    ended = next(made for made in after.events if isinstance(made, e.RaceEnded))
    assert ended.certificates == owned
    for viewer in (0, 3):
        shown = board(after, viewer)["seats"]
        assert [place["certificates"] for place in shown] == list(owned.values())


# ------------------------------------------------------------- ranking


def test_horses_rank_from_the_rear_whether_owned_or_not() -> None:
    """CH-E2"""
    ranked, points = result(over(3, 9, 2, 5, 1, 7, 3))
    assert ranked == [
        ("green", 1, None),
        ("orange", 2, 2),
        ("purple", 3, None),
        ("red", 4, 3),
        ("blue", 5, None),
        ("yellow", 6, 1),
    ]
    assert points == [0, 2, 0]


def test_if_the_last_horse_is_nobodys_no_seat_wins() -> None:
    """CH-E2, CH-E6"""
    assert final(over(3, 9, 2, 5, 1, 7, 3)) == [(2, 2, 2), (1, 4, 0), (3, 4, 0)]


def test_of_one_race_the_ranks_are_the_horses_and_the_leaders_have_rank_4() -> None:
    """CH-E6"""
    assert final(over(5, 3, 6, 1, 8, 2, 9)) == [
        (3, 1, 3),
        (5, 2, 2),
        (1, 3, 1),
        (2, 4, 0),
        (4, 4, 0),
    ]


TIES: list[Any] = [
    pytest.param(
        [1, 1, 5, 6, 7, 8],
        [Owner(1, 2, False, 0), None, None, None, None, None],
        [1, 2, 3, 4, 5, 6],
        id="owned before unowned",
    ),
    pytest.param(
        [1, 1, 5, 6, 7, 8],
        [Owner(1, 0, True, 0), None, None, None, None, None],
        [1, 2, 3, 4, 5, 6],
        id="owned before unowned, whatever it has",
    ),
    pytest.param(
        [1, 1, 5, 6, 7, 8],
        [Owner(1, 1, False, 0), Owner(2, 2, True, 9), None, None, None, None],
        [2, 1, 3, 4, 5, 6],
        id="more Wild Horses before never changed",
    ),
    pytest.param(
        [1, 1, 5, 6, 7, 8],
        [Owner(1, 1, True, -9), Owner(2, 1, False, 0), None, None, None, None],
        [2, 1, 3, 4, 5, 6],
        id="never changed before changed, and before carrots",
    ),
    pytest.param(
        [1, 1, 5, 6, 7, 8],
        [Owner(1, 1, True, -3), Owner(2, 1, True, -4), None, None, None, None],
        [2, 1, 3, 4, 5, 6],
        id="more carrots",
    ),
    pytest.param(
        [1, 1, 1, 6, 7, 8],
        [Owner(1, 2, False, 0), Owner(2, 2, False, 0), Owner(3, 1, False, 0), None, None, None],
        [1, 1, 3, 4, 5, 6],
        id="the better rank is shared, the next one skipped",
    ),
    pytest.param(
        [1, 2, 3, 3, 7, 8],
        [Owner(1, 2, False, 0), None, Owner(2, 2, False, 0), Owner(3, 2, False, 0), None, None],
        [1, 2, 3, 3, 5, 6],
        id="whoever shares rank 3 is placed",
    ),
    pytest.param(
        [1, 1, 1, 1, 7, 7],
        [Owner(1, 0, True, 0), None, None, None, None, None],
        [1, 2, 2, 2, 5, 5],
        id="unowned horses of one row share, in every row",
    ),
    pytest.param(
        [1, 9, 3, 4, 9, 9],
        [None, Owner(2, 1, False, 0), None, None, Owner(5, 2, False, 0), None],
        [1, 5, 2, 3, 4, 6],
        id="the photo is held among the leaders too",
    ),
]


@pytest.mark.parametrize(("spaces", "owners", "ranks"), TIES)
def test_the_photo_finish(
    spaces: Sequence[int], owners: Sequence[Owner | None], ranks: Sequence[int]
) -> None:
    """CH-E3, CH-E4, CH-E5"""
    assert rank_horses(spaces, owners) == ranks


def test_seats_that_share_a_rank_each_get_its_points() -> None:
    """CH-E5, CH-E6"""
    ranked, points = result(over(4, 1, 1, 3, 3, 9, 9))
    assert [rank for _, rank, _ in ranked] == [1, 1, 3, 3, 5, 5]
    assert points == [3, 3, 1, 1]
    assert final(over(4, 1, 1, 3, 3, 9, 9)) == [(1, 1, 3), (2, 1, 3), (3, 3, 1), (4, 3, 1)]


def test_a_wild_horse_played_in_the_last_turn_is_used() -> None:
    """CH-E3"""
    near = line_up(at_turns(3, PICKS), 10, 10, 10, 11, 11, 11)
    ranked, points = result(given(near).when(1, FAST).accepted())
    assert ranked[:3] == [("orange", 1, 2), ("red", 1, 3), ("yellow", 3, 1)]
    assert points == [1, 3, 3]


def test_a_seat_that_has_changed_loses_a_photo_with_one_that_has_not() -> None:
    """CH-E3, CH-W4: played out, one Wild Horse each."""
    played = at_turns(5, PICKS).give(1, CHANGE)
    play_cards(played, "blue+red")
    played.give(2, FAST)
    play_cards(played, "blue+red")
    assert board(played, 1)["seats"][0]["certificates"] == ["purple"]
    line_up(played, 9, 8, 9, 9, 9, 8)
    t = table(played)
    t.round, t.board[:] = 14, [Placed(card="blue+red", seat=1)]
    play_cards(played, "blue+red", "green+yellow")
    t.round = 14
    played.give(5, card("green+yellow"))
    ranked, points = result(played)
    assert ranked[:2] == [("orange", 1, 2), ("purple", 2, 1)]
    assert points[:2] == [2, 3]


def test_in_the_derby_more_carrots_win_the_photo() -> None:
    """CH-E4"""
    played = last_turn(3, 1, 1, 1, 6, 7, 8, turn_order="derby")
    table(played).carrots[:] = [10, 30, 10]
    ranked, points = result(played.give(3, card("blue+red")))
    assert ranked[:3] == [("orange", 1, 2), ("yellow", 2, 1), ("red", 2, 3)]
    assert points == [2, 3, 2]


def test_points_by_rank() -> None:
    """CH-E6"""
    assert [race_points(rank) for rank in range(1, 7)] == [3, 2, 1, 0, 0, 0]


def test_results_list_equal_ranks_by_letter() -> None:
    """The sheet's board fields."""
    ranked, _ = result(over(3, 5, 5, 5, 5, 5, 5))
    assert [horse for horse, _, _ in ranked] == [
        "yellow",
        "orange",
        "red",
        "green",
        "blue",
        "purple",
    ]
    assert [rank for _, rank, _ in ranked] == [1, 1, 1, 4, 4, 4]


def test_the_better_horse_counts() -> None:
    """CH-2C"""
    owners = [Owner(1, 0, False, 0), Owner(2, 0, False, 0), Owner(1, 0, False, 0), None]
    assert best_ranks([4, 2, 1, 3], owners, 2) == [1, 2]


# ------------------------------------------------------------- several races


@pytest.mark.parametrize(
    ("points", "ranks"),
    [
        ([5, 3, 1], [1, 2, 3]),
        ([1, 3, 3], [3, 1, 1]),
        ([2, 2, 2], [1, 1, 1]),
        ([0, 4, 0, 1], [3, 1, 3, 2]),
    ],
)
def test_several_races_rank_by_the_sum_of_points(points: list[int], ranks: list[int]) -> None:
    """CH-E6: equal sums share."""
    rows = ranking([6] * len(points), points, 2)
    assert rows == sorted(rows, key=lambda row: (row[1], row[0]))
    assert {seat: rank for seat, rank, _ in rows} == dict(enumerate(ranks, 1))


def test_match_points_are_carried_over_and_nothing_else() -> None:
    """CH-E6"""
    played = last_turn(3, 1, 2, 5, 6, 7, 8, races=2)
    after = (
        given(played)
        .when(3, card("blue+red"))
        .then(
            event(e.CardPlayed),
            event(e.HorsesMoved),
            event(e.RaceEnded, points=[3, 2, 1]),
            event(RaceClosed, race=1),
            event(RaceOpened, race=2, races=2),
            event(e.HorsesPlaced),
            event(e.CertificatesDealt),
            event(e.RoundOpened, round=1),
        )
    )
    shown = board(after)
    assert [place["points"] for place in shown["seats"]] == [3, 2, 1]
    assert [entry["race"] for entry in shown["results"]] == [1]
    assert shown["race"] == 2
    assert shown["ranking"] is None
    pick_all(after, PICKS)
    line_up(after, 12, 11, 9, 9, 9, 9)
    after.give(1, CHANGE).give(1, card("blue+red"))
    line_up(after, 10, 9, 7, 10, 10, 8)
    t = table(after)
    t.round, t.board[:] = 14, [Placed(card="blue+red", seat=1)]
    after.give(2, card("blue+red")).give(3, card("green+yellow"))
    assert after.full.status == "finished"
    assert [entry["points"] for entry in board(after)["results"]] == [[3, 2, 1], [0, 1, 3]]
    assert final(after) == [(3, 1, 4), (1, 2, 3), (2, 2, 3)]
