"""The race: turns, race cards, tips and whips (TU-T1, TU-M2 to TU-M6)."""

from typing import Any

import pytest

from domain.games.tuyaux import events as e
from domain.games.tuyaux.track import move, start, tip_places, whip_value
from domain.racing.events import RaceClosed, RaceOpened
from tests.domain.games.tuyaux.paddock import lines, off, play, text, tip
from tests.kit.meetings import Played
from tests.kit.spec import board, event, given

# ------------------------------------------------------------- movement


def field(text: str) -> list[list[str]]:
    """`A|BC` as lines."""
    return [list(line) for line in text.split("|")]


@pytest.mark.parametrize(
    ("before", "moves", "after"),
    [
        ("ABCD", "A+1", "A|BCD"),
        ("A|BCD", "B+2", "B|A|CD"),
        ("B|A|CD", "C-1", "B|A|D|C"),
        ("B|A|D|C", "D-1", "B|A|C|D"),
        ("B|A|C|D", "C+2", "C|B|A|D"),
        ("ABCD", "A+2", "A|BCD"),
        ("ABCD", "A-2", "BCD|A"),
        ("A|BCD", "B+1", "A|B|CD"),
        ("BCD|A", "A+1", "A|BCD"),
        ("B|AC", "A-1", "B|C|A"),
        ("B|AC", "A-2", "B|C|A"),
        ("A|BC", "A-1", "BC|A"),
        ("A|B|C|D", "D+9", "D|A|B|C"),
        ("A|B|C|D", "A-9", "B|C|D|A"),
        ("AB|C", "C+1", "C|AB"),
        ("A|BC|D", "D+2", "D|A|BC"),
        ("A|BC|D", "A-2", "BC|D|A"),
    ],
)
def test_the_worked_cases_of_movement(before: str, moves: str, after: str) -> None:
    """TU-M1, TU-M7"""
    moved, _ = move(field(before), moves[0], int(moves[1:]))
    assert moved == field(after)


@pytest.mark.parametrize(
    ("before", "horse", "places", "made"),
    [
        ("ABCD", "A", 2, 1),
        ("ABCD", "A", -2, -1),
        ("A|BCD", "A", 2, 0),
        ("BCD|A", "A", -1, 0),
        ("A|BCD", "B", 2, 2),
        ("A|BCD", "B", 3, 2),
        ("A|B|C|D", "D", 2, 2),
        ("A|B|C|D", "A", -3, -3),
        ("A|B|C|D", "B", 0, 0),
    ],
)
def test_the_places_really_gained(before: str, horse: str, places: int, made: int) -> None:
    """TU-M7: alone in front or at the back nothing more is gained or lost."""
    assert move(field(before), horse, places)[1] == made


def test_all_starters_stand_on_one_line_at_first() -> None:
    """TU-M1"""
    assert start(["vertige", "perle"]) == [["vertige", "perle"]]


@pytest.mark.parametrize(
    ("race_value", "tip_value", "places"),
    [
        *((0, 2, 2), (0, 1, 1), (0, 0, 0)),
        *((1, 2, 1), (1, 1, 0), (1, 0, -1)),
        *((2, 2, 0), (2, 1, -1), (2, 0, -2), (2, 3, 1)),
    ],
)
def test_a_tip_is_worth_its_value_less_that_of_the_race_card(
    race_value: int, tip_value: int, places: int
) -> None:
    """TU-M3"""
    assert tip_places(tip_value, race_value, turned=False) == places


@pytest.mark.parametrize(
    ("race_value", "tip_value", "places"),
    [(2, 0, 0), (2, 1, 0), (2, 2, 0), (2, 3, 1), (1, 0, -1), (1, 2, 1), (0, 2, 2)],
)
def test_the_favourite_turned_loses_no_places(race_value: int, tip_value: int, places: int) -> None:
    """TU-M4: an outsider turned does."""
    assert tip_places(tip_value, race_value, turned=True) == places


@pytest.mark.parametrize(
    ("first_whip", "last_turn", "before", "value"),
    [
        (False, False, 0, 2),
        (False, False, 2, 2),
        (False, True, 0, 3),
        (False, True, 3, 3),
        (True, False, 0, 3),
        (True, False, 1, 2),
        (True, True, 0, 3),
        (True, True, 1, 2),
        (True, True, 5, 2),
    ],
)
def test_what_a_whip_is_worth(first_whip: bool, last_turn: bool, before: int, value: int) -> None:
    """TU-M5, TU-M6"""
    assert whip_value(last_turn=last_turn, whips_before=before, first_whip=first_whip) == value


# ------------------------------------------------------------- play

DECK = ["noiro-2", "cocotte-1", "vertige-0", "grisou-1", "perle-0"]


def race(seats: int = 2, **rest: Any) -> Played:
    """The first card of DECK is turned: N|VCGP. Seat 2 plays first."""
    return off(seats, deck=rest.pop("deck", DECK), **rest)


