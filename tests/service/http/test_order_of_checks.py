"""Contract, Errors: a call with two faults is refused for the one that is looked at first."""

from collections.abc import Callable
from typing import Any

import httpx
import pytest

from tests.kit.face import Api
from tests.kit.tables import Meeting, Person, running

LOST = "/v1/meetings/m0123456789abcdef/commands"
HUGE = b" " * 270_000
DONE = {"type": "bookmaker.done"}
OTHER = {"type": "tuyaux.bet", "win": []}
ODDS = {"red": 3, "blue": 3, "green": 2, "yellow": 2}
SET_ODDS = {"type": "bookmaker.set_odds", "odds": ODDS}
OFF_STEP = {"type": "bookmaker.set_odds", "odds": {**ODDS, "red": 3.5}}
THREE_CARDS = {"type": "bookmaker.exchange_cards", "cards": ["red-1", "red-2", "red-3"]}
STALE = 10**6


class World:
    """An open meeting, and one whose two bookmakers exchange cards; both have the first player."""

    def __init__(self, api: Api) -> None:
        self.anybody = api.client()
        self.running, people = running(api, 4, arranged={"draws": {"bookmaker": [1]}})
        self.bookmakers, self.bettor = people[:2], people[3]
        self.open = Meeting(people[0]).seat(people[0])
        self.seated = people[0]
        self.stranger = Person(api, "Eve")

    def raw(self, caller: Any, path: str, body: bytes, media: str) -> httpx.Response:
        """Bytes as they stand."""
        answer: httpx.Response = caller.send_raw("POST", path, body, Content_Type=media)
        return answer

    def again(self, body: dict[str, Any]) -> httpx.Response:
        """A bookmaker who has set its odds gives a further command."""
        for person in self.bookmakers:
            self.running.give(person, self.running.actions(person)["default"])
        assert self.running.give(self.seated, SET_ODDS).status_code == 200
        answer: httpx.Response = self.running.give(self.seated, body)
        return answer


Call = Callable[[World], httpx.Response]
IN_ORDER: list[tuple[str, str, Call]] = [
    ("unauthorized", "meeting_not_found", lambda w: w.anybody.post(LOST, json=DONE)),
    (
        "meeting_not_found",
        "body_too_large",
        lambda w: w.raw(w.stranger.client, LOST, HUGE, "application/json"),
    ),
    (
        "body_too_large",
        "unsupported_media_type",
        lambda w: w.raw(w.stranger.client, f"{w.open.path}/commands", HUGE, "text/plain"),
    ),
    (
        "unsupported_media_type",
        "malformed",
        lambda w: w.raw(w.stranger.client, f"{w.open.path}/commands", b"{", "text/plain"),
    ),
    ("malformed", "not_your_seat", lambda w: w.open.give(w.stranger, {"type": "x"})),
    ("malformed", "not_your_seat", lambda w: w.running.give(w.stranger, OTHER)),
    ("not_your_seat", "meeting_not_running", lambda w: w.open.give(w.stranger, DONE)),
    (
        "meeting_not_running",
        "stale_decision",
        lambda w: w.open.give(w.seated, {**DONE, "decision": STALE}),
    ),
    (
        "stale_decision",
        "wrong_phase",
        lambda w: w.running.give(w.seated, {**DONE, "decision": STALE}),
    ),
    ("wrong_phase", "not_your_turn", lambda w: w.running.give(w.bettor, SET_ODDS)),
    ("not_your_turn", "exchange_two_cards", lambda w: w.running.give(w.bettor, THREE_CARDS)),
    ("already_done", "odds_off_step", lambda w: w.again(OFF_STEP)),
]
"""(the fault that is told, another that the call has too, the call)"""

ALONE: dict[str, Call] = {
    "meeting_not_found": lambda w: w.stranger.client.post(LOST, json=DONE),
    "body_too_large": lambda w: w.raw(
        w.stranger.client, f"{w.open.path}/commands", HUGE, "application/json"
    ),
    "unsupported_media_type": lambda w: w.raw(
        w.stranger.client, f"{w.open.path}/commands", b"{}", "text/plain"
    ),
    "malformed": lambda w: w.raw(
        w.stranger.client, f"{w.open.path}/commands", b"{", "application/json"
    ),
    "not_your_seat": lambda w: w.open.give(w.stranger, DONE),
    "meeting_not_running": lambda w: w.open.give(w.seated, DONE),
    "stale_decision": lambda w: w.running.give(
        w.seated, {**w.running.actions(w.seated)["default"], "decision": STALE}
    ),
    "wrong_phase": lambda w: w.running.give(w.seated, DONE),
    "not_your_turn": lambda w: w.running.give(w.bettor, w.running.actions(w.seated)["default"]),
    "exchange_two_cards": lambda w: w.running.give(w.seated, THREE_CARDS),
}
"""The second fault of a row above by itself, so that it is known to be one."""


@pytest.fixture
def world(api: Api) -> World:
    return World(api)


@pytest.mark.parametrize(("first", "second", "call"), IN_ORDER)
def test_of_two_faults_the_first_in_order_is_told(
    world: World, first: str, second: str, call: Call
) -> None:
    assert call(world).json()["code"] == first


@pytest.mark.parametrize("code", list(ALONE))
def test_each_fault_by_itself_is_told(world: World, code: str) -> None:
    assert ALONE[code](world).json()["code"] == code


def test_every_step_of_the_order_is_tried_with_the_next() -> None:
    seconds = [second for _, second, _ in IN_ORDER]
    firsts = [first for first, _, _ in IN_ORDER]
    assert set(seconds) - {"odds_off_step"} == set(ALONE)
    assert list(dict.fromkeys(firsts))[1:9] == list(dict.fromkeys(seconds))[:8]
