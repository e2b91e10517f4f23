"""What a seat may do now (contract, Actions), and defaults on expiry (sheet, Commands)."""

from random import Random
from typing import Any

import msgspec
import pytest
from jsonschema import Draft202012Validator
from jsonschema.protocols import Validator

from domain.games.bookmaker import commands as c
from domain.kernel.game import Listing
from domain.kernel.message import Command, body_of, type_of
from domain.racing.meeting import RUNNING
from tests.kit.meetings import Played, as_default, at_random, seated
from tests.kit.mutations import mutations
from tests.kit.ring import (
    answer,
    at_bets,
    at_odds,
    bet,
    change,
    declare,
    keep,
    limits,
    meeting,
    odds,
    raced,
    set_odds,
    some_odds,
    steps,
    winning,
)
from tests.kit.spec import fork, given
from tests.kit.walk import Walk

DONE, TURN, TEN = c.Done(), c.TurnCard(), c.Borrow(amount=10)


def listing(played: Played, seat: int) -> Listing:
    """What the seat is told."""
    return played.game.actions(played.view(seat), seat)


def default(played: Played, seat: int) -> Command | None:
    """What the server plays for the seat."""
    return played.game.default(played.view(seat), seat)


def kinds(played: Played, seat: int) -> set[str]:
    """The types listed."""
    return {type_of(command).split(".")[1] for command in listing(played, seat).actions}


def validator(played: Played, seat: int) -> Validator:
    """The schema of the seat's commands."""
    schema = listing(played, seat).schema
    assert schema is not None
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema)


def takes(checker: Validator, command: Command) -> bool:
    """Whether a schema takes a command."""
    return bool(checker.is_valid(body_of(command)))


# ------------------------------------------------------------- complete lists


def test_a_seat_that_can_only_borrow_still_finds_that() -> None:
    """Commands: decision null, complete true."""
    for played, seat in ((meeting(4), 3), (at_odds(4), 4), (raced(4), 1)):
        assert listing(played, seat) == Listing(actions=[TEN], complete=True, schema=None)
        assert played.view(seat).decision is None
        assert default(played, seat) is None


def test_borrow_comes_last_and_not_when_the_bank_lends_no_more() -> None:
    """Commands, BM-L1"""
    played = meeting(4)
    assert listing(played, 1).actions[-1] == TEN
    for _ in range(20):
        played.give(1, TEN)
    assert TEN not in listing(played, 1).actions
    assert listing(played, 1).complete
    rich = meeting(4).give(3, c.Borrow(amount=1_000_000))
    assert listing(rich, 3) == Listing(actions=[], complete=True, schema=None)


def test_every_pair_of_the_hand_is_listed_once_in_the_order_of_the_sheet() -> None:
    """BM-D2"""
    hands = {1: ["red-5", "blue-1", "red-5", "joker"]}
    played = meeting(4, kind="joker", hands=hands)
    listed = listing(played, 1)
    assert listed.complete
    assert [x.cards for x in listed.actions[:-1] if isinstance(x, c.ExchangeCards)] == [
        ["red-5", "red-5"],
        ["red-5", "blue-1"],
        ["red-5", "joker"],
        ["blue-1", "joker"],
    ]
    for action in listed.actions:
        given(played).when(1, action).accepted()
    swapped = c.ExchangeCards(cards=["blue-1", "red-5"])
    given(played).when(1, swapped).accepted()


def test_every_answer_of_a_joker_holder_is_listed() -> None:
    """BM-J2"""
    tokens = ["red-1", "yellow-10", "yellow-9", "yellow-8"]
    run = ["red-1", "blue-1", "green-1", "green-2"]
    played = raced(4, kind="joker_trot", run=run, tokens=tokens, hands={3: ["joker"]})
    played.give(3, keep()).give(3, keep())
    assert [horse["space"] for horse in spaces(played)] == [0, 1, 2, 0]
    listed = listing(played, 3)
    assert (listed.complete, listed.schema) == (True, None)
    untils = [
        (h, s) for h, at in (("blue", 1), ("green", 2), ("yellow", 0)) for s in range(at + 1, 11)
    ]
    assert listed.actions == [c.PlayJoker(), keep(), *(keep(h, s) for h, s in untils), TEN]


def spaces(played: Played) -> list[dict[str, Any]]:
    """The horses on the board."""
    found: list[dict[str, Any]] = msgspec.to_builtins(played.game.view(played.view(0)))["horses"]
    return found


def test_the_four_horses_are_listed_for_the_brocco() -> None:
    """BM-K1"""
    played = meeting(4, brocco=True).play(
        as_default, until=lambda p: p.full.table.phase == "brocco"
    )
    listed = listing(played, 2)
    assert (listed.complete, listed.schema) == (True, None)
    assert listed.actions == [
        *(c.NameBrocco(horse=horse) for horse in ("red", "blue", "green", "yellow")),
        TEN,
    ]


