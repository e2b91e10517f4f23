"""The facts of Bookmaker.

These names and fields are the stored format: nothing is renamed, removed or narrowed. Odds are
written as in JSON (numbers with at most one decimal); maps by horse or seat have text keys.
"""

from typing import Annotated, ClassVar, Literal

from msgspec import UNSET, Struct, UnsetType

from domain.games.bookmaker.board import Card, Horse, RaceKind
from domain.games.bookmaker.commands import Number
from domain.kernel.message import Event, Secret
from domain.kernel.words import known

OddsMap = dict[str, Number]
LimitMap = dict[str, int | None]
Ending = Annotated[str, known("Ending", "won", "all_out", "no_progress")]
Paid = Annotated[str, known("Paid", "won", "returned")]


class RolesDrawn(Event, frozen=True, kw_only=True, tag="bookmaker.roles_drawn"):
    """The first bookmaker of race 1 (BM-S4)."""

    first: int


class BroccoSetAside(Event, frozen=True, kw_only=True, tag="bookmaker.brocco_set_aside"):
    """One card lies aside unseen for the whole meeting (BM-K1)."""


class CardsOpened(Event, frozen=True, kw_only=True, tag="bookmaker.cards_opened"):
    """A race is prepared: its kind, its bookmakers (first first), the face-up cards (BM-D1)."""

    kind: RaceKind
    bookmakers: list[int]
    open_cards: list[Card]


class HandSecret(Secret, frozen=True, kw_only=True):
    """The seat's hand as dealt."""

    hand: list[Card]


class HandsDealt(Event, frozen=True, kw_only=True, tag="bookmaker.hands_dealt"):
    """Every seat has its hand (BM-D1); `counts` by seat."""

    seat_form: ClassVar[type[Secret] | None] = HandSecret

    counts: list[int]


class TokenPlace(Struct, frozen=True, kw_only=True):
    """A token of a horse's colour on a track space."""

    horse: Horse
    space: int


class TokensPlaced(Event, frozen=True, kw_only=True, tag="bookmaker.tokens_placed"):
    """Four tokens stand on the track (BM-D3)."""

    tokens: list[TokenPlace]


class ChoiceSecret(Secret, frozen=True, kw_only=True):
    """The two cards that a bookmaker will give."""

    cards: list[Card]


class ExchangeChosen(Event, frozen=True, kw_only=True, tag="bookmaker.exchange_chosen"):
    """A bookmaker has chosen the cards that it gives (BM-D2)."""

    seat_form: ClassVar[type[Secret] | None] = ChoiceSecret


class ExchangeSecret(Secret, frozen=True, kw_only=True):
    """What a bookmaker gave and got, in the sheet's order."""

    gave: list[Card]
    got: list[Card]


class CardsExchanged(Event, frozen=True, kw_only=True, tag="bookmaker.cards_exchanged"):
    """The chosen cards have changed hands (BM-D2)."""

    seat_form: ClassVar[type[Secret] | None] = ExchangeSecret


class OddsOpened(Event, frozen=True, kw_only=True, tag="bookmaker.odds_opened"):
    """The bookmakers set their odds now."""


class OddsSecret(Secret, frozen=True, kw_only=True):
    """A bookmaker's odds and limits, not shown yet."""

    odds: OddsMap
    limits: LimitMap


class OddsSet(Event, frozen=True, kw_only=True, tag="bookmaker.odds_set"):
    """A bookmaker has set its odds (BM-O1)."""

    seat_form: ClassVar[type[Secret] | None] = OddsSecret


class OddsShown(Event, frozen=True, kw_only=True, tag="bookmaker.odds_shown"):
    """All books are shown together, by seat; betting begins (BM-O1)."""

    odds: dict[str, OddsMap]
    limits: dict[str, LimitMap]


class BetOffered(Event, frozen=True, kw_only=True, tag="bookmaker.bet_offered"):
    """A seat offers a bet that waits for its bookmaker (BM-B1)."""

    bet: int
    bookmaker: int
    horse: Horse
    stake: int
    odds: Number


class BetPlaced(Event, frozen=True, kw_only=True, tag="bookmaker.bet_placed"):
    """A bet accepted whole at once; the stake goes to the book (BM-B2, BM-B3)."""

    bet: int
    bookmaker: int
    horse: Horse
    stake: int
    odds: Number


class BetAccepted(Event, frozen=True, kw_only=True, tag="bookmaker.bet_accepted"):
    """So much of a waiting offer is accepted by its bookmaker (`seat`), who is paid (BM-B3)."""

    bet: int
    stake: int


class BetRefused(Event, frozen=True, kw_only=True, tag="bookmaker.bet_refused"):
    """An offer in running is refused (BM-I1)."""

    bet: int


class BetsLapsed(Event, frozen=True, kw_only=True, tag="bookmaker.bets_lapsed"):
    """Offers that waited lapse, without cost (BM-B3, BM-I1)."""

    bets: list[int]


class OddsChanged(Event, frozen=True, kw_only=True, tag="bookmaker.odds_changed"):
    """A bookmaker has changed its odds; `withdrawn` declarations are taken back (BM-B5, BM-B6)."""

    odds: OddsMap
    withdrawn: list[int]
    limits: LimitMap | UnsetType = UNSET


class LimitsSet(Event, frozen=True, kw_only=True, tag="bookmaker.limits_set"):
    """A bookmaker has set its limits alone (BM-B5)."""

    limits: LimitMap


class DoneDeclared(Event, frozen=True, kw_only=True, tag="bookmaker.done_declared"):
    """A seat places no more bets (BM-B6)."""


