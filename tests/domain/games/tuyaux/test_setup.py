"""Cards, options, and how a race is prepared (TU-S, TU-T2)."""

from collections import Counter
from typing import Any

import pytest

from domain.games.tuyaux import board as printed_board
from domain.games.tuyaux import events as e
from domain.games.tuyaux.options import read_options
from domain.kernel.message import SERVER
from domain.kernel.rejection import Malformed
from domain.racing.events import MeetingStarted, RaceOpened
from tests.domain.games.tuyaux.paddock import (
    HORSES,
    bet_all,
    deal,
    meeting,
    play,
    printed,
    race_deck,
    run_race,
    tips_of,
    values_of,
)
from tests.kit.meetings import Played, seated
from tests.kit.spec import board

CARDS = list(printed())


def test_six_horses_in_table_order() -> None:
    """TU-S1"""
    assert printed_board.HORSES == HORSES


def test_42_tips_seven_of_each_horse() -> None:
    """TU-S2"""
    assert len(printed_board.TIPS) == 42
    for horse in HORSES:
        faces = [tip.split("-")[1] for tip in printed_board.TIPS if tip.startswith(horse)]
        assert faces == ["0", "0", "1", "1", "2", "2", "whip"]


def test_14_race_cards_with_the_programmes_of_the_table() -> None:
    """TU-S3"""
    assert len(CARDS) == 14
    assert list(printed_board.PROGRAMMES) == CARDS
    for card, (starters, values) in printed().items():
        assert list(printed_board.PROGRAMMES[card].items()) == list(values.items())
        assert len(values) == starters
        horse, value = card.split("-")
        assert values[horse] == int(value), "a face is a starter of its own programme"


def test_every_race_card_of_every_starter_is_among_the_14() -> None:
    """TU-S4: so a race deck can be laid."""
    for card in CARDS:
        assert set(race_deck(card)) <= set(CARDS)


@pytest.mark.parametrize("card", CARDS)
@pytest.mark.parametrize("seats", [2, 7])
def test_a_programme_names_starters_values_deck_and_tips(card: str, seats: int) -> None:
    """TU-S4: N tips to each seat, the rest unseen, all starters on one line."""
    played = meeting(seats, card=card)
    count = printed()[card][0]
    shown = board(played)
    assert shown["programme"] == {"card": card, "values": values_of(card)}
    assert shown["lines"] == [list(values_of(card))]
    assert [seat["hand_count"] for seat in shown["seats"]] == [count] * seats
    hands = [hand for hand in played.full.table.hands if hand is not None]
    assert not Counter(tip for hand in hands for tip in hand) - Counter(tips_of(card))
    played = bet_all(played)
    turned = [event for event in played.events if isinstance(event, e.CardTurned)]
    assert turned[0].card in race_deck(card)


def test_seven_seats_with_six_starters_use_all_42_tips() -> None:
    """TU-S2, TU-S4"""
    hands = meeting(7, card="vertige-2").full.table.hands
    assert Counter(tip for hand in hands for tip in hand) == Counter(printed_board.TIPS)


def test_a_race_begins_with_its_programme_then_its_tips() -> None:
    """TU-S4"""
    played = meeting(3)
    kinds = [type(event) for event in played.events]
    started = kinds.index(MeetingStarted)
    assert kinds[started:] == [
        MeetingStarted,
        e.DealerDrawn,
        RaceOpened,
        e.ProgrammeDrawn,
        e.TipsDealt,
    ]


def test_the_drawn_card_is_in_the_race_deck_too_and_goes_back_to_the_14() -> None:
    """TU-S4: the same card may be drawn for the next race."""
    again = deal(2, race=2, dealer=2, card="noiro-2")
    played = run_race(bet_all(meeting(2, card="noiro-2", draws=again, target=30)))
    first = played.full.table.results[0]
    assert first.programme.card == "noiro-2"
    cards = [ev.card for ev in played.events if isinstance(ev, e.CardTurned)]
    assert "noiro-2" in cards
    assert sorted(cards) == sorted(race_deck("noiro-2"))
    assert board(played)["programme"]["card"] == "noiro-2"


