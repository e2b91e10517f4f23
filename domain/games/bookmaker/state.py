"""The game's part of a meeting, and the questions one may ask it.

One Struct for every viewer: what a viewer does not know is None (a hand, a choice, a card aside).
"""

from typing import Any

from msgspec import Struct, field

from domain.games.bookmaker.board import (
    BROCCO_STAKE,
    HORSES,
    JOKER,
    JOKER_KINDS,
    OFFERS_MOST,
    OFFERS_RUNNING_MOST,
    HorseName,
)
from domain.games.bookmaker.options import ODDS_STEPS

WAITING, ACCEPTED, LAPSED, REFUSED = "waiting", "accepted", "lapsed", "refused"


class Bet(Struct, kw_only=True):
    """A bet of this race; odds in tenths, `stake` offered while it waits, then accepted."""

    bet: int
    seat: int
    bookmaker: int
    horse: str
    stake: int
    tenths: int
    status: str


class Book(Struct, kw_only=True):
    """One bookmaker's book in this race.

    Args:
        odds: tenths by horse as shown (0: closed), or as set for its owner; None until known.
        limits: by horse; None until known.
        open: whether a change of odds is possible: a bet was accepted since the last one (BM-B5).
        backed: horses with an accepted bet.
        changes, limit_changes, shows: how often each was done (BM-B7, BM-B5, BM-I1).
    """

    seat: int
    odds: dict[str, int] | None = None
    limits: dict[str, int | None] | None = None
    has_set: bool = False
    open: bool = False
    backed: list[str] = field(default_factory=list)
    changes: int = 0
    limit_changes: int = 0
    shows: int = 0


class Table(Struct, kw_only=True):
    """The table of Bookmaker. Lists by seat start with seat 1.

    Args:
        own_odds: before they are shown, what this viewer's book says is in its Book; `shown` tells
            whether all may see the books.
        waiting: whether the race waits for jokers; `answered` seats that have (BM-J2).
        untils: by seat, the (horse, space) until which it keeps its joker.
        copied: the horse of the last turned card that is no joker (BM-J1).
        moved_now: the horse that the card just turned moved, for jokers from hands.
        progress: whether a horse went forward in this pass (BM-R2).
    """

    seats: int
    step: int
    in_running: bool
    brocco: bool
    cash_start: int
    programme: list[str]
    cash: list[int]
    loan: list[int]
    borrowed: list[int]
    loans_count: list[int]
    lent: int = 0
    taken: int = 0
    first: int = 0
    phase: str | None = None
    race: int = 0
    kind: str | None = None
    bookmakers: list[int] = field(default_factory=list)
    open_cards: list[str] = field(default_factory=list)
    hands: list[list[str] | None] = field(default_factory=list)
    hand_counts: list[int] = field(default_factory=list)
    dealt: int = 0
    chosen: list[int] = field(default_factory=list)
    choices: dict[int, list[str]] = field(default_factory=dict)
    exchanged: dict[int, tuple[list[str], list[str]]] = field(default_factory=dict)
    tokens: list[tuple[str, int]] = field(default_factory=list)
    spaces: dict[str, int] = field(default_factory=dict)
    out: list[str] = field(default_factory=list)
    turned: list[str] = field(default_factory=list)
    deck_size: int = 0
    cards_pass: int = 1
    pass_items: list[str] = field(default_factory=list)
    progress: bool = False
    copied: str | None = None
    moved_now: str | None = None
    waiting: bool = False
    answered: list[int] = field(default_factory=list)
    untils: dict[int, tuple[str, int]] = field(default_factory=dict)
    books: dict[int, Book] = field(default_factory=dict)
    shown: bool = False
    bets: list[Bet] = field(default_factory=list)
    offers: list[int] = field(default_factory=list)
    done: list[bool] = field(default_factory=list)
    winner: str | None = None
    how: str | None = None
    brocco_card: str | None = None
    named: list[int] = field(default_factory=list)
    names: dict[int, str] = field(default_factory=dict)
    pot: int = 0
    brocco_result: dict[str, Any] | None = None
    results: list[dict[str, Any]] = field(default_factory=list)
    ledger: list[dict[str, Any]] = field(default_factory=list)

    @property
    def jokers(self) -> bool:
        """Whether this race has jokers."""
        return self.kind in JOKER_KINDS

    @property
    def lone(self) -> bool:
        """Whether this race has one bookmaker."""
        return len(self.bookmakers) == 1

    @property
    def between_cards(self) -> bool:
        """In running: whether bets and odds may be shown now (BM-I1)."""
        return self.in_running and self.phase == "race" and not self.waiting


