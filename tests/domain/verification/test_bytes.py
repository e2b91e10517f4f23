"""Every byte of a log is held by its hashes: whatever is changed in the file is found."""

from random import Random

import pytest

from domain.verification import lines_of, verify
from tests.kit.forging import MUTATIONS
from tests.kit.recorded import by_length, recorded_lines

MUTATIONS_EACH = 80
"""Of each kind, in each of three logs: 2,880 in all."""

MUTATIONS_EACH_LONG = 40
"""Of each kind, in every recorded log: 12,960 in all."""


def found(data: bytes, mutated: bytes) -> bool:
    """Whether `verify` finds a file that differs from an honest one."""
    assert mutated != data, "a mutation changes something"
    return not verify(lines_of(mutated)).ok


def mutate_all(name: str, each: int) -> int:
    """Hold so many mutations of each kind against a recorded log; how many there were."""
    data = b"".join(recorded_lines(name))
    assert verify(lines_of(data)).ok
    random = Random(name)
    count = 0
    for mutation in MUTATIONS:
        for _ in range(each):
            mutated = mutation(data, random)
            if mutated == data:  # two equal lines changed places, or a newline beside a newline
                continue
            count += 1
            assert found(data, mutated), f"{mutation.__name__} in {name} is not found"
    return count


@pytest.mark.parametrize(
    "name", ["all_kinds__won", "trot__all_out", "open__abandoned_before_the_start"]
)
def test_every_changed_added_dropped_swapped_doubled_or_cut_byte_or_line_is_found(
    name: str,
) -> None:
    """2,000 mutations and more in three logs."""
    assert mutate_all(name, MUTATIONS_EACH) >= 900


@pytest.mark.long
def test_ten_thousand_mutations_of_all_recorded_logs_are_found() -> None:
    """All kinds in all logs."""
    assert sum(mutate_all(name, MUTATIONS_EACH_LONG) for name in by_length()) >= 10_000


@pytest.mark.long
@pytest.mark.parametrize("name", by_length()[:2])
def test_every_single_byte_changed_dropped_or_doubled_is_found(name: str) -> None:
    """Each place of the shortest logs, none left out."""
    data = b"".join(recorded_lines(name))
    for at in range(len(data)):
        assert found(data, data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :]), at
        assert found(data, data[:at] + data[at + 1 :]), at
        assert found(data, data[:at] + data[at : at + 1] + data[at:]), at
        assert found(data, data[:at]), at
