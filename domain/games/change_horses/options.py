"""The options of a meeting: one record of plain values (CH-T1, CH-D1, CH-E6, CH-S1)."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct, ValidationError, convert, to_builtins

from domain.kernel.faults import in_words
from domain.kernel.fitting import opening
from domain.kernel.rejection import Malformed

TurnOrder = Literal["basic", "derby"]
DERBY = "derby"


class Options(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How a meeting of Change Horses is played.

    Args:
        turn_order: how Position cards are given after each round: `basic` deals them, `derby` (3 to
            5 seats) auctions them.
        races: how many; each is set up anew, only match points are carried over.
        finish: spaces from start to finish.
    """

    turn_order: TurnOrder = "basic"
    races: Annotated[int, Meta(ge=1, le=10)] = 1
    finish: Annotated[int, Meta(ge=8, le=24)] = 12


UNFIT = opening(2, turn_order={"const": DERBY})
"""The Derby League has 3 to 5 seats (CH-D1)."""


def read_options(body: Mapping[str, Any], seats: int) -> dict[str, Any]:
    """Options in full, as plain values.

    Raises:
        Malformed: a value that the table does not allow, or not with so many seats.
    """
    try:
        options = convert(dict(body), Options, strict=True)
    except ValidationError as error:
        raise Malformed(in_words(error, Options), option_pointer(str(error))) from None
    if options.turn_order == DERBY and seats == 2:
        raise Malformed("The Derby League has 3 to 5 seats (CH-D1).", "/options/turn_order")
    full: dict[str, Any] = to_builtins(options)
    return full


def option_pointer(message: str) -> str:
    """The JSON pointer that a validation message of msgspec names, under /options."""
    if "unknown field `" in message:
        return "/options/" + message.split("unknown field `")[1].split("`", maxsplit=1)[0]
    if "`$." not in message:
        return "/options"
    return "/options/" + message.rsplit("`$.", 1)[1].rstrip("`")
