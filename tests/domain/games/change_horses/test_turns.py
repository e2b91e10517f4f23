"""Turns and the betting board (CH-R2, CH-R3, CH-R4)."""

from msgspec import UNSET

from domain.games.change_horses import events as e
from tests.domain.games.change_horses.paddock import (
    CHANGE,
    FAST,
    PACK,
    at_turns,
    card,
    in_turn,
    play_cards,
    play_round,
    stumble,
    table,
)
from tests.kit.spec import board, event, given

PICKS = {
    1: ["blue+red", "green+yellow", "orange+purple"],
    2: ["blue+red", "green+yellow", "orange+purple"],
    3: ["blue+red", "green+yellow", "orange+purple"],
    4: ["blue+red", "green+yellow", "orange+purple"],
}


def test_seats_play_in_the_order_of_their_position_cards() -> None:
    """CH-R2"""
    played = at_turns(4, positions=[3, 1, 4, 2])
    order = []
    for _ in range(4):
        order.append(in_turn(played))
        played.give(order[-1], card(PACK[0]))
    assert order == [2, 4, 1, 3]


def test_a_card_is_laid_on_the_board_and_the_next_seat_is_in_turn() -> None:
    """CH-R2"""
    played = at_turns(4, PICKS)
    after = (
        given(played)
        .when(1, card("green+yellow"))
        .then(event(e.CardPlayed, seat=1, card="green+yellow", draws=UNSET))
    )
    shown = board(after)
    assert shown["betting_board"] == [{"card": "green+yellow", "seat": 1, "covered": False}]
    assert shown["seats"][0]["shown"] == ["blue+red", "orange+purple"]
    assert shown["to_act"] == [2]


def test_nobody_plays_out_of_turn() -> None:
    """CH-R2"""
    played = at_turns(4, PICKS)
    for seat in (2, 3, 4):
        given(played).when(seat, card("blue+red")).refused("not_your_turn")
        given(played).when(seat, FAST).refused("not_your_turn")


def test_only_a_shown_card_of_ones_own_is_played() -> None:
    """CH-R2"""
    played = at_turns(4, {**PICKS, 2: PACK[:3]})
    given(played).when(1, card("blue+green")).refused("card_not_shown", "CH-R2")
    gone = play_cards(played, "blue+red", PACK[0], "blue+red", "blue+red")
    assert in_turn(gone) == 4, "the highest card is the first of the next round"
    given(gone).when(4, card("blue+red")).refused("card_not_shown", "CH-R2")


def test_a_wild_horse_comes_before_the_card_and_never_after() -> None:
    """CH-R2"""
    played = at_turns(4, PICKS)
    wild = given(played).when(1, CHANGE).then(event(e.ChangePlayed, seat=1))
    assert board(wild)["wild_played"] is True
    assert board(wild)["to_act"] == [1], "the seat must then play a card"
    after = given(wild).when(1, card("blue+red")).accepted()
    assert board(after)["wild_played"] is False
    given(after).when(1, FAST).refused("not_your_turn")


def test_one_wild_horse_a_turn() -> None:
    """CH-R2"""
    played = at_turns(4, PICKS).give(1, CHANGE)
    for again in (CHANGE, FAST, stumble("blue+red")):
        given(played).when(1, again).refused("already_done")


def test_when_all_have_played_the_horses_move_and_the_order_is_set_anew() -> None:
    """CH-R3"""
    played = play_cards(at_turns(4, PICKS), "blue+red", "green+yellow", "blue+red")
    after = (
        given(played)
        .when(4, card("blue+red"))
        .then(event(e.CardPlayed), event(e.HorsesMoved), event(e.RoundOpened, round=2, select=0))
    )
    shown = board(after)
    assert [horse["space"] for horse in shown["horses"]] == [1, 0, 3, 1, 3, 0]
    assert shown["round"] == 2
    assert len(shown["betting_board"]) == 4, "the cards stay"
    assert shown["phase"] == "turn"


def test_in_the_second_half_all_cards_on_the_board_count_again() -> None:
    """CH-R3"""
    played = play_cards(at_turns(4, PICKS), *["blue+red", "green+yellow", "blue+red", "blue+red"])
    for _ in range(4):
        seat = in_turn(played)
        mine = table(played).shown[seat - 1]
        played.give(seat, card("orange+purple" if "orange+purple" in mine else mine[0]))
    moved = [made for made in played.events if isinstance(made, e.HorsesMoved)][-1]
    assert {(m.horse, m.count) for m in moved.moves} == {
        ("blue", 3),
        ("red", 3),
        ("green", 1),
        ("yellow", 1),
    }


def test_the_full_board_is_emptied_and_stumbles_leave_with_it() -> None:
    """CH-R4"""
    played = play_round(at_turns(4, PICKS))
    covering = in_turn(played)
    played.give(covering, stumble("blue+red"))
    assert board(played)["betting_board"][0]["covered"] is True
    last = play_cards(played, "green+yellow", "green+yellow", "green+yellow")
    after = (
        given(last)
        .when(in_turn(last), card("green+yellow"))
        .then(
            event(e.CardPlayed),
            event(e.HorsesMoved),
            event(e.BoardEmptied),
            event(e.RoundOpened, round=3, select=2),
        )
    )
    shown = board(after)
    assert shown["betting_board"] == []
    assert shown["phase"] == "select"
    assert shown["seats"][covering - 1]["wild_left"] == 1
    pack = {
        name
        for seat in range(1, 5)
        for name in board(after, seat)["seats"][seat - 1]["hand"] + shown["seats"][0]["shown"]
    }
    assert not pack & {"blue+red", "green+yellow"}, "played cards are out of the game"
