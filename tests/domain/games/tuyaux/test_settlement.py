"""What a race pays, and the end of a meeting (TU-E)."""

from typing import Any

import pytest

from domain.games.tuyaux import events as e
from domain.games.tuyaux.board import races_most
from domain.games.tuyaux.events import BetForm
from domain.games.tuyaux.settle import pay, placed, ranking, winners
from domain.kernel.message import Command
from domain.racing.events import MeetingFinished, RaceClosed, Rank
from domain.verification import verify
from tests.domain.games.tuyaux.paddock import (
    both,
    dead_heat,
    form,
    off,
    play,
    tierce,
    tip,
    win,
)
from tests.domain.games.tuyaux.playthroughs import to_the_bound
from tests.kit.meetings import as_default
from tests.kit.spec import board, event, given

VALUES = {"A": 2, "B": 1, "C": 0, "D": 2, "E": 1, "F": 0}


def field(text: str) -> list[list[str]]:
    """`A|BC` as lines."""
    return [list(line) for line in text.split("|")]


def paid(text: str, **parts: Any) -> int:
    """What a bet pays on this field, with the worked values."""
    bet = BetForm(**{"win": None, "place": None, "tierce": None, **parts})
    return pay(field(text), VALUES, bet)


# ------------------------------------------------------------- the pay function


@pytest.mark.parametrize(
    ("text", "named", "coins"),
    [
        ("A|B|C|DEF", "ABC", 6),
        ("A|B|C|DEF", "CBA", 4),
        ("A|B|C|DEF", "ABD", 0),
        ("A|BCD", "ADC", 5),
        ("A|BCD", "CAD", 4),
        ("AB|CDEF", "BAF", 6),
        ("AB|CDEF", "AFB", 4),
        ("AB|CDEF", "AFE", 0),
        ("ABCDEF", "FCB", 8),
        ("ABC|D|E|F", "CBA", 6),
        ("ABC|D|E|F", "ABD", 0),
        ("A|B|CD|EF", "ABD", 4),
        ("A|B|CD|EF", "DBA", 3),
        ("A|B|CD|EF", "ACD", 0),
    ],
)
def test_the_worked_cases_of_a_tierce(text: str, named: str, coins: int) -> None:
    """TU-E1: as named the win values, in another order the place values, never both."""
    assert paid(text, tierce=list(named)) == coins


@pytest.mark.parametrize(
    ("text", "horse", "coins"),
    [
        ("D|ABC|EF", "A", 1),
        ("D|ABC|EF", "B", 1),
        ("D|ABC|EF", "C", 2),
        ("D|ABC|EF", "E", 0),
        ("D|ABC|EF", "D", 1),
        ("AB|C|D", "C", 0),
        ("AB|C|D", "A", 1),
        ("AB|C|D", "B", 1),
        ("C|F|A|B", "F", 2),
        ("C|F|A|B", "A", 0),
    ],
)
def test_the_worked_cases_of_a_place(text: str, horse: str, coins: int) -> None:
    """TU-E1: the second line only counts behind one horse."""
    assert paid(text, place=horse) == coins
    assert (horse in placed(field(text))) == (coins > 0)


@pytest.mark.parametrize(
    ("text", "horses", "coins"),
    [
        ("A|BC", "A", 1),
        ("B|AC", "B", 2),
        ("C|AB", "C", 3),
        ("A|BC", "B", 0),
        ("ABC", "A", 1),
        ("ABC", "B", 2),
        ("ABC", "C", 3),
        ("A|BC", "AB", 1),
        ("B|AC", "AB", 2),
        ("AB|C", "AB", 3),
        ("CF|AB", "CF", 6),
        ("D|A|BC", "BC", 0),
    ],
)
def test_a_win_pays_by_value_and_in_a_dead_heat_each_pays(
    text: str, horses: str, coins: int
) -> None:
    """TU-E1: two right wins are added."""
    assert paid(text, win=list(horses)) == coins


@pytest.mark.parametrize(
    ("text", "won", "place", "coins"),
    [
        ("C|A|B", "C", "C", 5),
        ("C|A|B", "C", "A", 4),
        ("C|A|B", "A", "C", 2),
        ("C|A|B", "A", "B", 0),
        ("A|B|C", "A", "A", 2),
        ("B|A|C", "B", "B", 3),
    ],
)
def test_win_and_place_are_added_on_one_horse_too(
    text: str, won: str, place: str, coins: int
) -> None:
    """TU-E1"""
    assert paid(text, win=[won], place=place) == coins


def test_all_horses_on_the_front_line_win() -> None:
    """TU-E1"""
    assert winners(field("AB|C")) == ["A", "B"]


@pytest.mark.parametrize(
    ("coins", "target", "ranks"),
    [
        ([6, 7, 5], 6, [1, 1, 3]),
        ([7, 6, 6, 0], 6, [1, 1, 1, 4]),
        ([3, 6, 3, 5], 6, [3, 1, 3, 2]),
        ([0, 0], 6, [1, 1]),
        ([2, 5, 5, 1], 6, [3, 1, 1, 4]),
        ([1, 0], 1, [1, 2]),
    ],
)
def test_who_reached_the_target_win_together_and_others_rank_by_coins(
    coins: list[int], target: int, ranks: list[int]
) -> None:
    """TU-E2, TU-E3"""
    rows = ranking(coins, target)
    assert {seat: rank for seat, rank, _ in rows} == dict(enumerate(ranks, 1))
    assert {seat: points for seat, _, points in rows} == dict(enumerate(coins, 1))
    assert rows == sorted(rows, key=lambda row: (row[1], row[0])), "by rank, then seat"


