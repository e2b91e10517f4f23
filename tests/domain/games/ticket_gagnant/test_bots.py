"""The built-in bots: steady predicts what its cards can do, plays for it, and beats random."""

from collections import Counter
from itertools import permutations
from math import isclose
from random import Random
from statistics import fmean
from typing import Any

import pytest

from domain.games.ticket_gagnant import commands as c
from domain.games.ticket_gagnant.board import place
from domain.games.ticket_gagnant.bot import BOTS, steady_prediction, strengths
from domain.games.ticket_gagnant.bot.finish import Finish, named_of
from domain.games.ticket_gagnant.bot.outlook import Outlook
from domain.games.ticket_gagnant.events import Prediction
from domain.games.ticket_gagnant.settle import net
from domain.games.ticket_gagnant.state import ground
from domain.kernel.message import Command, body_of
from domain.registry import GAMES
from service.figures import figures
from service.simulation import Field, play, rounds
from tests.domain.games.ticket_gagnant.turf import (
    GAME,
    HORSES,
    choose,
    listed,
    moving,
    opened,
    predict,
    river_of,
    row,
    single,
    standing,
)
from tests.kit.meetings import Played, as_default, seated
from tests.kit.spec import fork

STEADY, RANDOM = BOTS["steady"], BOTS["random"]


def steady(played: Played, seat: int) -> Command:
    """What steady does in the full meeting."""
    return STEADY.decide(played.full, seat, Random(1))


def prediction(*horses: str | None) -> Prediction:
    """A prediction as the state holds it."""
    first, second, third = (*horses, None, None)[:3]
    return Prediction(first=first, second=second, third=third)


# ---------------------------------------------------------------- choosing and predicting


def test_steady_runs_flat_races_of_5_cards() -> None:
    """Commands: as on expiry."""
    assert steady(opened(2), 1) == choose("flat", 5, False)


@pytest.mark.parametrize(
    ("hand", "horses"),
    [
        (["red-3", "red-2", "blue-3", "green-1", "wild"], ("red", "blue", "green")),
        (["black-1", "purple-3"], ("purple", "black", "orange")),
        (["blue+red", "red+yellow", "blue-1"], ("blue", "red", "yellow")),
        (["wild", "wild", "wild"], ("orange", "purple", "green")),
    ],
)
def test_steady_predicts_the_horses_that_its_hand_brings_furthest(
    hand: list[str], horses: tuple[str, ...]
) -> None:
    """TG-B1: by singles and pairs; a wild card brings all as far."""
    assert steady_prediction(hand) == predict(*horses)


def test_pairs_count_for_both_of_their_horses() -> None:
    """TG-M5"""
    far = dict(zip(HORSES, strengths(["blue+red", "red-1"]), strict=True))
    assert far["red"] > 1.0 > far["blue"] > 0.0
    assert far["green"] == 0.0


# ---------------------------------------------------------------- worth at the end


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("rail", [False, True])
def test_worth_at_the_end_is_the_mean_over_all_photo_finishes(seed: int, rail: bool) -> None:
    """TG-R2, TG-R3, TG-P1 to TG-P5: against every order of the seven horses."""
    source = Random(seed)
    spaces = [source.randint(6, 9) for _ in HORSES]
    places = [space * 16 + lane for lane, space in enumerate(spaces, 1)]
    hoofprints = frozenset([places[0], places[3]] if seed % 3 == 0 else [])
    two = prediction(*source.sample(HORSES, 2))
    worth = Finish(named=named_of(two), hoofprints=hoofprints, rail=rail, last_place=-2)
    racing = [h for h in range(7) if places[h] not in hoofprints]
    out = [HORSES[h] for h in range(7) if h not in racing]
    orders = [tuple(range(7))] if rail else list(permutations(range(7)))
    earned = []
    for order in orders:
        ranked = sorted(racing, key=lambda h: (-spaces[h], order.index(h)))
        earned.append(net(two.named, [HORSES[h] for h in ranked], out, -2))
    assert isclose(worth.worth(places), fmean(earned))


def test_a_sure_trifecta_and_a_sure_box_are_worth_what_they_pay() -> None:
    """TG-P6"""
    places = [space * 16 + lane for lane, space in enumerate((2, 3, 4, 10, 11, 5, 12), 1)]
    for horses, pays in ((("black", "red", "blue"), 21), (("red", "blue", "black"), 11)):
        named = named_of(prediction(*horses))
        finish = Finish(named=named, hoofprints=frozenset(), rail=True, last_place=-2)
        assert finish.worth(places) == pays


def test_the_last_card_is_played_for_the_most_points() -> None:
    """Steady, with orange-1 as the last card of all: of its four ways the best by the rules."""
    for seed in range(10):
        source = Random(seed)
        hands = {2: ["orange-1"]}
        trio = source.sample(HORSES, 3)
        played = moving(2, deal=3, hands=hands, predictions={2: trio}, photo_finish="rail")
        table = played.full.table
        table.hands, table.hand_counts, table.turn = [[], ["orange-1"]], [0, 1], 2
        stand = {h: (lane, source.randint(3, 5)) for lane, h in enumerate(HORSES, 1)}
        standing(played, stand)
        nets = {}
        for command in listed(played, 2):
            after = fork(played).give(2, command)
            nets[str(body_of(command))] = after.full.table.results[-1].nets[1]
        assert nets[str(body_of(steady(played, 2)))] == max(nets.values())


