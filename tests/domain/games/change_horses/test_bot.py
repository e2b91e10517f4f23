"""The built-in bots: legal, from what their seat knows, and steady knows the game."""

from collections.abc import Sequence
from random import Random

import pytest

from domain.games.change_horses import commands as c
from domain.games.change_horses.bot.outlook import best_worth, worth, worths
from domain.games.change_horses.bot.preparing import value
from domain.kernel.message import Command
from service.figures import figures
from service.simulation import Field, play, rounds
from tests.domain.games.change_horses.paddock import (
    PACK,
    STAND,
    at_turns,
    bid,
    card,
    change,
    line_up,
    pick_all,
    play_round,
    race,
    table,
)
from tests.kit.meetings import Played


def steady(played: Played, seat: int, seed: int = 1) -> Command:
    """What steady does in the full state; it looks at nothing that its seat may not know."""
    return played.game.bots["steady"].decide(played.full, seat, Random(seed))


def test_it_makes_an_odd_count_of_its_own_horse_even() -> None:
    """CH-M1: seat 4 owns green, and plays last."""
    picks = {
        1: ["blue+green", "blue+orange", "blue+red"],
        2: ["blue+orange", "blue+purple", "blue+red"],
        3: ["blue+orange", "blue+purple", "blue+red"],
        4: ["blue+orange", "blue+red", "green+red"],
    }
    played = at_turns(4, picks)
    played.give(1, card("blue+green")).give(2, card("blue+orange")).give(3, card("blue+orange"))
    table(played).wild_left[3] = 0
    assert {steady(played, 4, seed) for seed in range(5)} == {card("green+red")}


def test_it_ends_the_race_by_fast_when_that_wins() -> None:
    """CH-W3"""
    played = line_up(at_turns(3), 1, 10, 9, 10, 10, 10)
    stay = c.PlayWild(option="fast")
    assert steady(played, 1) != stay, "its horse is far behind, but no other one would cross"
    forced = {1: ["blue+yellow", "green+yellow", "purple+yellow"]}
    near = line_up(at_turns(3, forced), 9, 10, 10, 10, 10, 10)
    assert steady(near, 1) == stay


def test_it_changes_a_hopeless_horse_late() -> None:
    """CH-W4"""
    played = line_up(at_turns(4), 11, 3, 4, 5, 3, 4)
    assert steady(played, 1) == c.PlayWild(option="change")
    ahead = line_up(at_turns(4), 3, 8, 9, 9, 9, 9)
    assert not isinstance(steady(ahead, 1), c.PlayWild)
    two = line_up(pick_all(race(2)), 11, 10, 1, 2, 1, 2)
    assert steady(two, 1) == change("yellow")


def test_it_keeps_one_card_of_its_own_horse_among_those_shown() -> None:
    """CH-R1, CH-R4"""
    played = race(4)
    for seed in range(20):
        command = steady(played, 1, seed)
        assert isinstance(command, c.SelectCards)
        assert sum("yellow" in name for name in command.cards) == 1
    with_own = play_round(play_round(at_turns(4, {1: [PACK[0], PACK[1], PACK[4]]})))
    assert table(with_own).shown[0] == ["blue+yellow"]
    command = steady(with_own, 1)
    assert isinstance(command, c.SelectCards)
    assert not any("yellow" in name for name in command.cards)


def test_it_does_not_always_show_the_same_cards() -> None:
    """Its picks don't tell its horse by a pattern."""
    played = at_turns(4)
    cards = {steady(played, 1, seed) for seed in range(30)}
    assert len(cards) > 1


def test_it_bids_more_than_a_low_bid_and_less_than_a_high_one() -> None:
    """CH-D: by what the last turn is worth."""
    played = play_round(at_turns(4, turn_order="derby"))
    worth_of_it = value(table(played), 1)
    assert 1 < worth_of_it < 44 / 2
    played.give(1, bid(1))
    command = steady(played, 2)
    assert command == bid(2)
    high = play_round(at_turns(4, turn_order="derby")).give(1, bid(44))
    assert steady(high, 2) == bid(1), "the cheapest place"
    high.give(2, bid(1)).give(3, bid(2))
    assert high.full.table.phase == "auction"


def test_it_stands_when_the_last_turn_has_become_too_dear() -> None:
    """CH-D3"""
    played = play_round(at_turns(4, turn_order="derby"))
    played.give(1, bid(2)).give(2, bid(3)).give(3, bid(1)).give(4, bid(30))
    assert steady(played, 1) == STAND


def test_worth_is_highest_at_the_rear_and_sure_when_the_race_is_over() -> None:
    """CH-E6"""
    halves = [0, 4, 8, 12, 16, 20]
    found = worths(halves, 6)
    assert found == sorted(found, reverse=True)
    assert [round(points) for points in worths(halves, 0)] == [3, 2, 1, 0, 0, 0]
    assert worth([0, 0, 20, 20, 20, 20], 0, 0) == pytest.approx(2.5)
    assert best_worth(halves, [0, 5], 0) == pytest.approx(3, abs=0.01)
    assert best_worth(halves, [1, 0], 6) > best_worth(halves, [0], 6)


FIELDS = [
    (("steady", *("random",) * others), turn_order)
    for others in (1, 2, 3, 4)
    for turn_order in ("basic", "derby")[: min(others, 2)]
]


@pytest.mark.parametrize(("bots", "turn_order"), FIELDS)
def test_steady_beats_random_clearly(bots: Sequence[str], turn_order: str) -> None:
    """Seats rotated; the margins are of 95 % confidence."""
    played = Played("change-horses", seats=len(bots))
    options = played.game.read_options({"turn_order": turn_order}, len(bots))
    field = Field(game="change-horses", options=options, bots=tuple(bots), seed=3)
    meetings = [play(field, number, played.game) for number in range(rounds(60, bots))]
    best, other = figures(field, meetings)
    assert best.bot == "steady"
    assert best.points.margin is not None
    assert other.points.margin is not None
    assert best.points.mean - best.points.margin > other.points.mean + other.points.margin + 0.5
    assert best.wins.mean > 2 / len(bots) * 0.9
