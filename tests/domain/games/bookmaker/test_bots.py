"""The built-in bots: chances from cards, odds with a margin, bets and jokers that pay."""

from collections import Counter
from itertools import permutations
from math import isclose
from random import Random

import pytest

from domain.games.bookmaker import commands as c
from domain.games.bookmaker.board import CARD_HORSE, CARDS, HORSES
from domain.games.bookmaker.bot import BOTS
from domain.games.bookmaker.bot.book import Tenths, best_odds, profit
from domain.games.bookmaker.chances import chances_for, unseen_cards, win_chances
from domain.games.bookmaker.worth import best_stake, expected, gains, tolerance, weighed
from domain.kernel.message import Command
from domain.registry import GAMES
from service.figures import figures
from service.simulation import Field, play, rounds
from tests.kit.meetings import Played
from tests.kit.ring import answer, at_bets, at_odds, bet, by_horse, declare, meeting, raced, steps

STEADY = BOTS["steady"]
START = dict.fromkeys(HORSES, 0)


def steady(played: Played, seat: int) -> Command:
    """What steady does for a seat that owes something."""
    return STEADY.decide(played.view(seat), seat, Random(1))


def willing(played: Played, seat: int) -> Command | None:
    """What steady does for a seat that owes nothing."""
    assert STEADY.volunteer is not None
    return STEADY.volunteer(played.view(seat), seat, Random(1))


# ------------------------------------------------------------- chances


def counted(spaces: dict[str, int], unseen: list[str]) -> dict[str, float]:
    """Chances by trying every order of the cards."""
    wins: Counter[str] = Counter()
    orders = 0
    for order in permutations(unseen):
        at = dict(spaces)
        orders += 1
        for card in order:
            at[CARD_HORSE[card]] += 1
            if at[CARD_HORSE[card]] == 10:
                wins[CARD_HORSE[card]] += 1
                break
    return {horse: wins[horse] / orders for horse in HORSES}


@pytest.mark.parametrize(
    ("spaces", "unseen"),
    [
        ((9, 9, 0, 0), ["red-1", "blue-1", "blue-2"]),
        ((8, 9, 7, 9), ["red-1", "red-2", "blue-1", "green-1", "green-2", "green-3", "yellow-1"]),
        ((9, 8, 8, 0), ["red-1", "blue-1", "blue-2", "blue-3", "green-1", "green-2"]),
    ],
)
def test_chances_are_those_of_all_orders_of_the_cards(
    spaces: tuple[int, ...], unseen: list[str]
) -> None:
    at = by_horse(*spaces)
    reckoned = win_chances(at, (), unseen, ())
    truth = counted(at, unseen)
    assert all(isclose(reckoned[h], truth[h], abs_tol=0.01) for h in HORSES)


def test_at_the_start_all_horses_have_the_same_chance() -> None:
    chances = win_chances(START, (), CARDS, ())
    assert all(isclose(chance, 0.25, abs_tol=1e-9) for chance in chances.values())


def test_a_token_ahead_costs_its_horse_what_its_cards_say() -> None:
    """BM-T1: half of red's two cards carry the number that breaks its gait on the last step."""
    unseen = ["red-10", "red-3", "blue-1"]
    at = by_horse(9, 8, 0, 0)
    chances = win_chances(at, (), unseen, [("red", 10)])
    assert isclose(chances["red"], 0.5, abs_tol=1e-9)
    alone = win_chances(at, ("blue", "green", "yellow"), unseen, [("red", 10)])
    assert isclose(sum(alone.values()), 0.5, abs_tol=1e-9)  # BM-T2: else nobody is left


def test_a_horse_that_is_out_has_no_chance() -> None:
    chances = win_chances(START, ("red", "blue"), CARDS, ())
    assert chances["red"] == chances["blue"] == 0
    assert isclose(sum(chances.values()), 1.0)


def test_a_seat_reckons_with_all_cards_that_it_knows_and_no_others() -> None:
    """Face up, its own hand, what it gave and got, and what was turned."""
    played = raced(4, run=["blue-1", *steps("red", 10)], hands={1: ["green-1", "green-2"]})
    t = played.view(1).table
    known = [*t.open_cards, *t.hands[0], *t.exchanged[1][0], *t.turned]
    assert Counter(unseen_cards(t, 1)) == Counter(CARDS) - Counter(known)
    bettor = played.view(3).table
    known = [*bettor.open_cards, *bettor.hands[2], *bettor.turned]
    assert Counter(unseen_cards(bettor, 3)) == Counter(CARDS) - Counter(known)


