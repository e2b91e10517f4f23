"""Position cards: dealt anew, or auctioned in the Derby League (CH-T1, CH-D)."""

from collections.abc import Mapping

import pytest

from domain.games.change_horses import events as e
from domain.kernel.message import Command
from domain.kernel.rejection import Rejected
from tests.domain.games.change_horses.paddock import (
    STAND,
    at_turns,
    bid,
    card,
    in_turn,
    legal,
    play_round,
    race,
    table,
)
from tests.kit.meetings import Played
from tests.kit.spec import board, event, fork, given


def derby(carrots: Mapping[int, int] | None = None, seats: int = 4) -> Played:
    """The last card of round 1 has been played; these seats have fewer carrots."""
    played = at_turns(seats, turn_order="derby")
    for seat, left in (carrots or {}).items():
        table(played).carrots[seat - 1] = left
    return play_round(played)


def say(played: Played, *spoken: tuple[int, int | None]) -> Played:
    """Bids by seat; None stands."""
    for seat, carrots in spoken:
        played.give(seat, STAND if carrots is None else bid(carrots))
    return played


def numbers(played: Played, seat: int) -> list[int]:
    """The numbers that a seat may bid."""
    return [b.carrots for b in legal(played, seat) if isinstance(b, type(bid(1)))]


# ------------------------------------------------------------- basic


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_the_holder_of_the_highest_card_gets_1_and_the_others_are_dealt_the_rest(
    seats: int,
) -> None:
    """CH-T1"""
    rest = list(range(2, seats + 1))
    draws = {"race-1/positions-2": rest[::-1], "race-1/positions-3": rest}
    positions = [seats, *range(1, seats)]
    played = play_round(at_turns(seats, positions=positions, draws=draws))
    assert board(played)["positions"] == {
        "1": 1,
        **{str(seat): seats - seat + 2 for seat in range(2, seats + 1)},
    }
    assert in_turn(played) == 1
    play_round(played)
    assert board(played)["positions"] == {
        "2": 1,
        **{str(seat): n for seat, n in zip([1, *range(3, seats + 1)], rest, strict=True)},
    }, "seat 2 held the highest card"


def test_the_order_is_set_after_every_round() -> None:
    """CH-T1, CH-R4: after the board is emptied, before the cards are picked."""
    played = play_round(play_round(at_turns(4)))
    opened = [made for made in played.events if isinstance(made, e.RoundOpened)]
    assert [made.round for made in opened] == [1, 2, 3]
    assert [made.select for made in opened] == [3, 0, 2]
    labels = [list(made.draws or {}) for made in opened]
    assert labels == [["race-1/positions"], ["race-1/positions-2"], ["race-1/positions-3"]]


def test_there_is_no_auction_in_a_basic_race() -> None:
    """CH-T1"""
    played = play_round(at_turns(4))
    assert board(played)["auction"] is None
    for command in (bid(1), STAND):
        given(played).when(1, command).refused("wrong_phase")


def test_a_command_of_another_phase_is_told_the_phase_and_its_own() -> None:
    """CH-T1"""
    told = "It is the phase `turn` now; `change-horses.bid` goes in `auction`."
    with pytest.raises(Rejected) as refused:
        at_turns(4).give(1, bid(1))
    assert refused.value.detail == told


# ------------------------------------------------------------- auction


def test_the_first_round_is_played_as_dealt() -> None:
    """CH-D1"""
    played = race(4, turn_order="derby", positions=[2, 4, 1, 3])
    assert board(played)["phase"] == "select"
    assert board(played)["positions"] == {"1": 2, "2": 4, "3": 1, "4": 3}


def test_after_every_round_the_seats_bid_in_the_order_of_the_cards_they_hold() -> None:
    """CH-D1"""
    played = at_turns(4, turn_order="derby", positions=[2, 4, 1, 3])
    for _ in range(3):
        played.give(in_turn(played), card("blue+green"))
    after = (
        given(played)
        .when(in_turn(played), card("blue+green"))
        .then(
            event(e.CardPlayed),
            event(e.HorsesMoved),
            event(e.AuctionOpened, round=2, to_bid=3),
        )
    )
    shown = board(after)
    assert shown["phase"] == "auction"
    assert shown["round"] == 2
    assert shown["positions"] == {"1": 2, "2": 4, "3": 1, "4": 3}, "still held"
    assert shown["auction"] == {"bids": {}, "locked": [], "to_bid": 3}
    order = []
    for carrots in (1, 2, 3, 4):
        order.append(in_turn(after))
        say(after, (order[-1], carrots))
    assert order == [3, 1, 4, 2]


