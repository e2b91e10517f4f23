"""The board of Change Horses: what one viewer's folded state shows (sheet, Board fields)."""

from typing import Any

from msgspec import Struct

from domain.games.change_horses.board import HORSES, LETTERS
from domain.games.change_horses.events import HorseRank
from domain.games.change_horses.phases import PHASES, waiting
from domain.games.change_horses.state import Auction, Table
from domain.racing.events import Rank
from domain.racing.meeting import ABANDONED, FINISHED, RUNNING, Meeting, Place


class SeatView(Struct, frozen=True, kw_only=True):
    """A seat; `hand` is its owner's, `certificates` too until the meeting is over."""

    seat: int
    player: str | None
    name: str | None
    kind: str | None
    hand: list[str] | None = None
    hand_count: int | None = None
    shown: list[str] | None = None
    wild_left: int | None = None
    changed: bool | None = None
    carrots: int | None = None
    certificates: list[str] | None = None
    points: int | None = None


class HorseView(Struct, frozen=True, kw_only=True):
    """Where a horse stands, and whether it has reached the finish."""

    horse: str
    letter: str
    lane: int
    space: int
    crossed: bool


class PlacedView(Struct, frozen=True, kw_only=True):
    """A card on the betting board, who played it, and whether a Wild Horse covers it."""

    card: str
    seat: int
    covered: bool


class AuctionView(Struct, frozen=True, kw_only=True):
    """The bidding: the present bids, the seats out of it, and the seat to bid."""

    bids: dict[str, int]
    locked: list[int]
    to_bid: int | None


class RaceResult(Struct, frozen=True, kw_only=True):
    """A finished race: all horses by rank, then letter, and the match points of each seat."""

    race: int
    ranking: list[HorseRank]
    points: list[int]


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
    horses: list[HorseView] | None
    betting_board: list[PlacedView] | None
    round: int | None
    positions: dict[str, int] | None
    starts: int | None
    wild_played: bool | None
    auction: AuctionView | None
    pile_count: int | None
    results: list[RaceResult] | None


def view(m: Meeting) -> Board:
    """The board of the meeting's viewer."""
    t: Table = m.table
    begun = t.race > 0
    phase = None if m.status in (FINISHED, ABANDONED) or t.phase not in PHASES else t.phase
    return Board(
        meeting=m.id,
        game=m.game,
        status=m.status,
        version=m.version,
        viewer=m.viewer if m.viewer > 0 else "public",
        race=m.race,
        races=t.races,
        phase=phase,
        to_act=waiting(m) if m.status == RUNNING else [],
        decision=m.decision,
        deadline=None,
        seats=[seat_view(m, t, place) if begun else free_view(place) for place in m.seats],
        ranking=m.ranking,
        **(table_fields(t) if begun else NOTHING_YET),
    )


def free_view(place: Place) -> SeatView:
    """A seat before the start."""
    return SeatView(seat=place.seat, player=place.player, name=place.name, kind=place.kind)


def seat_view(m: Meeting, t: Table, place: Place) -> SeatView:
    """One seat as the viewer may see it."""
    i = place.seat - 1
    own = place.seat == m.viewer
    return SeatView(
        seat=place.seat,
        player=place.player,
        name=place.name,
        kind=place.kind,
        hand=t.hands[i] if own else None,
        hand_count=len(t.hands[i]),
        shown=t.shown[i],
        wild_left=t.wild_left[i],
        changed=t.changed[i],
        carrots=t.carrots[i] if t.derby else None,
        certificates=t.certificates[i] if own or m.status == FINISHED else None,
        points=t.points[i],
    )


def table_fields(t: Table) -> dict[str, Any]:
    """The game's own fields once play has begun."""
    return {
        "horses": [
            HorseView(
                horse=HORSES[i],
                letter=LETTERS[i],
                lane=lane,
                space=t.spaces[i],
                crossed=t.spaces[i] >= t.finish,
            )
            for i, lane in enumerate(t.lanes)
        ],
        "betting_board": [
            PlacedView(card=placed.card, seat=placed.seat, covered=placed.covered)
            for placed in t.board
        ],
        "round": t.round,
        "positions": (
            {str(seat): number for seat, number in enumerate(t.positions, 1)}
            if t.positions is not None
            else None
        ),
        "starts": t.starts,
        "wild_played": t.wild_played,
        "auction": auction_view(t.auction) if t.auction is not None else None,
        "pile_count": t.pile_count,
        "results": t.results,
    }


def auction_view(auction: Auction) -> AuctionView:
    """The bidding in seat order."""
    return AuctionView(
        bids={str(seat): bid for seat, bid in sorted(auction.bids.items())},
        locked=sorted(auction.out),
        to_bid=auction.to_bid,
    )


NOTHING_YET: dict[str, Any] = dict.fromkeys(
    (
        "horses",
        "betting_board",
        "round",
        "positions",
        "starts",
        "wild_played",
        "auction",
        "pile_count",
        "results",
    )
)
