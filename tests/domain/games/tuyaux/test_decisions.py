"""Decision numbers (contract, Versions, decisions, retries)."""

from tests.domain.games.tuyaux.paddock import bet_all, dead_heat, meeting, off, play, tip, win
from tests.kit.spec import board, changed, numbers


def test_all_seats_owe_a_bet_from_the_deal_on() -> None:
    """Contract: the seat's own version at which the decision arose."""
    played = meeting(3)
    assert numbers(played) == [played.view(seat).version for seat in (1, 2, 3)]
    assert board(played)["decision"] is None
    assert board(played)["to_act"] == [1, 2, 3]


def test_a_bet_of_another_seat_changes_no_decision() -> None:
    """Contract, TU-B1"""
    assert changed(meeting(3), 2, win("noiro")) == {2}
    then = meeting(3).give(2, win("noiro"))
    assert numbers(then)[1] is None
    assert board(then, 1)["to_act"] == [1, 3]


def test_the_seat_in_turn_alone_owes_a_tip() -> None:
    """Contract, TU-T1"""
    played = off(3)
    assert [number is not None for number in numbers(played)] == [False, True, False]
    version = played.view(2).version
    assert numbers(played)[1] == version
    card = played.full.table.hands[1][0]
    assert changed(played, 2, tip(card)) == {2, 3}


def test_each_turn_raises_a_decision_of_its_own() -> None:
    """Contract, TU-T1: with two seats the dealer's tip brings the other one's next turn."""
    played = off(2)
    seen = set()
    while not played.full.table.results:
        (seat,) = played.game.waiting(played.full)
        number = board(played, seat)["decision"]
        assert number == played.view(seat).version
        assert (seat, number) not in seen
        seen.add((seat, number))
        play(played, played.full.table.hands[seat - 1][0])
    assert len(seen) == 10


def test_a_new_race_raises_new_decisions() -> None:
    """Contract, TU-T2"""
    played = dead_heat(win("vertige"), win("noiro"), target=30)
    assert changed(played, 1, tip("noiro-0")) == {1, 2}
    play(played, "noiro-0")
    assert numbers(played) == [played.view(1).version, played.view(2).version]
    bet_all(played)


def test_a_meeting_that_is_over_has_no_decisions() -> None:
    """Contract"""
    assert numbers(off(3).abandon()) == [None] * 3
    assert numbers(play(dead_heat(win("vertige"), target=1), "noiro-0")) == [None] * 2
