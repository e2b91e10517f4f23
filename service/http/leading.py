"""From an answer to the calls that go on from it: the links of the document.

The way of play is open, sit down, start; then actions and command, and what is new after it. A link
whose value is null or not there (the last page, a seat that owes nothing) leads nowhere.
"""

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any

from service.http.operation import Operation

Schema = dict[str, Any]
Values = dict[str, str]
"""Parameter of a call -> where its value stands, as a runtime expression."""

_PLAYER: Values = {"player": "$response.body#/id"}
_HERE: Values = {"meeting": "$request.path.meeting"}
_MADE: Values = {"meeting": "$response.body#/id"}
_FIRST: Values = {"meeting": "$response.body#/items/0/id"}
_SEAT: Values = {"seat": "$response.body#/seat"}
_MY_FIRST: Values = {
    "meeting": "$response.body#/seats/0/meeting",
    "seat": "$response.body#/seats/0/seat",
}
_AFTER: Values = {"after": "$response.body#/version"}
_NEXT: Values = {"cursor": "$response.body#/next_cursor"}

_PLAY: Mapping[str, Values] = {"ListActions": _MADE, "ShowBoard": _MADE, "ListEvents": _MADE}

LEADS: Mapping[str, Mapping[str, Values]] = MappingProxyType(
    {
        "RegisterPlayer": {
            "ShowPlayer": _PLAYER,
            "SetRoles": _PLAYER,
            "ReissueToken": _PLAYER,
            "RevokeToken": _PLAYER,
        },
        "ShowMe": {
            "ShowPlayer": _PLAYER,
            "ShowBoard": _MY_FIRST,
            "ListActions": _MY_FIRST,
            "ListEvents": _MY_FIRST,
        },
        "ListGames": {
            "ShowGame": {"game": "$response.body#/items/0/id"},
            "ShowLeaderboard": {"game": "$response.body#/items/0/id"},
        },
        "ShowLeaderboard": {
            "ShowPlayer": {"player": "$response.body#/items/0/player"},
            "ShowLeaderboard": {"game": "$request.path.game", **_NEXT},
        },
        "OpenMeeting": {
            "ShowMeeting": _MADE,
            "TakeSeat": _MADE,
            "StartMeeting": _MADE,
            "AbandonMeeting": _MADE,
            "GiveCommand": _MADE,
            **_PLAY,
            "ExportLog": _MADE,
        },
        "ListMeetings": {
            "ShowMeeting": _FIRST,
            "TakeSeat": _FIRST,
            "ShowBoard": _FIRST,
            "ExportLog": _FIRST,
            "ListMeetings": _NEXT,
        },
        "ShowMeeting": {"TakeSeat": _MADE, "ShowBoard": _MADE, "ListEvents": _MADE},
        "TakeSeat": {
            "FreeSeat": {**_HERE, **_SEAT},
            "StartMeeting": _HERE,
            "ShowBoard": {**_HERE, **_SEAT},
            "ListActions": {**_HERE, **_SEAT},
            "ListEvents": {**_HERE, **_SEAT},
        },
        "StartMeeting": {**_PLAY, "AbandonMeeting": _MADE},
        "AbandonMeeting": {"ShowBoard": _MADE, "ExportLog": _MADE},
        "ListActions": {"GiveCommand": _HERE},
        "GiveCommand": {
            "ListActions": _HERE,
            "ShowBoard": {**_HERE, "at": "$response.body#/version"},
            "ListEvents": {**_HERE, **_AFTER},
        },
        "ShowBoard": {
            "ListActions": _HERE,
            "ListEvents": {**_HERE, **_AFTER},
            "ShowBoard": {**_HERE, "If-None-Match": "$response.header.ETag"},
        },
        "ListEvents": {
            "ShowBoard": {**_HERE, "at": "$response.body#/version"},
            "ListEvents": {**_HERE, "after": "$response.body#/next_cursor"},
        },
    }
)
"""operationId -> operationId of a call that goes on from its answer, with its parameters."""

BODIES: Mapping[tuple[str, str], str] = MappingProxyType(
    {("ListActions", "GiveCommand"): "$response.body#/actions/0"}
)
"""(from, to) -> where the answer has a whole body for the call."""


def add_links(paths: Schema, table: Iterable[Operation]) -> None:
    """Put them into the answers of the described operations that have a body."""
    for operation in table:
        leads = LEADS.get(operation.id)
        if leads is None:
            continue
        responses = paths[operation.path][operation.method.lower()]["responses"]
        for status, form in operation.answers.items():
            if form is not None:
                responses[str(status)]["links"] = {
                    to: _link(operation.id, to, values) for to, values in leads.items()
                }


def _link(source: str, to: str, values: Values) -> Schema:
    link: Schema = {"operationId": to, "parameters": dict(values)}
    body = BODIES.get((source, to))
    return link if body is None else {**link, "requestBody": body}
