"""From the start of a race to the cards shown."""

from domain.games.change_horses import events as e
from domain.games.change_horses.board import CARDS, HORSE_INDEX, HORSES, WILD_CARDS
from domain.games.change_horses.state import BETWEEN, Table, carrots_at_start
from domain.kernel.message import SERVER
from domain.racing.events import RaceOpened
from domain.racing.meeting import Meeting


def race_opened(m: Meeting, event: RaceOpened) -> None:
    """A whole game, set up anew; only match points and results are kept (CH-E6)."""
    t: Table = m.table
    n = t.seats
    t.race, t.round, t.select, t.phase = event.race, 0, 0, BETWEEN
    t.lanes, t.spaces, t.board = [], [], []
    t.order, t.turn, t.starts, t.positions = [], 0, None, None
    t.wild_played, t.auction = False, None
    t.hands = [list(CARDS) for _ in range(n)]
    t.picked, t.picks, t.shown = [False] * n, [None] * n, [[] for _ in range(n)]
    t.wild_left, t.changed = [WILD_CARDS] * n, [False] * n
    t.carrots = carrots_at_start(t)
    t.certificates, t.pile, t.pile_count = [None] * n, None, 0


def horses_placed(m: Meeting, event: e.HorsesPlaced) -> None:
    """All at space 0."""
    t: Table = m.table
    t.lanes = [0] * len(HORSES)
    t.spaces = [0] * len(HORSES)
    for lane, horse in enumerate(event.lanes, 1):
        t.lanes[HORSE_INDEX[horse]] = lane


def certificates_dealt(m: Meeting, event: e.CertificatesDealt) -> None:
    """Each viewer learns the certificates that it is told; the pile is the server's."""
    t: Table = m.table
    for seat in range(1, t.seats + 1):
        secret = event.secret(seat)
        t.certificates[seat - 1] = list(secret["certificates"]) if secret else None
    t.pile_count = event.pile_count
    server = event.secret(SERVER)
    if server:
        (drawn,) = server["draws"].values()
        t.pile = list(drawn[len(drawn) - event.pile_count :])


def round_opened(m: Meeting, event: e.RoundOpened) -> None:
    """Who plays when, and whether cards are picked first."""
    t: Table = m.table
    t.round, t.select, t.turn, t.auction = event.round, event.select, 0, None
    if event.positions is not None:
        t.positions = dict(sorted(event.positions.items()))
        t.order = [int(seat) for seat in sorted(t.positions, key=t.positions.__getitem__)]
    if event.starts is not None:
        t.starts = event.starts
        t.order = [event.starts, 3 - event.starts] * 2
    if event.select:
        t.picked, t.picks = [False] * t.seats, [None] * t.seats
        t.phase = "select"
    else:
        t.phase = "turn"


def cards_selected(m: Meeting, event: e.CardsSelected) -> None:
    """Who has picked is public, what is the picker's."""
    t: Table = m.table
    assert event.seat
    t.picked[event.seat - 1] = True
    secret = event.secret(event.seat)
    if secret:
        t.picks[event.seat - 1] = secret["cards"]


def cards_shown(m: Meeting, event: e.CardsShown) -> None:
    """The picks leave the hands and lie open beside what lay there."""
    t: Table = m.table
    for i in range(t.seats):
        cards = event.cards[str(i + 1)]
        hand = t.hands[i]
        for card in cards:
            hand.remove(card)
        t.shown[i] = sorted(t.shown[i] + cards)
    t.picks = [None] * t.seats
    t.phase = "turn"
