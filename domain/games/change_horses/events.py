"""The facts of Change Horses.

These names and fields are the stored format: nothing is renamed, removed or narrowed. Maps by seat
have text keys; lists of cards and certificates of one seat are in alphabetical order.
"""

from typing import Annotated, ClassVar

from msgspec import Struct

from domain.games.change_horses.board import Card, Horse
from domain.kernel.message import Event, Secret
from domain.kernel.words import known

Ending = Annotated[str, known("Ending", "crossed", "rounds")]


class HorsesPlaced(Event, frozen=True, kw_only=True, tag="change-horses.horses_placed"):
    """The horses stand at the start, lane 1 first (CH-S1)."""

    lanes: list[Horse]


class CertificatesSecret(Secret, frozen=True, kw_only=True):
    """The horses that the seat owns."""

    certificates: list[Horse]


class CertificatesDealt(Event, frozen=True, kw_only=True, tag="change-horses.certificates_dealt"):
    """Every seat owns its horse (two seats: two each); so many lie aside (CH-S3)."""

    seat_form: ClassVar[type[Secret] | None] = CertificatesSecret

    pile_count: int


class RoundOpened(Event, frozen=True, kw_only=True, tag="change-horses.round_opened"):
    """A round begins; each seat first picks `select` cards, where that is not 0.

    `positions` by seat (CH-T1, CH-D4); with two seats null, and `starts` tells who begins (CH-2B).
    """

    round: int
    select: int
    positions: dict[str, int] | None
    starts: int | None


class PickSecret(Secret, frozen=True, kw_only=True):
    """The cards that a seat has picked."""

    cards: list[Card]


class CardsSelected(Event, frozen=True, kw_only=True, tag="change-horses.cards_selected"):
    """A seat has picked its cards (CH-R1, CH-R4, CH-2B)."""

    seat_form: ClassVar[type[Secret] | None] = PickSecret


class CardsShown(Event, frozen=True, kw_only=True, tag="change-horses.cards_shown"):
    """All have picked: the picked cards, by seat, are shown together; the turns begin (CH-R1)."""

    cards: dict[str, list[Card]]


class CardPlayed(Event, frozen=True, kw_only=True, tag="change-horses.card_played"):
    """A shown card lies on the betting board (CH-R2)."""

    card: Card


class StumblePlayed(Event, frozen=True, kw_only=True, tag="change-horses.stumble_played"):
    """A Wild Horse covers a card of the board, the `number`-th that was played (CH-W1)."""

    card: Card
    number: int


class HorseLane(Struct, frozen=True, kw_only=True):
    """A horse in another lane."""

    horse: Horse
    lane: int


class SlipperyPlayed(Event, frozen=True, kw_only=True, tag="change-horses.slippery_played"):
    """A Wild Horse moves two horses sideways, in this order (CH-W2)."""

    moves: list[HorseLane]


class HorseSpace(Struct, frozen=True, kw_only=True):
    """A horse that was to move, and where it stands then."""

    horse: Horse
    space: int


class FastPlayed(Event, frozen=True, kw_only=True, tag="change-horses.fast_played"):
    """A Wild Horse moves the horses of the two rearmost rows forward, in this order (CH-W3)."""

    moves: list[HorseSpace]


class ChangeSecret(Secret, frozen=True, kw_only=True):
    """The horse whose certificate went under the pile, and the one on top of it."""

    gave: Horse
    took: Horse


class ChangePlayed(Event, frozen=True, kw_only=True, tag="change-horses.change_played"):
    """A Wild Horse changes a certificate of the seat; which ones it alone knows (CH-W4)."""

    seat_form: ClassVar[type[Secret] | None] = ChangeSecret


class HorseMove(Struct, frozen=True, kw_only=True):
    """A horse that is visible an odd number of times, and where it stands then."""

    horse: Horse
    count: int
    space: int


class HorsesMoved(Event, frozen=True, kw_only=True, tag="change-horses.horses_moved"):
    """All have played: the due moves, in the order in which they are made (CH-M)."""

    moves: list[HorseMove]


class BoardEmptied(Event, frozen=True, kw_only=True, tag="change-horses.board_emptied"):
    """The cards of the full board leave the game (CH-R4)."""


class AuctionOpened(Event, frozen=True, kw_only=True, tag="change-horses.auction_opened"):
    """Derby: the Position cards for this round are auctioned (CH-D1).

    `to_bid`, here and in the events of the auction: the seat that is waited for now; null where the
    next one fails, or the auction is over.
    """

    round: int
    to_bid: int | None


class BidMade(Event, frozen=True, kw_only=True, tag="change-horses.bid_made"):
    """A seat bids or raises; below the highest bid it is locked out of further bidding (CH-D2)."""

    carrots: int
    locked: bool
    to_bid: int | None


class BidderStood(Event, frozen=True, kw_only=True, tag="change-horses.bidder_stood"):
    """A seat keeps its bid for good (CH-D3)."""

    to_bid: int | None


class BidFailed(Event, frozen=True, kw_only=True, tag="change-horses.bid_failed"):
    """A seat can make no bid and gives up all its carrots (CH-D5)."""

    carrots: int
    to_bid: int | None


class AuctionClosed(Event, frozen=True, kw_only=True, tag="change-horses.auction_closed"):
    """Every bid is paid, by seat (CH-D4)."""

    paid: dict[str, int]


class HorseRank(Struct, frozen=True, kw_only=True):
    """A horse's rank in a race, 1 the last one; `seat` null where nobody owned it."""

    horse: Horse
    rank: int
    seat: int | None


class RaceEnded(Event, frozen=True, kw_only=True, tag="change-horses.race_ended"):
    """The race is over: `crossed`, or no cards are left (`rounds`) (CH-E1).

    The certificates are revealed, by seat; all horses are ranked, by rank, then letter; `points`
    are the match points that each seat gets (CH-E2 to CH-E6).
    """

    how: Ending
    certificates: dict[str, list[Horse]]
    ranking: list[HorseRank]
    points: list[int]


EVENTS: tuple[type[Event], ...] = (
    HorsesPlaced,
    CertificatesDealt,
    RoundOpened,
    CardsSelected,
    CardsShown,
    CardPlayed,
    StumblePlayed,
    SlipperyPlayed,
    FastPlayed,
    ChangePlayed,
    HorsesMoved,
    BoardEmptied,
    AuctionOpened,
    BidMade,
    BidderStood,
    BidFailed,
    AuctionClosed,
    RaceEnded,
)
