"""Permission as a table: phase -> command -> who; decide and actions both read it."""

from collections.abc import Mapping

from domain.games.ticket_gagnant import commands as c
from domain.games.ticket_gagnant.state import CHOOSE, MOVE, PREDICT, Table
from domain.kernel.message import Command
from domain.racing.meeting import RUNNING, Meeting

PHASES: Mapping[str, Mapping[type[Command], str]] = {
    CHOOSE: {c.ChooseRace: "the first player"},
    PREDICT: {c.Predict: "every seat, any order"},
    MOVE: {
        c.PlayCard: "the seat in turn",
        c.DiscardCard: "the seat in turn, without a legal play",
    },
}


def owes(m: Meeting, seat: int) -> bool:
    """Whether this seat must act before the meeting can go on."""
    t: Table = m.table
    phase = t.phase
    if phase == MOVE:
        return seat == t.turn
    if phase == PREDICT:
        return not t.predicted[seat - 1]
    return phase == CHOOSE and seat == t.first


def waiting(m: Meeting) -> list[int]:
    """The seats that owe a decision, ascending."""
    t: Table = m.table
    if m.status != RUNNING:
        return []
    if t.phase == MOVE:
        return [t.turn]
    if t.phase == PREDICT:
        return [seat for seat, done in enumerate(t.predicted, 1) if not done]
    return [t.first] if t.phase == CHOOSE else []


def awaits(m: Meeting) -> Command | None:
    """The system owes nothing here: a race is scored by the move that ends it."""
    return None
