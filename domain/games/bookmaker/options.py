"""The options of a meeting: one record of plain values (BM-S1, BM-O1, BM-I1, BM-K1, BM-S2)."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct, ValidationError, convert, to_builtins

from domain.betting.odds import to_number
from domain.games.bookmaker.board import KINDS, RACES_MOST
from domain.kernel.faults import in_words
from domain.kernel.fitting import any_of, but, length, opening
from domain.kernel.rejection import Malformed
from domain.kernel.words import known

Kind = Annotated[Literal["plain", "joker", "trot", "joker_trot"], known("RaceKind", *KINDS)]


class Options(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How a meeting of Bookmaker is played.

    Args:
        programme: the kind of each race; by default the shortest fair number of plain races.
        odds_step: the steps of odds.
        in_running: whether bets are taken during the race.
        brocco: whether one card is set aside unseen for the whole meeting.
        cash: whole dollars to start with.
    """

    programme: Annotated[list[Kind], Meta(min_length=1, max_length=RACES_MOST)] | None = None
    odds_step: Annotated[int | float, Meta(extra_json_schema={"enum": [1, 0.5, 0.1]})] = 1
    in_running: bool = False
    brocco: bool = False
    cash: Annotated[int, Meta(ge=10, le=100_000)] = 1_000


ODDS_STEPS = {1: 10, 0.5: 5, 0.1: 1}
"""Step as written -> in tenths."""


def cycle(seats: int) -> int:
    """The shortest fair number of races: each seat is bookmaker equally often (BM-S1)."""
    return seats // 2 if seats >= 4 and seats % 2 == 0 else seats


SEATS = range(2, 10)
UNFIT = any_of(
    opening(seats, programme=but(length(*range(cycle(seats), RACES_MOST + 1, cycle(seats)))))
    for seats in SEATS
)
"""Programmes in which seats are not bookmaker equally often (BM-S1)."""


def read_options(body: Mapping[str, Any], seats: int) -> dict[str, Any]:
    """Options in full, as plain values.

    Raises:
        Malformed: a value that the table or BM-S1 does not allow.
    """
    step = body.get("odds_step", 1)
    if isinstance(step, bool) or not isinstance(step, int | float) or step not in ODDS_STEPS:
        raise Malformed("odds_step is 1, 0.5 or 0.1.", "/options/odds_step")
    rest = {name: value for name, value in body.items() if name != "odds_step"}
    if "programme" in rest and rest["programme"] is None:
        raise Malformed("programme is a list of race kinds.", "/options/programme")
    try:
        options = convert(rest, Options, strict=True)
    except ValidationError as error:
        raise Malformed(in_words(error, Options), option_pointer(str(error))) from None
    full: dict[str, Any] = to_builtins(options)
    full["odds_step"] = to_number(ODDS_STEPS[step])
    if options.programme is None:
        full["programme"] = ["plain"] * cycle(seats)
    elif len(options.programme) % cycle(seats):
        raise Malformed(
            f"With {seats} seats a programme has a multiple of {cycle(seats)} races (BM-S1).",
            "/options/programme",
        )
    return full


def option_pointer(message: str) -> str:
    """The JSON pointer that a validation message of msgspec names, under /options."""
    if "unknown field `" in message:
        return "/options/" + message.split("unknown field `")[1].split("`", maxsplit=1)[0]
    if "`$." not in message:
        return "/options"
    path = message.rsplit("`$.", 1)[1].rstrip("`")
    return "/options/" + path.replace("[...]", "").replace("[", "/").replace("]", "")