def test_turning_a_card_is_all_that_is_left_to_a_bookmaker_that_has_shown_three_times() -> None:
    """BM-I1"""
    played = raced(4, in_running=True, run=winning("red"))
    for _ in range(3):
        played.give(1, some_odds())
    assert listing(played, 1) == Listing(actions=[TURN, TEN], complete=True, schema=None)


def test_a_seat_that_can_only_declare_is_told_so_in_full() -> None:
    """BM-B6, BM-B7"""
    played = at_bets(4)
    for _ in range(20):
        played.give(3, bet(1, "red", 10))
    assert listing(played, 3) == Listing(actions=[DONE, TEN], complete=True, schema=None)
    poor = at_bets(4, cash=10).give(3, bet(1, "red", 10))
    assert listing(poor, 3) == Listing(actions=[DONE, TEN], complete=True, schema=None)


# ------------------------------------------------------------- samples


@pytest.mark.parametrize("step", [1, 0.5, 0.1])
def test_a_sample_of_odds_is_legal_and_varied(step: Any) -> None:
    """BM-O1"""
    played = at_odds(4, odds_step=step)
    listed = listing(played, 1)
    assert not listed.complete
    assert len(listed.actions) > 4
    for action in listed.actions:
        given(played).when(1, action).accepted()
        assert takes(validator(played, 1), action)


def test_a_sample_holds_every_type_of_command() -> None:
    """Contract, Actions"""
    played = at_bets(4).give(3, bet(1, "red", 10)).give(3, bet(1, "blue", 50))
    assert kinds(played, 1) == {"place_bet", "answer_bet", "change_odds", "done", "borrow"}
    assert kinds(played, 2) == {"place_bet", "change_odds", "done", "borrow"}
    assert kinds(played, 3) == {"place_bet", "done", "borrow"}
    assert kinds(played, 4) == {"place_bet", "borrow"}
    running = raced(4, in_running=True, run=steps("red", 3))
    running.give(1, some_odds(red=3)).give(3, bet(1, "red", 10))
    assert kinds(running, 1) == {"turn_card", "show_odds", "answer_bet", "borrow"}
    assert kinds(running, 2) == {"show_odds", "place_bet", "borrow"}
    assert kinds(running, 4) == {"place_bet", "borrow"}


