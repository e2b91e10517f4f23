"""Movement: what counts, who goes first, who is blocked (CH-M); the sheet's worked cases."""

from itertools import product
from random import Random

import pytest

from domain.games.change_horses import events as e
from domain.games.change_horses.board import CARDS
from domain.games.change_horses.track import board_steps, count, march
from tests.domain.games.change_horses.paddock import (
    HORSES,
    at_turns,
    card,
    line_up,
    pick_all,
    places,
    play_cards,
    race,
    spaces,
    stand,
    stumble,
)
from tests.kit.spec import event, given

Places = dict[str, tuple[int, int]]


def by_name(numbers: list[int]) -> dict[str, int]:
    """Numbers by horse."""
    return dict(zip(HORSES, numbers, strict=True))


FIRST_HALF = ["green+yellow", "purple+yellow", "blue+green", "red+yellow"]
SECOND_HALF = ["blue+red", "green+yellow", "orange+yellow", "orange+yellow"]


@pytest.mark.parametrize(
    ("cards", "counts", "moving"),
    [
        pytest.param(
            FIRST_HALF,
            {"yellow": 3, "orange": 0, "red": 1, "green": 2, "blue": 1, "purple": 1},
            {"yellow": 3, "red": 1, "blue": 1, "purple": 1},
            id="four seats, round 1",
        ),
        pytest.param(
            [*FIRST_HALF, *SECOND_HALF],
            {"yellow": 6, "orange": 2, "red": 2, "green": 3, "blue": 2, "purple": 1},
            {"green": 3, "purple": 1},
            id="four seats, second half",
        ),
    ],
)
def test_the_worked_cases_of_the_sheet(
    cards: list[str], counts: dict[str, int], moving: dict[str, int]
) -> None:
    """CH-M1: even stays, 0 too; odd moves as many."""
    found = count(cards)
    assert by_name(found) == counts
    steps = board_steps(found)
    assert {horse: n for horse, n in by_name(steps).items() if n} == moving


def test_the_worked_cases_played() -> None:
    """CH-M1, CH-R3"""
    spare = ["blue+orange", "blue+orange", "orange+red", "blue+orange"]
    hands = dict(enumerate(map(list, zip(FIRST_HALF, SECOND_HALF, spare, strict=True)), 1))
    played = at_turns(4, hands, draws={"race-1/positions-2": [4, 3, 2]})
    play_cards(played, *FIRST_HALF)
    assert spaces(played) == [3, 0, 1, 0, 1, 1]
    play_cards(played, *SECOND_HALF[::-1])
    assert spaces(played) == [3, 0, 1, 3, 1, 2]


def test_an_even_number_of_colours_has_an_odd_count_always() -> None:
    """CH-M1: the sheet's invariant."""
    source = Random(5)
    for _ in range(500):
        cards = source.choices(CARDS, k=source.randrange(11))
        assert sum(n % 2 for n in count(cards)) % 2 == 0


def test_covered_cards_do_not_count() -> None:
    """CH-M1, CH-W1"""
    picks = {seat: ["blue+red", "green+yellow", "orange+purple"] for seat in range(1, 4)}
    played = play_cards(at_turns(3, picks), "blue+red", "green+yellow")
    played.give(3, stumble("blue+red"))
    after = (
        given(played)
        .when(3, card("orange+purple"))
        .then(
            event(e.CardPlayed),
            event(
                e.HorsesMoved,
                moves=[
                    {"horse": "yellow", "count": 1, "space": 1},
                    {"horse": "orange", "count": 1, "space": 1},
                    {"horse": "green", "count": 1, "space": 1},
                    {"horse": "purple", "count": 1, "space": 1},
                ],
            ),
            event(e.RoundOpened),
        )
    )
    assert spaces(after) == [1, 1, 0, 1, 0, 1]


