"""What a host may arrange (contract, Chance)."""

from typing import Any

import pytest

from domain.games.change_horses.arranged import check_arranged
from domain.games.change_horses.options import read_options
from domain.kernel.rejection import Malformed
from tests.domain.games.change_horses.paddock import HORSES


def check(seats: int, draws: dict[str, list[Any]], **options: Any) -> None:
    """Check an arrangement."""
    check_arranged(read_options(options, seats), seats, draws)


@pytest.mark.parametrize(
    ("seats", "options", "draws"),
    [
        (4, {}, {}),
        (4, {}, {"race-1/lanes": []}),
        (4, {}, {"race-1/lanes": list(HORSES)}),
        (2, {}, {"race-1/certificates": ["red", "blue", "green"]}),
        (5, {}, {"race-1/positions": [5, 4, 3, 2, 1]}),
        (2, {}, {"race-1/positions": [2]}),
        (2, {}, {"race-1/positions": [2, 1]}),
        (3, {}, {"race-1/positions-2": [3, 2], "race-1/positions-14": [2]}),
        (3, {"turn_order": "derby"}, {"race-1/positions": [3]}),
        (3, {"races": 10}, {"race-10/lanes": ["red"], "race-9/positions-3": [2]}),
    ],
)
def test_lists_that_can_be_drawn_are_taken(
    seats: int, options: dict[str, Any], draws: dict[str, list[Any]]
) -> None:
    """Draws"""
    check(seats, draws, **options)


@pytest.mark.parametrize(
    ("seats", "options", "label", "items"),
    [
        (4, {}, "race-2/lanes", ["red"]),
        (4, {}, "race-0/lanes", ["red"]),
        (4, {"races": 10}, "race-11/lanes", ["red"]),
        (4, {}, "race-01/lanes", ["red"]),
        (4, {}, "race-1/deck", ["red"]),
        (4, {}, "lanes", ["red"]),
        (4, {}, "race-1/lanes ", ["red"]),
        (4, {}, "race-1/lanes", ["pink"]),
        (4, {}, "race-1/lanes", ["red", "red"]),
        (4, {}, "race-1/lanes", [1]),
        (4, {}, "race-1/lanes", [None]),
        (4, {}, "race-1/lanes", [["red"]]),
        (4, {}, "race-1/certificates", ["A"]),
        (4, {}, "race-1/certificates", [*HORSES, "red"]),
        (4, {}, "race-1/positions", [0]),
        (4, {}, "race-1/positions", [5]),
        (4, {}, "race-1/positions", [True]),
        (4, {}, "race-1/positions", ["1"]),
        (4, {}, "race-1/positions", [2, 2]),
        (4, {}, "race-1/positions-1", [2]),
        (4, {}, "race-1/positions-15", [2]),
        (4, {}, "race-1/positions-02", [2]),
        (4, {}, "race-1/positions-2", [1]),
        (4, {}, "race-1/positions-2", [5]),
        (2, {}, "race-1/positions", [3]),
        (2, {}, "race-1/positions-2", [2]),
        (4, {"turn_order": "derby"}, "race-1/positions-2", [2]),
    ],
)
def test_anything_else_is_malformed(
    seats: int, options: dict[str, Any], label: str, items: list[Any]
) -> None:
    """Draws: the pointer names the label."""
    with pytest.raises(Malformed) as caught:
        check(seats, {label: items}, **options)
    assert caught.value.pointer == "/arranged/draws/" + label.replace("/", "~1")
