"""The board of Change Horses: what one viewer's folded state shows (sheet, Board fields)."""

from functools import lru_cache
from typing import Annotated

from msgspec import Struct

from domain.games.change_horses.board import HORSES, LETTERS, Card, Horse
from domain.games.change_horses.events import HorseRank
from domain.games.change_horses.phases import PHASES, waiting
from domain.games.change_horses.state import BETWEEN, Auction, Placed, Table
from domain.kernel.words import Instant, known
from domain.racing.events import PlayerKind, Rank
from domain.racing.meeting import FINISHED, RUNNING, Meeting, Status, Viewer

Phase = Annotated[str, known("Phase", *PHASES)]


class SeatView(Struct, frozen=True, kw_only=True, gc=False):
    """A seat; `hand` is its owner's, `certificates` too until the meeting is over."""

    seat: int
    player: str | None
    name: str | None
    kind: PlayerKind | None
    hand: list[Card] | None = None
    hand_count: int | None = None
    shown: list[Card] | None = None
    wild_left: int | None = None
    changed: bool | None = None
    carrots: int | None = None
    certificates: list[Horse] | None = None
    points: int | None = None


class HorseView(Struct, frozen=True, kw_only=True):
    """Where a horse stands, and whether it has reached the finish."""

    horse: Horse
    letter: str
    lane: int
    space: int
    crossed: bool


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
    horses: list[HorseView] | None
    betting_board: list[Placed] | None
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
    running = m.status == RUNNING
    return Board(
        meeting=m.id,
        game=m.game,
        status=m.status,
        version=m.version,
        viewer=m.viewer if m.viewer > 0 else "public",
        race=m.race,
        races=t.races,
        phase=t.phase if running and t.phase != BETWEEN else None,
        to_act=waiting(m),
        decision=m.decision,
        deadline=None,
        seats=seat_views(m, t, begun),
        ranking=m.ranking,
        horses=horse_views(t.finish, *t.lanes, *t.spaces) if begun else None,
        betting_board=t.board if begun else None,
        round=t.round if begun else None,
        positions=t.positions,
        starts=t.starts,
        wild_played=t.wild_played if begun else None,
        auction=auction_view(t.auction) if t.auction is not None else None,
        pile_count=t.pile_count if begun else None,
        results=t.results if begun else None,  # type: ignore[arg-type] # in that form
    )


def seat_views(m: Meeting, t: Table, begun: bool) -> list[SeatView]:
    """The seats as the viewer may see them."""
    if not begun:
        return [
            SeatView(seat=place.seat, player=place.player, name=place.name, kind=place.kind)
            for place in m.seats
        ]
    own, all_shown, derby = m.viewer, m.status == FINISHED, t.derby
    return [
        SeatView(
            seat=place.seat,
            player=place.player,
            name=place.name,
            kind=place.kind,
            hand=hand if place.seat == own else None,
            hand_count=len(hand),
            shown=shown,
            wild_left=wild_left,
            changed=changed,
            carrots=t.carrots[place.seat - 1] if derby else None,
            certificates=certificates if all_shown or place.seat == own else None,
            points=points,
        )
        for place, hand, shown, wild_left, changed, certificates, points in zip(
            m.seats, t.hands, t.shown, t.wild_left, t.changed, t.certificates, t.points, strict=True
        )
    ]


@lru_cache(maxsize=1024)  # every seat asks for the same; nobody writes into the answer
def horse_views(finish: int, *places: int) -> list[HorseView]:
    """The horses A to F, of their lanes and then their spaces."""
    return [
        HorseView(horse=horse, letter=letter, lane=lane, space=space, crossed=space >= finish)
        for horse, letter, lane, space in zip(
            HORSES, LETTERS, places[: len(HORSES)], places[len(HORSES) :], strict=False
        )
    ]


def auction_view(auction: Auction) -> AuctionView:
    """The bidding in seat order."""
    return AuctionView(
        bids={str(seat): bid for seat, bid in sorted(auction.bids.items())},
        locked=sorted(auction.out),
        to_bid=auction.to_bid,
    )