def initial(options: Any, seats: int) -> Table:
    """Before the first race: everybody has the starting cash (BM-S2)."""
    return Table(
        seats=seats,
        step=ODDS_STEPS[options["odds_step"]],
        in_running=options["in_running"],
        brocco=options["brocco"],
        cash_start=options["cash"],
        programme=options["programme"],
        cash=[options["cash"]] * seats,
        loan=[0] * seats,
        borrowed=[0] * seats,
        loans_count=[0] * seats,
        hands=[None] * seats,
        hand_counts=[0] * seats,
        offers=[0] * seats,
        done=[False] * seats,
    )


def lone_bookmaker(seats: int) -> bool:
    """Fewer than 4 seats have one bookmaker (BM-S4)."""
    return seats < 4


def bookmakers_of(first: int, race: int, seats: int) -> list[int]:
    """The bookmakers of a race, first first (BM-S4)."""
    if lone_bookmaker(seats):
        return [(first - 1 + race - 1) % seats + 1]
    lead = (first - 1 + 2 * (race - 1)) % seats
    return [lead + 1, (lead + 1) % seats + 1]


def distance_left(bookmaker: int, seat: int, seats: int) -> int:
    """How far to the left of the bookmaker a seat sits: the smallest is the nearest."""
    return (seat - bookmaker) % seats


def waiting_bets(t: Table, bookmaker: int | None = None, seat: int | None = None) -> list[Bet]:
    """Offers that wait, by number; of one book, or of one seat."""
    return [
        b
        for b in t.bets
        if b.status == WAITING
        and (bookmaker is None or b.bookmaker == bookmaker)
        and (seat is None or b.seat == seat)
    ]


def answerable(t: Table, bookmaker: int) -> list[Bet]:
    """Offers that this bookmaker may answer now: of each horse the first (BM-B4)."""
    first: dict[str, Bet] = {}
    for bet in waiting_bets(t, bookmaker):
        known = first.get(bet.horse)
        if known is None or distance_left(bookmaker, bet.seat, t.seats) < distance_left(
            bookmaker, known.seat, t.seats
        ):
            first[bet.horse] = bet
    return sorted(first.values(), key=lambda b: b.bet)


def has_bet(t: Table, seat: int) -> bool:
    """Whether a seat has a bet accepted, or an offer that waits, in this race (BM-B1, BM-B6)."""
    return any(b.seat == seat and b.status in (WAITING, ACCEPTED) for b in t.bets)


def budget(t: Table, seat: int) -> int:
    """What a seat may still stake: its cash without its waiting offers (BM-B1)."""
    return t.cash[seat - 1] - sum(b.stake for b in t.bets if b.status == WAITING and b.seat == seat)


def may_force(t: Table, seat: int) -> bool:
    """Whether the bank lends this bettor its compulsory 10 (BM-B1)."""
    return seat not in t.bookmakers and t.cash[seat - 1] < BROCCO_STAKE and not has_bet(t, seat)


def books_for(t: Table, seat: int) -> list[int]:
    """The bookmakers with whom this seat may bet, first first (BM-B1)."""
    if t.lone and seat in t.bookmakers:
        return []
    return [b for b in t.bookmakers if b != seat]


def may_bet(t: Table, seat: int) -> bool:
    """Whether this seat could offer some bet now (BM-B1, BM-B6, BM-B7, BM-I1)."""
    if t.phase == "bets":
        if t.done[seat - 1] or t.offers[seat - 1] >= OFFERS_MOST:
            return False
    elif not t.between_cards or t.offers[seat - 1] >= OFFERS_RUNNING_MOST:
        return False
    if budget(t, seat) < BROCCO_STAKE and not may_force(t, seat):
        return False
    return any(odds > 0 for b in books_for(t, seat) for odds in (t.books[b].odds or {}).values())


def may_declare(t: Table, seat: int) -> bool:
    """Whether `done` is open to this seat (BM-B6)."""
    if t.phase != "bets" or t.done[seat - 1] or (t.lone and seat in t.bookmakers):
        return False
    return seat in t.bookmakers or has_bet(t, seat)


def asked(t: Table, seat: int) -> bool:
    """Whether the race waits for this seat's joker; False where its hand is not known (BM-J2)."""
    if not t.waiting or seat in t.answered:
        return False
    hand = t.hands[seat - 1]
    return hand is not None and JOKER in hand


def keeps(t: Table, seat: int) -> bool:
    """Whether the seat's `until` keeps its joker for the card just turned (BM-J2)."""
    until = t.untils.get(seat)
    if until is None:
        return False
    horse, space = until
    return horse in t.out or t.spaces[horse] < space


def horses_in(t: Table) -> list[HorseName]:
    """Horses that are not out, red first."""
    return [horse for horse in HORSES if horse not in t.out]
