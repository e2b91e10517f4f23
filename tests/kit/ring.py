"""Positions of Bookmaker, reached by commands from an arranged draw; and its commands in short.

Seat 1 is the first bookmaker of race 1 unless said otherwise; with 4 seats or more seat 2 is the
second. Every race deck is arranged whole, so that no case hangs on a seed.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from msgspec import UNSET

from domain.games.bookmaker import commands as c
from domain.kernel.message import Command
from tests.kit.meetings import Played, seated

HORSES = ("red", "blue", "green", "yellow")
PACK = [f"{horse}-{n}" for horse in HORSES for n in range(1, 11) for _ in (1, 2)]
"""The 80 race cards as the sheet lists them."""

ODDS = (3, 3, 2, 2)


def odds(*numbers: Any) -> c.AllOdds:
    """Odds on the four horses, red first."""
    return c.AllOdds(**dict(zip(HORSES, numbers, strict=True)))


def some_odds(**numbers: Any) -> c.ShowOdds:
    """Odds in running on some horses."""
    return c.ShowOdds(odds=c.SomeOdds(**numbers))


def limits(*numbers: int | None) -> c.AllLimits:
    """A limit for each horse, red first."""
    return c.AllLimits(**dict(zip(HORSES, numbers, strict=True)))


def set_odds(*numbers: Any, limit: Any = UNSET) -> c.SetOdds:
    """The secret odds of a bookmaker."""
    return c.SetOdds(odds=odds(*numbers), limit=limit)


def change(*numbers: Any, limit: Any = UNSET) -> c.ChangeOdds:
    """Other odds or limits."""
    return c.ChangeOdds(odds=odds(*numbers), limit=limit)


def bet(bookmaker: int, horse: Any, stake: int, at: Any = UNSET) -> c.PlaceBet:
    """An offer; `at` the odds that the bettor has seen."""
    return c.PlaceBet(bookmaker=bookmaker, horse=horse, stake=stake, odds=at)


def answer(number: int, stake: int) -> c.AnswerBet:
    """So much of an offer is taken."""
    return c.AnswerBet(bet=number, stake=stake)


def keep(horse: Any = None, space: int = 0) -> c.KeepJoker:
    """Keep the joker, for this card or until a horse stands on a space."""
    return c.KeepJoker(until=UNSET if horse is None else c.Until(horse=horse, space=space))


def by_horse(*values: Any) -> dict[str, Any]:
    """A map by horse, red first, as events and boards have it."""
    return dict(zip(HORSES, values, strict=True))


def without(pack: Sequence[str], gone: Iterable[str]) -> list[str]:
    """The cards left; a card too often is the case's mistake."""
    left = list(pack)
    for card in gone:
        left.remove(card)
    return left


def deal(
    seats: int = 4,
    *,
    race: int = 1,
    kind: str = "plain",
    bookmaker: int = 1,
    open_cards: Sequence[str] = (),
    hands: Mapping[int, Sequence[str]] | None = None,
    run: Sequence[str] = (),
    tokens: Sequence[str] = (),
    turn: Mapping[int, Sequence[str]] | None = None,
    brocco: str | None = None,
) -> dict[str, list[str]]:
    """Arranged draws of one race; what is not named is filled up from the rest of the pack.

    Args:
        bookmaker: the lone bookmaker, who holds six cards, where there are fewer than 4 seats.
        open_cards: the first of the four face-up cards.
        hands: by seat, the first of its cards as dealt.
        run: the first cards turned.
        tokens: the first cards drawn for tokens.
        turn: by pass from 2, the first cards turned in it.
        brocco: the card set aside.
    """
    jokers = ["joker", "joker"] if kind in ("joker", "joker_trot") else []
    named = {seat: list((hands or {}).get(seat, ())) for seat in range(1, seats + 1)}
    pool = [*PACK, *jokers]
    pool = without(pool, [brocco] if brocco else [])
    pool = without(pool, open_cards)
    for cards in named.values():
        pool = without(pool, cards)
    held = list(run)
    held += without_known(tokens, held)
    pool = without(pool, held)
    spare = [card for card in pool if card != "joker"][::-1]  # high yellow cards first
    face_up = list(open_cards)
    while len(face_up) < 4:
        face_up.append(spare.pop(0))
    for seat, cards in named.items():
        size = 6 if seats < 4 and seat == bookmaker else 4
        while len(cards) < size:
            cards.append(spare.pop(0))
    dealt = [card for cards in named.values() for card in cards]
    rest = without([*PACK, *jokers], [*face_up, *dealt, *([brocco] if brocco else [])])
    rest = [*run, *without(rest, run)]
    label = f"race-{race}"
    draws: dict[str, list[str]] = {}
    if jokers:
        draws[f"{label}/deck"] = face_up
        draws[f"{label}/joker-deck"] = [*dealt, *rest]
    else:
        draws[f"{label}/deck"] = [*face_up, *dealt, *rest]
    if kind in ("trot", "joker_trot"):
        draws[f"{label}/trot"] = list(tokens)
        draws[f"{label}/turn"] = rest
    for number, cards in (turn or {}).items():
        draws[f"{label}/turn-{number}"] = list(cards)
    return draws


