"""From the start of a meeting or a race to the odds shown (BM-S, BM-D, BM-O)."""

from msgspec import UNSET

from domain.betting.odds import to_number, to_tenths
from domain.games.bookmaker import commands as c
from domain.games.bookmaker import events as e
from domain.games.bookmaker import reasons as r
from domain.games.bookmaker.board import (
    EXCHANGED,
    HORSES,
    ODDS_LEAST,
    ODDS_MOST,
    ODDS_SUM_LEAST,
    OPEN_CARDS,
    TOKENS,
    TROT_KINDS,
    WHOLE_MOST,
    by_card,
)
from domain.games.bookmaker.decide.deck import (
    all_cards,
    dealing,
    gathered,
    hand_sizes,
    token_cards,
)
from domain.games.bookmaker.state import Table, bookmakers_of
from domain.games.bookmaker.track import place_tokens
from domain.kernel.message import SERVER
from domain.kernel.rejection import ALREADY_DONE, NOT_YOUR_TURN, Reason, Rejected
from domain.racing.draft import Draft
from domain.racing.events import RaceOpened


def begin(draft: Draft) -> None:
    """The meeting starts: roles and the card aside are drawn, race 1 opens (BM-S4, BM-K1)."""
    t: Table = draft.table
    seats = draft.draw("bookmaker", list(range(1, t.seats + 1)))
    draft.record(e.RolesDrawn, first=seats[0], draws={"bookmaker": seats[:1]})
    if t.brocco:
        aside = draft.draw("brocco", all_cards(t))[:1]
        draft.record(e.BroccoSetAside, private={SERVER: {"draws": {"brocco": aside}}})
    open_race(draft, 1)


def open_race(draft: Draft, race: int) -> None:
    """Gather, shuffle, open four cards and deal (BM-S3, BM-D1)."""
    t: Table = draft.table
    draft.record(RaceOpened, race=race, races=len(t.programme))
    cards = gathered(draft)[:OPEN_CARDS]
    draft.record(
        e.CardsOpened,
        kind=t.programme[race - 1],
        bookmakers=bookmakers_of(t.first, race, t.seats),
        open_cards=cards,
        draws={f"race-{race}/deck": cards},
    )
    label, _, order = dealing(draft)
    sizes = hand_sizes(t)
    private: dict[int | str, dict[str, object]] = {}
    at = 0
    for seat, size in enumerate(sizes, 1):
        private[seat] = {"hand": order[at : at + size]}
        at += size
    private[SERVER] = {"draws": {label: order[:at]}}
    draft.record(e.HandsDealt, counts=sizes, private=private)
    if t.lone:
        after_exchange(draft)


def after_exchange(draft: Draft) -> None:
    """Trot: the tokens are placed; then the bookmakers set their odds (BM-D3, BM-O1)."""
    t: Table = draft.table
    if t.kind in TROT_KINDS:
        label, cards = token_cards(draft)
        tokens, used = place_tokens(cards, TOKENS)
        draft.record(
            e.TokensPlaced,
            tokens=[e.TokenPlace(horse=horse, space=space) for horse, space in tokens],
            draws={label: cards[:used]},
        )
    draft.record(e.OddsOpened)


def exchange_cards(draft: Draft, seat: int, command: c.ExchangeCards) -> None:
    """A bookmaker gives two cards of the hand as dealt; when both have chosen they move (BM-D2)."""
    t: Table = draft.table
    if seat not in t.bookmakers:
        raise Rejected(NOT_YOUR_TURN)
    if seat in t.chosen:
        raise Rejected(ALREADY_DONE)
    if len(command.cards) != EXCHANGED:
        raise Rejected(r.EXCHANGE_COUNT)
    hand = t.hands[seat - 1]
    assert hand is not None, "the full meeting knows all hands"
    left = list(hand)
    for card in command.cards:
        if card not in left:
            raise Rejected(r.EXCHANGE_HELD)
        left.remove(card)
    cards = by_card(command.cards)
    draft.carry(c.ExchangeCards(cards=cards), seat)
    draft.record(e.ExchangeChosen, seat=seat, private={seat: {"cards": cards}}, secret_command=True)
    if len(t.chosen) == len(t.bookmakers):
        first, second = t.bookmakers
        of_first, of_second = t.choices[first], t.choices[second]
        draft.record(
            e.CardsExchanged,
            private={
                first: {"gave": of_first, "got": of_second},
                second: {"gave": of_second, "got": of_first},
            },
        )
        after_exchange(draft)


def read_odds(odds: c.AllOdds, step: int, off_step: Reason) -> dict[str, int]:
    """Odds by horse as tenths.

    Raises:
        Rejected: `off_step`, where one is not in the meeting's steps.
    """
    read: dict[str, int] = {}
    for horse in HORSES:
        tenths = to_tenths(getattr(odds, horse))
        if tenths is None or tenths % step:
            raise Rejected(off_step)
        read[horse] = tenths
    return read


def read_limit(limit: int | c.AllLimits | None) -> dict[str, int | None]:
    """A limit for each horse (BM-B2).

    Raises:
        Rejected: one is below 0, or no number that JSON carries exactly.
    """
    limits: dict[str, int | None]
    if isinstance(limit, c.AllLimits):
        limits = {horse: getattr(limit, horse) for horse in HORSES}
    else:
        limits = {horse: limit for horse in HORSES}
    if any(value is not None and not 0 <= value <= WHOLE_MOST for value in limits.values()):
        raise Rejected(r.LIMIT_NEGATIVE)
    return limits


def odds_form(tenths: dict[str, int]) -> e.OddsMap:
    """Odds by horse as events and boards write them."""
    return {horse: to_number(tenths[horse]) for horse in HORSES}


def set_odds(draft: Draft, seat: int, command: c.SetOdds) -> None:
    """A bookmaker sets its odds in secret; when all have, the books are shown (BM-O1)."""
    t: Table = draft.table
    if seat not in t.bookmakers:
        raise Rejected(NOT_YOUR_TURN)
    if t.books[seat].has_set:
        raise Rejected(ALREADY_DONE)
    odds = read_odds(command.odds, t.step, r.ODDS_STEP)
    if any(not ODDS_LEAST <= value <= ODDS_MOST for value in odds.values()):
        raise Rejected(r.ODDS_RANGE)
    if sum(odds.values()) < ODDS_SUM_LEAST:
        raise Rejected(r.ODDS_SUM)
    limits = read_limit(None if command.limit is UNSET else command.limit)
    draft.record(
        e.OddsSet,
        seat=seat,
        private={seat: {"odds": odds_form(odds), "limits": limits}},
        secret_command=True,
    )
    if all(book.has_set for book in t.books.values()):
        draft.record(
            e.OddsShown,
            odds={str(s): odds_form(t.books[s].odds or {}) for s in t.bookmakers},
            limits={str(s): dict(t.books[s].limits or {}) for s in t.bookmakers},
        )
