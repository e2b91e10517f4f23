"""The race: cards, jokers, odds in running."""

from domain.games.bookmaker import events as e
from domain.games.bookmaker.board import HORSES, JOKER
from domain.games.bookmaker.evolve.ledger import show_odds, tenths_of
from domain.games.bookmaker.evolve.lost import finds_other_odds, loses_by_card, own_seat
from domain.games.bookmaker.state import Table, keeps
from domain.racing.evolve import Lost
from domain.racing.meeting import Meeting

CLOSED: e.OddsMap = {horse: 0 for horse in HORSES}
CLOSED_TENTHS: dict[str, int] = {horse: 0 for horse in HORSES}
"""All horses closed; nobody writes into what a book shows."""


def race_started(m: Meeting, event: e.RaceStarted) -> Lost:
    """Off; in running all odds go to 0."""
    t: Table = m.table
    t.phase = "race"
    if event.in_running:
        close_books(t)
    return None


def close_books(t: Table) -> None:
    """In running: all odds 0, and everything is counted anew until the next card (BM-I1)."""
    for book in t.books.values():
        show_odds(t, book.seat, CLOSED, CLOSED_TENTHS)
        book.shows = 0
    t.offers = [0] * t.seats


def card_turned(m: Meeting, event: e.CardTurned) -> Lost:
    """The horse stands where the event says."""
    t: Table = m.table
    lost = loses_by_card(m, event.out) if t.in_running else None
    t.turned.append(event.card)
    t.moved_now = event.horse if event.moved else None
    if event.horse is not None and event.space is not None:
        t.spaces[event.horse] = event.space
        if event.out:
            t.out = [h for h in HORSES if h in t.out or h == event.horse]
    if event.card != JOKER:
        t.copied = event.horse
    if event.moved:
        t.progress = True
    t.answered = []
    if t.in_running:
        close_books(t)
    return lost


def deck_reshuffled(m: Meeting, event: e.DeckReshuffled) -> Lost:
    """The turned cards are the deck of the next pass."""
    t: Table = m.table
    t.pass_items, t.turned = t.turned, []
    t.deck_size = len(t.pass_items)
    t.cards_pass, t.progress = event.cards_pass, False
    return None


def jokers_awaited(m: Meeting, event: e.JokersAwaited) -> Lost:
    """The race waits; who keeps by an earlier `until` has answered, as the keeper alone knows."""
    t: Table = m.table
    t.waiting = True
    t.answered.extend(seat for seat in t.untils if keeps(t, seat))
    return own_seat(m)  # what may be done between two cards may not be done now


def joker_played(m: Meeting, event: e.JokerPlayed) -> Lost:
    """The horse goes on: none keeps until there any more, and who has another is asked again."""
    t: Table = m.table
    assert event.seat
    t.spaces[event.horse] = event.space
    t.hand_counts[event.seat - 1] -= 1
    hand = t.hands[event.seat - 1]
    if hand is not None:
        hand.remove(JOKER)
        if JOKER not in hand:
            t.answered.append(event.seat)
    return own_seat(m)


def joker_kept(m: Meeting, event: e.JokerKept) -> Lost:
    """Known to the keeper (and the server) alone."""
    t: Table = m.table
    assert event.seat
    t.answered.append(event.seat)
    secret = event.secret(event.seat)
    if secret and "until" in secret:
        t.untils[event.seat] = (secret["until"]["horse"], secret["until"]["space"])
    return None


def race_resumed(m: Meeting, event: e.RaceResumed) -> Lost:
    """No longer waiting."""
    m.table.waiting = False
    return None


def running_odds_shown(m: Meeting, event: e.RunningOddsShown) -> Lost:
    """A book is open between two cards."""
    t: Table = m.table
    assert event.seat
    book = t.books[event.seat]
    odds = tenths_of(event.odds)
    lost = finds_other_odds(m, book, odds)
    show_odds(t, event.seat, event.odds, odds)
    book.shows += 1
    return lost


def race_ended(m: Meeting, event: e.RaceEnded) -> Lost:
    """The result stands; the settlement is owed."""
    t: Table = m.table
    t.winner, t.how = event.winner, event.how
    t.waiting = False
    t.phase = "settlement"
    return None
