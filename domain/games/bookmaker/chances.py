"""Each horse's chance to win, from the cards that one seat knows. Exact for a plain race.

Give every unseen card an independent uniform time: their order is then a uniform shuffle, and a
horse that needs k of its c unseen cards wins when the k-th of them comes before the others' k-ths.
"""

from collections.abc import Sequence
from math import comb

from domain.games.bookmaker.board import (
    CARD_HORSE,
    CARD_NUMBER,
    CARDS,
    FINISH,
    HORSES,
    JOKER,
)
from domain.games.bookmaker.state import Table

GRID = 48
"""Points of the integral over time; more changes no decision."""


def seen_cards(t: Table, seat: int) -> list[str]:
    """The cards that a seat knows not to be in the race deck ahead, jokers apart."""
    gave = t.exchanged.get(seat, ([], []))[0]
    known = [*t.open_cards, *(t.hands[seat - 1] or []), *gave, *t.turned, *t.choices.get(seat, [])]
    return [card for card in known if card != JOKER]


def unseen_cards(t: Table, seat: int) -> list[str]:
    """The cards that may be in the race deck ahead, as far as the seat knows."""
    if t.cards_pass > 1:
        left = list(t.pass_items)
        for card in t.turned:
            left.remove(card)
        return [card for card in left if card != JOKER]
    left = list(CARDS)
    own = t.hands[seat - 1] or []
    chosen = [c for c in t.choices.get(seat, []) if t.exchanged.get(seat) is None and c in own]
    for card in seen_cards(t, seat):
        if card in left:
            left.remove(card)
    left.extend(card for card in chosen if card != JOKER)  # still in hand: counted once
    return left


def at_least(needed: int, cards: int, time: float) -> float:
    """P(at least `needed` of `cards` uniform times are before `time`)."""
    if needed > cards:
        return 0.0
    below = sum(
        comb(cards, i) * time**i * (1.0 - time) ** (cards - i) for i in range(max(needed, 0))
    )
    return 1.0 - below


def win_chances(
    spaces: dict[str, int],
    out: Sequence[str],
    unseen: Sequence[str],
    tokens: Sequence[tuple[str, int]],
) -> dict[str, float]:
    """Each horse's chance to be first on space 10; they sum to 1 where any horse is in."""
    counts: dict[str, int] = {horse: 0 for horse in HORSES}
    for card in unseen:
        counts[CARD_HORSE[card]] += 1
    racing: list[str] = [horse for horse in HORSES if horse not in out]
    needed: dict[str, int] = {horse: FINISH - spaces[horse] for horse in racing}
    wins: dict[str, float] = {horse: 0.0 for horse in HORSES}
    before = {horse: 0.0 for horse in racing}
    for point in range(1, GRID + 1):
        time = point / GRID
        now = {h: at_least(needed[h], counts[h], time) for h in racing}
        for horse in racing:
            others = 1.0
            for other in racing:
                if other != horse:
                    others *= 1.0 - (now[other] + before[other]) / 2
            wins[horse] += (now[horse] - before[horse]) * others
        before = now
    for name, number in tokens:  # BM-T1: it breaks its gait if such a card makes this step
        if name in needed and number > spaces[name] and counts[name]:
            breaking = sum(1 for c in unseen if CARD_HORSE[c] == name and CARD_NUMBER[c] == number)
            wins[name] *= 1.0 - breaking / counts[name]
    total = sum(wins.values())
    return {h: wins[h] / total if total else 1 / len(HORSES) for h in HORSES}


def chances_for(t: Table, seat: int) -> dict[str, float]:
    """The winning chances as this seat can know them now."""
    return win_chances(t.spaces, t.out, unseen_cards(t, seat), t.tokens)
