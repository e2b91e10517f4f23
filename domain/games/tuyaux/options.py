"""The options of a meeting: one record of plain values (TU-M5, TU-M6, TU-B2, TU-B3, TU-E2)."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct, ValidationError, convert, to_builtins

from domain.games.tuyaux.board import TARGET_MOST
from domain.kernel.faults import in_words
from domain.kernel.rejection import Malformed

Whip = Literal["last_turn", "first_whip"]
Bets = Literal["win", "two_wins", "win_and_place", "tierce"]


ASKED: Mapping[str, Mapping[str, int]] = {
    "win": {"win": 1},
    "two_wins": {"win": 2},
    "win_and_place": {"win": 1, "place": 1},
    "tierce": {"tierce": 3},
}
"""Option `bets` -> the parts of a bet, each with the number of horses that it names (TU-B3)."""


class Options(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How a meeting of Tuyaux is played.

    Args:
        whip: when a whip is worth 3 instead of 2.
        open_bets: whether all see the bets once the last is in.
        bets: what each seat bets in a race.
        target: coins at which the meeting ends.
    """

    whip: Whip = "last_turn"
    open_bets: bool = False
    bets: Bets = "win"
    target: Annotated[int, Meta(ge=1, le=TARGET_MOST)] = 6


UNFIT: dict[str, Any] = {"not": {}}
"""All options go with all seats."""


def read_options(body: Mapping[str, Any], seats: int) -> dict[str, Any]:
    """Options in full, as plain values.

    Raises:
        Malformed: a name or value that the table does not have.
    """
    for name, value in body.items():
        try:
            convert({name: value}, Options, strict=True)
        except ValidationError as error:
            pointer = "/options/" + name.replace("~", "~0").replace("/", "~1")
            raise Malformed(in_words(error, Options), pointer) from None
    full: dict[str, Any] = to_builtins(convert(body, Options, strict=True))
    return full
