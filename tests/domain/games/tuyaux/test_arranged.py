"""Which arrangements are possible (contract, Chance; sheet, Draws)."""

from typing import Any

import pytest

from domain.games.tuyaux.arranged import check_arranged
from domain.games.tuyaux.options import read_options
from domain.kernel.rejection import Malformed
from tests.domain.games.tuyaux.paddock import (
    bet_all,
    deal,
    meeting,
    printed,
    race_deck,
    run_race,
    tips_of,
)
from tests.kit.spec import board

CARDS = list(printed())
FIXED = {"race-1/programme": ["noiro-2"]}


def check(draws: dict[str, Any], seats: int = 4, **options: Any) -> None:
    """Check an arrangement for a meeting."""
    check_arranged(read_options(options, seats), seats, draws)


def refused(draws: dict[str, Any], label: str, **rest: Any) -> None:
    """The arrangement is malformed at this label."""
    with pytest.raises(Malformed) as caught:
        check(draws, **rest)
    pointer = label.replace("~", "~0").replace("/", "~1")
    assert caught.value.pointer == f"/arranged/draws/{pointer}"


@pytest.mark.parametrize("card", CARDS)
@pytest.mark.parametrize("seats", [2, 4, 7])
def test_whole_arranged_races_are_possible(card: str, seats: int) -> None:
    """Contract, Chance"""
    check({"dealer": [2], **deal(seats, card=card), **deal(seats, race=2, card=card)}, seats)


@pytest.mark.parametrize(
    "items", [[0], [5], [1, 1], ["1"], [True], [1.5], [None], [[1]], [1, 2, 3, 4, 5]]
)
def test_dealers_are_seats_each_once(items: list[Any]) -> None:
    """Draws"""
    refused({"dealer": items}, "dealer")
    check({"dealer": [4, 1, 2, 3]})
    check({"dealer": []})


@pytest.mark.parametrize(
    "items", [["caramel-0"], ["noiro-whip"], ["noiro-2", "noiro-2"], [1], [None], [["noiro-2"]]]
)
def test_a_programme_is_of_the_14_race_cards_each_once(items: list[Any]) -> None:
    """Draws"""
    refused({"race-1/programme": items}, "race-1/programme")
    check({"race-1/programme": CARDS})
    check({"race-1/programme": []})


@pytest.mark.parametrize(
    "label",
    [
        "race-0/programme",
        "race-01/programme",
        "race-121/programme",
        "race-1000/programme",
        "race-1/deck",
        "race-1/Tips",
        "race-1",
        "bookmaker",
        "",
        "race-1/tips ",
        "race-1/tips\n",
        "race--1/tips",
        "~/",
    ],
)
def test_a_label_that_the_meeting_cannot_draw_is_malformed(label: str) -> None:
    """Draws"""
    refused({**FIXED, label: []}, label)


@pytest.mark.parametrize(("target", "most"), [(1, 100), (6, 120), (30, 600)])
def test_races_are_drawn_up_to_the_bound(target: int, most: int) -> None:
    """TU-E3"""
    check({f"race-{most}/programme": ["noiro-2"]}, target=target)
    late = f"race-{most + 1}/programme"
    refused({late: ["noiro-2"]}, late, target=target)


@pytest.mark.parametrize("draw", ["race-deck", "tips"])
def test_a_race_deck_or_tips_need_the_programme_of_that_race(draw: str) -> None:
    """Draws"""
    label = f"race-2/{draw}"
    items = {"race-deck": ["noiro-2"], "tips": ["noiro-2"]}[draw]
    refused({label: items}, label)
    refused({**FIXED, label: items}, label)
    refused({"race-2/programme": [], label: items}, label)
    refused({label: []}, label)
    check({"race-2/programme": ["noiro-2"], label: items})
    check({"race-2/programme": ["noiro-2"], label: []})
    refused({label: items, "race-2/programme": ["ace"]}, "race-2/programme")


def test_a_race_deck_is_of_the_starters_with_the_values_of_the_programme() -> None:
    """Draws: checked with the programme."""
    for items in (["vertige-0"], ["noiro-1"], ["noiro-2", "noiro-2"], ["noiro-whip"], [2]):
        refused({**FIXED, "race-1/race-deck": items}, "race-1/race-deck")
    check({**FIXED, "race-1/race-deck": race_deck("noiro-2")[::-1]})
    check({**FIXED, "race-1/race-deck": ["perle-1"]})


def test_tips_are_of_the_starters_none_too_often() -> None:
    """Draws: checked with the programme."""
    for items in (["vertige-0"], ["noiro-0"] * 3, ["noiro-whip"] * 2, ["noiro-3"], [2]):
        refused({**FIXED, "race-1/tips": items}, "race-1/tips")
    check({**FIXED, "race-1/tips": tips_of("noiro-2")[::-1]})
    check({**FIXED, "race-1/tips": ["noiro-0", "noiro-0", "perle-whip"]})


def test_what_is_arranged_comes_first_and_nothing_is_dropped() -> None:
    """Contract, Chance: in race 2 too, whose dealer is the next."""
    second = deal(
        2, race=2, dealer=2, card="perle-1", deck=["caramel-2"], hands={1: ["perle-whip"]}
    )
    played = run_race(bet_all(meeting(2, draws=second, target=30)))
    shown = board(bet_all(played), 1)
    assert (shown["race"], shown["race_card"]) == (2, "caramel-2")
    assert "perle-whip" in shown["seats"][0]["hand"]
    assert all(not event.arrangement_dropped for event in played.events)


def test_lists_of_some_items_are_filled_up_from_the_draw() -> None:
    """Contract, Chance"""
    draws = {"race-1/programme": ["noiro-2"], "race-1/tips": ["noiro-whip"], "race-1/race-deck": []}
    played = meeting(2, draws=draws)
    assert "noiro-whip" in played.full.table.hands[1]
    assert len(played.full.table.hands[1]) == 4
