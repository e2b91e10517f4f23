"""JSON Schema of every legal command of a seat, where the list of actions is a sample.

It takes every legal command and shuts out what JSON Schema can; the rest is said in words.
"""

from collections.abc import Callable, Sequence
from typing import Any

from domain.games.bookmaker import commands as c
from domain.games.bookmaker.board import (
    HORSES,
    LOAN_TOTAL_MOST,
    ODDS_MOST,
    STAKE_LEAST,
    WHOLE_MOST,
)
from domain.games.bookmaker.offers import answerable, books_for, budget, may_force
from domain.games.bookmaker.state import Table, horses_in
from domain.kernel.message import Command, type_of

Schema = dict[str, Any]


def closed(kind: type[Command], fields: Schema, optional: Schema, words: str) -> Schema:
    """A closed object form of one command."""
    return {
        "title": type_of(kind),
        "description": words,
        "type": "object",
        "properties": {"type": {"const": type_of(kind)}, **fields, **optional},
        "required": ["type", *fields],
        "additionalProperties": False,
    }


def odds_value(t: Table, *, closed_too: bool = False) -> Schema:
    """One horse's odds in the meeting's step (JSON Schema's multipleOf is inexact for 0.1)."""
    value: Schema = {"type": "number", "minimum": 1, "maximum": ODDS_MOST // 10}
    if t.step > 1:
        value["multipleOf"] = t.step / 10
    return {"anyOf": [{"const": 0}, value]} if closed_too else value


def odds_map(value: Schema, horses: Sequence[str], *, all_of_them: bool) -> Schema:
    """Odds by horse."""
    return {
        "type": "object",
        "properties": dict.fromkeys(horses, value),
        "required": list(horses) if all_of_them else [],
        "additionalProperties": False,
    }


def limit_form() -> Schema:
    """A limit for all horses, none, or one for each."""
    whole = {"type": "integer", "minimum": 0, "maximum": WHOLE_MOST}
    one = {"anyOf": [whole, {"type": "null"}]}
    return {"anyOf": [whole, {"type": "null"}, odds_map(one, HORSES, all_of_them=True)]}


def stake_form(most: int, least: int = STAKE_LEAST) -> Schema:
    """A multiple of 10 in a range."""
    return {"type": "integer", "minimum": least, "maximum": most, "multipleOf": 10}


def set_odds(t: Table, seat: int) -> Schema:
    """BM-O1."""
    return closed(
        c.SetOdds,
        {"odds": odds_map(odds_value(t), HORSES, all_of_them=True)},
        {"limit": limit_form()},
        f"Odds in steps of {t.step / 10:g}; the four sum to at least 10 (BM-O1).",
    )


def place_bet(t: Table, seat: int) -> Schema:
    """BM-B1, BM-B3."""
    most = STAKE_LEAST if may_force(t, seat) else budget(t, seat) // 10 * 10
    return closed(
        c.PlaceBet,
        {
            "bookmaker": {"enum": books_for(t, seat)},
            "horse": {"enum": list(HORSES)},
            "stake": stake_form(most),
        },
        {"odds": {"type": "number", "exclusiveMinimum": 0, "maximum": ODDS_MOST // 10}},
        "On a horse with odds above 0 in that book; `odds` only as shown (BM-B1, BM-B3).",
    )


def answer_bet(t: Table, seat: int) -> Schema:
    """BM-B2, BM-B4, BM-I1."""
    waiting = answerable(t, seat)
    least = 0 if t.phase == "race" else STAKE_LEAST
    return closed(
        c.AnswerBet,
        {
            "bet": {"enum": [bet.bet for bet in waiting]},
            "stake": stake_form(max(bet.stake for bet in waiting), least),
        },
        {},
        "A multiple of 10, at most what that bet offers (BM-B2).",
    )


def change_odds(t: Table, seat: int) -> Schema:
    """BM-B5."""
    return closed(
        c.ChangeOdds,
        {"odds": odds_map(odds_value(t, closed_too=True), HORSES, all_of_them=True)},
        {"limit": limit_form()},
        f"Odds 0, or 1 to 100 in steps of {t.step / 10:g}, with a sum of at least 10. A change "
        "needs a bet accepted in this book since the last one, lowering a bet accepted on that "
        "horse; unchanged odds need a `limit` (BM-B5).",
    )


def show_odds(t: Table, seat: int) -> Schema:
    """BM-I1."""
    return closed(
        c.ShowOdds,
        {"odds": odds_map(odds_value(t), horses_in(t), all_of_them=False)},
        {},
        f"Odds in steps of {t.step / 10:g} on horses still in; others are closed (BM-I1).",
    )


def bare(kind: type[Command], words: str) -> Callable[[Table, int], Schema]:
    """The form of a command without fields."""
    return lambda t, seat: closed(kind, {}, {}, words)


FORMS: dict[type[Command], Callable[[Table, int], Schema]] = {
    c.SetOdds: set_odds,
    c.PlaceBet: place_bet,
    c.AnswerBet: answer_bet,
    c.ChangeOdds: change_odds,
    c.ShowOdds: show_odds,
    c.Done: bare(c.Done, "No more bets (BM-B6)."),
    c.TurnCard: bare(c.TurnCard, "Turn the next card (BM-I1)."),
}


def schema_of(t: Table, seat: int, listed: Sequence[Command], borrow: bool) -> Schema:
    """The schema of every legal command of the types that are listed, and of `borrow`."""
    forms = [FORMS[kind](t, seat) for kind in dict.fromkeys(type(command) for command in listed)]
    if borrow:
        left = LOAN_TOTAL_MOST - t.borrowed[seat - 1]
        forms.append(
            closed(c.Borrow, {"amount": stake_form(left)}, {}, "A multiple of 10 (BM-L1).")
        )
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "description": "Every command that this seat may give now; each form says the rest.",
        "oneOf": forms,
    }
