"""JSON Schema of every legal play, where a hand has more than 500 of them."""

from collections.abc import Sequence
from typing import Any

from domain.games.ticket_gagnant import commands as c
from domain.games.ticket_gagnant.board import HORSES, WILD, WILD_NUMBERED, lane_of, space_of
from domain.games.ticket_gagnant.track import Play
from domain.kernel.message import type_of

Schema = dict[str, Any]
WORDS = (
    "A closed form for each way to play a card of the hand; it has `displaced_to` exactly where a "
    "horse is displaced (TG-M6), with the places where that may be put. Every legal play fits one "
    "form, and nothing else does."
)


def play_schema(plays: Sequence[Play]) -> Schema:
    """The forms of `play_card` for these plays."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "description": WORDS,
        "oneOf": [form(play) for play in plays],
    }


def form(play: Play) -> Schema:
    """The closed form of one play."""
    fields: Schema = {"type": {"const": type_of(c.PlayCard)}, "card": {"const": play.card}}
    straight = play.length > 0
    if not straight or play.card == WILD or play.card in WILD_NUMBERED:
        fields["horse"] = {"const": HORSES[play.horse]}
    fields["direction" if straight else "beside"] = {"const": play.way}
    if play.card == WILD:
        fields["spaces"] = {"const": play.length}
    if play.displaced >= 0:
        spots = [{"lane": lane_of(to), "space": space_of(to)} for to in play.options]
        fields["displaced_to"] = {"enum": spots}
    return {
        "type": "object",
        "properties": fields,
        "required": list(fields),
        "additionalProperties": False,
    }