def test_a_sample_of_changes_has_real_ones_where_they_are_legal() -> None:
    """BM-B5"""
    played = at_bets(4)
    same = played.view(1).table.books[1].odds

    def real(position: Played) -> list[c.ChangeOdds]:
        shown = odds(*(tenths // 10 for tenths in same.values()))
        return [
            x
            for x in listing(position, 1).actions
            if isinstance(x, c.ChangeOdds) and x.odds != shown
        ]

    assert real(played) == []
    backed = fork(played).give(3, bet(1, "red", 10))
    assert len(real(backed)) > 3
    for action in listing(backed, 1).actions:
        given(backed).when(1, action).accepted()


def test_the_compulsory_ten_is_listed_for_a_seat_without_money() -> None:
    """BM-B1"""
    played = at_bets(3, cash=10, run=winning("blue"))
    declare(played)
    played.give(0, c.SettleRace())
    played.give(2, set_odds(3, 3, 2, 2))
    assert played.full.table.cash[2] == 0
    listed = [x for x in listing(played, 3).actions if isinstance(x, c.PlaceBet)]
    assert [(x.horse, x.stake) for x in listed] == [
        ("red", 10),
        ("blue", 10),
        ("green", 10),
        ("yellow", 10),
    ]
    checker = validator(played, 3)
    assert takes(checker, bet(2, "red", 10))
    assert not takes(checker, bet(2, "red", 20))


def test_answers_of_0_are_listed_in_running_only() -> None:
    """BM-I1, BM-B2"""
    before = at_bets(4).give(3, bet(1, "red", 50))
    assert {x.stake for x in listing(before, 1).actions if isinstance(x, c.AnswerBet)} == {10, 50}
    running = raced(4, in_running=True).give(1, some_odds(red=3)).give(3, bet(1, "red", 50))
    assert {x.stake for x in listing(running, 1).actions if isinstance(x, c.AnswerBet)} == {
        0,
        10,
        50,
    }


def test_the_schema_of_bets_takes_the_legal_and_excludes_what_it_can() -> None:
    """Contract, Actions"""
    played = at_bets(4, cash=105)
    checker = validator(played, 3)
    for good in (bet(1, "red", 100), bet(2, "yellow", 10, 2), c.Borrow(amount=1_000_000)):
        given(played).when(3, good).accepted()
        assert takes(checker, good)
    for bad in (
        bet(3, "red", 10),
        bet(1, "red", 110),
        bet(1, "red", 15),
        bet(1, "red", 0),
        DONE,
        answer(1, 10),
        change(3, 3, 2, 2, limit=1),
        c.Borrow(amount=5),
        c.Borrow(amount=1_000_010),
    ):
        assert not takes(checker, bad)
    assert not checker.is_valid({**body_of(bet(1, "red", 10)), "jockey": 3})


def test_the_schema_of_odds_takes_the_legal_and_excludes_what_it_can() -> None:
    """Contract, Actions"""
    played = at_odds(4, odds_step=0.5)
    checker = validator(played, 1)
    for good in (
        set_odds(2.5, 2.5, 2.5, 2.5),
        set_odds(100, 1, 1, 1, limit=0),
        set_odds(3, 3, 2, 2, limit=None),
        set_odds(3, 3, 2, 2, limit=limits(None, 5, 0, 2**53 - 1)),
    ):
        given(played).when(1, good).accepted()
        assert takes(checker, good)
    for bad in (
        set_odds(0.5, 5, 5, 5),
        set_odds(2.1, 3, 3, 3),
        set_odds(100.5, 3, 3, 3),
        set_odds(3, 3, 2, 2, limit=-1),
    ):
        assert not takes(checker, bad)


def test_the_schema_of_changes_takes_closed_horses() -> None:
    """Contract, Actions"""
    played = at_bets(4, odds_step=0.1).give(3, bet(1, "red", 10))
    checker = validator(played, 1)
    for good in (change(0, 6.1, 2, 2), change(2.9, 3.1, 2, 2), change(3, 3, 2, 2, limit=None)):
        given(played).when(1, good).accepted()
        assert takes(checker, good)
    for bad in (change(0.5, 6, 3, 3), change(100.1, 3, 2, 2), change(-1, 6, 3, 3)):
        assert not takes(checker, bad)


def test_the_schema_in_running_knows_horses_out_and_refusals() -> None:
    """Contract, Actions"""
    tokens = ["red-1", "yellow-10", "yellow-9", "yellow-8"]
    played = raced(4, kind="trot", in_running=True, run=["red-1", "blue-1"], tokens=tokens)
    played.give(1, TURN).give(1, some_odds(blue=3)).give(3, bet(1, "blue", 50))
    checker = validator(played, 1)
    for good in (answer(3, 0), answer(3, 50), some_odds(), some_odds(blue=100), TURN):
        given(played).when(1, good).accepted()
        assert takes(checker, good)
    for bad in (answer(3, 60), answer(1, 10), some_odds(red=3), some_odds(blue=0), DONE):
        assert not takes(checker, bad)


# ------------------------------------------------------------- defaults


@pytest.mark.parametrize(
    ("hand", "given_away"),
    [
        (["red-9", "blue-1", "green-2", "red-1"], ["red-1", "blue-1"]),
        (["yellow-3", "green-3", "blue-3", "red-4"], ["blue-3", "green-3"]),
        (["joker", "red-10", "joker", "blue-10"], ["red-10", "blue-10"]),
        (["joker", "red-10", "yellow-2", "joker"], ["red-10", "yellow-2"]),
        (["green-2", "red-10", "red-10", "green-2"], ["green-2", "green-2"]),
    ],
)
def test_the_default_exchange_gives_the_two_lowest_cards(
    hand: list[str], given_away: list[str]
) -> None:
    """Defaults"""
    played = meeting(4, kind="joker", hands={1: hand})
    assert default(played, 1) == c.ExchangeCards(cards=given_away)


def test_the_default_odds_are_3_3_2_2_without_limit() -> None:
    """Defaults"""
    for step in (1, 0.5, 0.1):
        assert default(at_odds(4, odds_step=step), 2) == set_odds(3, 3, 2, 2)


@pytest.mark.parametrize(
    ("books", "expected"),
    [
        (((3, 3, 2, 2), (9, 9, 9, 9)), bet(1, "red", 10)),
        (((2, 3, 3, 2), (9, 9, 9, 9)), bet(1, "blue", 10)),
        (((2, 2, 3, 4), (9, 9, 9, 9)), bet(1, "yellow", 10)),
    ],
)
def test_a_bettor_without_a_bet_backs_the_first_horse_with_the_highest_odds(
    books: Any, expected: Command
) -> None:
    """Defaults"""
    played = at_bets(4, books=books)
    assert default(played, 3) == default(played, 4) == expected
    given(played).when(3, expected).accepted()


def test_the_default_bet_is_in_the_first_bookmakers_book() -> None:
    """Defaults"""
    played = at_bets(4, first=4)
    assert default(played, 2) == bet(4, "red", 10)


def test_the_default_of_a_seat_without_money_is_the_bet_that_the_bank_lends() -> None:
    """Defaults, BM-B1"""
    played = at_bets(3, cash=10, run=winning("blue"))
    declare(played)
    played.give(0, c.SettleRace()).give(2, set_odds(3, 3, 2, 2))
    assert default(played, 3) == bet(2, "red", 10)
    given(played).when(3, bet(2, "red", 10)).accepted()


def test_a_waiting_offer_is_answered_with_10_the_oldest_that_its_turn_allows() -> None:
    """Defaults, BM-B4"""
    played = at_bets(4).give(4, bet(1, "red", 50)).give(4, bet(1, "blue", 50))
    played.give(3, bet(1, "red", 50))
    assert default(played, 1) == answer(2, 10)
    played.give(1, answer(2, 10))
    assert default(played, 1) == answer(3, 10)
    played.give(1, answer(3, 10))
    assert default(played, 1) == answer(1, 10)
    played.give(1, answer(1, 10))
    assert default(played, 1) == DONE


def test_otherwise_the_default_is_done() -> None:
    """Defaults"""
    played = at_bets(4)
    assert default(played, 1) == default(played, 2) == DONE
    played.give(3, bet(1, "red", 50))
    assert default(played, 3) == DONE
    assert default(at_bets(3), 1) is None
    assert default(played.give(2, DONE), 2) is None


def test_a_joker_is_kept_a_card_turned_and_red_named() -> None:
    """Defaults"""
    held = raced(4, kind="joker", run=["red-1"], hands={3: ["joker"]})
    assert default(held, 3) == keep()
    assert default(held, 4) is None
    running = raced(4, in_running=True)
    assert default(running, 1) == TURN
    assert default(running, 2) is None
    brocco = meeting(4, brocco=True).play(
        as_default, until=lambda p: p.full.table.phase == "brocco"
    )
    assert default(brocco, 4) == c.NameBrocco(horse="red")


def test_a_meeting_that_is_over_has_no_actions_and_no_default() -> None:
    """Contract, Actions"""
    played = at_bets(4).abandon()
    assert listing(played, 3) == Listing(actions=[], complete=True, schema=None)
    assert default(played, 3) is None


# ------------------------------------------------------------- schemas that say all they can

EXACT = (c.PlaceBet, c.AnswerBet, c.Done, c.TurnCard)
"""Commands whose legality a schema can tell to the last."""


@pytest.mark.parametrize("in_running", [False, True])
@pytest.mark.parametrize("seats", [2, 4])
def test_the_schema_takes_a_bet_or_an_answer_just_where_the_game_does(
    seats: int, in_running: bool
) -> None:
    """Contract, Actions: it excludes what JSON Schema can."""
    source = Random(f"{seats} {in_running}")
    options = {"in_running": in_running, "cash": 100}
    taken = refused = 0
    for _ in range(3):
        walk = Walk(seated(Played(seats=seats, options=options)), source, looks=0)
        walk.checks = False
        for _ in range(60):
            walk.played.play(at_random(source), until=once(), eager=source)
            if walk.played.full.status != RUNNING:
                break
            for seat in range(1, seats + 1):
                listed = listing(walk.played, seat)
                if listed.schema is None:
                    continue
                checker = Draft202012Validator(listed.schema)
                for action in source.sample(listed.actions, min(4, len(listed.actions))):
                    for command in mutations(source, action, 2):
                        if isinstance(command, EXACT):
                            legal = walk.accepts(seat, command) is not None
                            assert takes(checker, command) == legal, command
                            taken, refused = taken + legal, refused + (not legal)
    assert taken > 20
    assert refused > 20


def once() -> Any:
    """Stop after one step."""
    asked: list[bool] = []

    def stop(_: Played) -> bool:
        asked.append(True)
        return len(asked) > 1

    return stop


@pytest.mark.parametrize(
    ("command", "taken"),
    [
        (change(2, 4, 2, 2), True),
        (change(2, 3, 2, 2), True),  # only its sum is wrong: the description says that
        (change(3, 2, 3, 3), False),
        (change(3, 3, 2, 2), False),
        (change(3, 3, 2, 2, limit=5), True),
        (change(4, 3, 2, 2, limit=5), True),
    ],
)
def test_the_schema_of_changes_knows_what_may_be_lowered(command: Command, taken: bool) -> None:
    """Contract, Actions; BM-B5"""
    backed = at_bets(4).give(3, bet(1, "red", 10))
    assert takes(validator(backed, 1), command) == taken
    untouched = at_bets(4)
    assert takes(validator(untouched, 1), command) == (command == change(3, 3, 2, 2, limit=5))