def test_the_worked_auction_of_the_sheet() -> None:
    """CH-D2, CH-D3, CH-D4"""
    played = say(derby(), (1, 2), (2, 5), (3, 1), (4, 6))
    assert board(played)["auction"] == {
        "bids": {"1": 2, "2": 5, "3": 1, "4": 6},
        "locked": [3],
        "to_bid": 1,
    }
    say(played, (1, None), (2, 7))
    assert board(played)["auction"] == {
        "bids": {"1": 2, "2": 7, "3": 1, "4": 6},
        "locked": [1, 3],
        "to_bid": 4,
    }
    after = (
        given(played)
        .when(4, STAND)
        .then(
            event(e.BidderStood, seat=4, to_bid=None),
            event(e.AuctionClosed, paid={"1": 2, "2": 7, "3": 1, "4": 6}),
            event(e.RoundOpened, round=2, select=0, positions={"3": 1, "1": 2, "4": 3, "2": 4}),
        )
    )
    shown = board(after)
    assert [place["carrots"] for place in shown["seats"]] == [42, 37, 43, 38]
    assert shown["auction"] is None
    assert shown["to_act"] == [3]


def test_a_bid_above_the_highest_keeps_in_and_one_below_locks_out() -> None:
    """CH-D2"""
    played = derby()
    high = given(played).when(1, bid(9)).then(event(e.BidMade, carrots=9, locked=False, to_bid=2))
    low = given(high).when(2, bid(8)).then(event(e.BidMade, carrots=8, locked=True, to_bid=3))
    higher = given(low).when(3, bid(10)).then(event(e.BidMade, locked=False, to_bid=4))
    last = given(higher).when(4, bid(1)).then(event(e.BidMade, locked=True, to_bid=1))
    assert board(last)["auction"]["locked"] == [2, 4]


@pytest.mark.parametrize("carrots", [-1, 0, 45, 10**9])
def test_a_bid_is_from_1_to_the_carrots_held(carrots: int) -> None:
    """CH-D2"""
    given(derby()).when(1, bid(carrots)).refused("bid_out_of_range", "CH-D2")
    given(derby()).when(1, bid(44)).accepted()
    poor = derby({1: 3})
    given(poor).when(1, bid(4)).refused("bid_out_of_range", "CH-D2")
    assert numbers(poor, 1) == [1, 2, 3]


def test_no_two_seats_bid_the_same() -> None:
    """CH-D2"""
    played = say(derby(), (1, 5))
    given(played).when(2, bid(5)).refused("bid_taken", "CH-D2")
    assert numbers(played, 2) == [n for n in range(1, 45) if n != 5]


def test_a_raise_is_above_ones_own_bid() -> None:
    """CH-D3"""
    played = say(derby(), (1, 5), (2, 9), (3, 2), (4, 3))
    for carrots in (1, 4, 5):
        given(played).when(1, bid(carrots)).refused("bid_not_raised", "CH-D3")
    assert numbers(played, 1) == [n for n in range(6, 45) if n != 9]


def test_the_old_number_is_free_again_after_a_raise() -> None:
    """CH-D3"""
    played = say(derby(), (1, 5), (2, 9), (3, 10), (4, 11), (1, 12))
    given(played).when(2, bid(5)).refused("bid_not_raised", "CH-D3")
    later = say(derby(), (1, 5), (2, 6), (3, 7), (4, 8), (1, 9), (2, 10), (3, 11), (4, 12))
    assert 5 not in board(later)["auction"]["bids"].values()
    lowered = say(derby(), (1, 3), (2, 6), (3, 7), (4, 1), (1, 4))
    assert board(lowered)["auction"]["bids"] == {"1": 4, "2": 6, "3": 7, "4": 1}


def test_a_raise_below_the_highest_is_allowed_and_locks() -> None:
    """CH-D3"""
    played = say(derby(), (1, 5), (2, 9), (3, 10), (4, 1))
    after = given(played).when(1, bid(7)).then(event(e.BidMade, locked=True, to_bid=2))
    assert board(after)["auction"]["locked"] == [1, 4]


def test_bidding_goes_round_the_seats_still_in() -> None:
    """CH-D3"""
    played = say(derby(), (1, 5), (2, 1), (3, 6), (4, 7))
    order = []
    for carrots in (8, 9, None, 10):
        order.append(in_turn(played))
        say(played, (order[-1], carrots))
    assert order == [1, 3, 4, 1]
    assert in_turn(played) == 3


@pytest.mark.parametrize("spoken", [bid(20), STAND])
def test_nobody_bids_out_of_turn(spoken: Command) -> None:
    """CH-D1, CH-D3"""
    played = say(derby(), (1, 5), (2, 1), (3, 6), (4, 7))
    for seat in (2, 3, 4):
        given(played).when(seat, spoken).refused("not_your_turn")


def test_a_seat_that_can_bid_may_not_decline_its_first_bid() -> None:
    """CH-D3"""
    given(derby()).when(1, STAND).refused("bid_first", "CH-D3")
    assert STAND not in legal(derby(), 1)


def test_standing_is_final() -> None:
    """CH-D3"""
    played = say(derby(), (1, 5), (2, 6), (3, 7), (4, 8), (1, None))
    assert in_turn(played) == 2
    given(played).when(1, bid(20)).refused("not_your_turn")