def test_in_a_further_pass_the_cards_ahead_are_those_turned_before() -> None:
    """BM-R2"""
    tokens = ["red-8", "blue-8", "green-8", "yellow-8"]
    played = meeting(2, kind="trot", tokens=tokens)
    t = played.view(2).table
    t.cards_pass, t.pass_items, t.turned = 2, ["red-1", "red-2", "blue-1"], ["red-2"]
    assert unseen_cards(t, 2) == ["red-1", "blue-1"]


# ------------------------------------------------------------- worth


def test_without_bets_weighed_chances_are_the_chances() -> None:
    chances = by_horse(0.4, 0.3, 0.2, 0.1)
    assert weighed(chances, START, 1000) == pytest.approx(chances)


def test_the_best_stake_is_worth_more_than_any_other() -> None:
    chances = by_horse(0.5, 0.25, 0.15, 0.1)
    best = best_stake(0.5, 2.0, 1000)

    def worth(stake: float) -> float:
        return expected(chances, by_horse(2 * stake, -stake, -stake, -stake), 1000)

    assert best > 0
    assert worth(best) == max(worth(best + more) for more in (-100, -10, -1, 0, 1, 10, 100))


def test_nobody_gives_money_for_odds_that_are_too_low() -> None:
    assert best_stake(0.3, 2.0, 1000) < 0
    assert best_stake(1 / 3, 2.0, 1000) == pytest.approx(0)


def test_who_is_behind_dares_what_the_leader_can_bear() -> None:
    t = at_bets(5).view(3).table
    before = tolerance(t, 3)
    t.cash[0] = 9000
    assert tolerance(t, 3) > 2 * before


# ------------------------------------------------------------- the bookmaker


@pytest.mark.parametrize("step", [10, 5, 1])
@pytest.mark.parametrize("known", range(6))
def test_odds_are_legal_and_keep_a_margin_on_every_horse(step: int, known: int) -> None:
    """BM-O1: no horse gives back much more than a dollar, all together clearly less."""
    t = at_odds(4).view(1).table
    t.step = step
    gone = Random(known).sample(CARDS, 8)
    unseen = list(CARDS)
    for card in gone:
        unseen.remove(card)
    chances = win_chances(START, (), unseen, ())
    least: Tenths = dict.fromkeys(HORSES, 10)
    odds = best_odds(t, chances, least)
    assert sum(odds.values()) == 100
    assert all(value >= 10 and value % step == 0 for value in odds.values())
    back = {horse: chances[horse] * (odds[horse] / 10 + 1) for horse in HORSES}
    assert max(back.values()) < 1.1
    assert profit(chances, odds) > 0.05


def test_a_bookmaker_takes_offers_at_a_margin_whole() -> None:
    """BM-B2"""
    played = at_bets(4, books=[(1, 3, 3, 3), (3, 3, 2, 2)]).give(3, bet(1, "red", 100))
    assert steady(played, 1) == answer(1, 100)


def test_a_bookmaker_takes_no_more_than_it_must_of_an_offer_that_costs_it_money() -> None:
    """BM-B2: 9 for 1 on a horse that wins every fourth race."""
    played = at_bets(4, books=[(9, 1, 1, 1), (3, 3, 2, 2)]).give(3, bet(1, "red", 400))
    assert steady(played, 1) == answer(1, 10)


def test_odds_that_a_bet_shows_to_be_too_high_are_lowered() -> None:
    """BM-B5: only once a bet on that horse is accepted, and the sum stays legal."""
    played = at_bets(4, books=[(9, 1, 1, 1), (3, 3, 2, 2)])
    assert willing(played, 1) is None
    played.give(3, bet(1, "red", 10))
    change = willing(played, 1)
    assert isinstance(change, c.ChangeOdds)
    assert change.odds.red < 9
    played.give(1, change)
    assert willing(played, 1) is None


def test_a_book_that_leans_is_set_straight() -> None:
    """BM-B5: fair odds, but so much on one horse that the book is better off with less of it."""
    played = at_bets(4, books=[(3, 3, 2, 2), (3, 3, 2, 2)], limit=1000)
    played.give(3, bet(1, "red", 900)).give(4, bet(1, "red", 900))
    change = willing(played, 1)
    assert isinstance(change, c.ChangeOdds)
    assert change.odds.red < 3


def test_the_other_bookmaker_learns_least_from_two_cards_of_different_horses() -> None:
    """BM-D2: and no joker is given away."""
    hand = ["joker", "red-1", "red-2", "blue-5"]
    played = meeting(4, kind="joker", hands={1: hand})
    assert steady(played, 1) == c.ExchangeCards(cards=["red-1", "blue-5"])


