"""Given, when, then: a position, a command, and what it leads to or why it is refused.

    given(position).when(3, place_bet(1, "red", 20)).then(event(e.BetOffered, seat=3, stake=20))
    given(position).when(3, place_bet(1, "red", 15)).refused("stake_off_step", "BM-B1")

A position is a `Played`; it is never changed, so one position serves many cases. What happened is
also held to be writable: every event must come back the same from its line.
"""

import copy
from typing import Any

import msgspec
import pytest
from msgspec import UNSET

from domain.kernel.lines import canonical
from domain.kernel.message import Command, Event, type_of
from domain.kernel.rejection import Malformed, Rejected
from domain.racing.draft import chance_of
from domain.racing.meeting import RUNNING
from domain.registry import event_decoder
from tests.kit.meetings import Played
from tests.kit.problem_examples import hold
from tests.kit.refusals import CALL, refusal


def fork(played: Played) -> Played:
    """The same position, to play on without changing the first."""
    other = copy.copy(played)
    other.full = copy.deepcopy(played.full)
    other.events, other.sizes = list(played.events), list(played.sizes)
    other._views, other._seen = {}, {}
    other.chance = chance_of(other.full) if other.full.status == RUNNING else None
    return other


def frozen(played: Played) -> bytes:
    """Everything that a command may change, as bytes."""
    return msgspec.json.encode([played.full, played.events])


def board(played: Played, viewer: int = 0) -> dict[str, Any]:
    """The board of a seat (0: the public), as JSON has it."""
    shown: dict[str, Any] = msgspec.to_builtins(played.game.view(played.view(viewer)))
    return shown


def numbers(played: Played) -> list[int | None]:
    """Every seat's decision number."""
    seats = len(played.full.seats)
    return [board(played, seat)["decision"] for seat in range(1, seats + 1)]


def after(played: Played, seat: int, command: Command) -> Played:
    """The position after a command."""
    return fork(played).give(seat, command)


def changed(played: Played, seat: int, command: Command) -> set[int]:
    """The seats whose decision number is another after a command."""
    before, then = numbers(played), numbers(after(played, seat, command))
    return {i for i, (a, b) in enumerate(zip(before, then, strict=True), 1) if a != b}


class Expected:
    """An event with these fields; other fields may be as they like."""

    def __init__(self, kind: type[Event], fields: dict[str, Any]) -> None:
        self.kind = kind
        self.fields = fields

    def check(self, event: Event) -> None:
        """Compare, field by field."""
        assert type(event) is self.kind
        content = msgspec.to_builtins(event)
        for name, value in self.fields.items():
            if value is UNSET:
                assert name not in content, f"{type_of(event)}.{name}"
            else:
                assert content[name] == msgspec.to_builtins(value), f"{type_of(event)}.{name}"


def event(kind: type[Event], /, **fields: Any) -> Expected:
    """An event that is expected; UNSET for a field that must not be there."""
    return Expected(kind, fields)


class Outcome:
    """A command given in a position."""

    def __init__(self, played: Played, seat: int, command: Command) -> None:
        self._before = played
        self._seat = seat
        self._command = command

    def _give(self) -> tuple[Played, list[Event]]:
        after = fork(self._before)
        known = len(after.events)
        after.give(self._seat, self._command)
        made = after.events[known:]
        for written in made:
            assert event_decoder(after.game.id).decode(canonical(written)) == written
        return after, made

    def then(self, *expected: Expected, exactly: bool = True) -> Played:
        """The command is accepted and leads to these events; the position after it.

        Args:
            expected: in order.
            exactly: no events but these; otherwise these are the first.
        """
        after, made = self._give()
        kinds = [type(e).__name__ for e in made]
        wanted = [e.kind.__name__ for e in expected]
        assert (kinds if exactly else kinds[: len(wanted)]) == wanted
        for known, found in zip(expected, made, strict=False):
            known.check(found)
        return after

    def accepted(self) -> Played:
        """The command is accepted; the position after it."""
        return self._give()[0]

    def refused(self, code: str, rule: str | None = None) -> None:
        """The command is refused with this code, by this rule (None: by none), and changes nothing.

        A 422 names its rule, but for a card not held; a 409 is of the state of play and names none.
        A seat's command is answered so over HTTP, too.
        """
        refused = self._raises(Rejected)
        reason = refused.reason
        assert (reason.code, reason.rule) == (code, rule)
        assert reason.status == (422 if rule or code == "card_not_in_hand" else 409)
        answered = refusal(self._before, self._seat, self._command) if self._seat else None
        if answered is not None:
            body, told = answered
            assert (told["code"], told.get("rule"), told["status"]) == (code, rule, reason.status)
            assert told["detail"] == refused.detail
            hold(CALL, body, told, reason.detail)

    def malformed(self, pointer: str) -> None:
        """The command can't be (400), and changes nothing."""
        assert self._raises(Malformed).pointer == pointer

    def _raises(self, kind: type[Any]) -> Any:
        played = self._before
        before, sizes = frozen(played), list(played.sizes)
        with pytest.raises(kind) as caught:
            played.give(self._seat, self._command)
        assert frozen(played) == before, "a refused command changes nothing"
        assert played.sizes == sizes
        return caught.value


class Given:
    """A position in which something is asked."""

    def __init__(self, played: Played) -> None:
        self._played = played

    def when(self, seat: int, command: Command) -> Outcome:
        """A seat's command (0: the system's)."""
        return Outcome(self._played, seat, command)


def given(played: Played) -> Given:
    """Begin a case."""
    return Given(played)
