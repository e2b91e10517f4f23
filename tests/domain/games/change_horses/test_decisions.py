"""Decision numbers (contract, Versions, decisions, retries)."""

from tests.domain.games.change_horses.paddock import (
    CHANGE,
    PACK,
    at_turns,
    bid,
    card,
    in_turn,
    pick,
    pick_all,
    play_round,
    race,
    table,
)
from tests.kit.spec import board, changed, fork, numbers


def test_a_race_begins_with_a_decision_of_every_seat() -> None:
    """Contract: the seat's own version at which it arose."""
    played = race(3)
    assert numbers(played) == [played.view(seat).version for seat in (1, 2, 3)]
    assert board(played)["decision"] is None


def test_the_pick_of_another_seat_changes_no_number() -> None:
    """Contract"""
    assert changed(race(3), 2, pick(*PACK[:3])) == {2}
    two = race(3).give(2, pick(*PACK[:3]))
    assert numbers(two)[1] is None


def test_the_last_pick_raises_the_first_turn() -> None:
    """Contract"""
    played = race(3).give(2, pick(*PACK[:3])).give(1, pick(*PACK[:3]))
    assert changed(played, 3, pick(*PACK[:3])) == {1, 3}


def test_a_wild_horse_makes_the_number_of_its_seat_new() -> None:
    """Contract: after each accepted command of its own."""
    played = at_turns(3)
    assert changed(played, 1, CHANGE) == {1}
    after = fork(played).give(1, CHANGE)
    assert board(after, 1)["decision"] == after.view(1).version


def test_a_turn_that_passes_on_raises_the_next_seats_decision() -> None:
    """Contract"""
    assert changed(at_turns(3), 1, card(PACK[0])) == {1, 2}


def test_the_seat_that_ends_a_round_and_begins_the_next_has_a_new_number() -> None:
    """Contract: in basic order the last seat is the first of the next round."""
    played = at_turns(3).give(1, card(PACK[0])).give(2, card(PACK[0]))
    before = numbers(played)[2]
    played.give(3, card(PACK[0]))
    assert in_turn(played) == 3
    now = numbers(played)[2]
    assert before is not None
    assert now == played.view(3).version
    assert now > before


def test_a_seat_that_picks_in_two_rounds_one_after_the_other_has_two_numbers() -> None:
    """Contract: with two seats every round begins with a pick."""
    played = pick_all(race(2))
    seen = numbers(played)
    play_round(played)
    assert table(played).phase == "select"
    assert all(now not in (None, then) for now, then in zip(numbers(played), seen, strict=True))


def test_a_bid_passes_the_decision_on_and_a_raise_is_another_one() -> None:
    """Contract"""
    played = play_round(at_turns(3, turn_order="derby"))
    first = numbers(played)[0]
    assert changed(played, 1, bid(5)) == {1, 2}
    played.give(1, bid(5)).give(2, bid(6)).give(3, bid(7))
    again = numbers(played)[0]
    assert first is not None
    assert again is not None
    assert again > first


def test_nobody_has_a_number_when_the_meeting_is_over() -> None:
    """Contract"""
    played = at_turns(3)
    table(played).spaces[:] = [11] * 6
    play_round(played)
    assert played.full.status == "finished"
    assert numbers(played) == [None] * 3
