"""The recorded meetings of Bookmaker as tests of verification take them: the short ones first."""

from domain.verification import verify
from tests.kit.forging import Fields, Forgery, fields_of, rechained, renumbered
from tests.kit.recordings import Recordings

RECORDED = Recordings("bookmaker")


def recorded_lines(name: str) -> tuple[bytes, ...]:
    """A recorded log, line by line with line ends."""
    return tuple(RECORDED.lines(name))


def recorded_fields(name: str) -> list[Fields]:
    """Its events as plain fields, a copy of the caller's own."""
    return fields_of(recorded_lines(name))


def by_length() -> list[str]:
    """The names of all recorded meetings, the shortest log first."""
    return sorted(RECORDED.names, key=lambda name: len(recorded_lines(name)))


def assert_found(name: str, forgery: Forgery, *, anew: bool = True) -> None:
    """Forge a recorded log, make all hashes anew, and hold `verify` to finding it.

    Args:
        name: of the recorded log.
        forgery: what is forged.
        anew: whether numbers and salts may be made anew as well.
    """
    honest, forged = recorded_fields(name), recorded_fields(name)
    assert verify(rechained(renumbered(honest))).problems == []
    forgery(forged)
    assert forged != honest
    assert not verify(rechained(forged)).ok
    if anew:
        assert not verify(rechained(renumbered(forged))).ok
