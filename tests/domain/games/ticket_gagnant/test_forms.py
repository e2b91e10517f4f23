"""Bodies that are no commands (contract, Errors: 400 with a pointer), and those that are."""

from typing import Any

import msgspec
import pytest
from jsonschema import Draft202012Validator
from msgspec import UNSET

from domain.games.ticket_gagnant import commands as c
from domain.kernel.message import body_of, type_of
from domain.kernel.rejection import Malformed
from service.http.bodies import take
from tests.domain.games.ticket_gagnant.turf import (
    DECKS,
    HORSES,
    dealt,
    moving,
    opened,
    single,
)
from tests.kit.spec import given

KINDS = {type_of(kind).split(".")[1]: kind for kind in c.COMMANDS}
TO = {"lane": 2, "space": 3}
Body = dict[str, Any]


def read(name: str, body: Body) -> Any:
    """A body as the HTTP face reads it: by the form of its card, then as the command."""
    kind = KINDS[name]
    whole = {**body, "type": type_of(kind)}
    take(whole, kind.form_of(whole))
    return take(whole, kind)


def pointer(name: str, body: Body) -> str | None:
    """Where a body is wrong."""
    with pytest.raises(Malformed) as caught:
        read(name, body)
    return caught.value.pointer


GOOD: list[tuple[str, Body]] = [
    ("choose_race", {"kind": "flat", "deal": 5}),
    ("choose_race", {"kind": "harness", "deal": 99, "hidden": True}),
    ("choose_race", {"kind": "steeplechase", "deal": 3, "river": {"hedge": 2, "side": "front"}}),
    ("predict", {}),
    ("predict", {"third": "red"}),
    ("predict", {"first": "red", "second": "red"}),
    ("play_card", {"card": "red-3", "direction": "left"}),
    ("play_card", {"card": "red-3", "direction": "left", "displaced_to": TO}),
    ("play_card", {"card": "blue+red", "horse": "red", "beside": "front"}),
    ("play_card", {"card": "blue+red", "horse": "green", "beside": "front", "displaced_to": TO}),
    ("play_card", {"card": "wild", "horse": "red", "direction": "left", "spaces": 9}),
    ("play_card", {"card": "wild-2", "horse": "red", "direction": "left", "displaced_to": TO}),
    ("discard_card", {"card": "wild"}),
]


@pytest.mark.parametrize(("name", "body"), GOOD)
def test_bodies_are_read_as_they_are_and_written_back_the_same(name: str, body: Body) -> None:
    """Commands; contract, Log: fields left out stay out."""
    command = read(name, body)
    assert body_of(command) == {"type": f"ticket-gagnant.{name}", **body}


@pytest.mark.parametrize("card", [*DECKS["free"], *DECKS["printed"]])
def test_every_card_has_a_form(card: str) -> None:
    """TG-S5 (Commands)"""
    pair, free, printed = "+" in card, card == "wild", card.startswith("wild-")
    body: Body = {"card": card}
    if pair or free or printed:
        body["horse"] = card.split("+", maxsplit=1)[0] if pair else "red"
    body["beside" if pair else "direction"] = "left"
    if free:
        body["spaces"] = 1
    read("play_card", body)
    for name, value in (("horse", "red"), ("direction", "left"), ("beside", "left"), ("spaces", 1)):
        if name in body:
            left = {field: body[field] for field in body if field != name}
            assert pointer("play_card", left) == f"/{name}"
        else:
            assert pointer("play_card", {**body, name: value}) == f"/{name}"