# ------------------------------------------------------------- the bettor


def test_a_bettor_without_a_good_bet_makes_its_compulsory_one_and_is_done() -> None:
    """BM-B1, BM-B6"""
    played = at_bets(4, books=[(1, 1, 1, 7), (1, 1, 1, 7)], open_cards=["yellow-1"] * 2)
    t = played.view(3).table
    chances = chances_for(t, 3)
    wanted = steady(played, 3)
    assert isinstance(wanted, c.PlaceBet)
    edge = chances[wanted.horse] * (8 if wanted.horse == "yellow" else 2) - 1
    assert (wanted.stake == 10) or edge > 0
    poor = at_bets(
        4,
        books=[(1, 1, 4, 4), (1, 1, 4, 4)],
        hands={3: ["green-1", "green-2"]},
        open_cards=["green-3", "green-4", "yellow-1", "yellow-2"],
    )
    poor_bet = steady(poor, 3)
    assert isinstance(poor_bet, c.PlaceBet)
    assert poor_bet.stake == 10
    poor.give(3, poor_bet)
    assert steady(poor, 3) == c.Done()


def test_a_bettor_stakes_more_the_better_the_odds() -> None:
    """BM-B1"""
    stakes = []
    for odds in (4, 6, 9):
        wanted = steady(at_bets(4, books=[(odds, 2, 2, 2), (3, 3, 2, 2)]), 3)
        assert isinstance(wanted, c.PlaceBet)
        assert (wanted.bookmaker, wanted.horse) == (1, "red")
        stakes.append(wanted.stake)
    assert 10 < stakes[0] < stakes[1]
    assert stakes[2] > 100


def test_a_bettor_that_is_cut_to_ten_goes_on_by_tens() -> None:
    """BM-B2: a bet of 10 can't be refused."""
    played = at_bets(4, books=[(9, 1, 1, 1), (3, 3, 2, 2)])
    for number in range(1, 5):
        wanted = steady(played, 3)
        assert isinstance(wanted, c.PlaceBet)
        assert wanted.stake > 10
        played.give(3, wanted).give(1, answer(number, 10))
    assert steady(played, 3) == bet(1, "red", 10)


def test_a_bettor_without_cash_still_makes_its_compulsory_bet() -> None:
    """BM-B1"""
    played = at_bets(4, cash=10)
    played.full.table.cash[2] = played.view(3).table.cash[2] = 0
    wanted = steady(played, 3)
    assert isinstance(wanted, c.PlaceBet)
    assert wanted.stake == 10
    played.give(3, wanted)


# ------------------------------------------------------------- jokers


def at_joker(backed: str) -> Played:
    """Red stands on 9, seat 3 holds a joker and has bet on `backed`."""
    return raced(
        4,
        {3: bet(1, backed, 10)},
        kind="joker",
        hands={3: ["joker"]},
        run=steps("red", 9) + steps("blue", 10),
    )


def to_space(played: Played, space: int) -> Played:
    """Keep the joker until red stands there."""
    while played.full.table.spaces["red"] < space:
        played.give(3, c.KeepJoker())
    return played


def test_a_joker_wins_the_race_for_the_horse_that_its_holder_backed() -> None:
    """BM-J2"""
    played = to_space(at_joker("red"), 9)
    assert steady(played, 3) == c.PlayJoker()


def test_a_joker_is_kept_while_it_decides_nothing() -> None:
    """BM-J2"""
    assert steady(at_joker("red"), 3) == c.KeepJoker()


def test_a_joker_never_wins_the_race_for_a_horse_that_costs_its_holder_money() -> None:
    """BM-J2"""
    assert steady(to_space(at_joker("blue"), 9), 3) == c.KeepJoker()


def test_a_joker_carries_the_backed_horse_over_a_token() -> None:
    """BM-T1, BM-J2: jokers have no number and break nothing."""
    tokens = ["red-2", "green-9", "green-10", "yellow-9"]
    played = raced(
        4,
        {3: bet(1, "red", 10)},
        kind="joker_trot",
        hands={3: ["joker"]},
        tokens=tokens,
        run=[*steps("red", 1), "red-2", *steps("blue", 8)],
    )
    assert played.full.table.spaces["red"] == 1
    assert steady(played, 3) == c.PlayJoker()


# ------------------------------------------------------------- in running


def running() -> Played:
    """In running, before the first card; seat 1 is the first bookmaker."""
    return declare(at_bets(4, in_running=True, run=[*steps("red", 5), *steps("blue", 10)]))


