"""From the start of a meeting or a race to the odds shown."""

from domain.games.bookmaker import events as e
from domain.games.bookmaker.board import HORSES
from domain.games.bookmaker.evolve.ledger import by_horse, show_limits, show_odds, tenths_of
from domain.games.bookmaker.state import DEALING, Book, Table
from domain.kernel.message import SERVER
from domain.racing.events import RaceOpened
from domain.racing.evolve import Lost
from domain.racing.meeting import Meeting


def roles_drawn(m: Meeting, event: e.RolesDrawn) -> Lost:
    """The first bookmaker of race 1."""
    m.table.first = event.first
    return None


def brocco_set_aside(m: Meeting, event: e.BroccoSetAside) -> Lost:
    """Only the server knows the card."""
    secret = event.secret(SERVER)
    if secret:
        m.table.brocco_card = secret["draws"]["brocco"][0]
    return None


def race_opened(m: Meeting, event: RaceOpened) -> Lost:
    """Everything of the last race is gathered, hands unseen."""
    t: Table = m.table
    n = t.seats
    t.race, t.kind, t.bookmakers, t.open_cards = event.race, None, [], []
    t.hands, t.hand_counts, t.dealt = [None] * n, [0] * n, 0
    t.chosen, t.choices, t.exchanged = [], {}, {}
    t.tokens, t.out, t.turned, t.deck_size = [], [], [], 0
    t.spaces = dict.fromkeys(HORSES, 0)
    t.cards_pass, t.pass_items, t.progress, t.copied, t.moved_now = 1, [], False, None, None
    t.waiting, t.answered, t.untils = False, [], {}
    t.books, t.shown, t.bets, t.unanswered = {}, False, [], {}
    t.odds_shown, t.limits_shown = {}, {}
    t.offers, t.offered, t.done, t.loans_count = [0] * n, [0] * n, [False] * n, [0] * n
    t.winner = t.how = None
    t.phase = DEALING
    return None


def cards_opened(m: Meeting, event: e.CardsOpened) -> Lost:
    """The race's kind, bookmakers and face-up cards."""
    t: Table = m.table
    t.kind, t.bookmakers, t.open_cards = event.kind, event.bookmakers, event.open_cards
    t.books = {seat: Book(seat=seat) for seat in event.bookmakers}
    return None


def hands_dealt(m: Meeting, event: e.HandsDealt) -> Lost:
    """Each viewer learns the hands that it is told."""
    t: Table = m.table
    t.hand_counts = list(event.counts)
    t.dealt = sum(event.counts)
    t.deck_size = 80 - len(t.open_cards) - t.dealt + (2 if t.jokers else 0) - (1 if t.brocco else 0)
    for seat in range(1, t.seats + 1):
        secret = event.secret(seat)
        t.hands[seat - 1] = list(secret["hand"]) if secret else None
    t.phase = DEALING if t.lone else "exchange"
    return None


def exchange_chosen(m: Meeting, event: e.ExchangeChosen) -> Lost:
    """Who has chosen is public, what is the chooser's."""
    t: Table = m.table
    assert event.seat
    t.chosen.append(event.seat)
    secret = event.secret(event.seat)
    if secret:
        t.choices[event.seat] = secret["cards"]
    return None


def cards_exchanged(m: Meeting, event: e.CardsExchanged) -> Lost:
    """The cards given leave the hand, of two of one name the first; the cards got come last."""
    t: Table = m.table
    for seat in t.bookmakers:
        secret = event.secret(seat)
        hand = t.hands[seat - 1]
        if secret and hand is not None:
            for card in secret["gave"]:
                hand.remove(card)
            hand.extend(secret["got"])
            t.exchanged[seat] = (secret["gave"], secret["got"])
    t.phase = DEALING
    return None


def tokens_placed(m: Meeting, event: e.TokensPlaced) -> Lost:
    """The tokens as drawn."""
    m.table.tokens = [(token.horse, token.space) for token in event.tokens]
    return None


def odds_opened(m: Meeting, event: e.OddsOpened) -> Lost:
    """The bookmakers are asked."""
    m.table.phase = "odds"
    return None


def odds_set(m: Meeting, event: e.OddsSet) -> Lost:
    """Who has set is public, what is the setter's until all have."""
    assert event.seat
    book = m.table.books[event.seat]
    book.has_set = True
    secret = event.secret(event.seat)
    if secret:
        book.odds, book.limits = tenths_of(secret["odds"]), by_horse(secret["limits"])
    return None


def odds_shown(m: Meeting, event: e.OddsShown) -> Lost:
    """All books are open, betting begins."""
    t: Table = m.table
    for seat in t.bookmakers:
        odds = event.odds[str(seat)]
        show_odds(t, seat, odds, tenths_of(odds))
        show_limits(t, seat, event.limits[str(seat)])
    t.shown = True
    t.phase = "bets"
    return None