def turns(played: Played, count: int) -> Played:
    """So many whole turns, with tips that are first in hand."""
    wanted = played.full.table.turn + count
    while played.full.table.turn < wanted:
        (seat,) = played.game.waiting(played.full)
        play(played, played.full.table.hands[seat - 1][0])
    return played


def test_the_race_card_turned_moves_its_horse_at_once() -> None:
    """TU-T1, TU-M2"""
    played = race()
    turned = next(ev for ev in played.events if isinstance(ev, e.CardTurned))
    assert (turned.turn, turned.card, turned.moved) == (1, "noiro-2", 1)
    assert lines(played) == "N|VCGP"


@pytest.mark.parametrize(
    ("deck", "after"),
    [
        (["vertige-0"], "VCNGP"),
        (["cocotte-1"], "C|VNGP"),
        (["noiro-2"], "N|VCGP"),
    ],
)
def test_a_race_card_gains_its_value(deck: list[str], after: str) -> None:
    """TU-M2"""
    assert lines(race(deck=deck)) == after


def test_seats_play_one_tip_each_from_the_left_of_the_dealer_the_dealer_last() -> None:
    """TU-T1"""
    played = race(3, dealer=2)
    for turn in range(1, 6):
        assert played.full.table.turn == turn
        for seat in (3, 1, 2):
            assert board(played)["to_act"] == [seat]
            hand = played.full.table.hands[seat - 1]
            for other in {1, 2, 3} - {seat}:
                theirs = played.full.table.hands[other - 1]
                if theirs:
                    given(played).when(other, tip(theirs[0])).refused("not_your_turn")
            play(played, hand[0])
    assert played.full.table.results


def test_a_tip_moves_at_once_and_the_next_card_follows_the_dealers() -> None:
    """TU-T1, TU-M3"""
    played = race(hands={2: ["cocotte-0"], 1: ["perle-1"]})
    after = (
        given(played)
        .when(2, tip("cocotte-0"))
        .then(
            event(
                e.TipPlayed,
                seat=2,
                card="cocotte-0",
                moved=-1,
                lines=[["noiro"], ["vertige", "grisou", "perle"], ["cocotte"]],
            )
        )
    )
    given(after).when(1, tip("perle-1")).then(
        event(
            e.TipPlayed,
            seat=1,
            moved=-1,
            lines=[["noiro"], ["vertige", "grisou"], ["perle"], ["cocotte"]],
        ),
        event(
            e.CardTurned,
            turn=2,
            card="cocotte-1",
            moved=1,
            draws={"race-1/race-deck": ["cocotte-1"]},
        ),
    )


def test_a_tip_that_is_not_in_hand_is_refused() -> None:
    """TU-T1"""
    played = race(hands={2: ["cocotte-0"], 1: ["perle-1"]})
    given(played).when(2, tip("perle-1")).refused("card_not_in_hand", "TU-T1")
    given(played).when(2, tip("caramel-0")).refused("card_not_in_hand", "TU-T1")
    play(played, "cocotte-0", "perle-1")
    given(played).when(2, tip("cocotte-0")).refused("card_not_in_hand", "TU-T1")


def test_of_two_tips_of_one_name_each_is_played_once() -> None:
    """TU-T1"""
    played = race(hands={2: ["cocotte-0", "cocotte-0"]})
    play(played, "cocotte-0", played.full.table.hands[0][0])
    play(played, "cocotte-0", played.full.table.hands[0][0])
    given(played).when(2, tip("cocotte-0")).refused("card_not_in_hand", "TU-T1")


def test_the_favourite_turned_can_be_passed_but_loses_no_places() -> None:
    """TU-M4: N|VCGP; noiro-0 does nothing now, and in another turn it does."""
    played = race(hands={2: ["noiro-0", "noiro-0"], 1: ["noiro-1"]}, deck=["noiro-2", "grisou-1"])
    play(played, "noiro-0", "noiro-1")
    assert [t.moved for t in played.full.table.tips_played] == [0, 0]
    assert lines(played) == "N|G|VCP"  # grisou gained a place when its card was turned
    play(played, "noiro-0")
    assert played.full.table.tips_played[-1].moved == -1
    assert lines(played) == "G|N|VCP"


def test_the_other_favourite_loses_places_as_usual() -> None:
    """TU-M4: vertige and noiro are both favourites of this race."""
    played = race(card="vertige-2", deck=["vertige-2"], hands={2: ["noiro-0"], 1: ["vertige-0"]})
    play(played, "noiro-0", "vertige-0")
    assert [t.moved for t in played.full.table.tips_played] == [-1, 0]


