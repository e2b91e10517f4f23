"""Permission as a table: phase -> command -> who; decide and actions both read it."""

from collections.abc import Callable, Mapping

from domain.games.bookmaker import commands as c
from domain.games.bookmaker.board import CHANGES_MOST, LIMITS_MOST, SHOWS_MOST
from domain.games.bookmaker.offers import may_bet, waiting_bets
from domain.games.bookmaker.state import Table, asked
from domain.kernel.message import Command
from domain.racing.meeting import FULL, RUNNING, Meeting

ANY = "every seat"
BOOKMAKERS = "the bookmakers of this race"
SYSTEM = "the system"

PHASES: Mapping[str, Mapping[type[Command], str]] = {
    "exchange": {c.ExchangeCards: BOOKMAKERS, c.Borrow: ANY},
    "odds": {c.SetOdds: BOOKMAKERS, c.Borrow: ANY},
    "bets": {
        c.PlaceBet: ANY,
        c.AnswerBet: BOOKMAKERS,
        c.ChangeOdds: BOOKMAKERS,
        c.Done: "every seat but a lone bookmaker",
        c.Borrow: ANY,
    },
    "race": {
        c.PlayJoker: "seats with a joker",
        c.KeepJoker: "seats with a joker",
        c.TurnCard: "the first bookmaker, in running",
        c.ShowOdds: "the bookmakers of this race, in running",
        c.PlaceBet: "every seat, in running",
        c.AnswerBet: "the bookmakers of this race, in running",
        c.Borrow: ANY,
    },
    "settlement": {c.SettleRace: SYSTEM, c.SettleMeeting: SYSTEM, c.Borrow: ANY},
    "brocco": {c.NameBrocco: ANY, c.Borrow: ANY},
}


def owes_bets(t: Table, seat: int) -> bool:
    """Before the race: offers to answer, and the declaration that all but a lone bookmaker owe."""
    if not t.done[seat - 1] and (len(t.bookmakers) > 1 or seat != t.bookmakers[0]):
        return True
    return t.unanswered.get(seat, 0) > 0


def owes_race(t: Table, seat: int) -> bool:
    """During the race: a joker that is asked for, and in running the next card."""
    if t.waiting:
        return asked(t, seat)
    return t.in_running and seat == t.bookmakers[0]


OWED: Mapping[str | None, Callable[[Table, int], bool]] = {
    "exchange": lambda t, seat: seat in t.bookmakers and seat not in t.chosen,
    "odds": lambda t, seat: seat in t.bookmakers and not t.books[seat].has_set,
    "bets": owes_bets,
    "race": owes_race,
    "brocco": lambda t, seat: seat not in t.named,
}
"""Phase -> whether a seat owes a decision; its own secrets must be known."""


def owes(m: Meeting, seat: int) -> bool:
    """Whether this seat must act before the meeting can go on; its own secrets must be known."""
    t: Table = m.table
    asks = OWED.get(t.phase)
    return asks is not None and asks(t, seat)


def may(m: Meeting, seat: int) -> bool:
    """Whether this seat has any action but `borrow`, though it owes none."""
    t: Table = m.table
    if t.phase == "bets":
        return (seat in t.bookmakers and may_change(t, seat)) or may_bet(t, seat)
    if t.between_cards:
        return (
            seat in t.bookmakers and (may_show(t, seat) or bool(waiting_bets(t, seat)))
        ) or may_bet(t, seat)
    return False


def may_change(t: Table, seat: int) -> bool:
    """Whether a bookmaker may change its odds, or set its limits alone (BM-B5, BM-B7)."""
    book = t.books[seat]
    return book.limit_changes < LIMITS_MOST or (book.open and book.changes < CHANGES_MOST)


def may_show(t: Table, seat: int) -> bool:
    """Whether a bookmaker may show odds between these two cards (BM-I1)."""
    return t.books[seat].shows < SHOWS_MOST


def waiting(m: Meeting) -> list[int]:
    """The seats that owe a decision, ascending; for the full meeting, which knows all hands."""
    t: Table = m.table
    asks = OWED.get(t.phase)
    if m.status != RUNNING or asks is None:
        return []
    if asks is owes_bets:  # the same of all seats at once: every board of this phase asks it
        lone = t.bookmakers[0] if len(t.bookmakers) == 1 else 0
        unanswered = t.unanswered
        return [
            seat
            for seat, done in enumerate(t.done, 1)
            if (not done and seat != lone) or unanswered.get(seat)
        ]
    return [seat for seat in range(1, t.seats + 1) if asks(t, seat)]


def to_act(m: Meeting) -> list[int] | None:
    """Who is waited for, as this viewer may know it (BM-J2: who holds a joker is secret)."""
    if m.status != RUNNING:
        return []
    t: Table = m.table
    if t.phase == "race" and t.waiting and m.viewer != FULL:
        return [m.viewer] if m.viewer > 0 and asked(t, m.viewer) else None
    return waiting(m)


def awaits(m: Meeting) -> Command | None:
    """The settlement that is owed (BM-P1, BM-P2)."""
    t: Table = m.table
    if m.status != RUNNING or t.phase != "settlement":
        return None
    return c.SettleMeeting() if t.how is None else c.SettleRace()
