"""Before the bets: the deal, the exchange, the tokens (BM-D)."""

import pytest
from msgspec import UNSET

from domain.games.bookmaker import commands as c
from domain.games.bookmaker import events as e
from domain.kernel.message import SERVER
from tests.kit.meetings import Played, as_default, seated
from tests.kit.ring import at_bets, at_odds, hand_of, meeting, set_odds, settle
from tests.kit.spec import board, event, fork, given

GIVE = c.ExchangeCards
HANDS = {
    1: ["red-5", "blue-1", "red-5", "green-9"],
    2: ["yellow-1", "yellow-2", "red-1", "blue-10"],
}


@pytest.mark.parametrize("seats", range(2, 10))
def test_four_cards_lie_open_and_each_seat_holds_four_a_lone_bookmaker_six(seats: int) -> None:
    """BM-D1"""
    played = meeting(seats, first=2)
    shown = board(played)
    assert len(shown["open_cards"]) == 4
    lone = seats < 4
    expected = [6 if lone and seat == 2 else 4 for seat in range(1, seats + 1)]
    assert [seat["hand_count"] for seat in shown["seats"]] == expected
    assert [len(hand_of(played, seat)) for seat in range(1, seats + 1)] == expected


def test_hands_are_dealt_in_blocks_seat_by_seat_behind_the_open_cards() -> None:
    """BM-D1 (Draws)"""
    played = seated(Played(seats=5))
    opened = next(ev for ev in played.events if isinstance(ev, e.CardsOpened))
    dealt = next(ev for ev in played.events if isinstance(ev, e.HandsDealt))
    secret = dealt.secret(SERVER)
    assert secret is not None
    cards = secret["draws"]["race-1/deck"]
    assert [hand_of(played, seat) for seat in range(1, 6)] == [
        cards[4 * i : 4 * i + 4] for i in range(5)
    ]
    assert opened.draws == {"race-1/deck": opened.open_cards}
    assert played.chance is not None
    whole = played.chance.draw("race-1/deck", [])
    assert whole[:24] == [*opened.open_cards, *cards]


def test_in_a_joker_race_the_jokers_come_in_behind_the_open_cards_before_the_deal() -> None:
    """BM-D1"""
    played = meeting(4, kind="joker", hands={3: ["joker", "joker"]})
    assert hand_of(played, 3)[:2] == ["joker", "joker"]
    assert "joker" not in board(played)["open_cards"]
    dealt = next(ev for ev in played.events if isinstance(ev, e.HandsDealt))
    assert list((dealt.secret(SERVER) or {})["draws"]) == ["race-1/joker-deck"]


def test_no_seat_is_told_the_hand_of_another() -> None:
    """BM-D1 (Hidden)"""
    played = meeting(4)
    for viewer in range(5):
        hands = [seat["hand"] for seat in board(played, viewer)["seats"]]
        for seat, hand in enumerate(hands, 1):
            assert hand == (hand_of(played, seat) if seat == viewer else None)


def test_a_choice_waits_for_the_other_and_tells_only_that_it_was_made() -> None:
    """BM-D2"""
    before = meeting(4, hands=HANDS)
    after = (
        given(before)
        .when(1, GIVE(cards=["red-5", "blue-1"]))
        .then(event(e.ExchangeChosen, seat=1, command=UNSET, draws=UNSET))
    )
    assert board(after, 2)["to_act"] == [2]
    assert board(after)["phase"] == "exchange"
    assert hand_of(after, 1) == HANDS[1]
    assert set(after.events[-1].private or {}) == {"1", SERVER}


def test_cards_change_hands_when_both_have_chosen() -> None:
    """BM-D2"""
    half = given(meeting(4, hands=HANDS)).when(2, GIVE(cards=["yellow-2", "blue-10"])).accepted()
    after = (
        given(half)
        .when(1, GIVE(cards=["red-5", "blue-1"]))
        .then(event(e.ExchangeChosen, seat=1), event(e.CardsExchanged), event(e.OddsOpened))
    )
    assert hand_of(after, 1) == ["red-5", "green-9", "blue-10", "yellow-2"]
    assert hand_of(after, 2) == ["yellow-1", "red-1", "red-5", "blue-1"]


