"""Decision numbers (contract, Versions, decisions, retries)."""

from typing import Any

from tests.domain.games.ticket_gagnant.turf import (
    MOAT,
    STUCK,
    choose,
    dealt,
    discard,
    moving,
    opened,
    play_out,
    predict,
    single,
)
from tests.kit.meetings import Played, as_default
from tests.kit.spec import after, board, fork, numbers


def fresh(before: Played, then: Played, seat: int) -> bool:
    """Whether the seat's number is that of an event since."""
    number = board(then, seat)["decision"]
    return number is not None and before.view(seat).version < number <= then.view(seat).version


def test_the_first_player_alone_has_a_decision_while_it_chooses() -> None:
    """Contract: a seat begins to owe."""
    played = opened(3, first=2)
    assert numbers(played) == [None, played.view(2).version, None]
    assert board(played)["decision"] is None


def test_all_have_one_when_hands_are_dealt() -> None:
    """Contract"""
    before = opened(3)
    then = after(before, 1, choose())
    assert all(fresh(before, then, seat) for seat in (1, 2, 3))


def test_a_seats_number_is_not_disturbed_by_the_predictions_of_others() -> None:
    """Contract: events that take nothing away keep the number."""
    played = dealt(4)
    first = numbers(played)
    then = after(after(played, 2, predict("red")), 4, predict("blue"))
    assert numbers(then) == [first[0], None, first[2], None]


def test_nor_by_somebody_who_asks_to_abandon() -> None:
    """Contract"""
    played = dealt(3)
    first = numbers(played)
    assert numbers(fork(played).ask_abandon(2)) == first
    moves = moving(3)
    first = numbers(moves)
    assert numbers(fork(moves).ask_abandon(1)) == first


def test_the_seat_in_turn_alone_has_a_decision_while_horses_move() -> None:
    """Contract"""
    before = dealt(2, hands={1: ["red-1"], 2: ["red-2"]}).give(1, predict("red"))
    played = after(before, 2, predict("red"))
    assert fresh(before, played, 1)
    assert numbers(played)[1] is None
    then = after(played, 1, single("red-1", "forward"))
    assert numbers(then)[0] is None
    assert fresh(played, then, 2)


def test_every_turn_has_a_number_of_its_own() -> None:
    """Contract: a new one each time the seat begins to owe."""
    played = moving(3)
    seen: list[int] = []
    while played.full.race == 1:
        seat = played.full.table.turn
        number = numbers(played)[seat - 1]
        assert number == played.view(seat).version
        seen.append(number)
        assert [n is not None for n in numbers(played)] == [s == seat for s in (1, 2, 3)]
        played.give(seat, as_default(played, seat))
    assert len(seen) == len(set(seen))


def test_a_discard_hands_the_turn_on_too() -> None:
    """TG-M11"""
    hands = {1: STUCK}
    race: Any = {"kind": "steeplechase", "river": (1, "front"), "course": MOAT, "deal": 3}
    played = moving(2, hands=hands, **race)
    then = after(played, 1, discard(STUCK[0]))
    assert numbers(then)[0] is None
    assert fresh(played, then, 2)


def test_the_next_race_raises_the_next_first_players_decision() -> None:
    """Contract"""
    played = play_out(moving(3))
    number = played.view(2).version
    assert numbers(played) == [None, number, None]


def test_nobody_has_a_decision_once_it_is_over() -> None:
    """Contract"""
    assert numbers(moving(2).play(as_default)) == [None, None]
    assert numbers(moving(2).abandon()) == [None, None]
