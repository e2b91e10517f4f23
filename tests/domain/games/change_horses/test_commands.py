"""Bodies of commands: closed forms, told before any refusal (contract, Errors)."""

from typing import Any

import pytest
from msgspec import ValidationError, convert

from domain.games.change_horses import commands as c
from domain.kernel.rejection import Malformed
from tests.domain.games.change_horses.paddock import CHANGE, FAST, change, race, stumble, table
from tests.kit.spec import given

PLAY_WILD = "change-horses.play_wild"


@pytest.mark.parametrize(
    ("option", "form"),
    [
        ("stumble", c.Stumble),
        ("slippery", c.Slippery),
        ("fast", c.Fast),
        ("change", c.Change),
        ("gallop", c.PlayWild),
        (None, c.PlayWild),
        (["fast"], c.PlayWild),
    ],
)
def test_the_option_tells_the_form(option: Any, form: type) -> None:
    """The sheet's table of commands."""
    assert c.PlayWild.form_of({"type": PLAY_WILD, "option": option}) is form
    assert c.PlayWild.form_of({"type": PLAY_WILD}) is c.PlayWild
    assert set(c.PlayWild.forms) == {c.Stumble, c.Slippery, c.Fast, c.Change}


@pytest.mark.parametrize(
    ("fields", "where"),
    [
        ({}, "required field `option`"),
        ({"option": "gallop"}, "$.option"),
        ({"option": None}, "$.option"),
        ({"option": "stumble"}, "required field `card`"),
        ({"option": "stumble", "card": None}, "$.card"),
        ({"option": "stumble", "card": "red+blue"}, "$.card"),
        ({"option": "stumble", "card": "red+red"}, "$.card"),
        ({"option": "stumble", "card": "blue+red", "moves": []}, "unknown field `moves`"),
        ({"option": "slippery"}, "required field `moves`"),
        ({"option": "slippery", "moves": [{"horse": "red"}]}, "required field `side`"),
        ({"option": "slippery", "moves": [{"horse": "pink", "side": "inside"}]}, "horse"),
        ({"option": "slippery", "moves": [{"horse": "red", "side": "left"}]}, "side"),
        ({"option": "slippery", "moves": [{"horse": "red", "side": "inside", "by": 2}]}, "`by`"),
        ({"option": "fast", "card": "blue+red"}, "unknown field `card`"),
        ({"option": "change", "certificate": None}, "$.certificate"),
        ({"option": "change", "certificate": "pink"}, "$.certificate"),
        ({"option": "change", "card": "blue+red"}, "unknown field `card`"),
    ],
)
def test_a_body_has_the_form_of_its_option(fields: dict[str, Any], where: str) -> None:
    """Contract, Errors: what is wrong is told with its place."""
    body = {"type": PLAY_WILD, **fields}
    with pytest.raises(ValidationError, match=where.replace("$", r"\$")):
        convert(body, c.PlayWild.form_of(body), strict=True)


def test_what_a_form_takes_the_command_takes() -> None:
    """A form is only narrower."""
    for fields in (
        {"option": "stumble", "card": "blue+red"},
        {"option": "slippery", "moves": [{"horse": "red", "side": "inside"}]},
        {"option": "fast"},
        {"option": "change"},
        {"option": "change", "certificate": "red"},
    ):
        body = {"type": PLAY_WILD, **fields}
        convert(body, c.PlayWild.form_of(body), strict=True)
        assert convert(body, c.PlayWild, strict=True).option == fields["option"]


def test_which_horse_a_change_names_hangs_on_the_seats() -> None:
    """CH-W4: told before status, phase and turn."""
    two, four = table(race(2)), table(race(4))
    change("red").check(two)
    CHANGE.check(four)
    for command, at in ((CHANGE, two), (change("red"), four)):
        with pytest.raises(Malformed) as caught:
            command.check(at)
        assert caught.value.pointer == "/certificate"


def test_other_commands_hang_on_nothing() -> None:
    """Command.check"""
    for command in (FAST, stumble("blue+red"), c.Stand(), c.Bid(carrots=0)):
        command.check(table(race(2)))
        command.check(table(race(4)))


def test_a_command_of_another_phase_is_refused_for_that() -> None:
    """Contract, Errors"""
    for command in (FAST, c.Stand(), c.Bid(carrots=1), c.PlayCard(card="blue+red")):
        given(race(4)).when(1, command).refused("wrong_phase")
