"""The board of Tuyaux: what one viewer's folded state shows (sheet, Board fields)."""

from typing import Annotated

from msgspec import Struct

from domain.games.tuyaux.board import Horse, RaceCard, Tip
from domain.games.tuyaux.events import BetForm
from domain.games.tuyaux.phases import PHASES, waiting
from domain.games.tuyaux.state import DEALING, PlayedTip, Programme, RaceResult, Table
from domain.kernel.words import Instant, known
from domain.racing.events import PlayerKind, Rank
from domain.racing.meeting import ABANDONED, FINISHED, RUNNING, Meeting, Status, Viewer

Phase = Annotated[str, known("Phase", *PHASES)]


class SeatView(Struct, frozen=True, kw_only=True, gc=False):
    """A seat; `hand` is its owner's, `bet` too until it is revealed (TU-B2)."""

    seat: int
    player: str | None
    name: str | None
    kind: PlayerKind | None
    hand: list[Tip] | None
    hand_count: int | None
    bet: BetForm | None
    has_bet: bool | None
    coins: int | None


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
    dealer: int | None
    programme: Programme | None
    turn: int | None
    race_card: RaceCard | None
    turned: list[RaceCard] | None
    lines: list[list[Horse]] | None
    tips_played: list[PlayedTip] | None
    results: list[RaceResult] | None


def view(m: Meeting) -> Board:
    """The board of the meeting's viewer."""
    t: Table = m.table
    begun = m.status == RUNNING or t.race > 0
    over = m.status in (FINISHED, ABANDONED)
    return Board(
        meeting=m.id,
        game=m.game,
        status=m.status,
        version=m.version,
        viewer=m.viewer if m.viewer > 0 else "public",
        race=m.race,
        races=None,
        phase=None if over or t.phase == DEALING else t.phase,
        to_act=waiting(m),
        decision=m.decision,
        deadline=None,
        seats=seat_views(m, t, begun),
        ranking=m.ranking,
        dealer=t.dealer,
        programme=t.programme,
        turn=t.turn or None,
        race_card=t.turned[-1] if t.turned else None,
        turned=t.turned if begun else None,
        lines=t.lines if begun else None,
        tips_played=t.tips_played if begun else None,
        results=t.results if begun else None,
    )


def seat_views(m: Meeting, t: Table, begun: bool) -> list[SeatView]:
    """The seats as the viewer may see them."""
    return [
        SeatView(
            seat=place.seat,
            player=place.player,
            name=place.name,
            kind=place.kind,
            hand=hand,
            hand_count=hand_count if begun else None,
            bet=bet,
            has_bet=has_bet if begun else None,
            coins=coins if begun else None,
        )
        for place, hand, hand_count, bet, has_bet, coins in zip(
            m.seats, t.hands, t.hand_counts, t.made, t.has_bet, t.coins, strict=True
        )
    ]
