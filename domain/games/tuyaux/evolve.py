"""One function for each fact: it puts what the event says into the state, and decides nothing.

No event here takes an action away from a seat that keeps others, so none returns seats whose
decision becomes another one (contract, Versions): a bet is owed until it is made, and the turn to
play a tip is owed or not.
"""

from typing import Any

from domain.games.tuyaux import events as e
from domain.games.tuyaux.board import HORSES, TIP_VALUE
from domain.games.tuyaux.state import (
    BETTING,
    DEALING,
    TIPPING,
    PlayedTip,
    Programme,
    RaceResult,
    Table,
    left_of,
)
from domain.kernel.message import Event
from domain.racing.events import RaceOpened
from domain.racing.meeting import Meeting


def dealer_drawn(m: Meeting, event: e.DealerDrawn) -> None:
    """The dealer of race 1."""
    m.table.dealer = event.dealer


def race_opened(m: Meeting, event: RaceOpened) -> None:
    """Everything of the last race is gathered, the bets are cleared."""
    t: Table = m.table
    n = t.seats
    t.race, t.phase, t.programme = event.race, DEALING, None
    t.turn = t.to_play = t.whips = t.bets_in = 0
    t.turned, t.lines, t.tips_played = [], [], []
    t.hands, t.hand_counts = [None] * n, [0] * n
    t.made, t.has_bet = [None] * n, [False] * n


def programme_drawn(m: Meeting, event: e.ProgrammeDrawn) -> None:
    """The starters stand on one line."""
    t: Table = m.table
    values: dict[str, int] = {
        horse: event.values[horse] for horse in HORSES if horse in event.values
    }
    t.dealer = event.dealer
    t.programme = Programme(card=event.card, values=values)
    t.lines = [list(values)]


def tips_dealt(m: Meeting, event: e.TipsDealt) -> None:
    """Each viewer learns the hand that it is told; all seats are asked for bets."""
    t: Table = m.table
    t.hand_counts = [event.count] * t.seats
    for seat in range(1, t.seats + 1):
        secret = event.secret(seat)
        t.hands[seat - 1] = list(secret["hand"]) if secret else None
    t.phase = BETTING


def bet_made(m: Meeting, event: e.BetMade) -> None:
    """Who has bet is public, what is the bettor's."""
    t: Table = m.table
    assert event.seat
    t.has_bet[event.seat - 1] = True
    t.bets_in += 1
    secret = event.secret(event.seat)
    if secret:
        t.made[event.seat - 1] = e.BetForm(**secret["bet"])


def bets_revealed(m: Meeting, event: e.BetsRevealed) -> None:
    """All bets are open."""
    m.table.made = list(event.bets)


def card_turned(m: Meeting, event: e.CardTurned) -> None:
    """A turn begins; the seat left of the dealer plays first."""
    t: Table = m.table
    t.phase, t.turn, t.whips = TIPPING, event.turn, 0
    t.turned.append(event.card)
    t.lines = event.lines
    assert t.dealer is not None, "a race has a dealer"
    t.to_play = left_of(t.dealer, t.seats)


def tip_played(m: Meeting, event: e.TipPlayed) -> None:
    """The tip leaves the hand; the next seat plays, after the dealer none."""
    t: Table = m.table
    seat = event.seat
    assert seat
    hand = t.hands[seat - 1]
    if hand is not None:
        hand.remove(event.card)
    t.hand_counts[seat - 1] -= 1
    t.tips_played.append(PlayedTip(turn=t.turn, seat=seat, card=event.card, moved=event.moved))
    if TIP_VALUE[event.card] is None:
        t.whips += 1
    t.lines = event.lines
    t.to_play = 0 if seat == t.dealer else left_of(seat, t.seats)


def race_settled(m: Meeting, event: e.RaceSettled) -> None:
    """The bets are open, the coins paid, the race's entry in the results."""
    t: Table = m.table
    t.phase = DEALING
    t.made = list(event.bets)
    t.coins = [have + paid for have, paid in zip(t.coins, event.pays, strict=True)]
    t.results.append(
        RaceResult(
            race=t.race,
            programme=t.drawn,
            lines=t.lines,
            winners=event.winners,
            bets=event.bets,
            pays=event.pays,
        )
    )


EVOLVE: dict[type[Event], Any] = {
    RaceOpened: race_opened,
    e.DealerDrawn: dealer_drawn,
    e.ProgrammeDrawn: programme_drawn,
    e.TipsDealt: tips_dealt,
    e.BetMade: bet_made,
    e.BetsRevealed: bets_revealed,
    e.CardTurned: card_turned,
    e.TipPlayed: tip_played,
    e.RaceSettled: race_settled,
}
