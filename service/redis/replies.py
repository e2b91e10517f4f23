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
    _whole(entries, first, "line {} is missing in the log")
    return [
        Line(version, fields[1], fields[3].hex())
        for version, (_, fields) in enumerate(entries, first)
    ]


def feed(partition: int, after: int, entries: list[Any]) -> list[FeedEntry]:
    """Entries of a feed behind a position: m, v and n.

    Raises:
        Diverged: one is missing in between.
    """
    _whole(entries, after + 1, f"entry {{}} is missing in the feed of partition {partition}")
    return [
        FeedEntry(partition, position, fields[1].decode(), int(fields[3]), int(fields[5]))
        for position, (_, fields) in enumerate(entries, after + 1)
    ]


def _whole(entries: list[Any], first: int, missing: str) -> None:
    """See to it that the entries are numbered from this one on without a gap.

    A stream's ids ascend, so where the last is as far from the first as there are entries, none is
    missing in between; only where it is not, each is looked at.

    Raises:
        Diverged: in these words about the first that is missing.
    """
    if not entries:
        return
    last = first + len(entries) - 1
    if entries[0][0] == b"%d-0" % first and entries[-1][0] == b"%d-0" % last:
        return
    for wanted, (entry_id, _) in enumerate(entries, first):
        if entry_id != b"%d-0" % wanted:
            raise Diverged(missing.format(wanted))
