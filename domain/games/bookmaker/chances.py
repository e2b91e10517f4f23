"""Each horse's chance to win, from the cards that one seat knows. Exact for a plain race.

Give every unseen card an independent uniform time: their order is then a uniform shuffle, and a
horse that needs k of its c unseen cards wins when the k-th of them comes before the others' k-ths.
Which numbers stand on them is independent of that, so a trot token only thins the finishers out.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from math import comb

from msgspec import Struct

from domain.games.bookmaker.board import (
    CARD_HORSE,
    CARD_NUMBER,
    CARDS,
    FINISH,
    HORSES,
    JOKER,
    HorseName,
)
from domain.games.bookmaker.state import Table

GRID = 32
"""Points of the integral over time; more changes no decision."""


def seen_cards(t: Table, seat: int) -> list[str]:
    """The cards that a seat knows not to be in the race deck ahead, jokers apart."""
    gave = t.exchanged.get(seat, ([], []))[0]
    known = [*t.open_cards, *(t.hands[seat - 1] or []), *gave, *t.turned]
    return [card for card in known if card != JOKER]


def unseen_cards(t: Table, seat: int) -> list[str]:
    """The cards that may be in the race deck ahead, as far as the seat knows, jokers apart."""
    if t.cards_pass > 1:
        left, known = list(t.pass_items), t.turned
    else:
        left, known = list(CARDS), seen_cards(t, seat)
    for card in known:
        left.remove(card)
    return [card for card in left if card != JOKER]


class Arrival(Struct, frozen=True):
    """When a horse arrives: for each piece of the time, P(in it), and P(not before its middle)."""

    within: tuple[float, ...]
    absent: tuple[float, ...]
    ever: float


@lru_cache(maxsize=4096)  # `staying` has many values in trot races
def arrival(needed: int, cards: int, staying: float = 1.0) -> Arrival:
    """When the `needed`-th of `cards` uniform times is, for a horse that stays in so likely."""
    if needed > cards:
        return Arrival((0.0,) * GRID, (1.0,) * GRID, 0.0)
    below = (
        sum(comb(cards, i) * x**i * (1 - x) ** (cards - i) for i in range(needed))
        for x in (point / GRID for point in range(GRID + 1))
    )
    by = [staying * (1.0 - b) for b in below]
    return Arrival(
        tuple(after - before for before, after in pairwise(by)),
        tuple(1.0 - (before + after) / 2 for before, after in pairwise(by)),
        by[-1],
    )


def staying_in(
    horse: HorseName, space: int, cards: Sequence[str], tokens: Sequence[tuple[str, int]]
) -> float:
    """P(no token on its way breaks the horse's gait): each card is as likely to make each step."""
    staying = 1.0
    for name, number in tokens:
        if name == horse and number > space and cards:
            breaking = sum(CARD_NUMBER[card] == number for card in cards)
            staying *= 1.0 - breaking / len(cards)
    return staying


def win_chances(
    spaces: Mapping[str, int],
    out: Sequence[str],
    unseen: Sequence[str],
    tokens: Sequence[tuple[str, int]],
    ahead: Mapping[str, int] | None = None,
) -> dict[str, float]:
    """Each horse's chance to be first on space 10.

    Args:
        spaces: where the horses stand.
        out: horses that broke their gait.
        unseen: cards that may still be turned.
        tokens: of a trot race.
        ahead: steps that jokers will give a horse when it is near.

    Returns:
        By horse; what lacks to 1 is the chance that there is no winner (BM-T2).
    """
    arrivals: list[Arrival] = []
    later = dict.fromkeys(HORSES, 0.0)  # how likely each wins only in another pass (BM-R2)
    all_out = 1.0
    for horse in HORSES:
        if horse in out:
            arrivals.append(arrival(1, 0))
            continue
        cards = [card for card in unseen if CARD_HORSE[card] == horse]
        needed = max(FINISH - spaces[horse] - (ahead or {}).get(horse, 0), 1)
        staying = staying_in(horse, spaces[horse], cards, tokens) if tokens else 1.0
        arrivals.append(arrival(needed, len(cards), staying))
        later[horse] = max(staying - arrivals[-1].ever, 0.0) / needed
        all_out *= 1.0 - staying
    wins = first_of(*arrivals)
    left = max(0.0, 1.0 - all_out - sum(wins)) if any(later.values()) else 0.0
    share = left / sum(later.values()) if left else 0.0
    scale = (1.0 - all_out - left) / (sum(wins) or 1.0)
    return {h: win * scale + later[h] * share for h, win in zip(HORSES, wins, strict=True)}


def first_of(
    red: Arrival, blue: Arrival, green: Arrival, yellow: Arrival
) -> tuple[float, float, float, float]:
    """Each one's chance to arrive before the others."""
    red_wins = blue_wins = green_wins = yellow_wins = 0.0
    for r_now, r, b_now, b, g_now, g, y_now, y in zip(
        red.within,
        red.absent,
        blue.within,
        blue.absent,
        green.within,
        green.absent,
        yellow.within,
        yellow.absent,
        strict=True,
    ):
        early, late = r * b, g * y
        red_wins += r_now * b * late
        blue_wins += b_now * r * late
        green_wins += g_now * early * y
        yellow_wins += y_now * early * g
    return red_wins, blue_wins, green_wins, yellow_wins


def chances_for(t: Table, seat: int) -> dict[str, float]:
    """The winning chances as this seat can know them now."""
    return win_chances(t.spaces, t.out, unseen_cards(t, seat), t.tokens)
