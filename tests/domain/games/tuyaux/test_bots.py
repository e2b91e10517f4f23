"""The built-in bots: what they know, what they make of it, and that it is worth something."""

from collections import Counter
from itertools import product
from random import Random
from typing import Any

import pytest

from domain.games.tuyaux.board import HORSES, PROGRAMMES, RACE_TIPS
from domain.games.tuyaux.bot import BOTS
from domain.games.tuyaux.chances import BIT, Ends, draw_future, outlook, run
from domain.games.tuyaux.chances.ends import first_three, shift
from domain.games.tuyaux.chances.outlook import RACE_CARD, TIP, WHIP
from domain.games.tuyaux.events import BetForm
from domain.games.tuyaux.settle import pay
from domain.games.tuyaux.track import move
from domain.kernel.message import Command
from domain.registry import GAMES
from service.figures import figures
from service.simulation import Field, play, rounds
from tests.domain.games.tuyaux.paddock import (
    both,
    dead_heat,
    lines,
    meeting,
    off,
    tip,
    tips_of,
    win,
)
from tests.domain.games.tuyaux.paddock import play as play_tips
from tests.kit.meetings import Played

GAME = GAMES["tuyaux"]
STEADY = BOTS["steady"]
VALUES = dict(PROGRAMMES["vertige-2"])


def steady(played: Played, seat: int) -> Command:
    """What steady does for a seat that owes something."""
    return STEADY.decide(played.view(seat), seat, Random(1))


def bits(field: list[list[str]]) -> list[int]:
    """A field as the simulation has it."""
    return [sum(BIT[horse] for horse in line) for line in field]


# ------------------------------------------------------------- what a seat knows


def test_a_seat_reckons_with_all_cards_that_it_knows_and_no_others() -> None:
    """Hidden: its own hand, the tips played, the race cards turned."""
    played = off(3, deck=["noiro-2"])
    for _ in range(4):
        (seat,) = played.game.waiting(played.full)
        play_tips(played, played.full.table.hands[seat - 1][0])
    for seat in (1, 2, 3):
        t = played.view(seat).table
        known = outlook(t, seat)
        seen = [*t.hands[seat - 1], *(one.card for one in t.tips_played)]
        unseen = Counter(TIP[card] for card in tips_of("vertige-0"))
        assert Counter(known.unseen) == unseen - Counter(TIP[card] for card in seen)
        assert known.hand == [TIP[card] for card in t.hands[seat - 1]]
        assert len(known.deck) == 3
        assert known.now == RACE_CARD[t.turned[-1]]
        assert known.field == bits(t.lines)
        assert known.before + known.after == 2
    assert outlook(played.view(2).table, 2).before == 0, "seat 1 deals"
    assert outlook(played.view(1).table, 1).after == 0


@pytest.mark.parametrize("seats", [2, 7])
def test_a_future_deals_what_is_unseen_and_nothing_twice(seats: int) -> None:
    """TU-S4: told by the moves that the tips make where every race card is a 0."""
    played = meeting(seats, card="grisou-2")
    known = outlook(played.view(1).table, 1)
    source = Random(3)
    for _ in range(50):
        future = draw_future(known, source)
        assert sorted((turn.bit, turn.value) for turn in future.turns) == sorted(known.deck)
        for turn in future.turns:
            assert len(turn.before) + len(turn.after) <= seats - 1
            assert len(turn.own) == len(turn.gains) == len(known.hand)
            for (bit, value), there in zip(known.hand, turn.own, strict=True):
                if value != WHIP and bit != turn.bit:
                    assert there == value - turn.value
                assert there >= 0 or (bit, turn.value) != (turn.bit, 2), "TU-M4"


def test_moves_on_bits_are_the_moves_of_the_rules() -> None:
    """TU-M7"""
    source = Random(2)
    at: list[list[str]] = [list(HORSES)]
    for _ in range(2_000):
        horse, places = source.choice(HORSES), source.choice((-3, -2, -1, 1, 2, 3))
        if source.random() < 0.1:
            at = [list(HORSES)]
        field = bits(at)
        at, _ = move(at, horse, places)
        shift(field, BIT[horse], places)
        assert field == bits(at)


def test_what_a_bet_is_worth_is_what_it_pays_on_average() -> None:
    """TU-E1"""
    source = Random(5)
    fields = []
    for _ in range(60):
        end: list[list[str]] = [list(HORSES)]
        for _ in range(source.randint(5, 20)):
            end, _ = move(end, source.choice(HORSES), source.choice((-2, -1, 1, 2)))
        fields.append(end)
    alone = [end for end in fields if len(end) == 6]
    assert len(alone) > 20
    for group, with_tierce in ((fields, False), (alone, True)):
        ends = Ends((bits(end) for end in group), VALUES)
        bets: list[dict[str, Any]] = [{"win": [a, b]} for a, b in product(HORSES, repeat=2)]
        bets += [{"win": [a], "place": b} for a, b in product(HORSES, repeat=2)]
        if with_tierce:
            bets += [{"tierce": source.sample(HORSES, 3)} for _ in range(100)]
        for parts in bets:
            bet = BetForm(**{"win": None, "place": None, "tierce": None, **parts})
            mean = sum(pay(end, VALUES, bet) for end in group) / len(group)
            assert ends.worth(bet) == pytest.approx(mean)


def test_the_first_three_of_a_field() -> None:
    """TU-E1: a shared line in table order."""
    a, b, c, d = (BIT[horse] for horse in HORSES[:4])
    assert first_three([c, a, b, d]) == (c, a, b)
    assert first_three([b | d, a | c]) == (b, d, a)
    assert first_three([a | b | c | d]) == (a, b, c)


