"""JSON Schema of every legal play, where a hand has more than 500 of them."""

from collections.abc import Sequence
from typing import Any

from domain.games.ticket_gagnant import commands as c
from domain.games.ticket_gagnant.board import (
    BESIDES,
    DIRECTIONS,
    HORSES,
    PAIR_OF,
    SINGLE_OF,
    WILD,
)
from domain.games.ticket_gagnant.state import Table
from domain.kernel.message import type_of

Schema = dict[str, Any]
WORDS = (
    "`displaced_to` exactly where the mover ends on an occupied space: a free one of its eight "
    "neighbours, off the river, not back over a hedge crossed (TG-M6). Moves of which nothing is "
    "left, and pairs off the track, are not legal (TG-M2, TG-M5)."
)


def play_schema(t: Table, hand: Sequence[str]) -> Schema:
    """The forms of `play_card` for the cards of a hand."""
    singles = sorted({card for card in hand if card in SINGLE_OF})
    pairs = sorted({card for card in hand if card in PAIR_OF})
    numbered = sorted({card for card in hand if card not in SINGLE_OF} - {WILD} - set(pairs))
    horse, way = {"enum": list(HORSES)}, {"enum": list(DIRECTIONS)}
    forms = []
    if singles:
        forms.append(form(t, {"card": {"enum": singles}, "direction": way}))
    if WILD in hand:
        length = {"type": "integer", "minimum": 1, "maximum": 3}
        wild = {"card": {"const": WILD}, "horse": horse, "direction": way, "spaces": length}
        forms.append(form(t, wild))
    if numbered:
        forms.append(form(t, {"card": {"enum": numbered}, "horse": horse, "direction": way}))
    for card in pairs:
        two = {"enum": [HORSES[i] for i in PAIR_OF[card]]}
        beside = {"enum": list(BESIDES)}
        forms.append(form(t, {"card": {"const": card}, "horse": two, "beside": beside}))
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "description": WORDS,
        "oneOf": forms,
    }


def form(t: Table, fields: Schema) -> Schema:
    """A closed form of `play_card`."""
    to = {
        "type": "object",
        "properties": {
            "lane": {"type": "integer", "minimum": 1, "maximum": t.course["lanes"]},
            "space": {"type": "integer", "minimum": 0, "maximum": t.course["last"]},
        },
        "required": ["lane", "space"],
        "additionalProperties": False,
    }
    kind = type_of(c.PlayCard)
    return {
        "type": "object",
        "properties": {"type": {"const": kind}, **fields, "displaced_to": to},
        "required": ["type", *fields],
        "additionalProperties": False,
    }
