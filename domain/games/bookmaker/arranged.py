"""What a host may arrange: labels that the meeting draws, lists that can be (contract, Chance)."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from domain.games.bookmaker.board import (
    CARDS,
    FINISH,
    HAND,
    HAND_LONE_BOOKMAKER,
    HORSES,
    JOKER_KINDS,
    JOKERS,
    OPEN_CARDS,
    TROT_KINDS,
)
from domain.games.bookmaker.state import lone_bookmaker
from domain.kernel.chance import without
from domain.kernel.fitting import some_of
from domain.kernel.rejection import Malformed

RACE_LABEL = re.compile(r"race-([1-9][0-9]?)/(deck|joker-deck|trot|turn|turn-([1-9][0-9]?))")
PASSES_MOST = len(HORSES) * (FINISH - 1) + 1
"""A pass without a step is the last one (BM-R2), and more steps than this are a win."""
ALWAYS = {"bookmaker": some_of((1, 2))}
Draws = Mapping[str, Sequence[Any]]


def check_arranged(options: Mapping[str, Any], seats: int, draws: Draws) -> None:
    """Refuse an arrangement that can't be.

    Where a list depends on another draw, that one must be arranged too; what hangs on the part
    that isn't arranged, or on play, is checked by names alone.

    Raises:
        Malformed: with a pointer under /arranged/draws.
    """
    for label, items in draws.items():
        pointer = "/arranged/draws/" + label.replace("~", "~0").replace("/", "~1")
        problem = problem_with(options, seats, draws, label, list(items))
        if problem:
            raise Malformed(f"{label[:40]}: {problem}", pointer)


def problem_with(
    options: Mapping[str, Any], seats: int, draws: Draws, label: str, items: list[Any]
) -> str | None:
    """What is wrong with one arranged list, or None."""
    if label == "bookmaker":
        return fits(items, range(1, seats + 1))
    if label == "brocco":
        return fits(items, CARDS) if options["brocco"] else "no card is set aside here."
    match = RACE_LABEL.fullmatch(label)
    if match is None or int(match[1]) > len(options["programme"]):
        return "this meeting draws nothing under this label."
    race, draw = int(match[1]), match[2]
    kind = options["programme"][race - 1]
    if draw == "deck":
        return deck_problem(options, draws, items)
    if draw == "joker-deck":
        if kind not in JOKER_KINDS:
            return "this race has no jokers."
        return needs(draws, f"race-{race}/deck") or fits(items, rest_of_deck(draws, race, kind))
    if kind not in TROT_KINDS or (match[3] and not 2 <= int(match[3]) <= PASSES_MOST):
        return "this race draws nothing under this label."
    return trot_problem(seats, draws, race, kind, draw, items)


def deck_problem(options: Mapping[str, Any], draws: Draws, items: list[Any]) -> str | None:
    """The deck depends on the card aside, where one is."""
    if not options["brocco"]:
        return fits(items, CARDS)
    problem = needs(draws, "brocco")
    if problem:
        return problem
    aside = list(draws["brocco"])[:1]
    left = without(CARDS, aside)
    return fits(items, left if left is not None else CARDS)


def trot_problem(
    seats: int, draws: Draws, race: int, kind: str, draw: str, items: list[Any]
) -> str | None:
    """Tokens and turns come from what the deal leaves, which later passes shuffle again."""
    under = f"race-{race}/" + ("joker-deck" if kind in JOKER_KINDS else "deck")
    problem = needs(draws, under)
    if problem:
        return problem
    pool = rest_of_deck(draws, race, kind)
    dealt = HAND * seats + (HAND_LONE_BOOKMAKER - HAND if lone_bookmaker(seats) else 0)
    skipped = dealt if kind in JOKER_KINDS else OPEN_CARDS + dealt
    arranged = list(draws[under])
    gone = arranged[:skipped] if kind in JOKER_KINDS else arranged[OPEN_CARDS:skipped]
    left = without(pool, gone)
    return fits(items, left if left is not None else pool)


def rest_of_deck(draws: Draws, race: int, kind: str) -> list[str]:
    """What may lie behind the face-up cards, jokers included where the race has them."""
    opened = list(draws[f"race-{race}/deck"])[:OPEN_CARDS]
    aside = list(draws.get("brocco", ()))[:1]
    left = without(CARDS, [*aside, *opened])
    rest = left if left is not None else list(CARDS)
    return [*rest, *JOKERS] if kind in JOKER_KINDS else rest


def needs(draws: Draws, label: str) -> str | None:
    """A draw that must be arranged too."""
    return None if label in draws else f"{label} must be arranged too."


def fits(items: list[Any], pool: Sequence[Any]) -> str | None:
    """Whether the items are all among those to draw from, none too often."""
    if any(isinstance(item, bool) or not isinstance(item, str | int) for item in items):
        return "items are seats or card names."
    if Counter(items) - Counter(pool):
        return "an item is unknown here, or stands too often."
    return None
