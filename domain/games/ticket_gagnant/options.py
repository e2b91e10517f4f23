"""The options of a meeting: one record of plain values (sheet, Options)."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, Struct, UnsetType, ValidationError, convert, to_builtins

from domain.games.ticket_gagnant.board import DEAL_LEAST, DEAL_MOST, RACES, STANDARD, Kind
from domain.kernel.rejection import Malformed

Deal = Annotated[int, Meta(ge=DEAL_LEAST, le=DEAL_MOST)]


class River(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Where the river of a steeplechase lies: in front of, or behind, hedge 1 or 2 (TG-S2)."""

    hedge: Literal[1, 2]
    side: Literal["front", "behind"]


class Fixed(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One race of an organiser's fixed programme (TG-S4)."""

    kind: Kind
    deal: Deal
    hidden: bool = False
    river: River | UnsetType = UNSET


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
        races: one of the counts for the number of seats (TG-S1).
        choice: who chooses the kind of race: the first player, flat races only, or a programme.
        dashed_line: whether a horse that crosses the line wins at once, or may not come back.
        photo_finish: how horses on one space are ranked: by a draw, or by the rail.
        wild: whether a wild card's length is free or printed.
        last_place: what a prediction of the last of seven costs.
        course: the standard board, or a record of one's own.
    """

    races: int | None = None
    choice: Literal["first_player", "flat_only"] | list[Fixed] = "first_player"
    dashed_line: Literal["wins", "no_return"] = "wins"
    photo_finish: Literal["draw", "rail"] = "draw"
    wild: Literal["free", "printed"] = "free"
    last_place: Literal[-2, -1] = -2
    course: Literal["standard"] | Course = "standard"


def read_options(body: Mapping[str, Any], seats: int) -> dict[str, Any]:
    """Options in full, as plain values.

    Raises:
        Malformed: a value that the table, TG-S1, TG-S2 or TG-S4 does not allow.
    """
    if "races" in body and body["races"] is None:
        raise Malformed("races is a number.", "/options/races")
    try:
        options = convert(dict(body), Options, strict=True)
    except ValidationError as error:
        raise Malformed(str(error), option_pointer(str(error))) from None
    full: dict[str, Any] = to_builtins(options)
    if options.races is None:
        full["races"] = RACES[seats][0]
    elif options.races not in RACES[seats]:
        raise Malformed(f"With {seats} seats races is one of {RACES[seats]}.", "/options/races")
    if isinstance(options.choice, list):
        check_programme(options.choice, full["races"])
    if isinstance(options.course, Course):
        check_course(options.course)
    return full


def option_pointer(message: str) -> str:
    """The JSON pointer that a validation message of msgspec names, under /options."""
    path = message.rsplit("`$.", 1)[1].rstrip("`") if "`$." in message else ""
    pointer = "/options/" + path.replace("[", "/").replace("]", "").replace(".", "/")
    if "unknown field `" in message:
        field = message.split("unknown field `")[1].split("`", maxsplit=1)[0]
        return pointer.rstrip("/") + "/" + field
    return pointer.rstrip("/")


def check_programme(programme: list[Fixed], races: int) -> None:
    """Refuse a programme of another length, or a river where there is none (TG-S4)."""
    if len(programme) != races:
        raise Malformed(f"The programme must have {races} races.", "/options/choice")
    for i, race in enumerate(programme):
        if (race.river is not UNSET) != (race.kind == "steeplechase"):
            raise Malformed(
                "A steeplechase, and it alone, has a river.", f"/options/choice/{i}/river"
            )


def check_course(course: Course) -> None:
    """Refuse a board that can't be raced on (TG-S2)."""
    h1, h2 = course.hedges
    if not course.start < h1 < h2:
        raise Malformed("The hedges stand beyond the start, one after the other.", at("hedges"))
    if not h2 + 1 < course.line <= course.last:
        raise Malformed("The line lies beyond the hedges, on the track.", at("line"))
    seen = set()
    for i, spot in enumerate(course.hoofprints):
        place = (spot.lane, spot.space)
        on_track = 1 <= spot.lane <= course.lanes and 0 <= spot.space <= course.last
        if not on_track or spot.space == course.start or place in seen:
            raise Malformed(
                "Hoofprints are on the track, off the start's row, none twice.",
                at(f"hoofprints/{i}"),
            )
        seen.add(place)


def at(field: str) -> str:
    """The pointer of a field of the course."""
    return f"/options/course/{field}"


def course_of(options: Mapping[str, Any]) -> dict[str, Any]:
    """The geometry in force."""
    course = options["course"]
    return STANDARD if course == "standard" else dict(course)
