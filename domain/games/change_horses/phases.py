"""Permission as a table: phase -> command -> who; decide and actions both read it."""

from collections.abc import Mapping

from domain.games.change_horses import commands as c
from domain.games.change_horses.state import Table
from domain.kernel.message import Command
from domain.racing.meeting import RUNNING, Meeting

PHASES: Mapping[str, Mapping[type[Command], str]] = {
    "select": {c.SelectCards: "every seat, any order"},
    "auction": {
        c.Bid: "the seat to bid",
        c.Stand: "the seat to bid, which already has a bid",
    },
    "turn": {
        c.PlayWild: "the seat in turn, once a turn",
        c.PlayCard: "the seat in turn",
    },
}


def owes(m: Meeting, seat: int) -> bool:
    """Whether this seat must act before the meeting can go on."""
    t: Table = m.table
    match t.phase:
        case "turn":
            return t.order[t.turn] == seat
        case "select":
            return not t.picked[seat - 1]
        case "auction":
            return t.auction is not None and t.auction.to_bid == seat
    return False


def waiting(m: Meeting) -> list[int]:
    """The seats that owe a decision, ascending; public, as who has picked is."""
    t: Table = m.table
    if m.status != RUNNING:
        return []
    match t.phase:
        case "turn":
            return [t.order[t.turn]]
        case "select":
            return [seat for seat, picked in enumerate(t.picked, 1) if not picked]
        case "auction" if t.auction is not None and t.auction.to_bid is not None:
            return [t.auction.to_bid]
    return []


def awaits(m: Meeting) -> Command | None:
    """Nothing is left to the system: a race ends with the command that ends it."""
    return None
