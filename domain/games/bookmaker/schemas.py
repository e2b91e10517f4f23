"""JSON Schema of every legal command of a seat, where the list of actions is a sample.

It takes every legal command and shuts out what JSON Schema can; the rest is said in words.
"""

from collections.abc import Callable, Sequence
from typing import Any

from domain.betting.odds import to_number
from domain.games.bookmaker import commands as c
from domain.games.bookmaker.board import (
    CHANGES_MOST,
    HORSES,
    LIMITS_MOST,
    LOAN_TOTAL_MOST,
    ODDS_MOST,
    STAKE_LEAST,
    WHOLE_MOST,
)
from domain.games.bookmaker.offers import answerable, books_for, budget, may_force
from domain.games.bookmaker.state import Book, Table, horses_in
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


def place_bet(t: Table, seat: int) -> list[Schema]:
    """BM-B1, BM-B3: a form for each horse with odds, whose `odds` are those shown."""
    most = STAKE_LEAST if may_force(t, seat) else budget(t, seat) // 10 * 10
    return [
        closed(
            c.PlaceBet,
            {
                "bookmaker": {"const": bookmaker},
                "horse": {"const": horse},
                "stake": stake_form(most),
            },
            {"odds": {"const": to_number(tenths)}},
            "A multiple of 10 from 10 to what you may stake (BM-B1); `odds` as shown (BM-B3).",
        )
        for bookmaker in books_for(t, seat)
        for horse, tenths in (t.books[bookmaker].odds or {}).items()
        if tenths
    ]


def answer_bet(t: Table, seat: int) -> list[Schema]:
    """BM-B2, BM-B4, BM-I1: a form for each offer whose turn it is."""
    least = 0 if t.phase == "race" else STAKE_LEAST
    return [
        closed(
            c.AnswerBet,
            {"bet": {"const": bet.bet}, "stake": stake_form(bet.stake, least)},
            {},
            "A multiple of 10, at most what this bet offers (BM-B2).",
        )
        for bet in answerable(t, seat)
    ]


def change_odds(t: Table, seat: int) -> list[Schema]:
    """BM-B5, BM-B7: limits alone, and where a bet was accepted since the last, a change."""
    book = t.books[seat]
    shown = book.odds or {}
    same = {"const": {horse: to_number(tenths) for horse, tenths in shown.items()}}
    forms = []
    if book.limit_changes < LIMITS_MOST:
        words = "The odds shown and other limits, for later offers (BM-B5)."
        forms.append(closed(c.ChangeOdds, {"odds": same, "limit": limit_form()}, {}, words))
    if book.open and book.changes < CHANGES_MOST:
        values = {horse: changed_value(t, book, horse) for horse in HORSES}
        odds = {
            "type": "object",
            "properties": values,
            "required": list(HORSES),
            "additionalProperties": False,
            "not": same,
        }
        words = (
            f"Other odds: 0, or 1 to 100 in steps of {t.step / 10:g}, with a sum of at least 10; "
            "lowered only on a horse with a bet accepted (BM-B5)."
        )
        forms.append(closed(c.ChangeOdds, {"odds": odds}, {"limit": limit_form()}, words))
    return forms


def changed_value(t: Table, book: Book, horse: str) -> Schema:
    """What one horse's odds may become: below those shown only with a bet on it (BM-B5)."""
    shown = (book.odds or {})[horse]
    if horse in book.backed or not shown:
        return odds_value(t, closed_too=True)
    return {**odds_value(t), "minimum": to_number(shown)}


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


def one(form: Callable[[Table, int], Schema]) -> Callable[[Table, int], list[Schema]]:
    """A command with one form only."""
    return lambda t, seat: [form(t, seat)]


FORMS: dict[type[Command], Callable[[Table, int], list[Schema]]] = {
    c.SetOdds: one(set_odds),
    c.PlaceBet: place_bet,
    c.AnswerBet: answer_bet,
    c.ChangeOdds: change_odds,
    c.ShowOdds: one(show_odds),
    c.Done: one(bare(c.Done, "No more bets (BM-B6).")),
    c.TurnCard: one(bare(c.TurnCard, "Turn the next card (BM-I1).")),
}


def schema_of(t: Table, seat: int, listed: Sequence[Command], borrow: bool) -> Schema:
    """The schema of every legal command of the types that are listed, and of `borrow`."""
    kinds = dict.fromkeys(type(command) for command in listed)
    forms = [form for kind in kinds for form in FORMS[kind](t, seat)]
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
