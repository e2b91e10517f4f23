"""What a verification found: what is wrong, what could not be asked, and the facts of the log."""

from typing import Any

from msgspec import Struct

PROBLEMS_MOST = 20
"""A log that is wrong in more lines than this is wrong enough."""


class Problem(Struct, frozen=True, kw_only=True):
    """Something that an honest log does not have.

    Args:
        line: the number of the line, from 1; None where it is about the whole.
        what: what a person reads.
    """

    line: int | None
    what: str


class Facts(Struct, kw_only=True):
    """What a log says of itself, as far as it was read.

    Args:
        meeting, game, rules: from the first line.
        events: lines read.
        races: races closed.
        hash: of the last line.
        ending: the type of the last event, where it ends the meeting.
        ranking: of a meeting that was finished.
        arranged: whether the host fixed the seed or some draws.
        last_nonce_seat: whose nonce came last among those that the key is made of, in the order of
            the `seat_taken` events. Unless that seat is the operator's own, the operator could not
            choose the draws. None: no seat gave one, so the draws rest on the operator's seed.
    """

    meeting: str | None = None
    game: str | None = None
    rules: str | None = None
    events: int = 0
    races: int = 0
    hash: str | None = None
    ending: str | None = None
    ranking: list[dict[str, Any]] | None = None
    arranged: bool | None = None
    last_nonce_seat: int | None = None


class Stretch(Struct, kw_only=True):
    """Lines that were played under one set of rules.

    Args:
        first, last: their numbers.
        decided: whether every event among them was decided anew.
    """

    rules: str
    first: int
    last: int
    decided: bool = False


class Report(Struct, kw_only=True):
    """The outcome.

    Args:
        facts: see Facts.
        problems: what is wrong, by line; none in an honest log.
        notes: what was not checked and why, what the log's honesty rests on.
        complete: whether the log runs from the opening to the end of its meeting.
        draws_checked: whether every recorded draw was compared with the seed's.
        rules_checked: whether every event was decided anew from the commands.
        stretches: which lines were played under which rules, where this release knows them all.
        expected_line: where the hash stands that the log was held against.
    """

    facts: Facts
    problems: list[Problem]
    notes: list[str]
    complete: bool = False
    draws_checked: bool = False
    rules_checked: bool = False
    stretches: list[Stretch] = []
    expected_line: int | None = None

    @property
    def ok(self) -> bool:
        """Whether nothing is wrong; `notes` tell what could not be asked."""
        return not self.problems

    @property
    def verified(self) -> bool:
        """Whether nothing is wrong and nothing was left out: a whole meeting, decided anew."""
        return self.ok and self.complete and self.draws_checked and self.rules_checked

    def add(self, line: int | None, what: str) -> None:
        """Note a problem, unless there are enough."""
        if len(self.problems) < PROBLEMS_MOST:
            self.problems.append(Problem(line=line, what=what))
