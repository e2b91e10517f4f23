"""The game's part of a meeting, and the questions one may ask it.

One Struct for every viewer: what a viewer does not know is None (a hand, a choice, a card aside).
"""

from typing import Annotated, Any

from msgspec import Struct, field

from domain.betting.odds import to_tenths
from domain.games.bookmaker.board import (
    HORSES,
    JOKER,
    JOKER_KINDS,
    Horse,
    HorseName,
    RaceKind,
)
from domain.games.bookmaker.commands import Number
from domain.games.bookmaker.options import ODDS_STEPS
from domain.kernel.words import known, word

DEALING = "deal"
"""A race is being prepared: a phase that no command meets, so no board names it."""

WAITING, ACCEPTED, LAPSED, REFUSED = "waiting", "accepted", "lapsed", "refused"
BetStatus = Annotated[
    str, known("BetStatus", WAITING, ACCEPTED, LAPSED, REFUSED, "won", "lost", "returned")
]
Purse = int | Annotated[str, word("bank")]
"""Whose money: a seat's, or the bank's."""
Why = Annotated[str, known("Why", "stake", "won", "returned", "loan", "brocco", "repayment")]


class Bet(Struct, kw_only=True, gc=False):
    """A bet of this race, as boards show it; `stake` offered while it waits, then accepted."""

    bet: int
    seat: int
    bookmaker: int
    horse: Horse
    stake: int
    odds: Number
    status: BetStatus

    @property
    def tenths(self) -> int:
        """Its odds, exactly."""
        tenths = to_tenths(self.odds)
        assert tenths is not None, "odds in the log are tenths"
        return tenths


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


class LedgerEntry(Struct, frozen=True, kw_only=True, gc=False):
    """A movement of money, under the number of its event in the public feed."""

    event: int
    source: Purse = field(name="from")
    target: Purse = field(name="to")
    amount: int
    why: Why
    race: int
    bet: int | None


class BookResult(Struct, frozen=True, kw_only=True):
    """A book at the end of a race: all stakes accepted, all paid out."""

    seat: int
    taken: int
    paid: int


class RaceResult(Struct, frozen=True, kw_only=True):
    """A settled race."""

    race: int
    kind: RaceKind
    winner: Horse | None
    out: list[Horse]
    bets: list[Bet]
    books: list[BookResult]


class Table(Struct, kw_only=True):
    """The table of Bookmaker. Lists by seat start with seat 1.

    Args:
        shown: whether all may see the books; before, a Book holds what its own viewer has set.
        odds_shown, limits_shown: the books by seat as boards show them.
        waiting: whether the race waits for jokers; `answered` seats that have (BM-J2).
        untils: by seat, the (horse, space) until which it keeps its joker.
        phase: as in phases.py, None before the first race, DEALING while a race is prepared.
        unanswered: how many of `bets` wait in each book, so that most looks for them are short.
        offers: how many bets each seat has offered, of those that count (BM-B7, BM-I1).
        offered: the stakes of its bets that wait.
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
    odds_shown: dict[str, dict[str, Number]] = field(default_factory=dict)
    limits_shown: dict[str, dict[str, int | None]] = field(default_factory=dict)
    bets: list[Bet] = field(default_factory=list)
    unanswered: dict[int, int] = field(default_factory=dict)
    offers: list[int] = field(default_factory=list)
    offered: list[int] = field(default_factory=list)
    done: list[bool] = field(default_factory=list)
    winner: str | None = None
    how: str | None = None
    brocco_card: str | None = None
    named: list[int] = field(default_factory=list)
    names: dict[int, str] = field(default_factory=dict)
    pot: int = 0
    brocco_result: dict[str, Any] | None = None
    results: list[RaceResult] = field(default_factory=list)
    ledger: list[LedgerEntry] = field(default_factory=list)

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
        spaces=dict.fromkeys(HORSES, 0),
        hands=[None] * seats,
        hand_counts=[0] * seats,
        offers=[0] * seats,
        offered=[0] * seats,
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
    return t.spaces[horse] < space  # a horse that is out stays below for ever


def horses_in(t: Table) -> list[HorseName]:
    """Horses that are not out, red first."""
    return [horse for horse in HORSES if horse not in t.out]
