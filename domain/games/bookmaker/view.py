"""The board of Bookmaker: what one viewer's folded state shows (sheet, Board fields)."""

from typing import Any

from msgspec import Struct

from domain.betting.odds import to_number
from domain.games.bookmaker.board import HORSES
from domain.games.bookmaker.commands import Number
from domain.games.bookmaker.events import TokenPlace
from domain.games.bookmaker.evolve.ledger import bet_form
from domain.games.bookmaker.phases import to_act
from domain.games.bookmaker.state import DEALING, Book, Table
from domain.racing.events import Rank
from domain.racing.meeting import ABANDONED, FINISHED, RUNNING, Meeting


class SeatView(Struct, frozen=True, kw_only=True):
    """A seat; `hand` is its owner's."""

    seat: int
    player: str | None
    name: str | None
    kind: str | None
    hand: list[str] | None
    hand_count: int | None
    cash: int | None
    loan: int | None
    done: bool | None


class HorseView(Struct, frozen=True, kw_only=True):
    """Where a horse stands, and whether it is out."""

    horse: str
    space: int
    out: bool


class BetView(Struct, frozen=True, kw_only=True):
    """A bet of this race; `stake` offered while it waits, then accepted."""

    bet: int
    seat: int
    bookmaker: int
    horse: str
    stake: int
    odds: Number
    status: str


class BookResult(Struct, frozen=True, kw_only=True):
    """A book at the end of a race: all stakes accepted, all paid out."""

    seat: int
    taken: int
    paid: int


class RaceResult(Struct, frozen=True, kw_only=True):
    """A settled race."""

    race: int
    kind: str
    winner: str | None
    out: list[str]
    bets: list[BetView]
    books: list[BookResult]


class Bank(Struct, frozen=True, kw_only=True):
    """What the bank has lent and taken (BM-P3)."""

    lent: int
    taken: int


class Exchanged(Struct, frozen=True, kw_only=True):
    """The two cards a bookmaker gave and got."""

    gave: list[str]
    got: list[str]


class BroccoView(Struct, frozen=True, kw_only=True):
    """How the Brocco ended."""

    card: str
    named: dict[str, str]
    pot: int
    shares: dict[str, int]


class LedgerEntry(Struct, frozen=True, kw_only=True, rename={"source": "from", "target": "to"}):
    """A movement of money, under the number of its event in the public feed."""

    event: int
    source: int | str
    target: int | str
    amount: int
    why: str
    race: int
    bet: int | None


class Board(Struct, frozen=True, kw_only=True):
    """The meeting as one viewer may see it (contract, Board)."""

    meeting: str
    game: str
    status: str
    version: int
    viewer: int | str
    race: int
    races: int | None
    phase: str | None
    to_act: list[int] | None
    decision: int | None
    deadline: str | None
    seats: list[SeatView]
    ranking: list[Rank] | None
    bookmakers: list[int] | None
    race_kind: str | None
    open_cards: list[str] | None
    tokens: list[TokenPlace] | None
    horses: list[HorseView] | None
    turned: list[str] | None
    odds: dict[str, dict[str, Number]] | None
    limits: dict[str, dict[str, int | None]] | None
    exchanged: Exchanged | None
    bets: list[BetView] | None
    bank: Bank | None
    results: list[RaceResult] | None
    brocco: BroccoView | None
    ledger: list[LedgerEntry] | None


def view(m: Meeting) -> Board:
    """The board of the meeting's viewer."""
    over = m.status in (FINISHED, ABANDONED)
    t: Table = m.table
    begun = m.status == RUNNING or t.race > 0
    return Board(
        meeting=m.id,
        game=m.game,
        status=m.status,
        version=m.version,
        viewer=m.viewer if m.viewer > 0 else "public",
        race=m.race,
        races=len(t.programme),
        phase=None if over or t.phase == DEALING else t.phase,
        to_act=to_act(m),
        decision=m.decision,
        deadline=None,
        seats=[seat_view(m, t, i, begun) for i in range(len(m.seats))],
        ranking=m.ranking,
        **(table_fields(m, t, over) if begun else NOTHING_YET),
    )


def seat_view(m: Meeting, t: Table, i: int, begun: bool) -> SeatView:
    """One seat as the viewer may see it."""
    place = m.seats[i]
    if not begun:
        return SeatView(
            seat=place.seat,
            player=place.player,
            name=place.name,
            kind=place.kind,
            hand=None,
            hand_count=None,
            cash=None,
            loan=None,
            done=None,
        )
    return SeatView(
        seat=place.seat,
        player=place.player,
        name=place.name,
        kind=place.kind,
        hand=t.hands[i],
        hand_count=t.hand_counts[i],
        cash=t.cash[i],
        loan=t.loan[i],
        done=t.done[i],
    )


def table_fields(m: Meeting, t: Table, over: bool) -> dict[str, Any]:
    """The game's own fields once play has begun."""
    exchanged = t.exchanged.get(m.viewer)
    return {
        "bookmakers": t.bookmakers,
        "race_kind": t.kind,
        "open_cards": t.open_cards,
        "tokens": [TokenPlace(horse=horse, space=space) for horse, space in t.tokens],
        "horses": [
            HorseView(horse=horse, space=t.spaces[horse], out=horse in t.out) for horse in HORSES
        ],
        "turned": t.turned,
        "odds": {str(s): odds_view(book) for s, book in t.books.items()} if t.shown else None,
        "limits": {str(s): book.limits or {} for s, book in t.books.items()} if t.shown else None,
        "exchanged": Exchanged(gave=exchanged[0], got=exchanged[1]) if exchanged else None,
        "bets": [BetView(**bet_form(bet)) for bet in t.bets],
        "bank": Bank(lent=t.lent, taken=t.taken),
        "results": t.results,
        "brocco": t.brocco_result if over else None,
        "ledger": t.ledger if over else None,
    }


def odds_view(book: Book) -> dict[str, Number]:
    """A book's odds as numbers."""
    return {horse: to_number(tenths) for horse, tenths in (book.odds or {}).items()}


NOTHING_YET: dict[str, Any] = dict.fromkeys(
    (
        "bookmakers",
        "race_kind",
        "open_cards",
        "tokens",
        "horses",
        "turned",
        "odds",
        "limits",
        "exchanged",
        "bets",
        "bank",
        "results",
        "brocco",
        "ledger",
    )
)
