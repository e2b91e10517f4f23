"""The options of a meeting: one record of plain values (sheet, Options)."""

import re
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, Struct, UnsetType, ValidationError, convert, to_builtins

from domain.games.ticket_gagnant.board import (
    DEAL_LEAST,
    DEAL_MOST,
    DECKS,
    HORSES,
    RACES,
    Kind,
)
from domain.kernel.faults import in_words
from domain.kernel.fitting import any_of, but, length, opening
from domain.kernel.rejection import Malformed
from domain.kernel.words import known

Deal = Annotated[int, Meta(ge=DEAL_LEAST, le=DEAL_MOST)]


class FixedRiver(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Where the river of a steeplechase lies: in front of, or behind, hedge 1 or 2 (TG-S2)."""

    hedge: Literal[1, 2]
    side: Annotated[Literal["front", "behind"], known("RiverSide", "front", "behind")]


class Fixed(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One race of an organiser's fixed programme; a river exactly in a steeplechase (TG-S4)."""

    kind: Kind
    deal: Deal
    hidden: bool = False
    river: FixedRiver | UnsetType = UNSET


class Spot(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A space of the grid."""

    lane: int
    space: int


class Course(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A club's own board; `line` is the first space past the dashed line (TG-S2)."""

    lanes: Annotated[int, Meta(ge=7, le=12)]
    last: Annotated[int, Meta(ge=1, le=40)]
    start: Annotated[int, Meta(ge=0, le=40)]
    line: Annotated[int, Meta(ge=1, le=40)]
    hedges: Annotated[list[int], Meta(min_length=2, max_length=2)]
    hoofprints: list[Spot]


class Options(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How a meeting of Ticket Gagnant is played.

    Args:
        races: one of the counts for the number of seats, by default the first: 2 seats 4 or 6,
            3 seats 3 or 6, 4 seats 4 or 8, 5 seats 5, 6 seats 6 (TG-S1).
        choice: who chooses the kind of race: the first player, flat races only, or a programme.
        dashed_line: whether a horse that crosses the line wins at once, or may not come back.
        photo_finish: how horses on one space are ranked: by a draw, or by the rail.
        wild: whether a wild card's length is free or printed.
        last_place: what a prediction of the last of seven costs.
        course: the standard board, or a record of one's own.
    """

    races: Literal[3, 4, 5, 6, 8] | UnsetType = UNSET
    choice: Literal["first_player", "flat_only"] | list[Fixed] = "first_player"
    dashed_line: Literal["wins", "no_return"] = "wins"
    photo_finish: Literal["draw", "rail"] = "draw"
    wild: Literal["free", "printed"] = "free"
    last_place: Literal[-2, -1] = -2
    course: Literal["standard"] | Course = "standard"


_WITHOUT_ITS_RIVER = any_of(
    (
        {"properties": {"kind": {"const": "steeplechase"}, "river": but({})}},
        {
            "properties": {"kind": but({"const": "steeplechase"}), "river": {}},
            "required": ["river"],
        },
    )
)
_ALWAYS_FITS: dict[str, Any] = {
    "properties": {
        "start": {"maximum": 5},
        "hedges": {"prefixItems": [{"minimum": 8, "maximum": 12}, {"minimum": 16, "maximum": 20}]},
        "line": {"minimum": 24, "maximum": 30},
        "last": {"minimum": 30},
        "hoofprints": {
            "uniqueItems": True,
            "items": {
                "properties": {
                    "lane": {"minimum": 1, "maximum": 7},
                    "space": {"minimum": 13, "maximum": 15},
                }
            },
        },
    }
}
"""Courses that can be, whatever each number is; JSON Schema can't compare numbers (TG-S2)."""

UNFIT = any_of(
    (
        *(opening(seats, races=but({"enum": list(counts)})) for seats, counts in RACES.items()),
        *(
            opening(seats, absent=["races"], choice={"type": "array", **but(length(counts[0]))})
            for seats, counts in RACES.items()
        ),
        *(
            opening(races={"const": count}, choice={"type": "array", **but(length(count))})
            for count in sorted({count for counts in RACES.values() for count in counts})
        ),
        opening(choice={"type": "array", "contains": _WITHOUT_ITS_RIVER}),
        opening(course={"type": "object", **but(_ALWAYS_FITS)}),
    )
)
"""Races and programmes that no such number of seats allows; doubtful courses (TG-S1, TG-S4)."""


def read_options(body: Mapping[str, Any], seats: int) -> dict[str, Any]:
    """Options in full, as plain values.

    Raises:
        Malformed: a value that the table, TG-S1, TG-S2 or TG-S4 does not allow.
    """
    try:
        options = convert(dict(body), Options, strict=True)
    except ValidationError as error:
        raise Malformed(in_words(error, Options), option_pointer(str(error))) from None
    full: dict[str, Any] = to_builtins(options)
    if options.races is UNSET:
        full = {"races": RACES[seats][0], **full}
    elif options.races not in RACES[seats]:
        counts = " or ".join(map(str, RACES[seats]))
        raise Malformed(f"A meeting of {seats} seats has {counts} races (TG-S1).", at("races"))
    if isinstance(options.choice, list):
        check_programme(options.choice, full["races"])
    if isinstance(options.course, Course):
        check_course(options.course)
    return full


_AT = re.compile(r" - at `\$([^`]*)`$")
_STEP = re.compile(r"\.([^.\[]+)|\[(\d+)\]")
_FIELD = re.compile(r"(?:unknown|required) field `(.*?)`(?= - at `\$|$)", re.DOTALL)


def option_pointer(message: str) -> str:
    """The JSON pointer under /options that a validation message of msgspec names."""
    path = _AT.search(message)
    steps = [name or index for name, index in _STEP.findall(path[1] if path else "")]
    field = _FIELD.search(message)
    return at(*steps, *([field[1]] if field else []))


def at(*steps: str | int) -> str:
    """A JSON pointer (RFC 6901) under /options."""
    return "/options" + "".join(
        "/" + str(step).replace("~", "~0").replace("/", "~1") for step in steps
    )


def check_programme(programme: list[Fixed], races: int) -> None:
    """Refuse a programme of another length, or a river where there is none (TG-S4)."""
    if len(programme) != races:
        raise Malformed(f"The programme must have {races} races (TG-S4).", at("choice"))
    for i, race in enumerate(programme):
        if (race.river is not UNSET) != (race.kind == "steeplechase"):
            raise Malformed(
                "A steeplechase, and it alone, has a river (TG-S4).", at("choice", i, "river")
            )


def check_course(course: Course) -> None:
    """Refuse a board that can't be raced on (TG-S2)."""
    h1, h2 = course.hedges
    if not course.start < h1 < h2:
        raise Malformed(
            "The hedges stand beyond the start, one after the other (TG-S2).",
            at("course", "hedges"),
        )
    if not h2 + 1 < course.line <= course.last:
        raise Malformed(
            "The line lies beyond the hedges, on the track (TG-S2).", at("course", "line")
        )
    seen = set()
    for i, spot in enumerate(course.hoofprints):
        space = (spot.lane, spot.space)
        on_track = 1 <= spot.lane <= course.lanes and 0 <= spot.space <= course.last
        if not on_track or spot.space == course.start or space in seen:
            raise Malformed(
                "Hoofprints are on the track, off the start's row, none twice (TG-S2).",
                at("course", "hoofprints", i),
            )
        seen.add(space)


RACE_LABEL = re.compile(r"race-([1-9][0-9]?)/(lanes|deck|photo-finish)")


def pool_of(options: Mapping[str, Any], seats: int, label: str) -> Sequence[Any] | None:
    """The list under a label, or None where nothing is drawn."""
    if label == "first_player":
        return range(1, seats + 1)
    match = RACE_LABEL.fullmatch(label)
    if match is None or int(match[1]) > options["races"]:
        return None
    if match[2] == "deck":
        return DECKS[options["wild"]]
    if match[2] == "photo-finish" and options["photo_finish"] != "draw":
        return None
    return HORSES