def test_of_two_cards_of_one_name_the_first_leaves_and_received_ones_come_last_in_order() -> None:
    """BM-D2 (Board)"""
    hands = {
        1: ["red-5", "green-9", "red-5", "blue-1"],
        2: ["yellow-1", "red-5", "red-1", "blue-10"],
    }
    hands[2][1] = "green-9"
    played = meeting(4, hands=hands)
    played.give(1, GIVE(cards=["red-5", "blue-1"]))
    played.give(2, GIVE(cards=["blue-10", "red-1"]))
    assert hand_of(played, 1) == ["green-9", "red-5", "red-1", "blue-10"]
    assert hand_of(played, 2) == ["yellow-1", "green-9", "red-5", "blue-1"]
    assert board(played, 1)["exchanged"] == {
        "gave": ["red-5", "blue-1"],
        "got": ["red-1", "blue-10"],
    }
    assert board(played, 2)["exchanged"] == {
        "gave": ["red-1", "blue-10"],
        "got": ["red-5", "blue-1"],
    }
    for viewer in (0, 3, 4):
        assert board(played, viewer)["exchanged"] is None


def test_two_cards_of_one_name_can_be_given() -> None:
    """BM-D2"""
    half = given(meeting(4, hands=HANDS)).when(1, GIVE(cards=["red-5", "red-5"])).accepted()
    after = given(half).when(2, GIVE(cards=["yellow-1", "yellow-2"])).accepted()
    assert hand_of(after, 1) == ["blue-1", "green-9", "yellow-1", "yellow-2"]


def test_a_joker_is_a_card_like_another() -> None:
    """BM-D2"""
    played = meeting(4, kind="joker", hands={1: ["joker", "red-1", "joker", "red-2"]})
    played.give(1, GIVE(cards=["joker", "joker"]))
    played.give(2, GIVE(cards=hand_of(played, 2)[:2]))
    assert hand_of(played, 2)[2:] == ["joker", "joker"]
    assert hand_of(played, 1)[:2] == ["red-1", "red-2"]


def test_the_command_is_written_in_the_order_of_the_sheet_for_its_seat_alone() -> None:
    """BM-D2 (contract, Log)"""
    after = given(meeting(4, hands=HANDS)).when(1, GIVE(cards=["blue-1", "red-5"])).accepted()
    secret = after.events[-1].secret(1)
    assert secret == {
        "cards": ["red-5", "blue-1"],
        "command": {"type": "bookmaker.exchange_cards", "cards": ["red-5", "blue-1"]},
    }


@pytest.mark.parametrize(
    "cards", [[], ["red-5"], ["red-5", "blue-1", "red-5"], ["red-5", "blue-1", "green-9", "red-5"]]
)
def test_exactly_two_cards_are_given(cards: list[str]) -> None:
    """BM-D2"""
    given(meeting(4, hands=HANDS)).when(1, GIVE(cards=cards)).refused("exchange_two_cards", "BM-D2")


@pytest.mark.parametrize("cards", [["red-5", "red-6"], ["blue-1", "blue-1"], ["joker", "red-5"]])
def test_only_held_cards_are_given_and_none_twice(cards: list[str]) -> None:
    """BM-D2"""
    given(meeting(4, hands=HANDS)).when(1, GIVE(cards=cards)).refused("card_not_held", "BM-D2")


def test_a_choice_is_final() -> None:
    """BM-D2"""
    half = given(meeting(4, hands=HANDS)).when(1, GIVE(cards=["red-5", "blue-1"])).accepted()
    given(half).when(1, GIVE(cards=["red-5", "green-9"])).refused("already_done")


