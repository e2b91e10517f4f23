"""Before the predictions: races, course, lanes, choice, deal (TG-S1 to TG-S6)."""

from itertools import pairwise
from typing import Any

import pytest

from domain.games.ticket_gagnant import events as e
from domain.kernel.chance import derive_key, shuffle
from domain.racing.events import RaceOpened
from tests.domain.games.ticket_gagnant.turf import (
    CUSTOM,
    DECKS,
    GAME,
    HORSES,
    choose,
    dealt,
    discard,
    moving,
    opened,
    play_out,
    predict,
    river_of,
    single,
)
from tests.kit.meetings import SEED, Played, as_default, seated
from tests.kit.spec import board, event, given

COUNTS = {2: (4, 6), 3: (3, 6), 4: (4, 8), 5: (5,), 6: (6,)}
PLACES = [(1, "front"), (1, "behind"), (2, "front"), (2, "behind")]


# ---------------------------------------------------------------- TG-S1


@pytest.mark.parametrize(
    ("seats", "races"), [(seats, races) for seats, counts in COUNTS.items() for races in counts]
)
def test_every_seat_is_first_player_equally_often(seats: int, races: int) -> None:
    """TG-S1, TG-S6: the token goes to the left after each race."""
    played = seated(Played(GAME, seats=seats, options={"races": races})).play(as_default)
    firsts = [ev.first for ev in played.events if isinstance(ev, e.LanesDrawn)]
    assert len(firsts) == races
    assert {firsts.count(seat) for seat in range(1, seats + 1)} == {races // seats}
    assert all(after == before % seats + 1 for before, after in pairwise(firsts))


@pytest.mark.parametrize(("seats", "counts"), COUNTS.items())
def test_the_first_count_is_the_default(seats: int, counts: tuple[int, ...]) -> None:
    """TG-S1"""
    assert Played(GAME, seats=seats).full.options["races"] == counts[0]


# ---------------------------------------------------------------- TG-S2


def test_the_standard_course_is_that_of_the_sheet() -> None:
    """TG-S2"""
    course = board(opened())["course"]
    prints = "2-4 5-5 3-6 6-7 1-8 4-9 7-10 2-11 5-12 3-13 6-14"
    spots = [(spot["lane"], spot["space"]) for spot in course.pop("hoofprints")]
    assert spots == [tuple(map(int, spot.split("-"))) for spot in prints.split()]
    assert course == {
        "lanes": 7,
        "last": 15,
        "start": 1,
        "line": 13,
        "hedges": [4, 8],
        "river": None,
    }


@pytest.mark.parametrize(("river", "row"), list(zip(PLACES, (4, 5, 8, 9), strict=True)))
def test_the_river_is_the_row_in_front_of_or_behind_a_hedge(
    river: tuple[int, str], row: int
) -> None:
    """TG-S2: front is the side nearer the start."""
    played = dealt(kind="steeplechase", river=river)
    shown = board(played)
    assert shown["course"]["river"] == row
    assert shown["choice"]["river"] == river_of(river)


@pytest.mark.parametrize(("river", "row"), list(zip(PLACES, (3, 4, 5, 6), strict=True)))
def test_the_river_lies_at_the_hedges_of_a_course_of_ones_own(
    river: tuple[int, str], row: int
) -> None:
    """TG-S2"""
    shown = board(dealt(kind="steeplechase", river=river, course=CUSTOM))["course"]
    assert shown == {**CUSTOM, "river": row}


def test_the_board_has_the_geometry_whatever_the_kind() -> None:
    """TG-S2 (Board fields)"""
    flat, harness = board(dealt(kind="flat")), board(dealt(kind="harness"))
    assert flat["course"] == harness["course"] == board(opened())["course"]


# ---------------------------------------------------------------- TG-S3


def test_horses_line_up_in_lanes_1_to_7_before_the_choice() -> None:
    """TG-S3"""
    lanes = ["black", "red", "orange", "yellow", "green", "blue", "purple"]
    shown = board(opened(lanes=lanes))
    assert shown["phase"] == "choose"
    stands = {h["horse"]: (h["lane"], h["space"]) for h in shown["horses"]}
    assert stands == {horse: (lane, 1) for lane, horse in enumerate(lanes, 1)}
    assert [h["horse"] for h in shown["horses"]] == list(HORSES), "in number order"


def test_on_a_wide_course_too_lanes_1_to_7_are_taken() -> None:
    """TG-S3"""
    wide = {**CUSTOM, "lanes": 12, "start": 0}
    shown = board(seated(Played(GAME, options={"course": wide})))
    assert sorted((h["lane"], h["space"]) for h in shown["horses"]) == [(n, 0) for n in range(1, 8)]


def test_each_race_has_lanes_of_its_own() -> None:
    """TG-S3 (Draws)"""
    played = seated(Played(GAME, seats=2)).play(as_default)
    key = derive_key(SEED, ["", ""])
    for number, ev in enumerate((ev for ev in played.events if isinstance(ev, e.LanesDrawn)), 1):
        assert ev.lanes == shuffle(key, f"race-{number}/lanes", HORSES)


# ---------------------------------------------------------------- TG-S4


@pytest.mark.parametrize("kind", ["flat", "obstacle", "harness"])
@pytest.mark.parametrize("deal", [3, 7])
@pytest.mark.parametrize("hidden", [True, False])
def test_the_first_player_chooses_the_race(kind: str, deal: int, hidden: bool) -> None:
    """TG-S4"""
    after = (
        given(opened(3, first=2))
        .when(2, choose(kind, deal, hidden))
        .then(
            event(e.RaceChosen, seat=2, kind=kind, deal=deal, hidden=hidden, river=None),
            event(e.HandsDealt, count=deal),
        )
    )
    shown = board(after)
    assert shown["choice"] == {"kind": kind, "deal": deal, "hidden": hidden, "river": None}
    assert shown["phase"] == "predict"
    assert [seat["hand_count"] for seat in shown["seats"]] == [deal] * 3


@pytest.mark.parametrize("river", PLACES)
def test_a_steeplechase_is_chosen_with_its_river(river: tuple[int, str]) -> None:
    """TG-S4"""
    given(opened()).when(1, choose("steeplechase", river=river)).then(
        event(e.RaceChosen, river=river_of(river)), event(e.HandsDealt)
    )


def test_hidden_may_be_left_out_and_stays_out_of_the_command() -> None:
    """TG-S4, contract, Log: a field left out stays out."""
    told = event(e.RaceChosen, hidden=False, command={**BODY, "deal": 4, "kind": "flat"})
    given(opened()).when(1, choose(deal=4)).then(told, event(e.HandsDealt))
    told = event(e.RaceChosen, command={**BODY, "deal": 4, "kind": "flat", "hidden": False})
    given(opened()).when(1, choose(deal=4, hidden=False)).then(told, event(e.HandsDealt))


BODY = {"type": "ticket-gagnant.choose_race"}


def test_only_the_first_player_chooses() -> None:
    """TG-S4"""
    given(opened(3, first=2)).when(1, choose()).refused("not_your_turn")
    given(opened(3, first=2)).when(3, choose()).refused("not_your_turn")


@pytest.mark.parametrize("deal", [2, 8, 0, -1, 10**9])
def test_three_to_seven_cards_are_dealt(deal: int) -> None:
    """TG-S4"""
    given(opened()).when(1, choose(deal=deal)).refused("deal_out_of_range", "TG-S4")


@pytest.mark.parametrize("kind", ["flat", "obstacle", "harness"])
def test_no_other_race_has_a_river(kind: str) -> None:
    """TG-S4"""
    given(opened()).when(1, choose(kind, river=(1, "front"))).refused("river_misplaced", "TG-S4")


def test_a_steeplechase_has_a_river() -> None:
    """TG-S4"""
    given(opened()).when(1, choose("steeplechase")).refused("river_misplaced", "TG-S4")


@pytest.mark.parametrize("hedge", [0, 3, -1])
def test_there_are_two_hedges(hedge: int) -> None:
    """TG-S4"""
    command = choose("steeplechase", river=(hedge, "front"))
    given(opened()).when(1, command).refused("hedge_unknown", "TG-S4")


@pytest.mark.parametrize("kind", ["obstacle", "steeplechase", "harness"])
def test_flat_only_leaves_the_deal_and_hidden_to_the_first_player(kind: str) -> None:
    """TG-S4"""
    played = opened(choice="flat_only")
    river = (1, "front") if kind == "steeplechase" else None
    given(played).when(1, choose(kind, river=river)).refused("flat_only", "TG-S4")
    given(played).when(1, choose("flat", 7, True)).then(
        event(e.RaceChosen, kind="flat", deal=7, hidden=True), event(e.HandsDealt)
    )


def test_the_race_is_chosen_before_anything_else() -> None:
    """TG-S4 (Commands)"""
    played = opened()
    given(played).when(1, predict("red")).refused("wrong_phase")
    given(played).when(1, single("red-1", "forward")).refused("wrong_phase")
    given(played).when(1, discard("red-1")).refused("wrong_phase")
    given(dealt()).when(1, choose()).refused("wrong_phase")
    given(moving()).when(1, choose()).refused("wrong_phase")


PROGRAMME: list[dict[str, Any]] = [
    {"kind": "harness", "deal": 3},
    {"kind": "steeplechase", "deal": 7, "hidden": True, "river": river_of((2, "behind"))},
    {"kind": "flat", "deal": 4, "hidden": False},
    {"kind": "obstacle", "deal": 5},
]


def test_races_of_a_programme_open_dealt() -> None:
    """TG-S4: no choose phase, also between races."""
    played = seated(Played(GAME, options={"choice": PROGRAMME}))
    phases = set()
    for fixed in PROGRAMME:
        shown = board(played)
        assert shown["phase"] == "predict"
        assert shown["choice"] == {"hidden": False, "river": None, **fixed}
        assert [seat["hand_count"] for seat in shown["seats"]] == [fixed["deal"]] * 2
        phases.add(shown["phase"])
        given(played).when(shown["first_player"], choose()).refused("wrong_phase")
        play_out(played)
    assert played.full.ranking is not None
    commands = [ev.command["type"] for ev in played.events if isinstance(ev.command, dict)]
    assert set(commands) == {"ticket-gagnant.play_card"}


# ---------------------------------------------------------------- TG-S5


@pytest.mark.parametrize("wild", ["free", "printed"])
@pytest.mark.parametrize("first", [1, 3, 6])
def test_the_45_cards_are_dealt_in_blocks_from_the_first_player(wild: str, first: int) -> None:
    """TG-S5 (Draws): recomputed from the seed and the sheet's list."""
    played = seated(Played(GAME, seats=6, options={"wild": wild}, draws={"first_player": [first]}))
    played.give(first, choose(deal=7))
    cards = shuffle(derive_key(SEED, [""] * 6), "race-1/deck", DECKS[wild])
    for block in range(6):
        seat = (first - 1 + block) % 6 + 1
        hand = board(played, seat)["seats"][seat - 1]["hand"]
        assert hand == cards[7 * block : 7 * block + 7]


def test_the_deck_is_45_cards() -> None:
    """TG-S5"""
    for cards in DECKS.values():
        assert len(cards) == 45
        singles = [card for card in cards if card[-1].isdigit() and not card.startswith("wild")]
        assert len(singles) == len({*singles}) == 21
        pairs = [card for card in cards if "+" in card]
        assert len(pairs) == 21
        assert pairs == sorted({"+".join(sorted((a, b))) for a in HORSES for b in HORSES if a != b})


def test_the_whole_deck_is_shuffled_anew_for_each_race() -> None:
    """TG-S5"""
    played = seated(Played(GAME, seats=2)).play(as_default)
    key = derive_key(SEED, ["", ""])
    deals = [ev for ev in played.events if isinstance(ev, e.HandsDealt)]
    firsts = [ev.first for ev in played.events if isinstance(ev, e.LanesDrawn)]
    for number, (ev, first) in enumerate(zip(deals, firsts, strict=True), 1):
        cards = shuffle(key, f"race-{number}/deck", DECKS["free"])
        assert ev.private
        assert ev.private[str(first)]["hand"] == cards[: ev.count]


# ---------------------------------------------------------------- TG-S6


def test_the_first_player_of_race_1_is_drawn() -> None:
    """TG-S6 (Draws)"""
    played = seated(Played(GAME, seats=5), ["x", None, "y"])
    seats = shuffle(derive_key(SEED, ["x", "", "y", "", ""]), "first_player", [1, 2, 3, 4, 5])
    assert board(played)["first_player"] == seats[0]
    drawn = next(ev for ev in played.events if isinstance(ev, e.FirstPlayerDrawn))
    assert drawn.draws == {"first_player": seats[:1]}


def test_the_token_passes_to_the_left_after_each_race_but_the_last() -> None:
    """TG-S6, TG-P8"""
    played = opened(3, first=3)
    for number, first in enumerate((3, 1, 2), 1):
        assert (board(played)["race"], board(played)["first_player"]) == (number, first)
        play_out(played)
    assert board(played)["status"] == "finished"
    assert board(played)["first_player"] == 2


def test_the_next_race_opens_in_the_same_step() -> None:
    """TG-S6, TG-S3"""
    played = moving(deal=3, predictions={1: ("red",), 2: ("red",)})
    sizes = len(played.sizes)
    play_out(played)
    last = played.events[-played.sizes[-1] :]
    assert len(played.sizes) > sizes
    assert isinstance(last[0], e.CardPlayed)
    assert any(isinstance(ev, RaceOpened) for ev in last)
    assert isinstance(last[-1], e.LanesDrawn)
