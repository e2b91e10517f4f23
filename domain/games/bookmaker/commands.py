"""What seats and the system may ask (sheet, Commands)."""

from msgspec import UNSET, Struct, UnsetType

from domain.games.bookmaker.board import CardName, HorseName
from domain.kernel.message import Command

Number = int | float


class AllOdds(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Odds on all four horses, numbers with at most one decimal."""

    red: Number
    blue: Number
    green: Number
    yellow: Number


class SomeOdds(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Odds on some horses; those left out are closed."""

    red: Number | UnsetType = UNSET
    blue: Number | UnsetType = UNSET
    green: Number | UnsetType = UNSET
    yellow: Number | UnsetType = UNSET


class AllLimits(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A limit for each horse: up to it an offer is accepted whole by itself; null: none."""

    red: int | None
    blue: int | None
    green: int | None
    yellow: int | None


class Until(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Keep the joker for every card after which this horse stands below this space (BM-J2)."""

    horse: HorseName
    space: int


class ExchangeCards(Command, frozen=True, kw_only=True, tag="bookmaker.exchange_cards"):
    """A bookmaker chooses the two cards that it gives to the other (BM-D2)."""

    cards: list[CardName]


class SetOdds(Command, frozen=True, kw_only=True, tag="bookmaker.set_odds"):
    """A bookmaker secretly sets its odds (BM-O1), and limits if it likes (BM-B2)."""

    odds: AllOdds
    limit: int | AllLimits | UnsetType | None = UNSET


class PlaceBet(Command, frozen=True, kw_only=True, tag="bookmaker.place_bet"):
    """A seat offers a bet; with `odds` only if these are shown (BM-B1, BM-B3)."""

    bookmaker: int
    horse: HorseName
    stake: int
    odds: Number | UnsetType = UNSET


class AnswerBet(Command, frozen=True, kw_only=True, tag="bookmaker.answer_bet"):
    """A bookmaker accepts so much of an offer that waits (BM-B2; in running 0 refuses, BM-I1)."""

    bet: int
    stake: int


class ChangeOdds(Command, frozen=True, kw_only=True, tag="bookmaker.change_odds"):
    """A bookmaker changes its odds or its limits (BM-B5)."""

    odds: AllOdds
    limit: int | AllLimits | UnsetType | None = UNSET


class Done(Command, frozen=True, kw_only=True, tag="bookmaker.done"):
    """A seat declares that it places no more bets (BM-B6)."""


class Borrow(Command, frozen=True, kw_only=True, tag="bookmaker.borrow"):
    """A seat borrows from the bank (BM-L1)."""

    amount: int


class PlayJoker(Command, frozen=True, kw_only=True, tag="bookmaker.play_joker"):
    """A seat plays a joker: the horse that just moved goes one further (BM-J2)."""


class KeepJoker(Command, frozen=True, kw_only=True, tag="bookmaker.keep_joker"):
    """A seat keeps its joker for this card, or `until` a horse stands far enough (BM-J2)."""

    until: Until | UnsetType = UNSET


class TurnCard(Command, frozen=True, kw_only=True, tag="bookmaker.turn_card"):
    """The first bookmaker turns the next card (BM-I1)."""


class ShowOdds(Command, frozen=True, kw_only=True, tag="bookmaker.show_odds"):
    """A bookmaker shows odds between two cards; horses left out are closed (BM-I1)."""

    odds: SomeOdds


class NameBrocco(Command, frozen=True, kw_only=True, tag="bookmaker.name_brocco"):
    """A seat secretly names the Brocco's colour and puts in 10 (BM-K1)."""

    horse: HorseName


class SettleRace(Command, frozen=True, kw_only=True, tag="bookmaker.settle_race"):
    """The system pays the race's bets (BM-P1)."""


class SettleMeeting(Command, frozen=True, kw_only=True, tag="bookmaker.settle_meeting"):
    """The system shares the pot, takes the loans back and ranks (BM-P2)."""


COMMANDS: tuple[type[Command], ...] = (
    ExchangeCards,
    SetOdds,
    PlaceBet,
    AnswerBet,
    ChangeOdds,
    Done,
    PlayJoker,
    KeepJoker,
    TurnCard,
    ShowOdds,
    NameBrocco,
    Borrow,
)
SYSTEM_COMMANDS: tuple[type[Command], ...] = (SettleRace, SettleMeeting)