def test_only_bookmakers_exchange_cards_and_only_in_that_phase() -> None:
    """BM-D2"""
    played = meeting(4)
    given(played).when(3, GIVE(cards=hand_of(played, 3)[:2])).refused("not_your_turn")
    later = at_odds(4)
    given(later).when(1, GIVE(cards=hand_of(later, 1)[:2])).refused("wrong_phase")
    lone = meeting(3)
    given(lone).when(1, GIVE(cards=hand_of(lone, 1)[:2])).refused("wrong_phase")


def test_tokens_are_placed_when_the_exchange_is_over() -> None:
    """BM-D3"""
    tokens = ["red-3", "blue-10", "red-4", "yellow-1"]
    played = meeting(4, kind="trot", tokens=tokens)
    assert board(played)["tokens"] == []
    played.give(1, GIVE(cards=hand_of(played, 1)[:2]))
    after = (
        given(played)
        .when(2, GIVE(cards=hand_of(played, 2)[:2]))
        .then(
            event(e.ExchangeChosen),
            event(e.CardsExchanged),
            event(e.TokensPlaced, draws={"race-1/trot": tokens}),
            event(e.OddsOpened),
        )
    )
    assert board(after)["tokens"] == [
        {"horse": "red", "space": 3},
        {"horse": "blue", "space": 10},
        {"horse": "red", "space": 4},
        {"horse": "yellow", "space": 1},
    ]


def test_with_one_bookmaker_tokens_are_placed_at_once() -> None:
    """BM-D3"""
    played = meeting(3, kind="trot", tokens=["red-3", "blue-10", "red-4", "yellow-1"])
    assert board(played)["phase"] == "odds"
    assert len(board(played)["tokens"]) == 4


def test_a_card_that_repeats_colour_and_number_or_is_a_joker_is_replaced_and_recorded() -> None:
    """BM-D3"""
    drawn = ["red-3", "joker", "red-3", "red-4", "joker", "blue-3", "red-4", "blue-4", "blue-5"]
    played = meeting(3, kind="joker_trot", tokens=drawn)
    placed = next(ev for ev in played.events if isinstance(ev, e.TokensPlaced))
    assert [(token.horse, token.space) for token in placed.tokens] == [
        ("red", 3),
        ("red", 4),
        ("blue", 3),
        ("blue", 4),
    ]
    assert placed.draws == {"race-1/trot": drawn[:8]}


def test_the_token_cards_go_back_and_may_be_turned() -> None:
    """BM-D3"""
    tokens = ["red-3", "red-4", "red-5", "red-6"]
    run = ["red-3", "red-4", "red-5", "red-6", *["blue-1"] * 2, *["blue-2"] * 2]
    played = at_bets(3, kind="trot", tokens=tokens, run=run)
    from tests.kit.ring import declare

    declare(played)
    turned = [ev.card for ev in played.events if isinstance(ev, e.CardTurned)]
    assert turned[: len(run)] == run


def test_only_trot_races_have_tokens() -> None:
    """BM-D3"""
    played = at_bets(4, kind="joker")
    assert not [ev for ev in played.events if isinstance(ev, e.TokensPlaced)]
    assert board(played)["tokens"] == []


def test_the_next_race_gathers_hands_and_tokens_unseen() -> None:
    """BM-S3 (Board)"""
    played = at_bets(
        3, programme=["trot", "plain", "plain"], tokens=["red-3", "red-4", "red-5", "red-6"]
    )
    before = fork(played)
    before.play(as_default, until=lambda p: p.full.table.phase == "settlement")
    assert board(before, 2)["seats"][1]["hand"] == hand_of(before, 2)
    settle(before)
    shown = board(before, 2)
    assert shown["tokens"] == []
    assert shown["seats"][1]["hand"] == hand_of(before, 2) != hand_of(played, 2)
    before.give(2, set_odds(3, 3, 2, 2))
    assert board(before)["phase"] == "bets"
