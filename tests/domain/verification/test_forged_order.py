"""A forger who drops, doubles and swaps events, and numbers, salts and hashes all anew."""

from random import Random

import pytest

from domain.kernel.lines import split
from domain.verification import verify
from tests.kit.forging import Fields, rechained, renumbered
from tests.kit.recorded import by_length, recorded_fields, recorded_lines

Events = list[Fields]


def moved(events: Events) -> list[tuple[str, int, Events]]:
    """(how, index, events) with each event dropped, doubled, or before the one before it."""
    made = []
    for i in range(len(events)):
        made.append(("dropped", i, [*events[:i], *events[i + 1 :]]))
        made.append(("doubled", i, [*events[: i + 1], *events[i:]]))
        if i and events[i - 1] != events[i]:
            made.append(
                ("swapped", i, [*events[: i - 1], events[i], events[i - 1], *events[i + 1 :]])
            )
    return made


def hold_moved(name: str, most: int) -> tuple[int, int]:
    """(forgeries, those that were legal meetings) of the events of a log moved about."""
    events = recorded_fields(name)
    kept = split(recorded_lines(name)[-1][:-1])[1]
    forgeries = [row for row in moved(events) if row[2] and row[2][0] is events[0]]
    Random(name).shuffle(forgeries)
    legal = 0
    for how, index, forged in forgeries[:most]:
        again = renumbered(forged)
        if how == "swapped":
            times = (events[index - 1]["at"], events[index]["at"])
            again[index - 1]["at"], again[index]["at"] = times
        assert not verify(rechained(forged)).ok, "the numbers are out of order"
        report = verify(rechained(again))
        if report.ok and again != events:
            legal += 1
            assert is_whole_commands(events, how, index), f"{name}: {how} {index} is not found"
            assert not verify(rechained(again), expect=kept).ok, "a kept hash shows it"
    return len(forgeries[:most]), legal


def is_whole_commands(events: Events, how: str, index: int) -> bool:
    """Whether a whole command is left out or given twice, or two begin the other way about: so that
    the meeting could have been played as well."""
    first = index - 1 if how == "swapped" else index
    return begins(events[first]) and begins(events[first + 1])


def begins(event: Fields) -> bool:
    """Whether a command, or an act of the meeting's own, begins with this event."""
    private = event.get("private", {})
    own = private.get(str(event.get("seat")), {})
    return "." not in event["type"] or "command" in event or "command" in own


@pytest.mark.parametrize("name", by_length()[:8])
def test_events_dropped_doubled_or_swapped_are_found(name: str) -> None:
    """With all numbers, salts and hashes made anew; but for whole commands that could be so."""
    forgeries, legal = hold_moved(name, 60)
    assert forgeries - legal >= min(20, forgeries // 2)


@pytest.mark.long
def test_events_dropped_doubled_or_swapped_are_found_in_every_recorded_meeting() -> None:
    """Up to 250 in each."""
    counts = [hold_moved(name, 250) for name in by_length()]
    assert sum(forgeries for forgeries, _ in counts) >= 5_000
