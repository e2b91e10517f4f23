"""Options of a meeting: what may be, what is a 400 and where (sheet, Options; TG-S1, S2, S4)."""

import copy
from typing import Any

import msgspec
import pytest
from jsonschema import Draft202012Validator

from domain.kernel.lines import canonical
from domain.kernel.rejection import Malformed
from domain.registry import GAMES
from tests.domain.games.ticket_gagnant.turf import CUSTOM, GAME, river_of

READ = GAMES[GAME].read_options
COUNTS = {2: (4, 6), 3: (3, 6), 4: (4, 8), 5: (5,), 6: (6,)}
DEFAULTS = {
    "choice": "first_player",
    "dashed_line": "wins",
    "photo_finish": "draw",
    "wild": "free",
    "last_place": -2,
    "course": "standard",
}
FLAT = {"kind": "flat", "deal": 5}
STEEPLECHASE = {"kind": "steeplechase", "deal": 5, "river": river_of((1, "front"))}


def pointer(options: Any, seats: int = 2) -> str | None:
    """Where the options are wrong."""
    with pytest.raises(Malformed) as caught:
        READ(options, seats)
    return caught.value.pointer


def test_nothing_said_gives_the_sheets_defaults() -> None:
    """Options"""
    assert READ({}, 2) == {"races": 4, **DEFAULTS}
    assert READ({}, 5) == {"races": 5, **DEFAULTS}


@pytest.mark.parametrize(
    "options",
    [
        {"races": 6},
        {"choice": "flat_only", "dashed_line": "no_return", "photo_finish": "rail"},
        {"wild": "printed", "last_place": -1, "course": CUSTOM},
        {"choice": [FLAT, STEEPLECHASE, FLAT, {**FLAT, "hidden": True}]},
    ],
)
def test_options_in_full_read_again_are_the_same(options: dict[str, Any]) -> None:
    """Contract, Log: options in full."""
    full = READ(options, 2)
    assert {name: full[name] for name in options if name != "choice"} == {
        name: value for name, value in options.items() if name != "choice"
    }
    assert canonical(READ(full, 2)) == canonical(full)


def test_a_programme_in_full_says_hidden_and_has_a_river_where_there_is_one() -> None:
    """TG-S4"""
    full = READ({"choice": [FLAT, STEEPLECHASE] * 2}, 2)
    shown = {**FLAT, "hidden": False}
    assert full["choice"] == [shown, {**STEEPLECHASE, "hidden": False}] * 2


@pytest.mark.parametrize(
    ("seats", "races"),
    [(seats, n) for seats in range(2, 7) for n in range(-1, 10) if n not in COUNTS[seats]],
)
def test_races_are_one_of_the_counts_for_the_seats(seats: int, races: int) -> None:
    """TG-S1"""
    assert pointer({"races": races}, seats) == "/options/races"
    for count in COUNTS[seats]:
        assert READ({"races": count}, seats)["races"] == count


WRONG = [
    ({"races": None}, "/options/races"),
    ({"races": "4"}, "/options/races"),
    ({"races": True}, "/options/races"),
    ({"races": 4.5}, "/options/races"),
    ({"choice": None}, "/options/choice"),
    ({"choice": "last_player"}, "/options/choice"),
    ({"choice": {}}, "/options/choice"),
    ({"dashed_line": "none"}, "/options/dashed_line"),
    ({"dashed_line": None}, "/options/dashed_line"),
    ({"photo_finish": "coin"}, "/options/photo_finish"),
    ({"wild": ""}, "/options/wild"),
    ({"last_place": 0}, "/options/last_place"),
    ({"last_place": -3}, "/options/last_place"),
    ({"last_place": "-2"}, "/options/last_place"),
    ({"course": "long"}, "/options/course"),
    ({"course": None}, "/options/course"),
    ({"course": []}, "/options/course"),
    ({"laps": 3}, "/options/laps"),
    ({"a/b~c": 3}, "/options/a~1b~0c"),
]


@pytest.mark.parametrize(("options", "where"), WRONG)
def test_a_wrong_option_is_pointed_to(options: dict[str, Any], where: str) -> None:
    """Contract, Errors: 400 with a pointer."""
    assert pointer(options) == where


def fixed(**fields: Any) -> dict[str, Any]:
    """A flat race of a programme with other fields; None takes one away."""
    return {name: value for name, value in {**FLAT, **fields}.items() if value is not None}


def wet(river: dict[str, Any]) -> dict[str, Any]:
    """A steeplechase with this river."""
    return {**STEEPLECHASE, "river": river}