def without_known(cards: Sequence[str], known: Sequence[str]) -> list[str]:
    """The cards that are not already among the known ones."""
    left = list(known)
    new = []
    for card in cards:
        if card in left:
            left.remove(card)
        else:
            new.append(card)
    return new


def meeting(
    seats: int = 4,
    *,
    kind: str = "plain",
    first: int = 1,
    draws: Mapping[str, Sequence[Any]] | None = None,
    nonces: Sequence[str | None] = (),
    **race: Any,
) -> Played:
    """A meeting that has begun: the hands of race 1 are dealt.

    Args:
        kind: of every race.
        first: the first bookmaker of race 1.
        draws: further arranged draws.
        race: race 1, as `deal` has it; and options of the meeting.
    """
    names = ("odds_step", "in_running", "brocco", "cash", "programme")
    options = {name: race.pop(name) for name in names if name in race}
    length = seats // 2 if seats >= 4 and seats % 2 == 0 else seats
    options.setdefault("programme", [kind] * length)
    if options.get("brocco"):
        race["brocco"] = race.pop("aside", "yellow-10")
    arranged: dict[str, Sequence[Any]] = {
        "bookmaker": [first],
        **deal(seats, kind=options["programme"][0], bookmaker=first, **race),
        **({"brocco": [race["brocco"]]} if options.get("brocco") else {}),
        **(draws or {}),
    }
    return seated(Played(seats=seats, options=options, draws=arranged), nonces)


def hand_of(played: Played, seat: int) -> list[str]:
    """A seat's hand now."""
    hand = played.full.table.hands[seat - 1]
    assert hand is not None
    return list(hand)


def at_odds(seats: int = 4, **rest: Any) -> Played:
    """The bookmakers have exchanged cards (their first two) and are asked for odds."""
    played = meeting(seats, **rest)
    if played.full.table.phase == "exchange":
        for seat in played.full.table.bookmakers:
            played.give(seat, c.ExchangeCards(cards=hand_of(played, seat)[:2]))
    return played


def at_bets(
    seats: int = 4,
    *,
    books: Sequence[Sequence[Any]] = (ODDS, ODDS),
    limit: Any = UNSET,
    **rest: Any,
) -> Played:
    """The books are open: these odds by book, this limit in all."""
    played = at_odds(seats, **rest)
    for seat, numbers in zip(played.full.table.bookmakers, books, strict=False):
        played.give(seat, set_odds(*numbers, limit=limit))
    return played


def declare(played: Played, bets: Mapping[int, Command] | None = None) -> Played:
    """Every bettor bets (10 on red with the first bookmaker unless said otherwise); all are done.

    So the race starts, and runs where nothing holds it.
    """
    t = played.full.table
    for seat in range(1, t.seats + 1):
        wanted = (bets or {}).get(seat)
        without_bet = not any(b.seat == seat and b.status != "lapsed" for b in t.bets)
        if wanted is None and without_bet and seat not in t.bookmakers:
            wanted = bet(t.bookmakers[0], "red", 10)
        if wanted is not None:
            played.give(seat, wanted)
    for seat in range(1, t.seats + 1):
        if not t.done[seat - 1] and not (t.lone and seat in t.bookmakers):
            played.give(seat, c.Done())
    return played


def raced(seats: int = 4, bets: Mapping[int, Command] | None = None, **rest: Any) -> Played:
    """The bets are closed; the race has run, or waits for a joker, or in running for its cards."""
    return declare(at_bets(seats, **rest), bets)


def settle(played: Played) -> Played:
    """Whatever settlement the system owes."""
    owed = played.game.awaits(played.full)
    assert owed is not None, "a settlement is owed"
    return played.give(0, owed)


def steps(horse: str, count: int, first: int = 1) -> list[str]:
    """So many cards of a horse, numbers from `first`, going round."""
    return [f"{horse}-{(first - 1 + i) % 10 + 1}" for i in range(count)]


def winning(horse: str) -> list[str]:
    """Ten cards that bring a horse home."""
    return steps(horse, 10)
