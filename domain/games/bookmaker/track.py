"""How horses move: from places and a card to places. No hands, no seats, no money."""

from collections.abc import Sequence

from msgspec import Struct

from domain.games.bookmaker.board import CARD_HORSE, CARD_NUMBER, FINISH, HORSES, JOKER


class Step(Struct, frozen=True):
    """What a turned card does: to which horse (None: to none), and where that then stands."""

    horse: str | None
    moved: bool
    out: bool
    space: int | None


def turn(
    card: str,
    copied: str | None,
    spaces: dict[str, int],
    out: Sequence[str],
    tokens: Sequence[tuple[str, int]],
) -> Step:
    """The effect of a turned card.

    Args:
        card: its name.
        copied: the horse that a joker moves: that of the card before it (BM-J1).
        spaces: where the horses stand.
        out: horses that broke their gait.
        tokens: (horse, space) of the trot tokens.
    """
    horse = copied if card == JOKER else CARD_HORSE[card]
    if horse is None:
        return Step(None, False, False, None)
    space = spaces[horse]
    if horse in out:  # BM-T1: its later cards do nothing; BM-J1: nor does a joker
        return Step(horse, False, False, space)
    if card != JOKER:
        number = CARD_NUMBER[card]
        if number == space + 1 and (horse, number) in tokens:  # BM-T1
            return Step(horse, False, True, space)
    return Step(horse, True, False, space + 1)  # BM-R1


def ending(spaces: dict[str, int], out: Sequence[str], idle_pass: bool) -> str | None:
    """How the race has ended, or None: `won`, `all_out` (BM-T2) or `no_progress` (BM-R2)."""
    if any(space >= FINISH for space in spaces.values()):
        return "won"
    if len(out) == len(HORSES):
        return "all_out"
    return "no_progress" if idle_pass else None


def place_tokens(cards: Sequence[str], wanted: int) -> tuple[list[tuple[str, int]], int]:
    """The tokens that cards drawn one by one place, and how many cards that took (BM-D3).

    A card that repeats colour and number, or is a joker, is replaced by the next.
    """
    tokens: list[tuple[str, int]] = []
    for used, card in enumerate(cards, 1):
        if card != JOKER:
            token = (CARD_HORSE[card], CARD_NUMBER[card])
            if token not in tokens:
                tokens.append(token)
        if len(tokens) == wanted:
            return tokens, used
    return tokens, len(cards)