# ------------------------------------------------------------- play


@pytest.mark.parametrize(
    ("option", "bets", "pays"),
    [
        ("win", (win("vertige"), win("perle")), [3, 3]),
        ("win", (win("noiro"), win("perle")), [0, 3]),
        ("two_wins", (win("vertige", "perle"), win("noiro", "perle")), [6, 3]),
        ("win_and_place", (both("vertige", "perle"), both("noiro", "vertige")), [5, 2]),
        ("win_and_place", (both("vertige", "vertige"), both("noiro", "noiro")), [5, 0]),
        (
            "tierce",
            (tierce("perle", "vertige", "noiro"), tierce("noiro", "perle", "vertige")),
            [7, 5],
        ),
    ],
)
def test_a_dead_heat_that_is_played_pays_each(
    option: str, bets: tuple[Command, ...], pays: list[int]
) -> None:
    """TU-E1: vertige and perle never left the line they started on."""
    played = dead_heat(*bets, bets=option, target=30)
    after = (
        given(played)
        .when(1, tip("noiro-0"))
        .then(
            event(e.TipPlayed, moved=0),
            event(e.RaceSettled, winners=["vertige", "perle"], pays=pays),
            event(RaceClosed, race=1),
            exactly=False,
        )
    )
    shown = board(after)
    assert [seat["coins"] for seat in shown["seats"]] == pays
    assert [text for result in shown["results"] for text in result["lines"]] == [
        ["vertige", "perle"],
        ["noiro"],
        ["grisou"],
        ["cocotte"],
    ]


def test_behind_one_winner_all_on_the_second_line_are_placed() -> None:
    """TU-E1: noiro stays in front of the line that never moved."""
    bets = (both("noiro", "vertige"), both("grisou", "perle"))
    played = dead_heat(
        *bets,
        bets="win_and_place",
        hands={
            2: ["cocotte-0", "cocotte-0", "cocotte-1", "vertige-0", "perle-0"],
            1: ["grisou-0", "noiro-0", "grisou-0", "noiro-0", "noiro-1"],
        },
        tips=(
            *("cocotte-0", "grisou-0", "cocotte-0", "noiro-1"),
            *("cocotte-1", "grisou-0", "vertige-0", "noiro-0", "perle-0"),
        ),
        target=30,
    )
    play(played, "noiro-0")
    result = board(played)["results"][0]
    assert result["lines"][:2] == [["noiro"], ["vertige", "perle"]]
    assert result["pays"] == [1 + 2, 2]


def test_the_entry_of_a_finished_race_tells_all_of_it() -> None:
    """Board fields"""
    bets = (win("vertige"), win("noiro"))
    played = play(dead_heat(*bets, target=30), "noiro-0")
    for viewer in range(3):
        assert board(played, viewer)["results"] == [
            {
                "race": 1,
                "programme": {
                    "card": "vertige-0",
                    "values": {"vertige": 0, "cocotte": 1, "noiro": 2, "grisou": 1, "perle": 0},
                },
                "lines": [["vertige", "perle"], ["noiro"], ["grisou"], ["cocotte"]],
                "winners": ["vertige", "perle"],
                "bets": [form(bet) for bet in bets],
                "pays": [3, 0],
            }
        ]


def test_a_meeting_goes_on_while_nobody_has_reached_the_target() -> None:
    """TU-E2"""
    played = play(dead_heat(win("vertige"), win("noiro"), target=4), "noiro-0")
    assert (played.full.status, played.full.race) == ("running", 2)


@pytest.mark.parametrize("target", [1, 2, 3])
def test_a_race_in_which_a_seat_reaches_the_target_is_the_last(target: int) -> None:
    """TU-E2"""
    played = dead_heat(win("vertige"), win("noiro"), target=target)
    given(played).when(1, tip("noiro-0")).then(
        event(e.TipPlayed),
        event(e.RaceSettled, pays=[3, 0]),
        event(RaceClosed, race=1),
        event(
            MeetingFinished,
            ranking=[Rank(seat=1, rank=1, points=3), Rank(seat=2, rank=2, points=0)],
            seed=played.full.seed,
        ),
    )


def test_six_and_seven_alike() -> None:
    """TU-E2: 5 coins and 2, and both have reached 2."""
    bets = (both("vertige", "vertige"), both("noiro", "perle"))
    played = play(dead_heat(*bets, bets="win_and_place", target=2), "noiro-0")
    assert board(played)["ranking"] == [
        {"seat": 1, "rank": 1, "points": 5},
        {"seat": 2, "rank": 1, "points": 2},
    ]


@pytest.mark.parametrize(("target", "most"), [(1, 100), (5, 100), (6, 120), (7, 140), (30, 600)])
def test_the_bound_on_races(target: int, most: int) -> None:
    """TU-E3"""
    assert races_most(target) == most


def test_after_the_last_race_of_the_bound_the_seats_rank_by_coins() -> None:
    """TU-E3: a hundred races, and nobody has reached the target."""
    played = to_the_bound()
    shown = board(played)
    assert (shown["status"], shown["race"], len(shown["results"])) == ("finished", 100, 100)
    assert shown["ranking"] == [
        {"seat": 1, "rank": 1, "points": 2},
        {"seat": 2, "rank": 2, "points": 0},
    ]
    assert verify(played.lines()).problems == []


def test_coins_add_up_over_the_races() -> None:
    """TU-E1"""
    played = off(2, target=30).play(as_default, until=lambda p: p.full.race == 5)
    shown = board(played)
    totals = [sum(result["pays"][i] for result in shown["results"]) for i in range(2)]
    assert [seat["coins"] for seat in shown["seats"]] == totals
