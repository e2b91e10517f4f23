"""Made-up events for tests of the log, and an audit of all that a log holds."""

from collections.abc import Iterable, Sequence

from domain.kernel.lines import GENESIS, canonical, chain
from service.ports import Appended, EventLog, Head, Line

START = Head(version=0, digest=GENESIS)


def batch(head: Head, count: int = 1, note: str = "") -> list[Line]:
    """Lines that go on from a head, chained as the log's lines are."""
    versions = range(head.version + 1, head.version + count + 1)
    return chained(head, [canonical({"note": note, "seq": version}) for version in versions])


def chained(head: Head, bodies: Sequence[bytes]) -> list[Line]:
    """Lines of these bodies that go on from a head."""
    lines = []
    digest = head.digest
    for version, body in enumerate(bodies, head.version + 1):
        digest = chain(digest, body)
        lines.append(Line(version, body, digest))
    return lines


def end(lines: list[Line]) -> Head:
    """The head after these lines."""
    return Head(lines[-1].version, lines[-1].digest)


async def grow(log: EventLog, meeting: str, *counts: int) -> Head:
    """Append commands of so many events each to a meeting, and return its head."""
    head = await log.head(meeting) or START
    for count in counts:
        lines = batch(head, count, meeting)
        await log.append(meeting, head, f"{meeting}-{head.version}", "print", lines)
        head = end(lines)
    return head


async def audit(log: EventLog, meetings: Iterable[str]) -> dict[str, list[Line]]:
    """All lines of the meetings, after a check that chain, heads and feeds agree.

    Each command of the feed is whole in its log, each line of a log is in one command of the feed.
    """
    logs = {}
    for meeting in meetings:
        lines = await log.read(meeting)
        assert [line.version for line in lines] == list(range(1, len(lines) + 1))
        digest = GENESIS
        for line in lines:
            digest = chain(digest, line.body)
            assert line.digest == digest, f"{meeting} {line.version}: the chain is broken"
        assert (await log.head(meeting) or START) == Head(len(lines), digest)
        logs[meeting] = lines
    told: dict[str, int] = dict.fromkeys(logs, 0)
    for partition, head in enumerate(await log.feed_heads()):
        entries = await log.feed(partition, 0, count=100_000)
        assert [entry.position for entry in entries] == list(range(1, head + 1))
        for entry in entries:
            assert log.partition(entry.meeting) == partition
            assert entry.first == told[entry.meeting] + 1, "commands stand in order, without gap"
            told[entry.meeting] += entry.count
    assert told == {meeting: len(lines) for meeting, lines in logs.items()}
    return logs


def assert_stored_once(
    logs: dict[str, list[Line]], done: dict[str, tuple[str, Appended, int]]
) -> None:
    """Every acknowledged command (id → meeting, answer, events) is in its log, whole and once.

    Its lines carry the id as their note.
    """
    for command_id, (meeting, answer, count) in done.items():
        mark = canonical({"note": command_id})[1:-1]
        found = [line.version for line in logs[meeting] if mark in line.body]
        assert found == list(range(answer.first, answer.last + 1)), command_id
        assert len(found) == count, command_id
