"""Decision numbers (contract, Versions, decisions, retries)."""

from random import Random
from typing import Any

import pytest
from msgspec import UNSET

from domain.games.bookmaker import GAME
from domain.games.bookmaker import commands as c
from domain.kernel.lines import redact
from domain.kernel.message import Command, body_of, type_of
from domain.racing.folding import apply
from domain.racing.meeting import RUNNING, Meeting
from tests.kit.meetings import Played, as_default, seated
from tests.kit.ring import (
    answer,
    at_bets,
    at_odds,
    bet,
    change,
    hand_of,
    keep,
    meeting,
    raced,
    set_odds,
    settle,
    some_odds,
    steps,
    winning,
)
from tests.kit.spec import after, board, changed, numbers
from tests.kit.walk import Walk

DONE, TURN = c.Done(), c.TurnCard()


def new_number(played: Played, seat: int, command: Command, whose: int) -> bool:
    """Whether that seat has a new number, of an event of this command in its own feed."""
    known = played.view(whose).version
    then = after(played, seat, command)
    number = board(then, whose)["decision"]
    return number is not None and known < number <= then.view(whose).version


def test_a_number_is_the_seats_own_version_at_which_the_decision_arose() -> None:
    """Contract: a seat begins to owe."""
    played = meeting(4)
    version = played.view(1).version
    assert numbers(played) == [version, version, None, None]
    assert board(played)["decision"] is None


def test_a_seat_that_has_done_its_part_has_none() -> None:
    """Contract"""
    played = meeting(4)
    then = after(played, 1, c.ExchangeCards(cards=hand_of(played, 1)[:2]))
    assert numbers(then)[0] is None
    assert numbers(then)[1] == numbers(played)[1]


def test_a_phase_that_begins_raises_new_decisions() -> None:
    """Contract"""
    half = at_odds(4).give(1, set_odds(3, 3, 2, 2))
    assert changed(half, 2, set_odds(3, 3, 2, 2)) == {1, 2, 3, 4}


def test_each_accepted_command_of_the_seats_own_makes_it_new() -> None:
    """Contract"""
    played = at_bets(4)
    assert changed(played, 3, bet(1, "red", 10)) == {3}
    assert new_number(played, 3, bet(1, "red", 10), 3)
    assert new_number(played, 1, change(3, 3, 2, 2, limit=5), 1)


def test_a_loan_makes_it_new_too_if_the_seat_may_still_act() -> None:
    """Contract"""
    played = at_bets(4)
    assert changed(played, 3, c.Borrow(amount=10)) == {3}
    assert new_number(played, 3, c.Borrow(amount=10), 3)
    nothing_to_do = meeting(4)
    assert changed(nothing_to_do, 3, c.Borrow(amount=10)) == set()
    assert numbers(after(nothing_to_do, 3, c.Borrow(amount=10)))[2] is None


def test_a_forced_loan_is_part_of_its_command() -> None:
    """Contract"""
    played = at_bets(3, cash=10, run=winning("blue"))
    played.give(2, bet(1, "red", 10)).give(3, bet(1, "red", 10)).give(2, DONE).give(3, DONE)
    settle(played)
    played.give(2, set_odds(3, 3, 2, 2))
    assert new_number(played, 3, bet(2, "red", 10), 3)


def test_a_bet_of_another_seat_only_adds() -> None:
    """Contract: the book may change its odds now, nobody may do less."""
    played = at_bets(4)
    assert changed(played, 3, bet(1, "red", 10)) == {3}
    assert changed(played, 3, bet(1, "red", 50)) == {3}


def test_an_offer_to_a_bookmaker_that_owes_nothing_begins_a_decision() -> None:
    """Contract"""
    declared = at_bets(4).give(1, DONE)
    assert changed(declared, 3, bet(1, "red", 50)) == {1, 3}
    assert new_number(declared, 3, bet(1, "red", 50), 1)
    waiting = declared.give(3, bet(1, "red", 50))
    assert changed(waiting, 4, bet(1, "blue", 50)) == {4}


def test_an_offer_that_must_be_answered_before_another_takes_an_action_away() -> None:
    """Contract, BM-B4"""
    played = at_bets(4).give(4, bet(1, "red", 50))
    assert changed(played, 3, bet(1, "red", 50)) == {1, 3}
    assert changed(played, 4, bet(1, "red", 50)) == {4}
    assert changed(played, 3, bet(1, "blue", 50)) == {3}