# ------------------------------------------------------------- what it makes of it


def test_the_rule_of_thumb_plays_each_tip_where_it_does_most() -> None:
    """TU-M3: the own horse's tips on low race cards."""
    played = meeting(2, card="noiro-2", hands={1: ["noiro-2"] * 2 + ["cocotte-0"] * 2})
    known = outlook(played.view(1).table, 1)
    wishes = [1.0 if bit == BIT["noiro"] else -0.5 for bit, _ in known.hand]
    ends = Ends((run(known, draw_future(known, Random(i)), wishes) for i in range(300)), VALUES)
    idle = Ends(
        (run(known, draw_future(known, Random(i)), [-w for w in wishes]) for i in range(300)),
        VALUES,
    )
    noiro = BetForm(win=["noiro"], place=None, tierce=None)
    assert ends.worth(noiro) > idle.worth(noiro) + 0.1


def test_steady_bets_on_the_horse_that_its_tips_can_bring_home() -> None:
    """TU-B1: three strong tips for a longshot."""
    hand = ["perle-2", "perle-2", "perle-whip", "noiro-0", "noiro-0"]
    assert steady(meeting(2, hands={1: hand}), 1) == win("perle")


def test_steady_keeps_what_would_cost_places_for_when_it_costs_none() -> None:
    """TU-M4: noiro is turned last, so noiro-0 does no harm then, and noiro-2 helps now alone."""
    played = off(
        2,
        win("noiro"),
        card="noiro-2",
        deck=["cocotte-0", "caramel-1", "perle-1", "noiro-2"],
        hands={
            2: ["caramel-1", "cocotte-2", "cocotte-1"],
            1: ["perle-1", "perle-1", "noiro-0", "noiro-2"],
        },
    )
    play_tips(played, "caramel-1", "perle-1", "cocotte-2", "perle-1", "cocotte-1")
    assert lines(played) == "P|A|C|N"
    assert steady(played, 1) == tip("noiro-2")


def test_with_one_tip_left_there_is_nothing_to_think_about() -> None:
    """TU-T1"""
    assert steady(dead_heat(), 1) == tip("noiro-0")


@pytest.mark.parametrize(("open_bets", "card"), [(True, "noiro-0"), (False, "cocotte-1")])
def test_where_bets_are_open_another_seats_coins_count_too(open_bets: bool, card: str) -> None:
    """TU-B2: its own caramel is last, but noiro, on which seat 2 has bet, can be held back now."""
    played = off(
        2,
        win("caramel"),
        win("noiro"),
        card="noiro-2",
        deck=["noiro-2", "caramel-1", "perle-1", "cocotte-0"],
        hands={
            2: ["noiro-2", "noiro-1", "noiro-1"],
            1: ["caramel-2", "caramel-0", "noiro-0", "cocotte-1"],
        },
        open_bets=open_bets,
        target=30,
    )
    play_tips(played, "noiro-2", "caramel-2", "noiro-1", "caramel-0", "noiro-1")
    assert lines(played) == "N|P|C|A"
    assert steady(played, 1) == tip(card)


@pytest.mark.parametrize("option", ["win", "two_wins", "win_and_place", "tierce"])
@pytest.mark.parametrize("whip", ["last_turn", "first_whip"])
@pytest.mark.parametrize("open_bets", [False, True])
def test_every_bot_plays_every_kind_of_meeting_to_its_end(
    option: str, whip: str, open_bets: bool
) -> None:
    """Each decision is accepted, at few seats and at many."""
    options = {"bets": option, "whip": whip, "open_bets": open_bets, "target": 2}
    for seats in (2, 3, 7):
        names = tuple(("steady", "random")[i % 2] for i in range(seats))
        full = GAME.read_options(options, seats)
        field = Field(game="tuyaux", options=full, bots=names, seed=seats)
        assert min(play(field, 0, GAME).ranks) == 1


@pytest.mark.parametrize(
    ("bots", "options"),
    [
        (("steady", "random"), {}),
        (("steady", "random", "random", "random"), {}),
        (("steady", "random", "random"), {"bets": "tierce", "open_bets": True}),
    ],
)
def test_steady_beats_random_when_all_sit_everywhere_equally_often(
    bots: tuple[str, ...], options: dict[str, object]
) -> None:
    """The intervals of a seat-rotated run don't touch; the seed is fixed."""
    full = GAME.read_options(options, len(bots))
    field = Field(game="tuyaux", options=full, bots=bots, seed=7)
    played = [play(field, i, GAME) for i in range(rounds(30, bots))]
    steady_figures, random_figures = figures(field, played)
    assert steady_figures.bot == "steady"
    for better, worse, sign in (
        (random_figures.rank, steady_figures.rank, 1),
        (steady_figures.points, random_figures.points, 1),
    ):
        assert better.margin is not None
        assert worse.margin is not None
        assert sign * (better.mean - worse.mean) > better.margin + worse.margin


def test_random_takes_every_action_alike() -> None:
    """Contract, Bots"""
    view = meeting(2, bets="win_and_place").view(1)
    source = Random(1)
    taken = Counter(str(BOTS["random"].decide(view, 1, source)) for _ in range(2_500))
    assert len(taken) == 25
    assert min(taken.values()) > 50
    assert str(both("vertige", "perle")) in taken
    assert set(RACE_TIPS["vertige-0"]) == set(tips_of("vertige-0"))
