"""Permission as a table: phase -> command -> who; decide and actions both read it."""

from collections.abc import Mapping

from domain.games.tuyaux import commands as c
from domain.games.tuyaux.state import BETTING, TIPPING, Table
from domain.kernel.message import Command
from domain.racing.meeting import RUNNING, Meeting

PHASES: Mapping[str, Mapping[type[Command], str]] = {
    BETTING: {c.Bet: "every seat"},
    TIPPING: {c.PlayTip: "the seat in turn"},
}


def owes(m: Meeting, seat: int) -> bool:
    """Whether this seat must act before the meeting can go on."""
    t: Table = m.table
    if t.phase == BETTING:
        return not t.has_bet[seat - 1]
    return t.phase == TIPPING and t.to_play == seat


def waiting(m: Meeting) -> list[int]:
    """The seats that owe a decision, ascending: no secret, for who has bet is public (TU-B1)."""
    if m.status != RUNNING:
        return []
    t: Table = m.table
    if t.phase == BETTING:
        return [i + 1 for i, made in enumerate(t.has_bet) if not made]
    return [t.to_play] if t.phase == TIPPING and t.to_play else []


def awaits(m: Meeting) -> Command | None:
    """The system owes nothing: a race is paid with its last tip."""
    return None