def test_it_ends_as_soon_as_at_most_one_seat_is_still_in() -> None:
    """CH-D3: after every seat's first bid."""
    played = say(derby(), (1, 9), (2, 1), (3, 2))
    assert board(played)["phase"] == "auction", "seat 4 has not bid"
    after = (
        given(played)
        .when(4, bid(3))
        .then(
            event(e.BidMade, locked=True, to_bid=None), event(e.AuctionClosed), event(e.RoundOpened)
        )
    )
    assert board(after)["positions"] == {"1": 4, "2": 1, "3": 2, "4": 3}


def test_the_highest_bid_takes_the_highest_card_and_every_seat_pays_its_bid() -> None:
    """CH-D4"""
    played = say(derby(), (1, 9), (2, 20), (3, 2), (4, 3), (1, None))
    shown = board(played)
    assert shown["positions"] == {"2": 4, "1": 3, "4": 2, "3": 1}
    assert [place["carrots"] for place in shown["seats"]] == [35, 24, 42, 41]


def test_bids_are_paid_when_the_auction_ends() -> None:
    """CH-D4"""
    played = say(derby(), (1, 9), (2, 20))
    assert [place["carrots"] for place in board(played)["seats"]] == [44] * 4


# ------------------------------------------------------------- failing


def test_a_seat_that_has_no_number_left_gives_up_its_carrots_and_gets_the_lowest_card() -> None:
    """CH-D5: without a command, when its turn comes."""
    played = say(derby({3: 2}), (1, 1))
    after = (
        given(played)
        .when(2, bid(2))
        .then(event(e.BidMade, to_bid=None), event(e.BidFailed, seat=3, carrots=2, to_bid=4))
    )
    shown = board(after)
    assert table(after).carrots == [44, 44, 0, 44], "at once"
    assert shown["auction"] == {"bids": {"1": 1, "2": 2}, "locked": [3], "to_bid": 4}
    say(after, (4, 3), (1, None), (2, None))
    assert board(after)["positions"] == {"3": 1, "1": 2, "2": 3, "4": 4}
    assert table(after).carrots == [43, 42, 0, 41]


def test_several_that_fail_hold_the_lowest_cards_in_the_order_in_which_they_fail() -> None:
    """CH-D5"""
    played = at_turns(4, turn_order="derby", positions=[4, 1, 3, 2])
    for seat in (1, 3):
        table(played).carrots[seat - 1] = 0
    play_round(played)
    say(played, (2, 7))
    after = (
        given(played)
        .when(4, bid(9))
        .then(
            event(e.BidMade, to_bid=None),
            event(e.BidFailed, seat=3, carrots=0, to_bid=None),
            event(e.BidFailed, seat=1, carrots=0, to_bid=2),
        )
    )
    say(after, (2, None))
    assert board(after)["positions"] == {"3": 1, "1": 2, "2": 3, "4": 4}


def test_all_seats_may_fail() -> None:
    """CH-D5"""
    played = at_turns(3, turn_order="derby", positions=[2, 3, 1])
    table(played).carrots[:] = [0, 0, 0]
    before = fork(played)
    for _ in range(2):
        before.give(in_turn(before), card("blue+green"))
    after = (
        given(before)
        .when(in_turn(before), card("blue+green"))
        .then(
            event(e.CardPlayed),
            event(e.HorsesMoved),
            event(e.AuctionOpened, to_bid=None),
            event(e.BidFailed, seat=3),
            event(e.BidFailed, seat=1),
            event(e.BidFailed, seat=2),
            event(e.AuctionClosed, paid={}),
            event(e.RoundOpened, positions={"3": 1, "1": 2, "2": 3}),
        )
    )
    assert board(after)["to_act"] == [3]


def test_the_last_seat_bids_even_when_all_others_have_failed() -> None:
    """CH-D3: a first bid is made all the same, and paid."""
    played = at_turns(3, turn_order="derby")
    table(played).carrots[:] = [0, 0, 5]
    play_round(played)
    shown = board(played)
    assert shown["auction"] == {"bids": {}, "locked": [1, 2], "to_bid": 3}
    given(played).when(3, STAND).refused("bid_first", "CH-D3")
    after = given(played).when(3, bid(1)).accepted()
    assert board(after)["positions"] == {"1": 1, "2": 2, "3": 3}
    assert table(after).carrots == [0, 0, 4]


def test_a_seat_that_has_a_bid_never_fails_and_stands_if_it_cannot_raise() -> None:
    """CH-D5"""
    played = say(derby({1: 2}), (1, 2), (2, 5), (3, 6), (4, 7))
    assert legal(played, 1) == [STAND]
    given(played).when(1, bid(3)).refused("bid_out_of_range", "CH-D2")
    after = given(played).when(1, STAND).then(event(e.BidderStood, seat=1, to_bid=2))
    assert board(after)["auction"]["bids"]["1"] == 2


def test_carrots_are_not_won_back() -> None:
    """CH-D4: what is paid is gone for this race."""
    played = say(derby(), (1, 9), (2, 20), (3, 2), (4, 3), (1, None))
    play_round(played)
    assert board(played)["phase"] == "auction"
    assert [place["carrots"] for place in board(played)["seats"]] == [35, 24, 42, 41]
    assert in_turn(played) == 3, "by the cards of round 2"