def test_an_acceptance_only_adds() -> None:
    """Contract"""
    played = at_bets(4).give(3, bet(1, "red", 500))
    assert changed(played, 1, answer(1, 100)) == {1}


def test_a_limit_only_adds() -> None:
    """Contract"""
    assert changed(at_bets(4), 1, change(3, 3, 2, 2, limit=50)) == {1}


def test_a_declaration_of_another_seat_changes_nothing() -> None:
    """Contract"""
    assert changed(at_bets(4), 2, DONE) == {2}


def test_other_odds_make_the_decisions_of_all_that_may_bet_there_new() -> None:
    """Contract"""
    played = at_bets(4).give(3, bet(1, "red", 10))
    assert changed(played, 1, change(2, 4, 2, 2)) == {1, 2, 3, 4}
    assert new_number(played, 1, change(2, 4, 2, 2), 4)


def test_a_reopened_horse_only_adds() -> None:
    """Contract"""
    played = at_bets(4).give(3, bet(1, "red", 10)).give(1, change(0, 6, 2, 2))
    played.give(3, bet(1, "blue", 10))
    assert changed(played, 1, change(5, 6, 2, 2)) == {1}
    assert changed(played, 1, change(5, 7, 2, 2)) == {1, 2, 3, 4}


def test_a_declaration_taken_back_begins_a_decision() -> None:
    """Contract, BM-B6"""
    played = at_bets(4).give(3, bet(1, "red", 10)).give(3, DONE)
    assert numbers(played)[2] is None
    assert new_number(played, 1, change(4, 3, 2, 2), 3)


def test_a_seat_that_can_bet_no_more_does_not_mind_other_odds() -> None:
    """Contract: seat 3 has made its 20 offers and can only declare."""
    played = at_bets(4)
    for _ in range(20):
        played.give(3, bet(1, "red", 10))
    assert changed(played, 1, change(4, 3, 2, 2)) == {1, 2, 4}


def test_a_lapsed_only_offer_takes_the_declaration_away() -> None:
    """Contract, BM-B6: all its cash was in the offer, so it could not bet either."""
    played = at_bets(4, cash=100).give(4, bet(1, "red", 10)).give(3, bet(1, "red", 100))
    assert new_number(played, 1, change(4, 3, 2, 2), 3)


# ------------------------------------------------------------- in running


def off(**rest: Any) -> Played:
    """In running, before the first card."""
    return raced(
        4, in_running=True, run=rest.pop("run", [*steps("red", 3), *winning("blue")]), **rest
    )


def test_between_cards_bookmakers_have_a_decision_and_bettors_once_odds_are_shown() -> None:
    """Contract, BM-I1"""
    played = off()
    assert [number is not None for number in numbers(played)] == [True, True, False, False]
    assert changed(played, 1, some_odds(red=3)) == {1, 3, 4}
    shown = after(played, 1, some_odds(red=3))
    assert all(number is not None for number in numbers(shown))


def test_odds_shown_on_closed_horses_only_add_and_other_odds_do_not() -> None:
    """Contract, BM-I1"""
    shown = off().give(1, some_odds(red=3))
    assert changed(shown, 1, some_odds(red=3, blue=4)) == {1}
    assert changed(shown, 1, some_odds(red=4)) == {1, 2, 3, 4}
    assert changed(shown, 2, some_odds(red=4)) == {2}
    closed = after(shown, 1, some_odds())
    assert numbers(closed)[2:] == [None, None]


def test_a_card_makes_the_first_bookmakers_decision_new_and_ends_those_of_bettors() -> None:
    """Contract, BM-I1"""
    shown = off().give(1, some_odds(red=3))
    then = after(shown, 1, TURN)
    assert numbers(then)[2:] == [None, None]
    assert new_number(shown, 1, TURN, 1)
    assert new_number(shown, 1, TURN, 2)


def test_a_card_that_takes_nothing_from_the_second_bookmaker_leaves_its_number() -> None:
    """Contract: it may show the same odds as before."""
    assert changed(off(), 1, TURN) == {1}


def test_a_horse_that_goes_out_takes_odds_on_it_away() -> None:
    """Contract, BM-T1"""
    tokens = ["red-1", "yellow-10", "yellow-9", "yellow-8"]
    assert changed(off(kind="trot", tokens=tokens), 1, TURN) == {1, 2}


def test_offers_that_lapse_take_answers_away() -> None:
    """Contract"""
    played = off().give(2, some_odds(red=3)).give(3, bet(2, "red", 10))
    assert new_number(played, 1, TURN, 2)


