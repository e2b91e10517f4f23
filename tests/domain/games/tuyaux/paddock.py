"""Positions of Tuyaux, reached by commands from arranged draws; and its commands in short.

Seat 1 deals race 1 unless said otherwise, so seat 2 plays first. Every draw is arranged whole, so
that no case hangs on a seed.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from domain.games.tuyaux import commands as c
from domain.kernel.message import Command
from tests.kit.meetings import Played, as_default, seated

HORSES = ("vertige", "cocotte", "noiro", "grisou", "caramel", "perle")
FACES = ("0", "0", "1", "1", "2", "2", "whip")

PRINTED = """
vertige-0 5 0 1 2 1 - 0
vertige-1 4 1 0 2 - 1 -
vertige-2 6 2 0 2 0 1 1
cocotte-0 6 1 0 2 1 2 0
cocotte-1 5 2 1 - 2 1 0
noiro-1   6 2 0 1 0 2 1
noiro-2   4 - 0 2 - 1 1
grisou-0  5 1 - 2 0 2 1
grisou-1  4 0 - 1 1 2 -
grisou-2  6 0 1 1 2 2 0
caramel-1 6 2 1 2 0 1 0
caramel-2 6 1 0 1 2 2 0
perle-0   5 0 1 1 2 - 0
perle-1   4 - 0 - 1 2 1
"""
"""The table of TU-S3 as the sheet prints it."""


def printed() -> dict[str, tuple[int, dict[str, int]]]:
    """Race card -> its number of starters, and their values."""
    table = {}
    for row in PRINTED.split("\n")[1:-1]:
        card, starters, *marks = row.split()
        values = {h: int(mark) for h, mark in zip(HORSES, marks, strict=True) if mark != "-"}
        table[card] = (int(starters), values)
    return table


def values_of(card: str) -> dict[str, int]:
    """The starters that a race card names, and their values."""
    return printed()[card][1]


def race_deck(card: str) -> list[str]:
    """The starters' race cards in table order."""
    return [f"{horse}-{value}" for horse, value in values_of(card).items()]


def tips_of(card: str) -> list[str]:
    """The starters' tips in table order."""
    return [f"{horse}-{face}" for horse in values_of(card) for face in FACES]


def rest_of(cards: Sequence[str], gone: Sequence[str]) -> list[str]:
    """The cards left; one too often is the case's mistake."""
    left = list(cards)
    for card in gone:
        left.remove(card)
    return left


def deal(
    seats: int,
    *,
    race: int = 1,
    dealer: int = 1,
    card: str = "vertige-0",
    deck: Sequence[str] = (),
    hands: Mapping[int, Sequence[str]] | None = None,
) -> dict[str, list[str]]:
    """Arranged draws of one race; what is not named is filled up, last cards first.

    Args:
        dealer: of this race.
        card: the race card drawn.
        deck: the first race cards turned.
        hands: by seat, the first of its tips.
    """
    size = len(values_of(card))
    named = {seat: list((hands or {}).get(seat, ())) for seat in range(1, seats + 1)}
    spare = rest_of(tips_of(card), [tip for tips in named.values() for tip in tips])
    for tips in named.values():
        while len(tips) < size:
            tips.append(spare.pop())
    order = [(dealer + i) % seats + 1 for i in range(seats)]
    return {
        f"race-{race}/programme": [card],
        f"race-{race}/race-deck": [*deck, *rest_of(race_deck(card), deck)],
        f"race-{race}/tips": [tip for seat in order for tip in named[seat]] + spare,
    }


def meeting(
    seats: int = 3,
    *,
    dealer: int = 1,
    draws: Mapping[str, Sequence[Any]] | None = None,
    nonces: Sequence[str | None] = (),
    **race: Any,
) -> Played:
    """A meeting that has begun: the tips of race 1 are dealt.

    Args:
        draws: further arranged draws.
        race: race 1, as `deal` has it; and options of the meeting.
    """
    names = ("whip", "open_bets", "bets", "target")
    options = {name: race.pop(name) for name in names if name in race}
    arranged = {"dealer": [dealer], **deal(seats, dealer=dealer, **race), **(draws or {})}
    return seated(Played("tuyaux", seats=seats, options=options, draws=arranged), nonces)


def win(*horses: Any) -> c.Bet:
    """A bet on one horse, or on two."""
    return c.Bet(win=list(horses))


def both(horse: Any, place: Any) -> c.Bet:
    """A bet on a winner and a horse to be 1st or 2nd."""
    return c.Bet(win=[horse], place=place)


def tierce(*horses: Any) -> c.Bet:
    """A bet on the first three."""
    return c.Bet(tierce=list(horses))


def tip(card: str) -> c.PlayTip:
    """A tip played."""
    return c.PlayTip(card=card)


def form(bet: c.Bet) -> dict[str, Any]:
    """A bet as events and boards have it."""
    parts = {name: getattr(bet, name) for name in ("win", "place", "tierce")}
    return {name: part if isinstance(part, str | list) else None for name, part in parts.items()}


def bet_all(played: Played, *bets: Command) -> Played:
    """Every seat that has not bet does, by seat; where none is left, by default."""
    wanted = iter(bets)
    for seat in played.game.waiting(played.full):
        played.give(seat, next(wanted, None) or as_default(played, seat))
    return played


def off(seats: int = 3, *bets: Command, **rest: Any) -> Played:
    """The bets are in, the first race card is turned."""
    return bet_all(meeting(seats, **rest), *bets)


def play(played: Played, *cards: str) -> Played:
    """Tips, each by the seat in turn."""
    for card in cards:
        (seat,) = played.game.waiting(played.full)
        played.give(seat, tip(card))
    return played


def run_race(played: Played) -> Played:
    """By defaults to the end of this race."""
    race = played.full.race
    done = len(played.full.table.results)
    return played.play(
        as_default, until=lambda p: len(p.full.table.results) > done or (p.full.race > race)
    )


def lines(played: Played) -> str:
    """The field now, by first letters (caramel is `a`): `N|VC`."""
    return text(played.full.table.lines)


def text(field: Sequence[Sequence[str]]) -> str:
    """A field by letters, front first."""
    letter = dict(zip(HORSES, "VCNGAP", strict=True))
    return "|".join("".join(letter[horse] for horse in line) for line in field)


DEAD_HEAT: dict[str, Any] = {
    "card": "vertige-0",
    "deck": ["noiro-2", "cocotte-1", "grisou-1", "vertige-0", "perle-0"],
    "hands": {
        2: ["cocotte-0", "cocotte-0", "cocotte-1", "vertige-0", "perle-0"],
        1: ["grisou-0", "noiro-0", "noiro-1", "grisou-0", "noiro-0"],
    },
}
"""Two seats: vertige and perle never move, and the others are held behind them."""

DEAD_HEAT_TIPS = (
    ("cocotte-0", "grisou-0"),  # N|VP|C|G
    ("cocotte-0", "noiro-0"),  # VP|N|C|G
    ("cocotte-1", "noiro-1"),  # VP|N|G|C
    ("vertige-0", "grisou-0"),
    ("perle-0", "noiro-0"),
)
"""Its tips, turn by turn, seat 2 first."""


def dead_heat(*bets: Command, **rest: Any) -> Played:
    """A race that two horses win together, just before its last tip."""
    cards = rest.pop("tips", [card for turn in DEAD_HEAT_TIPS for card in turn][:-1])
    return play(off(2, *bets, **{**DEAD_HEAT, **rest}), *cards)
