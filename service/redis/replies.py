"""What the log's keys and scripts answer, in the words of the port."""

from typing import Any

from service.ports import Appended, Conflict, Diverged, FeedEntry, KeyReused, Line


def appended(meeting: str, reply: list[Any]) -> Appended:
    """What the append script answered.

    Raises:
        Conflict, KeyReused, Diverged.
    """
    match reply:
        case [b"OK", first, last]:
            return Appended(first, last)
        case [b"KNOWN", first, last]:
            return Appended(first, last, duplicate=True)
        case [b"AHEAD", version]:
            raise Conflict(version)
        case [b"REUSED"]:
            raise KeyReused(f"{meeting}: the command id stands for another command")
        case [b"DIVERGED", detail]:
            raise Diverged(f"{meeting}: the log can't be continued: {detail.decode()}")
    raise Diverged(f"{meeting}: the append script gave no answer of its own")


def number(entry_id: bytes) -> int:
    """The version or position that an id of a stream's entry stands for."""
    return int(entry_id.partition(b"-")[0])


def lines(entries: list[Any], first: int) -> list[Line]:
    """Entries of a log's stream from this version on: d, h and on a command's first also c.

    Raises:
        Diverged: one is missing in between.
    """
    found = []
    for version, (entry_id, fields) in enumerate(entries, first):
        if entry_id != b"%d-0" % version:
            raise Diverged(f"line {version} is missing in the log")
        found.append(Line(version, fields[1], fields[3].hex()))
    return found


def feed(partition: int, after: int, entries: list[Any]) -> list[FeedEntry]:
    """Entries of a feed behind a position: m, v and n.

    Raises:
        Diverged: one is missing in between.
    """
    found = []
    for position, (entry_id, fields) in enumerate(entries, after + 1):
        if entry_id != b"%d-0" % position:
            raise Diverged(f"entry {position} is missing in the feed of partition {partition}")
        meeting, first, count = fields[1].decode(), int(fields[3]), int(fields[5])
        found.append(FeedEntry(partition, position, meeting, first, count))
    return found