FLAT: Body = {"kind": "flat", "deal": 5}
LEFT: Body = {"card": "red-3", "direction": "left"}
WRONG: list[tuple[str, Body, str]] = [
    ("choose_race", {"deal": 5}, "/kind"),
    ("choose_race", {"kind": "flat"}, "/deal"),
    ("choose_race", {"kind": "trot", "deal": 5}, "/kind"),
    ("choose_race", {"kind": None, "deal": 5}, "/kind"),
    ("choose_race", {"kind": "flat", "deal": "5"}, "/deal"),
    ("choose_race", {"kind": "flat", "deal": True}, "/deal"),
    ("choose_race", {"kind": "flat", "deal": 5.5}, "/deal"),
    ("choose_race", {**FLAT, "hidden": None}, "/hidden"),
    ("choose_race", {**FLAT, "hidden": 0}, "/hidden"),
    ("choose_race", {**FLAT, "river": None}, "/river"),
    ("choose_race", {**FLAT, "river": 1}, "/river"),
    ("choose_race", {**FLAT, "river": {"hedge": 1}}, "/river/side"),
    ("choose_race", {**FLAT, "river": {"side": "front"}}, "/river/hedge"),
    ("choose_race", {**FLAT, "river": {"hedge": "1", "side": "in"}}, "/river/hedge"),
    ("choose_race", {**FLAT, "river": {"hedge": 1, "side": "in"}}, "/river/side"),
    ("choose_race", {**FLAT, "laps": 1}, "/laps"),
    ("predict", {"first": "pink"}, "/first"),
    ("predict", {"first": None}, "/first"),
    ("predict", {"first": ["red"]}, "/first"),
    ("predict", {"fourth": "red"}, "/fourth"),
    ("play_card", {}, "/card"),
    ("play_card", {"card": None}, "/card"),
    ("play_card", {"card": 3, "direction": "left"}, "/card"),
    ("play_card", {"card": "red-4", "direction": "left"}, "/card"),
    ("play_card", {"card": "red+blue", "horse": "red", "beside": "left"}, "/card"),
    ("play_card", {"card": "wild-4", "horse": "red", "direction": "left"}, "/card"),
    ("play_card", {"card": "red-3"}, "/direction"),
    ("play_card", {"card": "red-3", "direction": "up"}, "/direction"),
    ("play_card", {"card": "red-3", "direction": "front"}, "/direction"),
    ("play_card", {**LEFT, "spaces": 3}, "/spaces"),
    ("play_card", {**LEFT, "horse": "red"}, "/horse"),
    ("play_card", {**LEFT, "displaced_to": None}, "/displaced_to"),
    ("play_card", {**LEFT, "displaced_to": [2, 3]}, "/displaced_to"),
    ("play_card", {**LEFT, "displaced_to": {"lane": 2}}, "/displaced_to/space"),
    ("play_card", {**LEFT, "displaced_to": {**TO, "row": 1}}, "/displaced_to/row"),
    ("play_card", {**LEFT, "displaced_to": {**TO, "lane": 2.5}}, "/displaced_to/lane"),
    ("play_card", {"card": "wild", "horse": "red", "direction": "left"}, "/spaces"),
    ("play_card", {"card": "wild", "horse": "red", "direction": "left", "spaces": "2"}, "/spaces"),
    ("play_card", {"card": "wild-2", "horse": "red", "direction": "left", "spaces": 2}, "/spaces"),
    ("play_card", {"card": "wild", "direction": "left", "spaces": 2}, "/horse"),
    ("play_card", {"card": "wild", "horse": "pink", "direction": "left", "spaces": 2}, "/horse"),
    ("play_card", {"card": "blue+red", "horse": "red", "direction": "left"}, "/direction"),
    ("play_card", {"card": "blue+red", "beside": "left"}, "/horse"),
    ("play_card", {"card": "blue+red", "horse": "red", "beside": "forward"}, "/beside"),
    ("discard_card", {}, "/card"),
    ("discard_card", {"card": "red-0"}, "/card"),
    ("discard_card", {"card": "red-1", "horse": "red"}, "/horse"),
]


@pytest.mark.parametrize(("name", "body", "where"), WRONG)
def test_a_body_that_is_no_command_is_pointed_to(name: str, body: Body, where: str) -> None:
    """Contract, Errors"""
    assert pointer(name, body) == where


@pytest.mark.parametrize(("name", "body", "where"), WRONG)
def test_the_schema_of_a_commands_forms_tells_the_same(name: str, body: Body, where: str) -> None:
    """Design: one closed form for each kind of card."""
    assert not fits(name, body), where


@pytest.mark.parametrize(("name", "body"), GOOD)
def test_the_schema_takes_what_is_read(name: str, body: Body) -> None:
    """Design"""
    assert fits(name, body)


def fits(name: str, body: Body) -> bool:
    """Whether exactly one form of the command takes a body."""
    kind = KINDS[name]
    whole = {**body, "type": type_of(kind)}
    forms = [msgspec.json.schema(form) for form in kind.forms or (kind,)]
    return sum(Draft202012Validator(form).is_valid(whole) for form in forms) == 1


MISFITS = [
    (c.PlayCard(card="red-1"), "/direction"),
    (c.PlayCard(card="red-1", direction="left", horse="red"), "/horse"),
    (c.PlayCard(card="red-1", direction="left", spaces=1), "/spaces"),
    (c.PlayCard(card="red-1", direction="left", beside="left"), "/beside"),
    (c.PlayCard(card="wild", horse="red", direction="left"), "/spaces"),
    (c.PlayCard(card="wild-1", horse="red", direction="left", spaces=1), "/spaces"),
    (c.PlayCard(card="blue+red", horse="red", direction="left"), "/direction"),
    (c.PlayCard(card="blue+red", beside="left"), "/horse"),
]


@pytest.mark.parametrize(("command", "where"), MISFITS)
def test_the_rules_themselves_take_no_field_that_is_not_of_the_card(
    command: c.PlayCard, where: str
) -> None:
    """Commands: so no log can hold one."""
    given(moving()).when(1, command).malformed(where)


@pytest.mark.parametrize("horse", HORSES)
def test_unset_fields_are_left_out(horse: Any) -> None:
    """Contract, Log"""
    command = c.PlayCard(card=f"{horse}-1", direction="left")
    assert command.horse is UNSET
    assert set(body_of(command)) == {"type", "card", "direction"}


def test_states_are_told_before_rules() -> None:
    """Contract, Errors: phase, then turn, then card, then the rules of the play."""
    nobody = single("red-1", "left")
    given(opened()).when(2, nobody).refused("wrong_phase")
    given(dealt()).when(2, nobody).refused("wrong_phase")
    given(moving()).when(2, nobody).refused("not_your_turn")
    given(moving(hands={2: ["red-1"]})).when(1, nobody).refused("card_not_in_hand")
    given(moving().abandon()).when(1, nobody).refused("meeting_not_running")
