"""The form of a log, by bytes as they stand: line ends, hash chain, canonical JSON, envelope.

Nothing here knows a game. The chain comes first, because it costs least and finds most.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from itertools import pairwise
from typing import Any

import msgspec

from domain.kernel.lines import GENESIS, canonical, chain, split
from domain.kernel.message import PUBLIC, SERVER, type_of
from domain.racing.events import MeetingAbandoned, MeetingFinished, MeetingOpened
from domain.verification.report import Report

WHOLE_MOST = 2**53 - 1
FIRST = type_of(MeetingOpened)
LAST = (type_of(MeetingFinished), type_of(MeetingAbandoned))
MOMENT = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{3}Z")
INCOMPLETE = (
    "an organiser's copy of a meeting that was still running: what nobody may see before the end "
    "is left out, so no hash can be computed and nothing is verified"
)
Fields = dict[str, Any]


def read_lines(lines: Iterable[bytes], report: Report) -> tuple[list[bytes], list[str]]:
    """The canonical forms and hashes of a log, as far as its lines can be told apart.

    Args:
        lines: with their line ends, as a binary file yields them.
        report: noted in it are problems, the number of lines and the last hash.
    """
    bodies: list[bytes] = []
    digests: list[str] = []
    for number, raw in enumerate(lines, 1):
        found = read_line(raw, number, report)
        if found is None:
            break
        body, digest = found
        if chain(digests[-1] if digests else GENESIS, body) != digest:
            if number == 1 and held_back(body):
                report.add(1, INCOMPLETE)
                break
            report.add(
                number,
                "the hash is not that of this line after the one before it: "
                "a byte was changed, or a line is missing, added or moved",
            )
        bodies.append(body)
        digests.append(digest)
    else:
        if not bodies:
            report.add(None, "the log is empty")
    report.facts.events = len(bodies)
    report.facts.hash = digests[-1] if digests else None
    return bodies, digests


def read_line(raw: bytes, number: int, report: Report) -> tuple[bytes, str] | None:
    """The canonical form and the hash of one line; None if it is no line of a log."""
    if not raw.endswith(b"\n"):
        report.add(number, "the line does not end in LF: the file is cut")
        return None
    if raw == b"\n":
        report.add(number, "an empty line")
        return None
    try:
        return split(raw[:-1])
    except ValueError:
        report.add(number, "the line does not end in its hash")
        return None


def held_back(body: bytes) -> bool:
    """Whether a first line has lost what only the server may know."""
    try:
        fields = msgspec.json.decode(body)
    except (msgspec.MsgspecError, RecursionError):
        return False
    if not isinstance(fields, dict) or fields.get("type") != FIRST:
        return False
    private = fields.get("private", {})
    return isinstance(private, dict) and SERVER not in private


def read_fields(bodies: Sequence[bytes], report: Report) -> list[Fields]:
    """The fields of each line, where all lines are canonical and their envelopes are in order."""
    events: list[Fields] = []
    for number, body in enumerate(bodies, 1):
        try:
            fields = msgspec.json.decode(body)
            again = canonical(fields)
            odd = odd_value(fields)
        except (msgspec.MsgspecError, RecursionError, UnicodeError):
            report.add(number, "the line is not JSON")
            return events
        if not isinstance(fields, dict):
            report.add(number, "the line is not a JSON object")
            return events
        if odd is not None or again != body:
            report.add(number, f"the line is not in RFC 8785 form: {odd or 'write it anew to see'}")
            return events
        what = envelope_problem(fields, number)
        if what is not None:
            report.add(number, what)
            return events
        events.append(fields)
    check_order(events, report)
    return events


def odd_value(fields: Any) -> str | None:
    """A number or key that no line has: odds in tenths are the only numbers with a fraction."""
    left = [fields]
    while left:
        value = left.pop()
        if isinstance(value, str):
            continue
        if isinstance(value, dict):
            if not "".join(value).isascii():
                return "a key that is not ASCII"
            left.extend(value.values())
        elif isinstance(value, list):
            left.extend(value)
        elif isinstance(value, int | float):
            if not abs(value) <= WHOLE_MOST:
                return "a number beyond 2^53 - 1"
            if isinstance(value, float) and value.is_integer():
                return "a whole number is written with a fraction or an exponent"
            if round(value * 10) / 10 != value:
                return "a number with more than one decimal"
    return None


def envelope_problem(fields: Fields, number: int) -> str | None:
    """What is wrong with the envelope of one line."""
    if fields.get("seq") != number or isinstance(fields["seq"], bool):
        return f"seq is {fields.get('seq')!r}: numbers go 1, 2, 3 … without a gap"
    if not isinstance(fields.get("type"), str):
        return "there is no type"
    if not isinstance(fields.get("meeting"), str):
        return "there is no meeting"
    if not is_moment(fields.get("at")):
        return "`at` is no RFC 3339 time in UTC with milliseconds"
    if "hash" in fields:
        return "a field `hash` before the line's own"
    if not is_audience(fields.get("audience")):
        return "`audience` is neither public nor a list of seats, ascending"
    private = fields.get("private", {})
    if not isinstance(private, dict) or not all(isinstance(v, dict) for v in private.values()):
        return "`private` is no map of maps"
    if any(key != SERVER and not is_seat(key) for key in private):
        return "`private` has a key that is neither a seat nor the server"
    return None


def is_moment(value: Any) -> bool:
    """Whether this is a time as the log writes it."""
    if not isinstance(value, str) or not MOMENT.fullmatch(value):
        return False
    try:
        datetime.fromisoformat(value[:-1])
    except ValueError:
        return False
    return True


def is_audience(value: Any) -> bool:
    """Whether this is "public" or seats, each once, ascending."""
    if value == PUBLIC:
        return True
    if not isinstance(value, list):
        return False
    if any(isinstance(seat, bool) or not isinstance(seat, int) or seat < 1 for seat in value):
        return False
    return all(one < other for one, other in pairwise(value))


def is_seat(key: str) -> bool:
    """Whether a key is a seat's number in decimal."""
    return key.isdecimal() and key.isascii() and key[0] != "0"


def check_order(events: Sequence[Fields], report: Report) -> None:
    """One meeting, opened first and ended last; times never go back."""
    first = events[0]
    if first["type"] != FIRST:
        report.add(1, f"the first event is {first['type']}, not {FIRST}")
        return
    if SERVER not in first.get("private", {}):
        report.add(1, INCOMPLETE)
        return
    for before, event in pairwise(events):
        number = event["seq"]
        if event["meeting"] != first["meeting"]:
            report.add(number, "the event is of another meeting")
        if event["at"] < before["at"]:
            report.add(number, "`at` goes back")
        if event["type"] == FIRST:
            report.add(number, "the meeting is opened a second time")
        if before["type"] in LAST:
            report.add(number, "an event after the end of the meeting")
    report.complete = events[-1]["type"] in LAST
    if not report.complete:
        report.add(
            None,
            "the log is incomplete: it ends before its meeting does, so the seed is not revealed "
            "and nothing more can be verified",
        )


def check_types(events: Iterable[Fields], game: str, report: Report) -> None:
    """Types with a prefix are of the log's own game."""
    for event in events:
        prefix, dot, _ = event["type"].partition(".")
        if dot and prefix != game:
            report.add(event["seq"], f"{event['type']} is no event of {game}")


def text(fields: Mapping[str, Any], name: str) -> str | None:
    """A field that should be text, or None."""
    value = fields.get(name)
    return value if isinstance(value, str) else None
