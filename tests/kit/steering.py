"""Hooks of schemathesis that lead its calls to meetings that run, and count what came of them.

The document can't say which commands a meeting takes now, so what is made up from it alone hardly
ever meets a seat that owes a decision. Here the caller of a generated call is seated in meetings of
each game, and where a path would name a meeting that isn't there, it names one of these: for a
command one in which the caller may give a command of that type. `seat` and `decision` become the
caller's own, and some commands get the fields of one that the meeting takes, since made up ones are
hardly ever those of a card in hand. What makes a call wrong is left, and so is every eighth call.

The variable STEERED names the file for the counts: rows of operation, status, code, for a command
of a seat that owed a decision the game, and how often.
"""

import atexit
import json
import os
import zlib
from collections import Counter
from pathlib import Path
from typing import Any

import httpx
import schemathesis
from schemathesis.core.parameters import ParameterLocation
from schemathesis.generation import GenerationMode

from tests.kit.known_tables import Body, Table, Tables

JSON, PROBLEM = "application/json", "application/problem+json"
HANGING = ("bookmaker.answer_bet", "change-horses.play_wild")
"""Commands of which the meeting's state or seats decide whether they are malformed."""

KEY = "Idempotency-Key"
NOWHERE = "m0000000000000000"
ENVELOPE = ("seat", "decision")
LEAVE = 8
"""Of so many calls one is left as it was made up."""

LEGAL = 3
"""Of so many commands one gets the fields of one that the meeting takes."""


class Steering:
    """Where calls are led, and what they got."""

    def __init__(self) -> None:
        self.counts: Counter[tuple[str, int, str, str]] = Counter()
        self._tables: Tables | None = None
        self._seen: dict[str, str] = {}
        self._admitted = False
        self._led: dict[str, str] = {}

    def steer(self, case: Any) -> None:
        """Lead a call, if it is about a meeting and its path is well formed."""
        token = case.headers.get("Authorization")
        if "meeting" not in case.path_parameters or not _plain(case, ParameterLocation.PATH):
            return
        if self._tables is None:
            url = case.operation.schema.get_base_url()
            self._tables = Tables(httpx.Client(base_url=url, trust_env=False))
        named = case.path_parameters["meeting"]
        is_command = _id(case) == "GiveCommand"
        if not is_command and (named in self._seen or _left(named)):
            return
        table = self._table(case, token, named if is_command else None)
        if table is None:
            if is_command and self._tables.known(named):
                case.path_parameters = {**case.path_parameters, "meeting": NOWHERE}
            return
        # A new one: calls may share what their parts are in.
        case.path_parameters = {**case.path_parameters, "meeting": table.id}
        self._seen[table.id] = table.game
        own = table.own(token)
        if is_command:
            self._led[case.id] = "" if own is None else table.game
            self._rename_key(case)
        if is_command and own is not None and _plain(case, ParameterLocation.BODY):
            case.body = self._fitted(case.body, own)
        elif own is not None and case.query.get("seat", "public") != "public":
            self._seat_caller(case, own)

    def _table(self, case: Any, token: Any, named: str | None) -> Table | None:
        assert self._tables is not None
        if named is None:
            return self._tables.any(token)
        body = case.body if isinstance(case.body, dict) else {}
        kind = str(body.get("type", ""))
        known = self._tables.known(named)
        if known is not None and known.takes(token, body) and known.may(token, kind):
            return known
        if known is None and self._admitted:
            game = self._seen.get(named)
            if game is None and _left(named):
                return None  # nobody knows it: 404
            if game is not None and kind.startswith(f"{game}.") and kind not in HANGING:
                return None  # the calls themselves made it
        return self._tables.owing(token, kind, body)

    def _fitted(self, body: Any, own: Body) -> Any:
        """A command with seat and decision of its caller.

        The first is one that is accepted: schemathesis takes who is refused at first for somebody
        who may not call this at all, and goes on without a token.
        """
        if not self._admitted:
            return own["legal"][0]
        if not isinstance(body, dict):
            return body
        mark = json.dumps(body, sort_keys=True, default=str)
        legal = [action for action in own["legal"] if action["type"] == body.get("type")]
        if legal and zlib.crc32(mark.encode()) % LEGAL == 0:
            chosen = legal[zlib.crc32(mark[::-1].encode()) % len(legal)]
            body = {**chosen, **{name: body[name] for name in ENVELOPE if name in body}}
        told = {n: own[n] for n in ENVELOPE if n in body and not _left(n + mark)}
        if "bet" in body and own["bets"]:  # an unknown one is malformed, which no schema can say
            told["bet"] = own["bets"][zlib.crc32(mark.encode()) % len(own["bets"])]
        return {**body, **told}

    def _seat_caller(self, case: Any, own: Body) -> None:
        """Whoever asks for the view of a seat asks for that of its own."""
        if _plain(case, ParameterLocation.QUERY) and not _left(str(case.query)):
            case.query = {**case.query, "seat": own["seat"]}

    def _rename_key(self, case: Any) -> None:
        """A key of its own; made up are a few, and whoever uses one again is told just that."""
        if not _plain(case, ParameterLocation.HEADER) or KEY not in case.headers:
            return
        if not _left(case.headers[KEY] + case.id):
            case.headers[KEY] = f"{case.headers[KEY][:200]}{case.id}"

    def note(self, case: Any, response: Any) -> None:
        """What came of a call."""
        operation = _id(case)
        code = ""
        told: Any = None
        if response.headers.get("content-type", [""])[0] in (JSON, PROBLEM):
            told = json.loads(response.content)
            code = told.get("code", "") if isinstance(told, dict) else ""
        owed = self._led.pop(case.id, "")
        self.counts[operation, response.status_code, code, owed] += 1
        if isinstance(told, dict) and operation in ("OpenMeeting", "ListMeetings"):
            for row in told.get("items", [told]):
                self._seen.setdefault(row.get("id", ""), row.get("game", ""))
        self._admitted |= operation == "GiveCommand" and response.status_code == 200
        if self._tables is not None and case.method != "GET" and response.status_code < 300:
            self._tables.moved(case.path_parameters.get("meeting"))


def _id(case: Any) -> str:
    named: str = case.operation.definition.raw["operationId"]
    return named


def _plain(case: Any, where: ParameterLocation) -> bool:
    """Whether this part of a call is as the document has it."""
    if case.meta is None:
        return False
    part = case.meta.components.get(where, case.meta.generation)  # examples have no parts
    return bool(part.mode == GenerationMode.POSITIVE)


def _left(text: str) -> bool:
    return zlib.crc32(text.encode()) % LEAVE == 0


STEERING = Steering()


@schemathesis.hook
def before_call(_context: Any, case: Any, _kwargs: Any) -> None:
    STEERING.steer(case)


@schemathesis.hook
def after_call(_context: Any, case: Any, response: Any) -> None:
    STEERING.note(case, response)


@schemathesis.hook
def before_load_schema(_context: Any, raw_schema: Any) -> None:
    """The body that a link gives is the whole body, as OpenAPI has it."""
    for path in raw_schema["paths"].values():
        for call in path.values():
            for answer in call["responses"].values():
                for link in answer.get("links", {}).values():
                    if "requestBody" in link:
                        link["x-schemathesis"] = {"merge_body": False}


@atexit.register
def tell() -> None:
    """Write the counts down."""
    if told := os.environ.get("STEERED"):
        rows = [[*key, count] for key, count in sorted(STEERING.counts.items())]
        Path(told).write_text(json.dumps(rows))