def test_tips_are_dealt_in_blocks_from_the_seat_left_of_the_dealer() -> None:
    """Draws"""
    order = tips_of("vertige-1")
    draws = {"race-1/tips": order}
    played = meeting(3, dealer=2, card="vertige-1", draws=draws)
    dealt = next(event for event in played.events if isinstance(event, e.TipsDealt))
    hands = {seat: (dealt.secret(seat) or {})["hand"] for seat in (1, 2, 3)}
    assert hands == {3: order[:4], 1: order[4:8], 2: order[8:12]}
    assert (dealt.secret(SERVER) or {})["draws"] == {"race-1/tips": order[:12]}


def test_a_hand_is_in_table_order() -> None:
    """Board fields"""
    tips = ["perle-whip", "vertige-2", "noiro-whip", "vertige-0", "cocotte-1"]
    played = meeting(2, hands={1: tips})
    wanted = ["vertige-0", "vertige-2", "cocotte-1", "noiro-whip", "perle-whip"]
    assert board(played, 1)["seats"][0]["hand"] == wanted


@pytest.mark.parametrize(("dealer", "left"), [(1, 2), (2, 3), (3, 1)])
def test_after_a_race_the_dealer_moves_one_seat_to_the_left(dealer: int, left: int) -> None:
    """TU-T2"""
    played = run_race(bet_all(meeting(3, dealer=dealer, target=30)))
    assert played.full.race == 2
    assert board(played)["dealer"] == left


def test_after_the_last_race_the_dealer_stays() -> None:
    """TU-T2"""
    played = meeting(2, dealer=1, target=1)
    while played.full.status == "running":
        dealer = board(played)["dealer"]
        run_race(bet_all(played))
    assert board(played)["dealer"] == dealer


def test_the_first_dealer_is_drawn() -> None:
    """TU-T2: by the seed; every seat comes up."""
    first = {
        seated(Played("tuyaux", seats=3, seed=bytes([i]) * 32)).full.table.dealer for i in range(20)
    }
    assert first == {1, 2, 3}


# ------------------------------------------------------------- options

DEFAULTS = {"whip": "last_turn", "open_bets": False, "bets": "win", "target": 6}


def test_options_left_out_have_the_first_value_of_the_table() -> None:
    """Options"""
    assert read_options({}, 2) == DEFAULTS
    assert read_options({"target": 30}, 7) == {**DEFAULTS, "target": 30}
    assert read_options({"bets": "tierce", "whip": "first_whip"}, 7) == {
        **DEFAULTS,
        "bets": "tierce",
        "whip": "first_whip",
    }


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("whip", "always"),
        ("whip", None),
        ("open_bets", 1),
        ("open_bets", "true"),
        ("open_bets", None),
        ("bets", "place"),
        ("bets", ["win"]),
        ("target", 0),
        ("target", 31),
        ("target", True),
        ("target", "6"),
        ("target", 6.5),
        ("target", None),
        ("races", 3),
        ("a/b~c", 1),
    ],
)
def test_an_option_that_is_not_in_the_table_is_malformed(name: str, value: Any) -> None:
    """Options; contract, Errors: 400 with a pointer."""
    with pytest.raises(Malformed) as caught:
        read_options({"target": 3, name: value}, 3)
    assert caught.value.pointer == "/options/" + name.replace("~", "~0").replace("/", "~1")


def test_play_goes_round_the_table() -> None:
    """TU-S4: a hand is played out to its last tip."""
    played = bet_all(meeting(2))
    for _ in range(10):
        (seat,) = played.game.waiting(played.full)
        hand = played.full.table.hands[seat - 1]
        play(played, hand[-1])
    assert played.full.table.results