# ---------------------------------------------------------------- worth before the end


def outlook(played: Played, seat: int) -> Outlook:
    """How a seat sees its prediction."""
    return Outlook(played.full.table, ground(played.full.table), seat)


RED = HORSES.index("red")


def test_further_forward_is_worth_more_and_less_surely_with_more_cards_to_come() -> None:
    """Outlook"""
    near = moving(2, deal=3, predictions={1: ("red",)}, stand=row(6))
    far = moving(6, deal=7, predictions={1: ("red",)}, stand=row(6))
    gains = []
    for played in (near, far):
        played.full.table.hands[0] = ["black-1"]
        view = outlook(played, 1)
        gains.append(view.put(RED, place(5, 8)) - view.put(RED, place(5, 5)))
    assert gains[0] > gains[1] > 0


def test_a_hoofprint_is_shunned_the_more_the_fewer_cards_are_left() -> None:
    """TG-R1: red on 5-5, or beside it."""
    costs = []
    for deal in (3, 7):
        played = moving(2, deal=deal, kind="harness", predictions={1: ("red",)}, stand=row(4))
        played.full.table.hands[0] = ["black-1"]
        view = outlook(played, 1)
        costs.append(view.put(RED, place(4, 5)) - view.put(RED, place(5, 5)))
    assert costs[0] > costs[1] > 0


def test_what_the_hand_still_holds_is_reckoned_with() -> None:
    """Outlook: only for horses that are predicted."""
    worth = []
    for hand in (["black-3"], ["black-3", "red-3"], ["black-3", "yellow-3"]):
        played = moving(2, deal=3, predictions={1: ("red", "blue")}, stand=row(4))
        played.full.table.hands[0] = hand
        worth.append(outlook(played, 1).put(RED, place(5, 4)))
    assert worth[1] > worth[0] == worth[2]


def test_steady_moves_its_own_horse_forward_and_no_others() -> None:
    """Outlook: with a card of its horse and one of another."""
    hands = {1: ["red-3", "black-3"]}
    played = moving(2, deal=3, hands=hands, predictions={1: ("red",)}, stand=row(3))
    played.full.table.hands[0] = ["red-3", "black-3"]
    command = steady(played, 1)
    assert command in (single("red-3", "forward"), single("black-3", "backward"))


# ---------------------------------------------------------------- random


def test_random_draws_as_uniformly_as_from_the_list() -> None:
    """Contract, Bots: the same source, the same action."""
    played = seated(Played(GAME, seats=3))
    for number in range(40):
        seat = played.game.waiting(played.full)[0]
        view = played.view(seat)
        actions = played.game.actions(view, seat).actions
        assert RANDOM.decide(view, seat, Random(number)) == Random(number).choice(actions)
        played.give(seat, as_default(played, seat))
    seen = Counter(str(body_of(RANDOM.decide(view, seat, Random(n)))) for n in range(400))
    assert len(seen) > 1


# ---------------------------------------------------------------- both


RACES = [
    {"kind": "harness", "deal": 6},
    {"kind": "steeplechase", "deal": 4, "river": river_of((1, "behind")), "hidden": True},
    {"kind": "obstacle", "deal": 7},
    {"kind": "flat", "deal": 3},
]
FIELDS: list[dict[str, Any]] = [
    {},
    {"choice": RACES, "dashed_line": "no_return", "wild": "printed", "photo_finish": "rail"},
]


@pytest.mark.parametrize("options", FIELDS)
def test_steady_beats_random_at_rotated_seats(options: dict[str, Any]) -> None:
    """Means with 95 % intervals, that do not overlap by far."""
    game = GAMES[GAME]
    full = game.read_options(options, 4)
    field = Field(game=GAME, options=full, bots=("steady", "random", "steady", "random"), seed=4)
    meetings = [play(field, number, game) for number in range(rounds(40, field.bots))]
    told = {line.bot: line for line in figures(field, meetings)}
    steady_, random_ = told["steady"], told["random"]
    assert steady_.points.margin is not None
    assert random_.points.margin is not None
    lead = steady_.points.mean - random_.points.mean
    assert lead > steady_.points.margin + random_.points.margin
    assert steady_.wins.mean > 0.4 > 0.1 > random_.wins.mean


def test_bots_decide_from_their_own_seats_view_alone() -> None:
    """Design, Laws: hands and hidden predictions of others are unknown there."""
    played = moving(3, hidden=True)
    view = played.view(1)
    assert [hand is not None for hand in view.table.hands] == [True, False, False]
    assert [p is not None for p in view.table.predictions] == [True, False, False]
    for bot in BOTS.values():
        assert isinstance(bot.decide(view, 1, Random(1)), c.PlayCard)