class LoanTaken(Event, frozen=True, kw_only=True, tag="bookmaker.loan_taken"):
    """The bank lends; `forced` loans are outside the bounds of BM-L1.

    Where the loan comes before a secret act, the command that it carries is private.
    """

    seat_form: ClassVar[type[Secret] | None] = Secret

    amount: int
    forced: bool


class RaceStarted(Event, frozen=True, kw_only=True, tag="bookmaker.race_started"):
    """Betting is over, the cards run the race; in running all odds are 0 (BM-I1)."""

    in_running: bool


class CardTurned(Event, frozen=True, kw_only=True, tag="bookmaker.card_turned"):
    """A card of the race deck is turned (BM-R1, BM-J1, BM-T1).

    `horse` is the one it is about (null: a joker with nothing to copy), `moved` whether it went
    forward, `out` whether it broke its gait now, `space` where it stands.
    """

    card: Card
    horse: Horse | None
    moved: bool
    out: bool
    space: int | None


class DeckReshuffled(Event, frozen=True, kw_only=True, tag="bookmaker.deck_reshuffled"):
    """The turned cards alone are shuffled for another pass (BM-R2)."""

    cards_pass: int


class JokersAwaited(Event, frozen=True, kw_only=True, tag="bookmaker.jokers_awaited"):
    """The race waits for those who hold a joker, whoever they are (BM-J2)."""


class JokerPlayed(Event, frozen=True, kw_only=True, tag="bookmaker.joker_played"):
    """A joker from a hand moves the horse of this card one further (BM-J2)."""

    horse: Horse
    space: int


class KeepSecret(Secret, frozen=True, kw_only=True):
    """How long the joker is kept."""

    until: TokenPlace | UnsetType = UNSET


class JokerKept(Event, frozen=True, kw_only=True, tag="bookmaker.joker_kept"):
    """A seat keeps its joker; it alone knows (BM-J2)."""

    known_to: ClassVar[Literal["public", "seats"]] = "seats"
    seat_form: ClassVar[type[Secret] | None] = KeepSecret


class RaceResumed(Event, frozen=True, kw_only=True, tag="bookmaker.race_resumed"):
    """No joker is waited for any more (BM-J2)."""


class RunningOddsShown(Event, frozen=True, kw_only=True, tag="bookmaker.running_odds_shown"):
    """A bookmaker shows odds between two cards, 0 where closed (BM-I1)."""

    odds: OddsMap


class RaceEnded(Event, frozen=True, kw_only=True, tag="bookmaker.race_ended"):
    """The race is over: `winner` null if there is none, `how` it ended, `out` red first."""

    winner: Horse | None
    how: Ending
    out: list[Horse]


class Payment(Struct, frozen=True, kw_only=True):
    """What a bet gets back from its bookmaker: won or returned."""

    bet: int
    status: Paid
    amount: int


class Loan(Struct, frozen=True, kw_only=True):
    """A loan that a seat had to take."""

    seat: int
    amount: int


class RaceSettled(Event, frozen=True, kw_only=True, tag="bookmaker.race_settled"):
    """All bets of the race are paid, netted for each seat; shortfalls are borrowed (BM-P1)."""

    payments: list[Payment]
    lost: list[int]
    nets: list[int]
    loans: list[Loan]


class BroccoOpened(Event, frozen=True, kw_only=True, tag="bookmaker.brocco_opened"):
    """Every seat names the Brocco now (BM-K1)."""


class BroccoSecret(Secret, frozen=True, kw_only=True):
    """The horse that a seat named."""

    horse: Horse


class BroccoNamed(Event, frozen=True, kw_only=True, tag="bookmaker.brocco_named"):
    """A seat has named a horse and put in 10 (BM-K1)."""

    seat_form: ClassVar[type[Secret] | None] = BroccoSecret

    amount: int


class SettlementOpened(Event, frozen=True, kw_only=True, tag="bookmaker.settlement_opened"):
    """The programme is run; the meeting is settled next (BM-P2)."""


class BroccoShared(Event, frozen=True, kw_only=True, tag="bookmaker.brocco_shared"):
    """The Brocco is shown and the pot shared, `shares` by seat (BM-K1)."""

    card: Card
    named: dict[str, Horse]
    pot: int
    shares: dict[str, int]


class Repayment(Struct, frozen=True, kw_only=True):
    """A loan goes back with its tenth."""

    seat: int
    loan: int
    interest: int


class LoansRepaid(Event, frozen=True, kw_only=True, tag="bookmaker.loans_repaid"):
    """Every loan is repaid with 10% (BM-P2)."""

    repayments: list[Repayment]


EVENTS: tuple[type[Event], ...] = (
    RolesDrawn,
    BroccoSetAside,
    CardsOpened,
    HandsDealt,
    TokensPlaced,
    ExchangeChosen,
    CardsExchanged,
    OddsOpened,
    OddsSet,
    OddsShown,
    BetOffered,
    BetPlaced,
    BetAccepted,
    BetRefused,
    BetsLapsed,
    OddsChanged,
    LimitsSet,
    DoneDeclared,
    LoanTaken,
    RaceStarted,
    CardTurned,
    DeckReshuffled,
    JokersAwaited,
    JokerPlayed,
    JokerKept,
    RaceResumed,
    RunningOddsShown,
    RaceEnded,
    RaceSettled,
    BroccoOpened,
    BroccoNamed,
    SettlementOpened,
    BroccoShared,
    LoansRepaid,
)
