"""The table of Tuyaux: what one viewer knows of hands, bets and coins. Folded by evolve alone."""

from typing import Any

from msgspec import Struct, field

from domain.games.tuyaux.board import Horse, RaceCard, Tip
from domain.games.tuyaux.events import BetForm

DEALING = "deal"
"""A race is being prepared or paid: a phase that no command meets, so no board names it."""
BETTING, TIPPING = "bet", "tips"


class Programme(Struct, frozen=True, kw_only=True):
    """The race card drawn, and its starters' values in table order (TU-S4)."""

    card: RaceCard
    values: dict[str, int]


class PlayedTip(Struct, frozen=True, kw_only=True):
    """A tip of this race: by whom, and the places really gained (negative: lost)."""

    turn: int
    seat: int
    card: Tip
    moved: int


class RaceResult(Struct, frozen=True, kw_only=True):
    """A finished race; bets and pays by seat."""

    race: int
    programme: Programme
    lines: list[list[Horse]]
    winners: list[Horse]
    bets: list[BetForm]
    pays: list[int]


class Table(Struct, kw_only=True):
    """The table of Tuyaux. Lists by seat start with seat 1; lists of an event are never changed.

    Args:
        first_whip: the option of TU-M6, instead of TU-M5.
        bets: which bets are asked (TU-B3).
        phase: as in phases.py; None before the first race, DEALING while no seat may act.
        to_play: the seat whose tip is next, 0 for none.
        turn: 0 during the bets.
        turned: the race cards of this race.
        whips: whips played in this turn.
        hands: None where this viewer does not know them.
        made: by seat, the bet of this race as far as this viewer knows it; `has_bet` whether.
        bets_in: how many seats have bet.
    """

    seats: int
    first_whip: bool
    open_bets: bool
    bets: str
    target: int
    coins: list[int]
    hands: list[list[str] | None]
    hand_counts: list[int]
    made: list[BetForm | None]
    has_bet: list[bool]
    phase: str | None = None
    race: int = 0
    dealer: int | None = None
    programme: Programme | None = None
    turn: int = 0
    to_play: int = 0
    turned: list[str] = field(default_factory=list)
    lines: list[list[str]] = field(default_factory=list)
    tips_played: list[PlayedTip] = field(default_factory=list)
    whips: int = 0
    bets_in: int = 0
    results: list[RaceResult] = field(default_factory=list)

    @property
    def drawn(self) -> Programme:
        """The programme of a race that is prepared."""
        assert self.programme is not None, "a programme is drawn when the race opens"
        return self.programme

    @property
    def turns(self) -> int:
        """How many turns this race has: one for each starter (TU-T1)."""
        return len(self.drawn.values)


def initial(options: Any, seats: int) -> Table:
    """Before the first race: nobody has coins."""
    return Table(
        seats=seats,
        first_whip=options["whip"] == "first_whip",
        open_bets=options["open_bets"],
        bets=options["bets"],
        target=options["target"],
        coins=[0] * seats,
        hands=[None] * seats,
        hand_counts=[0] * seats,
        made=[None] * seats,
        has_bet=[False] * seats,
    )


def left_of(seat: int, seats: int) -> int:
    """The seat to the left: the next one, of the last seat 1."""
    return seat % seats + 1
