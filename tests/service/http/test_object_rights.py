"""What belongs to one player is out of reach for another, on every operation that names it."""

from collections.abc import Callable
from typing import Any

import httpx
import pytest

from service.http.table import operations
from service.settings import Settings
from tests.kit.face import Api, Client
from tests.kit.tables import Meeting, Person, running

FIRST = 1
"""The seat of the first player in both."""


class Table:
    """A running meeting and an open one, with a seat of the first player in both."""

    def __init__(self, api: Api) -> None:
        self.running, (self.first, self.second) = running(
            api, arranged={"draws": {"bookmaker": [1, 2]}}
        )
        self.owed = {**self.running.actions(self.first)["default"], "seat": FIRST}
        self.open = Meeting(self.first).seat(self.first)
        self.stranger = Person(api, "Eve")
        self.anybody = api.client()


Try = Callable[[Table, Client], httpx.Response]
OUT_OF_REACH: dict[str, Try] = {
    "GiveCommand": lambda t, c: c.post(f"{t.running.path}/commands", json=t.owed),
    "ShowBoard": lambda t, c: c.get(f"{t.running.path}/board?seat={FIRST}"),
    "ListActions": lambda t, c: c.get(f"{t.running.path}/actions?seat={FIRST}"),
    "ListEvents": lambda t, c: c.get(f"{t.running.path}/events?seat={FIRST}"),
    "ExportLog": lambda t, c: c.get(f"{t.running.path}/log"),
    "FreeSeat": lambda t, c: c.delete(f"{t.open.path}/seats/{FIRST}"),
    "TakeSeat": lambda t, c: c.post(f"{t.open.path}/seats", json={"seat": FIRST}),
    "StartMeeting": lambda t, c: c.post(f"{t.open.path}/start"),
    "AbandonMeeting": lambda t, c: c.post(f"{t.open.path}/abandon"),
    "SetRoles": lambda t, c: c.patch(f"/v1/players/{t.first.id}", json={"roles": ["player"]}),
    "ReissueToken": lambda t, c: c.post(f"/v1/players/{t.first.id}/token"),
    "RevokeToken": lambda t, c: c.delete(f"/v1/players/{t.first.id}/token"),
}
"""What a second player tries on what is the first's; each is refused."""

FOR_ALL = frozenset(("ShowMeeting", "ShowPlayer"))
"""Operations that tell everybody the same of a meeting or a player."""


@pytest.fixture
def table(api: Api) -> Table:
    return Table(api)


def test_every_operation_on_a_meeting_or_player_is_tried_or_public() -> None:
    named = {
        operation.id
        for operation in operations(Settings())
        if {part.name for part in operation.path_parameters} & {"meeting", "player"}
    }
    assert named == OUT_OF_REACH.keys() | FOR_ALL


@pytest.mark.parametrize("operation", list(OUT_OF_REACH))
def test_nobody_else_reaches_what_is_the_first_players(table: Table, operation: str) -> None:
    before = everything(table)
    for caller in (table.second, table.stranger):
        answer = OUT_OF_REACH[operation](table, caller.client)
        wanted = (409, "seat_taken") if operation == "TakeSeat" else (403, answer.json()["code"])
        assert (answer.status_code, answer.json()["code"]) == wanted
    unknown = OUT_OF_REACH[operation](table, table.anybody)
    assert unknown.status_code in (401, 403)
    assert everything(table) == before


def everything(table: Table) -> list[Any]:
    """All that the first player has and sees."""
    me = table.first.client.get("/v1/me").json()
    seen = [m.board(table.first) for m in (table.running, table.open)]
    return [me["id"], me["roles"], sorted(map(str, me["seats"])), *seen]


def test_without_a_seat_named_a_stranger_sees_what_everybody_sees(table: Table) -> None:
    for what in ("", "/board", "/events"):
        answers = [
            client.get(f"{table.running.path}{what}").json()
            for client in (table.stranger.client, table.anybody)
        ]
        assert answers[0] == answers[1]


def test_a_seat_reserved_for_one_is_not_taken_by_another(table: Table) -> None:
    meeting = Meeting(table.first)
    kept = table.first.client.post(f"{meeting.path}/seats", json={"player": table.second.id})
    assert kept.json() == {"seat": 1}
    taken = table.stranger.client.post(f"{meeting.path}/seats", json={"seat": 1})
    assert (taken.status_code, taken.json()["code"]) == (409, "seat_taken")
    assert table.second.client.post(f"{meeting.path}/seats", json={}).json() == {"seat": 1}


def test_the_key_of_one_player_gives_another_nothing(table: Table) -> None:
    path, key = f"{table.running.path}/commands", {"Idempotency-Key": "mine"}
    assert table.first.client.post(path, json=table.owed, headers=key).status_code == 200
    for caller in (table.second, table.stranger):
        answer = caller.client.post(path, json=table.owed, headers=key)
        assert (answer.status_code, answer.json()["code"]) == (403, "not_your_seat")