def test_a_favourite_turned_is_passed_by_others() -> None:
    """TU-M4, TU-M6: a first whip is worth 3, and 3 - 2 is a place."""
    played = race(whip="first_whip", hands={2: ["cocotte-whip"], 1: ["cocotte-2"]})
    play(played, "cocotte-whip")
    assert lines(played) == "N|C|VGP"
    play(played, "cocotte-2")
    assert lines(played).startswith("C|N|"), "cocotte's own card is turned next"


def last_turn(whip: str) -> Played:
    """N|A|P|C, and cocotte's 0 is turned in the last of four turns; whips are left."""
    hands = {
        2: ["noiro-2", "noiro-1", "noiro-1", "cocotte-whip"],
        1: ["cocotte-2", "cocotte-1", "cocotte-1", "perle-whip"],
    }
    deck = ["noiro-2", "caramel-1", "perle-1", "cocotte-0"]
    played = race(card="noiro-2", hands=hands, deck=deck, whip=whip, target=30)
    still = ("noiro-2", "cocotte-2", "noiro-1", "cocotte-1", "noiro-1", "cocotte-1")
    played = play(played, *still)
    assert (lines(played), played.full.table.turn) == ("N|A|P|C", 4)
    return played


def third_turn(whip: str) -> Played:
    """Likewise, in the third of four turns."""
    hands = {
        2: ["noiro-2", "perle-2", "cocotte-whip"],
        1: ["cocotte-2", "cocotte-1", "perle-whip"],
    }
    deck = ["noiro-2", "caramel-1", "cocotte-0", "perle-1"]
    played = race(card="noiro-2", hands=hands, deck=deck, whip=whip)
    played = play(played, "noiro-2", "cocotte-2", "perle-2", "cocotte-1")
    assert (lines(played), played.full.table.turn) == ("N|A|P|C", 3)
    return played


@pytest.mark.parametrize(
    ("position", "whip", "moved", "after"),
    [
        (third_turn, "last_turn", (2, 2), ["N|C|A|P", "N|P|C|A"]),
        (third_turn, "first_whip", (3, 2), ["C|N|A|P", "C|P|N|A"]),
        (last_turn, "last_turn", (3, 3), ["C|N|A|P", "P|C|N|A"]),
        (last_turn, "first_whip", (3, 2), ["C|N|A|P", "C|P|N|A"]),
    ],
)
def test_whips_in_a_turn_before_the_last_and_in_the_last(
    position: Any, whip: str, moved: tuple[int, int], after: list[str]
) -> None:
    """TU-M5, TU-M6"""
    played = play(position(whip), "cocotte-whip", "perle-whip")
    told = [ev for ev in played.events if isinstance(ev, e.TipPlayed)][-2:]
    assert tuple(ev.moved for ev in told) == moved
    assert [text(ev.lines) for ev in told] == after


def test_a_race_has_as_many_turns_as_starters() -> None:
    """TU-T1"""
    for card, count in (("noiro-2", 4), ("vertige-0", 5), ("cocotte-0", 6)):
        played = off(2, card=card, target=30)
        while played.full.race == 1:
            (seat,) = played.game.waiting(played.full)
            play(played, played.full.table.hands[seat - 1][0])
        told = [ev for ev in played.events if isinstance(ev, e.CardTurned)]
        assert [ev.turn for ev in told] == list(range(1, count + 1))


def test_the_last_tip_pays_closes_and_opens_the_next_race() -> None:
    """TU-T2, TU-E1"""
    played = race(target=30)
    turns(played, 4)
    (seat,) = played.game.waiting(played.full)
    play(played, played.full.table.hands[seat - 1][0])
    (seat,) = played.game.waiting(played.full)
    card = played.full.table.hands[seat - 1][0]
    given(played).when(seat, tip(card)).then(
        event(e.TipPlayed, seat=seat),
        event(e.RaceSettled),
        event(RaceClosed, race=1),
        event(RaceOpened, race=2, races=None),
        event(e.ProgrammeDrawn),
        event(e.TipsDealt),
    )


def test_a_whip_that_moves_nothing_counts_as_the_first_of_its_turn() -> None:
    """TU-M6: on a race card 2 a second whip is good for nothing."""
    hands = {2: ["noiro-whip"], 3: ["grisou-whip"], 1: ["perle-whip"]}
    played = play(race(3, whip="first_whip", hands=hands), "noiro-whip", "grisou-whip")
    assert [t.moved for t in played.full.table.tips_played] == [0, 0], "noiro is in front"
    assert lines(played) == "N|VCGP"


@pytest.mark.parametrize(
    ("race_card", "worth"), [("vertige-0", (3, 2)), ("cocotte-1", (2, 1)), ("noiro-2", (1, 0))]
)
def test_the_worked_whips(race_card: str, worth: tuple[int, int]) -> None:
    """TU-M6"""
    values = [whip_value(last_turn=False, whips_before=n, first_whip=True) for n in (0, 1)]
    told = [tip_places(value, int(race_card[-1]), turned=False) for value in values]
    assert tuple(told) == worth
