"""The board of Bookmaker: what one viewer's folded state shows (sheet, Board fields)."""

from functools import lru_cache
from typing import Annotated

from msgspec import Struct

from domain.games.bookmaker.board import HORSES, Card, Horse, RaceKind
from domain.games.bookmaker.commands import Number
from domain.games.bookmaker.events import TokenPlace
from domain.games.bookmaker.phases import PHASES, to_act
from domain.games.bookmaker.state import DEALING, Bet, LedgerEntry, RaceResult, Table
from domain.kernel.words import Instant, known
from domain.racing.events import PlayerKind, Rank
from domain.racing.meeting import ABANDONED, FINISHED, RUNNING, Meeting, Status, Viewer

Phase = Annotated[str, known("Phase", *PHASES)]


class SeatView(Struct, frozen=True, kw_only=True, gc=False):
    """A seat; `hand` is its owner's."""

    seat: int
    player: str | None
    name: str | None
    kind: PlayerKind | None
    hand: list[Card] | None
    hand_count: int | None
    cash: int | None
    loan: int | None
    done: bool | None


class HorseView(Struct, frozen=True, kw_only=True):
    """Where a horse stands, and whether it is out."""

    horse: Horse
    space: int
    out: bool


class Bank(Struct, frozen=True, kw_only=True):
    """What the bank has lent and taken (BM-P3)."""

    lent: int
    taken: int


class Exchanged(Struct, frozen=True, kw_only=True):
    """The two cards a bookmaker gave and got."""

    gave: list[Card]
    got: list[Card]


class BroccoView(Struct, frozen=True, kw_only=True):
    """How the Brocco ended."""

    card: Card
    named: dict[str, Horse]
    pot: int
    shares: dict[str, int]


class Board(Struct, frozen=True, kw_only=True, gc=False):
    """The meeting as one viewer may see it (contract, Board)."""

    meeting: str
    game: str
    status: Status
    version: int
    viewer: Viewer
    race: int
    races: int | None
    phase: Phase | None
    to_act: list[int] | None
    decision: int | None
    deadline: Instant | None
    seats: list[SeatView]
    ranking: list[Rank] | None
    bookmakers: list[int] | None
    race_kind: RaceKind | None
    open_cards: list[Card] | None
    tokens: list[TokenPlace] | None
    horses: list[HorseView] | None
    turned: list[Card] | None
    odds: dict[str, dict[str, Number]] | None
    limits: dict[str, dict[str, int | None]] | None
    exchanged: Exchanged | None
    bets: list[Bet] | None
    bank: Bank | None
    results: list[RaceResult] | None
    brocco: BroccoView | None
    ledger: list[LedgerEntry] | None


def view(m: Meeting) -> Board:
    """The board of the meeting's viewer."""
    t: Table = m.table
    begun = m.status == RUNNING or t.race > 0
    over = m.status in (FINISHED, ABANDONED)
    exchanged = t.exchanged.get(m.viewer)
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
        seats=seat_views(m, t, begun),
        ranking=m.ranking,
        bookmakers=t.bookmakers if begun else None,
        race_kind=t.kind,
        open_cards=t.open_cards if begun else None,
        tokens=token_views(*t.tokens) if begun else None,
        horses=horse_views(tuple(t.out), *t.spaces.values()) if begun else None,
        turned=t.turned if begun else None,
        odds=t.odds_shown if t.shown else None,
        limits=t.limits_shown if t.shown else None,
        exchanged=Exchanged(gave=exchanged[0], got=exchanged[1]) if exchanged else None,
        bets=t.bets if begun else None,
        bank=Bank(lent=t.lent, taken=t.taken) if begun else None,
        results=t.results if begun else None,
        brocco=t.brocco_result if over else None,  # type: ignore[arg-type] # in that form
        ledger=t.ledger if over and begun else None,
    )


@lru_cache(maxsize=1024)  # every seat asks for the same; nobody writes into the answer
def horse_views(out: tuple[str, ...], *spaces: int) -> list[HorseView]:
    """Where the horses stand, red first, and which are out."""
    return [
        HorseView(horse=horse, space=space, out=horse in out)
        for horse, space in zip(HORSES, spaces, strict=True)
    ]


@lru_cache(maxsize=1024)  # likewise
def token_views(*tokens: tuple[str, int]) -> list[TokenPlace]:
    """The tokens on the track."""
    return [TokenPlace(horse=horse, space=space) for horse, space in tokens]


def seat_views(m: Meeting, t: Table, begun: bool) -> list[SeatView]:
    """The seats as the viewer may see them; nobody has anything before the start."""
    if not begun:
        return [
            SeatView(
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
            for place in m.seats
        ]
    return [
        SeatView(
            seat=place.seat,
            player=place.player,
            name=place.name,
            kind=place.kind,
            hand=hand,
            hand_count=hand_count,
            cash=cash,
            loan=loan,
            done=done,
        )
        for place, hand, hand_count, cash, loan, done in zip(
            m.seats, t.hands, t.hand_counts, t.cash, t.loan, t.done, strict=True
        )
    ]