PROGRAMMES = [
    ([], "/options/choice"),
    ([FLAT] * 3, "/options/choice"),
    ([FLAT] * 5, "/options/choice"),
    ([FLAT, FLAT, fixed(kind="trot"), FLAT], "/options/choice/2/kind"),
    ([FLAT, FLAT, FLAT, fixed(kind=None)], "/options/choice/3/kind"),
    ([fixed(deal=2), FLAT, FLAT, FLAT], "/options/choice/0/deal"),
    ([fixed(deal=8), FLAT, FLAT, FLAT], "/options/choice/0/deal"),
    ([fixed(deal="5"), FLAT, FLAT, FLAT], "/options/choice/0/deal"),
    ([FLAT, fixed(deal=None), FLAT, FLAT], "/options/choice/1/deal"),
    ([FLAT, fixed(hidden=1), FLAT, FLAT], "/options/choice/1/hidden"),
    ([FLAT, {**FLAT, "hidden": None}, FLAT, FLAT], "/options/choice/1/hidden"),
    ([FLAT, {**FLAT, "laps": 2}, FLAT, FLAT], "/options/choice/1/laps"),
    ([FLAT, {**FLAT, "river": None}, FLAT, FLAT], "/options/choice/1/river"),
    ([FLAT, fixed(river=river_of((1, "front"))), FLAT, FLAT], "/options/choice/1/river"),
    ([FLAT, fixed(kind="steeplechase"), FLAT, FLAT], "/options/choice/1/river"),
    ([wet({}), FLAT, FLAT, FLAT], "/options/choice/0/river/hedge"),
    ([wet(river_of((3, "front"))), FLAT, FLAT, FLAT], "/options/choice/0/river/hedge"),
    ([wet(river_of((1, "in"))), FLAT, FLAT, FLAT], "/options/choice/0/river/side"),
    ([FLAT, "flat", FLAT, FLAT], "/options/choice/1"),
]


@pytest.mark.parametrize(("programme", "where"), PROGRAMMES)
def test_a_wrong_programme_is_pointed_to(programme: list[Any], where: str) -> None:
    """TG-S4"""
    assert pointer({"choice": programme}) == where


def test_a_programme_has_as_many_races_as_the_meeting() -> None:
    """TG-S1, TG-S4"""
    assert READ({"races": 6, "choice": [FLAT] * 6}, 2)["races"] == 6
    assert pointer({"races": 6, "choice": [FLAT] * 4}) == "/options/choice"


COURSES: list[tuple[dict[str, Any], str]] = [
    ({"lanes": 6}, "lanes"),
    ({"lanes": 13}, "lanes"),
    ({"lanes": None}, "lanes"),
    ({"lanes": "7"}, "lanes"),
    ({"last": 41}, "last"),
    ({"start": -1}, "start"),
    ({"line": 12}, "line"),
    ({"line": 6}, "line"),
    ({"hedges": [3]}, "hedges"),
    ({"hedges": [3, 5, 6]}, "hedges"),
    ({"hedges": [5, 3]}, "hedges"),
    ({"hedges": [3, 3]}, "hedges"),
    ({"hedges": [1, 5]}, "hedges"),
    ({"hedges": [3, 8]}, "line"),
    ({"hedges": [3, "5"]}, "hedges/1"),
    ({"hoofprints": None}, "hoofprints"),
    ({"hoofprints": [{"lane": 0, "space": 4}]}, "hoofprints/0"),
    ({"hoofprints": [{"lane": 8, "space": 4}]}, "hoofprints/0"),
    ({"hoofprints": [{"lane": 2, "space": 4}, {"lane": 2, "space": 12}]}, "hoofprints/1"),
    ({"hoofprints": [{"lane": 2, "space": -1}]}, "hoofprints/0"),
    ({"hoofprints": [{"lane": 2, "space": 1}]}, "hoofprints/0"),
    ({"hoofprints": [{"lane": 2, "space": 4}, {"lane": 2, "space": 4}]}, "hoofprints/1"),
    ({"hoofprints": [{"lane": 2}]}, "hoofprints/0/space"),
    ({"hoofprints": [{"lane": 2, "space": 3, "x": 1}]}, "hoofprints/0/x"),
    ({"laps": 1}, "laps"),
]


@pytest.mark.parametrize(("change", "where"), COURSES)
def test_a_wrong_course_is_pointed_to(change: dict[str, Any], where: str) -> None:
    """TG-S2"""
    assert pointer({"course": {**CUSTOM, **change}}) == f"/options/course/{where}"


@pytest.mark.parametrize("field", CUSTOM)
def test_every_field_of_a_course_is_required(field: str) -> None:
    """TG-S2"""
    course = copy.deepcopy(CUSTOM)
    del course[field]
    assert pointer({"course": course}) == f"/options/course/{field}"


@pytest.mark.parametrize(
    "change",
    [
        {"lanes": 12, "last": 40, "line": 40},
        {"start": 0, "hedges": [1, 2], "line": 4},
        {"start": 2, "hedges": [3, 4], "line": 6, "last": 6},
        {"start": 1, "hoofprints": [{"lane": 7, "space": 0}, {"lane": 1, "space": 11}]},
    ],
)
def test_courses_up_to_the_bounds_are_taken(change: dict[str, Any]) -> None:
    """TG-S2"""
    course = {**CUSTOM, **change}
    assert READ({"course": course}, 2)["course"] == course


def test_the_schema_of_the_options_tells_the_same() -> None:
    """Contract, Resources: the catalogue has options as JSON Schema."""
    schema = msgspec.json.schema(GAMES[GAME].options)
    Draft202012Validator.check_schema(schema)
    valid = Draft202012Validator(schema).is_valid
    assert valid({})
    assert valid({"races": 6, "choice": [FLAT, STEEPLECHASE], "course": CUSTOM, "last_place": -1})
    told_by_rules = {"/options/choice", "/options/choice/1/river"}
    for options, where in WRONG:
        assert not valid(options), where
    for programme, where in PROGRAMMES:
        assert valid({"choice": programme}) <= (where in told_by_rules), where