def test_a_joker_wait_ends_decisions_between_cards_and_begins_those_of_holders() -> None:
    """Contract, BM-J2"""
    played = off(kind="joker", hands={3: ["joker"]})
    waits = after(played, 1, TURN)
    assert [number is not None for number in numbers(waits)] == [False, False, True, False]
    goes_on = after(waits, 3, keep())
    assert [number is not None for number in numbers(goes_on)] == [True, True, False, False]


def test_a_joker_played_by_another_takes_an_until_away() -> None:
    """Contract, BM-J2: the horse has passed the next space."""
    played = raced(4, kind="joker", run=["red-1"], hands={3: ["joker"], 4: ["joker"]})
    assert new_number(played, 3, c.PlayJoker(), 4)


def test_a_joker_kept_by_another_is_not_noticed() -> None:
    """Contract, BM-J2"""
    played = raced(4, kind="joker", run=["red-1"], hands={3: ["joker"], 4: ["joker"]})
    before = board(played, 4)
    assert board(after(played, 3, keep()), 4) == before


def test_a_name_of_another_seat_changes_nothing() -> None:
    """Contract, BM-K1"""
    played = meeting(4, brocco=True).play(
        as_default, until=lambda p: p.full.table.phase == "brocco"
    )
    assert changed(played, 3, c.NameBrocco(horse="red")) == {3}
    assert numbers(after(played, 3, c.NameBrocco(horse="red")))[2] is None


def test_a_meeting_that_is_over_has_no_decisions() -> None:
    """Contract"""
    assert numbers(at_bets(4).abandon()) == [None] * 4


# ------------------------------------------------------------- random meetings, event by event


def abilities(meeting: Meeting, seat: int) -> set[tuple[Any, ...]]:
    """What a seat may do, stakes apart: bets with their odds, answers by bet, others as listed."""
    found: set[tuple[Any, ...]] = set()
    books = meeting.table.books
    for action in GAME.actions(meeting, seat).actions:
        match action:
            case c.Borrow():
                continue
            case c.PlaceBet(bookmaker=book, horse=horse):
                found.add(("bet", book, horse, books[book].odds[horse]))
            case c.AnswerBet(bet=number):
                found.add(("answer", number))
            case c.ChangeOdds(limit=limit):
                found.add(("change", "odds" if limit is UNSET else "limits"))
            case _:
                found.add((type_of(action), str(body_of(action))))
    return found


def check_numbers(played: Played, seat: int) -> int:
    """Each event gives the seat a new number where the contract says so, and only there."""
    view = Meeting(viewer=seat)
    number: int | None = None
    owed = might = mine = False
    before: set[tuple[Any, ...]] = set()
    renewed = 0
    for event in played.events:
        known = redact(event, seat)
        if known is None:
            continue
        apply(view, known, GAME)
        running = view.status == RUNNING
        may = running and GAME.might(view, seat)
        owes = running and GAME.owes(view, seat)
        now = abilities(view, seat) if may else set()
        if not may:
            assert view.decision is None
        else:
            carried = event.command or (event.secret(seat) or {}).get("command")
            own = event.seat == seat and bool(carried)
            if carried or event.seat not in (UNSET, seat):
                mine = own
            new = not might or (owes and not owed) or own or bool(before - now)
            right = {view.version if new else number}
            if mine and not own:  # within its own command either event may count
                right |= {number, view.version}
            assert view.decision in right, type_of(event)
            renewed += new
        number, owed, might, before = view.decision, owes, may, now
    return renewed


@pytest.mark.parametrize("seats", [2, 4, 5])
@pytest.mark.parametrize("in_running", [False, True])
@pytest.mark.parametrize("kind", ["plain", "joker_trot"])
def test_a_number_is_new_where_the_contract_says_and_only_there(
    seats: int, in_running: bool, kind: str
) -> None:
    """Contract: begins to owe, may begin, own command, an action or odds lost; nothing else."""
    length = seats // 2 if seats % 2 == 0 and seats >= 4 else seats
    for cash in (60, 1000, 100_000):
        options = {"programme": [kind] * length, "in_running": in_running, "cash": cash}
        begun = seated(Played(seats=seats, options=options))
        walk = Walk(begun, Random(f"{seats} {in_running} {kind} {cash}"), looks=0)
        walk.checks = False
        played = walk.run().played
        for seat in range(1, seats + 1):
            assert check_numbers(played, seat) > 1
