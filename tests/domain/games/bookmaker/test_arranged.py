"""Which arrangements are possible (contract, Chance; sheet, Draws)."""

from typing import Any

import pytest

from domain.games.bookmaker.arranged import check_arranged
from domain.games.bookmaker.options import read_options
from domain.kernel.rejection import Malformed
from tests.kit.ring import PACK, deal


def check(draws: dict[str, Any], kind: str = "plain", seats: int = 4, **options: Any) -> None:
    """Check an arrangement for a meeting of two (or as many as needed) races of this kind."""
    length = seats // 2 if seats >= 4 and seats % 2 == 0 else seats
    full = read_options({"programme": [kind] * length, **options}, seats)
    check_arranged(full, seats, draws)


def refused(draws: dict[str, Any], label: str, kind: str = "plain", **rest: Any) -> None:
    """The arrangement is malformed at this label."""
    with pytest.raises(Malformed) as caught:
        check(draws, kind, **rest)
    assert caught.value.pointer == "/arranged/draws/" + label.replace("/", "~1")


@pytest.mark.parametrize("kind", ["plain", "joker", "trot", "joker_trot"])
@pytest.mark.parametrize("seats", [2, 3, 4, 9])
def test_whole_arranged_races_are_possible(kind: str, seats: int) -> None:
    """Contract, Chance"""
    check(
        {"bookmaker": [1], **deal(seats, kind=kind), **deal(seats, kind=kind, race=2)}, kind, seats
    )
    check({"brocco": ["red-1"], **deal(seats, kind=kind, brocco="red-1")}, kind, seats, brocco=True)


@pytest.mark.parametrize(
    "items", [[0], [5], [1, 1], ["1"], [True], [1.5], [None], [[1]], [1, 2, 3, 4, 5]]
)
def test_bookmakers_are_seats_each_once(items: list[Any]) -> None:
    """Draws"""
    refused({"bookmaker": items}, "bookmaker")
    check({"bookmaker": [4, 1, 2, 3]})
    check({"bookmaker": []})


@pytest.mark.parametrize(
    "items", [["red-11"], ["joker"], ["red-1"] * 3, [1], [None], [["red-1"]], [*PACK, "red-1"]]
)
def test_a_deck_is_of_the_80_cards_none_too_often(items: list[Any]) -> None:
    """Draws"""
    refused({"race-1/deck": items}, "race-1/deck")
    check({"race-1/deck": ["red-1"] * 2})
    check({"race-1/deck": PACK})


@pytest.mark.parametrize(
    "label",
    [
        "race-3/deck",
        "race-0/deck",
        "race-01/deck",
        "race-1/pack",
        "race-1/joker-deck",
        "race-1/trot",
        "race-1/turn",
        "race-1/turn-2",
        "brocco",
        "dealer",
        "",
        "race-1/deck ",
        "race-1/deck\n",
    ],
)
def test_a_label_that_the_meeting_cannot_draw_is_malformed(label: str) -> None:
    """Draws: two plain races without Brocco."""
    refused({"race-1/deck": [], label: ["red-1"]}, label)


@pytest.mark.parametrize("label", ["turn-1", "turn-0", "turn-02", "turn-38", "turn-999"])
def test_later_passes_are_numbered_from_2(label: str) -> None:
    """Draws, BM-R2: 36 steps without a winner are the most, so pass 37 is the last."""
    refused({"race-1/deck": [], f"race-1/{label}": []}, f"race-1/{label}", "trot")
    check({"race-1/deck": [], "race-1/turn-2": [], "race-1/turn-37": []}, "trot")


def test_a_list_needs_those_that_it_depends_on() -> None:
    """Draws"""
    refused({"race-1/deck": ["red-1"]}, "race-1/deck", brocco=True)
    check({"brocco": ["red-1"], "race-1/deck": ["red-1"]}, brocco=True)
    refused({"race-1/joker-deck": ["joker"]}, "race-1/joker-deck", "joker")
    check({"race-1/deck": [], "race-1/joker-deck": ["joker"]}, "joker")
    for label in ("race-1/trot", "race-1/turn", "race-1/turn-2"):
        refused({label: ["red-1"]}, label, "trot")
        refused({"race-1/deck": [], label: ["red-1"]}, label, "joker_trot")
        check({"race-1/deck": [], label: ["red-1"]}, "trot")
        check({"race-1/deck": [], "race-1/joker-deck": [], label: ["red-1"]}, "joker_trot")


def test_the_card_aside_is_in_no_deck() -> None:
    """Draws"""
    aside = {"brocco": ["red-1"]}
    refused({**aside, "race-1/deck": ["red-1", "red-1"]}, "race-1/deck", brocco=True)
    refused({**aside, "race-2/deck": PACK}, "race-2/deck", brocco=True)
    check({"brocco": [], "race-1/deck": ["red-1", "red-1"]}, brocco=True)


def test_what_was_dealt_is_not_turned() -> None:
    """Draws: the first 4 + 16 cards of an arranged deck are gone."""
    deck = PACK[:24]
    for label in ("race-1/trot", "race-1/turn"):
        refused({"race-1/deck": deck, label: ["red-5"]}, label, "trot")
        refused({"race-1/deck": deck, label: ["red-1"]}, label, "trot")
        check({"race-1/deck": deck, label: ["blue-1", "blue-1", "blue-2"]}, "trot")


def test_of_the_part_that_is_not_arranged_only_names_are_checked() -> None:
    """Contract, Chance"""
    check({"race-1/deck": ["red-1"], "race-1/joker-deck": ["red-1", "joker", "joker"]}, "joker")
    refused(
        {"race-1/deck": ["red-1"], "race-1/joker-deck": ["red-1", "red-1"]},
        "race-1/joker-deck",
        "joker",
    )
    refused({"race-1/deck": [], "race-1/joker-deck": ["ace"]}, "race-1/joker-deck", "joker")
    check({"race-1/deck": PACK[:10], "race-1/turn": ["red-6", "red-6"]}, "trot")
