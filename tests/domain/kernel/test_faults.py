"""What does not fit a form, said in plain words: which words, fields and numbers would."""

from typing import Annotated, Any, Literal

import pytest
from msgspec import Meta, Struct, ValidationError, convert

from domain.games.change_horses import commands as change_horses
from domain.games.ticket_gagnant import commands as ticket_gagnant
from domain.games.tuyaux import commands as tuyaux
from domain.kernel.faults import TOLD_MAX, choice, in_words

Text = Annotated[str, Meta(min_length=1, max_length=3, pattern="^a")]


class Walk(Struct, forbid_unknown_fields=True, tag_field="mode", tag="walk"):
    steps: Annotated[int, Meta(ge=1, le=9)]
    name: Text = "a"
    sides: Annotated[list[Literal["left", "right"]], Meta(max_length=1)] = []
    odds: dict[Literal["red", "blue"], int | float | None] = {}
    until: Literal["end"] | list[int] = "end"
    quick: bool = False


class Stay(Struct, forbid_unknown_fields=True, tag_field="mode", tag="stay"):
    pass


class Form(Struct, forbid_unknown_fields=True):
    go: Walk | Stay


def said(value: Any, form: Any = Form, **more: Any) -> str:
    """What is said of a value that does not fit."""
    with pytest.raises(ValidationError) as found:
        convert(value, form, strict=True)
    return in_words(found.value, form, **more)


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ({"mode": "run"}, "`run` is not a word here; words here: walk, stay."),
        ({}, "The field `mode` is missing."),
        ({"mode": "walk"}, "The field `steps` is missing."),
        ({"mode": "walk", "steps": "2"}, "A whole number is needed, not a string."),
        ({"mode": "walk", "steps": 1.5}, "A whole number is needed, not a number with a fraction."),
        ({"mode": "walk", "steps": 0}, "The number must be at least 1."),
        ({"mode": "walk", "steps": 10}, "The number must be at most 9."),
        ({"mode": "walk", "steps": 1, "name": ""}, "The string must have at least 1 character."),
        (
            {"mode": "walk", "steps": 1, "name": "abcd"},
            "The string must have at most 3 characters.",
        ),
        (
            {"mode": "walk", "steps": 1, "sides": ["up"]},
            "`up` is not a word here; words here: left, right.",
        ),
        (
            {"mode": "walk", "steps": 1, "sides": ["left", "left"]},
            "The list must have at most 1 item.",
        ),
        (
            {"mode": "walk", "steps": 1, "sides": [3]},
            "A string is needed, not a number; words here: left, right.",
        ),
        (
            {"mode": "walk", "steps": 1, "odds": {"pink": 1}},
            "`pink` is not a word here; words here: blue, red.",
        ),
        (
            {"mode": "walk", "steps": 1, "odds": {"red": "1"}},
            "A number or null is needed, not a string.",
        ),
        (
            {"mode": "walk", "steps": 1, "until": 3},
            "A string or a list is needed, not a number; words here: end.",
        ),
        ({"mode": "walk", "steps": 1, "quick": 1}, "True or false is needed, not a number."),
        ({"mode": "stay", "x": 1}, "`x` is not a field here; fields here: mode, steps, name, "),
        ([], "An object is needed, not a list."),
    ],
)
def test_what_does_not_fit_is_said_in_plain_words(value: Any, words: str) -> None:
    assert said({"go": value}).startswith(words)


def test_a_field_that_is_not_known_is_named_beside_those_that_are() -> None:
    bet = {"type": "tuyaux.bet", "tierces": ["perle"]}
    fields = "type, win, place, tierce, seat, decision"
    told = f"`tierces` is not a field here; fields here: {fields}."
    assert said(bet, tuyaux.Bet, beside=("seat", "decision")) == told


def test_a_pair_in_another_order_is_told_its_order() -> None:
    played = {"type": "change-horses.play_card", "card": "yellow+red"}
    words = said(played, change_horses.PlayCard)
    assert words.startswith("`yellow+red` is not a word here; words here: blue+green, ")
    assert words.endswith("; the order of a word's parts is fixed: red+yellow.")


def test_of_many_words_those_most_alike_are_told() -> None:
    played = {"type": "ticket-gagnant.discard_card", "card": "rde-1"}
    words = said(played, ticket_gagnant.DiscardCard)
    assert "red-1" in words
    assert words.endswith(" and 41 more.")


def test_what_is_said_is_short_however_long_the_value_is() -> None:
    for name in ("x" * 100_000, "+" * 100_000, "` - at `$.x" * 1_000):
        for value in ({name: 1}, {"go": {"mode": name}}):
            assert len(said(value)) < TOLD_MAX + 100
    assert len(choice("command", "x" * 1_000, ["a" * 200, "b" * 200])) < 2 * TOLD_MAX