def test_in_running_odds_keep_a_margin_on_every_horse() -> None:
    """BM-I1: no rule for the sum keeps a bookmaker from giving money away."""
    played = running()
    shown = steady(played, 1)
    assert isinstance(shown, c.ShowOdds)
    chances = chances_for(played.view(1).table, 1)
    for horse in HORSES:
        odds = getattr(shown.odds, horse)
        assert chances[horse] * (odds + 1) < 1
    played.give(1, shown)
    assert steady(played, 1) == c.TurnCard()


def test_in_running_an_offer_that_costs_money_is_refused_and_one_that_pays_taken() -> None:
    """BM-I1"""
    for odds, taken in ((9, 0), (1, 50)):
        played = running().give(1, c.ShowOdds(odds=c.SomeOdds(red=odds)))
        number = len(played.full.table.bets) + 1
        played.give(3, bet(1, "red", 50))
        assert steady(played, 1) == answer(number, taken)


def test_in_running_a_seat_bets_where_odds_are_too_high_and_only_there() -> None:
    """BM-I1"""
    played = running()
    assert willing(played, 3) is None
    played.give(1, c.ShowOdds(odds=c.SomeOdds(red=1, blue=9)))
    wanted = willing(played, 3)
    assert isinstance(wanted, c.PlaceBet)
    assert wanted.horse == "blue"
    assert wanted.stake > 10


def test_the_second_bookmaker_shows_odds_too_and_answers() -> None:
    """BM-I1"""
    played = running()
    shown = willing(played, 2)
    assert isinstance(shown, c.ShowOdds)
    played.give(2, c.ShowOdds(odds=c.SomeOdds(red=9)))
    number = len(played.full.table.bets) + 1
    played.give(3, bet(2, "red", 50))
    assert willing(played, 2) == answer(number, 0)


# ------------------------------------------------------------- whole meetings


MIXES = [
    {},
    {"programme": ["joker"]},
    {"programme": ["trot"]},
    {"programme": ["joker_trot"]},
    {"in_running": True},
    {"odds_step": 0.5, "brocco": True},
    {"odds_step": 0.1, "cash": 10, "programme": ["trot"]},
    {"in_running": True, "programme": ["joker_trot"], "odds_step": 0.1, "cash": 100_000},
]


@pytest.mark.parametrize("options", MIXES)
@pytest.mark.parametrize("seats", [2, 3, 4, 7])
def test_every_bot_plays_every_kind_of_meeting_to_its_end(
    options: dict[str, object], seats: int
) -> None:
    """Each decision is accepted, those that nobody owes too."""
    game = GAMES["bookmaker"]
    length = seats // 2 if seats == 4 else seats
    full = {**options}
    if "programme" in full:
        full["programme"] = list(options["programme"]) * length  # type: ignore[call-overload]
    names = tuple(("steady", "random")[i % 2] for i in range(seats))
    field = Field(game="bookmaker", options=game.read_options(full, seats), bots=names, seed=seats)
    played = play(field, 0, game)
    assert sorted(played.ranks)[0] == 1


@pytest.mark.parametrize(
    ("bots", "options"),
    [
        (("steady", "random"), {}),
        (("steady", "random", "random", "random"), {"programme": ["joker_trot", "plain"]}),
        (("steady", "random", "steady", "random", "random"), {"odds_step": 0.1}),
    ],
)
def test_steady_beats_random_when_all_sit_everywhere_equally_often(
    bots: tuple[str, ...], options: dict[str, object]
) -> None:
    """The intervals of a seat-rotated run don't touch; the seed is fixed."""
    game = GAMES["bookmaker"]
    field = Field(
        game="bookmaker", options=game.read_options(options, len(bots)), bots=bots, seed=7
    )
    played = [play(field, i, game) for i in range(rounds(30, bots))]
    steady_figures, random_figures = figures(field, played)
    assert steady_figures.bot == "steady"
    for better, worse, sign in (
        (random_figures.rank, steady_figures.rank, 1),
        (steady_figures.points, random_figures.points, 1),
    ):
        assert better.margin is not None
        assert worse.margin is not None
        assert sign * (better.mean - worse.mean) > better.margin + worse.margin


def test_a_bot_decides_alike_whatever_it_may_not_know() -> None:
    """Two meetings that differ in the cards of others alone."""
    decided = []
    for others in (["red-1", "red-2"], ["blue-1", "blue-2"]):
        played = at_bets(
            4, hands={4: others, 3: ["green-9"] * 2}, books=[(4, 3, 2, 2), (2, 3, 4, 2)]
        )
        decided.append([steady(played, 3), gains(played.view(3).table, 3)])
    assert decided[0] == decided[1]