CASES = [
    # before, steps, after
    pytest.param(
        {"red": (1, 2), "blue": (1, 4)}, {"red": 3}, {"red": (1, 3)}, id="stops right behind"
    ),
    pytest.param(
        {"red": (1, 3), "blue": (1, 4)}, {"red": 3}, {"red": (1, 3)}, id="blocked, does not move"
    ),
    pytest.param(
        {"red": (1, 3), "blue": (1, 4)},
        {"red": 3, "blue": 1},
        {"red": (1, 4), "blue": (1, 5)},
        id="the front horse goes first",
    ),
    pytest.param(
        {"red": (1, 3), "blue": (1, 4)},
        {"red": 1, "blue": 5},
        {"red": (1, 4), "blue": (1, 9)},
        id="the rest is free",
    ),
    pytest.param(
        {"red": (1, 1), "blue": (1, 2), "green": (1, 4)},
        {"red": 5, "blue": 5, "green": 1},
        {"red": (1, 3), "blue": (1, 4), "green": (1, 5)},
        id="three in a lane",
    ),
    pytest.param(
        {"red": (1, 2), "blue": (2, 3)}, {"red": 3}, {"red": (1, 5)}, id="other lanes don't matter"
    ),
    pytest.param(
        {"red": (1, 4), "blue": (1, 2)}, {"red": 3}, {"red": (1, 7)}, id="nor horses behind"
    ),
]


@pytest.mark.parametrize(("before", "steps", "after"), CASES)
def test_no_horse_passes_shares_or_pushes(
    before: Places, steps: dict[str, int], after: Places
) -> None:
    """CH-M2"""
    lanes = [before.get(horse, (6, 20 + i))[0] for i, horse in enumerate(HORSES)]
    spaces_before = [before.get(horse, (6, 20 + i))[1] for i, horse in enumerate(HORSES)]
    moved = march(lanes, spaces_before, [steps.get(horse, 0) for horse in HORSES])
    found = {HORSES[i]: (lanes[i], space) for i, space in moved}
    assert found == {horse: after[horse] for horse in steps}


def test_horses_move_lane_by_lane_from_the_inside_the_front_one_first() -> None:
    """CH-M2"""
    lanes, where = [3, 1, 1, 2, 3, 6], [0, 0, 5, 0, 1, 0]
    moved = march(lanes, where, [1, 1, 1, 1, 1, 1])
    assert [HORSES[i] for i, _ in moved] == ["red", "orange", "green", "blue", "yellow", "purple"]


def test_a_march_is_what_moving_each_horse_step_by_step_makes() -> None:
    """CH-M2, CH-M3: against a slow way of saying it."""
    source = Random(3)
    for _ in range(300):
        spots = source.sample(list(product(range(1, 4), range(5))), 6)
        lanes, where = [lane for lane, _ in spots], [space for _, space in spots]
        steps = [source.choice((0, 0, 1, 2, 3, 5)) for _ in range(6)]
        now = list(where)
        for horse in sorted(range(6), key=lambda h: (lanes[h], -where[h])):
            for _ in range(steps[horse]):
                spot = (lanes[horse], now[horse] + 1)
                if spot not in set(zip(lanes, now, strict=True)):
                    now[horse] += 1
        moved = dict(march(lanes, where, steps))
        assert set(moved) == {horse for horse in range(6) if steps[horse]}
        assert [moved.get(i, where[i]) for i in range(6)] == now
        assert len(set(zip(lanes, now, strict=True))) == 6


def test_all_due_moves_are_finished_when_a_horse_has_crossed() -> None:
    """CH-M3"""
    picks = {seat: ["orange+yellow", "blue+purple", "green+red"] for seat in range(1, 4)}
    played = line_up(at_turns(3, picks), 11, 5, 4, 3, 2, 1)
    play_cards(played, "orange+yellow", "blue+purple", "green+red")
    assert spaces(played) == [12, 6, 5, 4, 3, 2]
    assert played.full.status == "finished"


def test_counts_are_taken_once_before_anything_moves() -> None:
    """CH-M1: a blocked horse loses its rest, and the board does not change."""
    picks = {seat: ["orange+yellow", "green+yellow", "purple+yellow"] for seat in range(1, 4)}
    played = stand(at_turns(3, picks), yellow=(2, 0), orange=(2, 1))
    play_cards(played, "orange+yellow", "green+yellow", "purple+yellow")
    assert places(played)["yellow"] == (2, 1), "three steps, one of them free"
    assert places(played)["orange"] == (2, 2)


def test_a_round_without_any_odd_count_moves_nobody() -> None:
    """CH-M1"""
    played = pick_all(
        race(2),
        {seat: ["blue+red", "green+red", "blue+green", "green+yellow"] for seat in (1, 2)},
    )
    play_cards(played, "blue+red", "blue+red", "green+red")
    after = (
        given(played)
        .when(2, card("green+red"))
        .then(event(e.CardPlayed), event(e.HorsesMoved, moves=[]), event(e.RoundOpened))
    )
    assert spaces(after) == [0] * 6
