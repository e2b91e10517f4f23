"""The facts of Tuyaux.

These names and fields are the stored format: nothing is renamed, removed or narrowed. Lines are
front first; lists by seat start with seat 1.
"""

from typing import ClassVar

from msgspec import UNSET, Struct

from domain.games.tuyaux.board import Horse, RaceCard, Tip
from domain.games.tuyaux.commands import Bet
from domain.kernel.message import Event, Secret


class DealerDrawn(Event, frozen=True, kw_only=True, tag="tuyaux.dealer_drawn"):
    """The dealer of race 1 (TU-T2)."""

    dealer: int


class ProgrammeDrawn(Event, frozen=True, kw_only=True, tag="tuyaux.programme_drawn"):
    """A race is prepared: its dealer, the race card drawn, the starters' values (TU-S4)."""

    dealer: int
    card: RaceCard
    values: dict[str, int]


class HandSecret(Secret, frozen=True, kw_only=True):
    """The seat's hand in table order."""

    hand: list[Tip]


class TipsDealt(Event, frozen=True, kw_only=True, tag="tuyaux.tips_dealt"):
    """Every seat has `count` tips, and bets now (TU-S4, TU-B1)."""

    seat_form: ClassVar[type[Secret] | None] = HandSecret

    count: int


class BetForm(Struct, frozen=True, kw_only=True):
    """A bet; null where a part is not asked (TU-B3)."""

    win: list[Horse] | None
    place: Horse | None
    tierce: list[Horse] | None

    @classmethod
    def of(cls, bet: Bet) -> "BetForm":
        """What a command asks for."""
        return cls(
            win=None if bet.win is UNSET else list(bet.win),
            place=None if bet.place is UNSET else bet.place,
            tierce=None if bet.tierce is UNSET else list(bet.tierce),
        )


class BetSecret(Secret, frozen=True, kw_only=True):
    """What the seat has bet."""

    bet: BetForm


class BetMade(Event, frozen=True, kw_only=True, tag="tuyaux.bet_made"):
    """A seat has bet (TU-B1)."""

    seat_form: ClassVar[type[Secret] | None] = BetSecret


class BetsRevealed(Event, frozen=True, kw_only=True, tag="tuyaux.bets_revealed"):
    """All bets are in and open to all, with the option `open_bets` (TU-B2)."""

    bets: list[BetForm]


class CardTurned(Event, frozen=True, kw_only=True, tag="tuyaux.card_turned"):
    """A turn begins: a race card is turned and its horse moves (TU-T1, TU-M2).

    `moved` are the places really gained, `lines` the field after it.
    """

    turn: int
    card: RaceCard
    moved: int
    lines: list[list[Horse]]


class TipPlayed(Event, frozen=True, kw_only=True, tag="tuyaux.tip_played"):
    """The seat in turn plays a tip (TU-T1, TU-M3).

    `moved` are the places really gained, negative: lost; `lines` the field after it.
    """

    card: Tip
    moved: int
    lines: list[list[Horse]]


class RaceSettled(Event, frozen=True, kw_only=True, tag="tuyaux.race_settled"):
    """The race is over: who won, what each seat had bet and gets (TU-E1)."""

    winners: list[Horse]
    bets: list[BetForm]
    pays: list[int]


EVENTS: tuple[type[Event], ...] = (
    DealerDrawn,
    ProgrammeDrawn,
    TipsDealt,
    BetMade,
    BetsRevealed,
    CardTurned,
    TipPlayed,
    RaceSettled,
)
