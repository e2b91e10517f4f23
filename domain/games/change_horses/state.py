"""The game's part of a meeting, and the questions one may ask it.

One Struct for every viewer: what a viewer does not know is None (a pick, a certificate, the pile).
Hands can be worked out from what is public, so every fold has them; boards show only one's own.
"""

from typing import Any

from msgspec import Struct, field

from domain.games.change_horses.board import CARROTS_EACH, HORSES, Card
from domain.games.change_horses.options import DERBY

BETWEEN = "between"
"""Nobody acts while a race is set up or a round is finished: a phase that no board names."""


class Placed(Struct, kw_only=True):
    """A card on the betting board, who played it, and whether a Wild Horse covers it."""

    card: Card
    seat: int
    covered: bool = False


class Auction(Struct, kw_only=True):
    """The bidding for one round.

    Args:
        bids: the present bid of each seat that has bid.
        out: seats that are locked, have stood or failed, in the order in which it happened.
        failed: those of them that failed.
        to_bid: the seat that is waited for.
        last: the seat that bid or stood last.
    """

    bids: dict[int, int] = field(default_factory=dict)
    out: list[int] = field(default_factory=list)
    failed: list[int] = field(default_factory=list)
    to_bid: int | None = None
    last: int | None = None


class Table(Struct, kw_only=True):
    """The table of Change Horses. Lists by seat start with seat 1, lists by horse with A.

    Args:
        phase: as in phases.py, None before the first race, BETWEEN while nobody acts.
        round: being prepared or played.
        select: how many cards each seat picks before this round.
        order: the seats in the order of their turns in this round (two seats: each twice).
        turn: how many of these turns are over.
        starts: with two seats who begins this round.
        positions: the Position card of each seat, by seat as text; None with two seats.
        picked, picks: who has picked, and what, where this viewer knows it.
        certificates: of each seat, where this viewer knows them.
        pile: set aside, top first; None where this viewer does not know it.
    """

    seats: int
    races: int
    finish: int
    derby: bool
    phase: str | None = None
    race: int = 0
    round: int = 0
    select: int = 0
    lanes: list[int] = field(default_factory=list)
    spaces: list[int] = field(default_factory=list)
    board: list[Placed] = field(default_factory=list)
    order: list[int] = field(default_factory=list)
    turn: int = 0
    starts: int | None = None
    positions: dict[str, int] | None = None
    wild_played: bool = False
    auction: Auction | None = None
    hands: list[list[str]] = field(default_factory=list)
    picked: list[bool] = field(default_factory=list)
    picks: list[list[str] | None] = field(default_factory=list)
    shown: list[list[str]] = field(default_factory=list)
    wild_left: list[int] = field(default_factory=list)
    changed: list[bool] = field(default_factory=list)
    carrots: list[int] = field(default_factory=list)
    certificates: list[list[str] | None] = field(default_factory=list)
    pile: list[str] | None = None
    pile_count: int = 0
    points: list[int] = field(default_factory=list)
    results: list[dict[str, Any]] = field(default_factory=list)


def initial(options: Any, seats: int) -> Table:
    """Before the first race."""
    return Table(
        seats=seats,
        races=options["races"],
        finish=options["finish"],
        derby=options["turn_order"] == DERBY,
        points=[0] * seats,
    )


def carrots_at_start(t: Table) -> list[int]:
    """What each seat has for its bids (CH-S4); nothing where there is no auction."""
    return [CARROTS_EACH * t.seats] * t.seats if t.derby else []


def visible(t: Table) -> list[str]:
    """The cards of the board that are not covered, as played."""
    return [placed.card for placed in t.board if not placed.covered]


def crossed(t: Table) -> bool:
    """Whether a horse has reached the finish (CH-S1)."""
    return max(t.spaces) >= t.finish


def owner_of(t: Table, horse: int) -> int | None:
    """The seat that owns a horse; asked where all certificates are known."""
    for seat, certificates in enumerate(t.certificates, 1):
        if certificates is not None and HORSES[horse] in certificates:
            return seat
    return None
