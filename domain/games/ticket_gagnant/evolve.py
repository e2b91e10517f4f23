"""One function for each fact: it puts what the event says into the state, and decides nothing.

Nobody ever loses an action by another's event here but by the turn or the phase, which show by
themselves; so no function returns seats.
"""

from typing import Any

from domain.games.ticket_gagnant import events as e
from domain.games.ticket_gagnant.board import HORSE_INDEX, HORSES, ROW, place
from domain.games.ticket_gagnant.state import (
    CHOOSE,
    DEALING,
    MOVE,
    PREDICT,
    Choice,
    RaceResult,
    Table,
    position,
    river_row,
)
from domain.kernel.message import Event
from domain.racing.events import RaceOpened
from domain.racing.meeting import Meeting


def first_player_drawn(m: Meeting, event: e.FirstPlayerDrawn) -> None:
    """The token of the first player."""
    m.table.first = event.first


def race_opened(m: Meeting, event: RaceOpened) -> None:
    """Everything of the last race is gathered, unseen."""
    t: Table = m.table
    n = t.seats
    t.race, t.choice, t.river, t.turn = event.race, None, None, 0
    t.hands, t.hand_counts = [None] * n, [0] * n
    t.predicted, t.predictions = [False] * n, [None] * n
    t.discard, t.photo, t.ranks, t.disqualified = [], [], [], []
    t.phase = DEALING


def lanes_drawn(m: Meeting, event: e.LanesDrawn) -> None:
    """The horses line up; the first player chooses, unless the programme did."""
    t: Table = m.table
    t.first = event.first
    start = t.course["start"]
    t.places = [0] * len(HORSES)
    for lane, horse in enumerate(event.lanes, 1):
        t.places[HORSE_INDEX[horse]] = place(lane, start)
    t.phase = DEALING if isinstance(t.choice_option, list) else CHOOSE


def race_chosen(m: Meeting, event: e.RaceChosen) -> None:
    """The race as it will be run."""
    t: Table = m.table
    t.choice = Choice(kind=event.kind, deal=event.deal, hidden=event.hidden, river=event.river)
    t.river = river_row(t.course, event.river)
    t.phase = DEALING


def hands_dealt(m: Meeting, event: e.HandsDealt) -> None:
    """Each viewer learns the hands that it is told; all predict."""
    t: Table = m.table
    t.hand_counts = [event.count] * t.seats
    for i in range(t.seats):
        secret = event.secret(i + 1)
        t.hands[i] = list(secret["hand"]) if secret else None
    t.phase = PREDICT


def prediction_made(m: Meeting, event: e.PredictionMade) -> None:
    """Who has predicted is public, what is the seat's own."""
    t: Table = m.table
    assert event.seat
    t.predicted[event.seat - 1] = True
    secret = event.secret(event.seat)
    if secret:
        t.predictions[event.seat - 1] = e.Prediction(**secret["prediction"])


def moves_opened(m: Meeting, event: e.MovesOpened) -> None:
    """The first player moves first."""
    t: Table = m.table
    if event.predictions is not None:
        t.predictions = list(event.predictions)
    t.phase, t.turn = MOVE, t.first


def put(t: Table, moved: e.Moved) -> None:
    """A horse stands somewhere else."""
    t.places[HORSE_INDEX[moved.horse]] = moved.space * ROW + moved.lane


def spend(t: Table, seat: int, card: str, ends: bool) -> None:
    """A card leaves a hand, and the turn goes to the left unless the race is over."""
    hand = t.hands[seat - 1]
    if hand is not None:
        hand.remove(card)
    t.hand_counts[seat - 1] -= 1
    t.discard.append(card)
    if ends:
        t.phase, t.turn = DEALING, 0
    else:
        t.turn = seat % t.seats + 1


def card_played(m: Meeting, event: e.CardPlayed) -> None:
    """Horses stand where the event says."""
    t: Table = m.table
    assert event.seat
    if event.displaced is not None:
        put(t, event.displaced)
    if event.moved is not None:
        put(t, event.moved)
    spend(t, event.seat, event.card, event.ends)


def card_discarded(m: Meeting, event: e.CardDiscarded) -> None:
    """A card goes unplayed."""
    assert event.seat
    spend(m.table, event.seat, event.card, event.ends)


def photo_finish_drawn(m: Meeting, event: e.PhotoFinishDrawn) -> None:
    """The order among horses on one space."""
    m.table.photo = [HORSE_INDEX[horse] for horse in event.order]


def race_scored(m: Meeting, event: e.RaceScored) -> None:
    """The race is over; its entry in the results."""
    t: Table = m.table
    t.predictions = list(event.predictions)
    t.scores, t.last_nets = list(event.scores), list(event.nets)
    t.disqualified = list(event.disqualified)
    t.ranks = [None] * len(HORSES)
    for rank, horse in enumerate(event.ranking, 1):
        t.ranks[HORSE_INDEX[horse]] = rank
    assert t.choice is not None, "a race is chosen before it is scored"
    positions = [position(horse, where) for horse, where in zip(HORSES, t.places, strict=True)]
    t.results.append(
        RaceResult(
            race=t.race,
            choice=t.choice,
            ranking=event.ranking,
            disqualified=event.disqualified,
            positions=positions,
            predictions=event.predictions,
            nets=event.nets,
        )
    )


EVOLVE: dict[type[Event], Any] = {
    RaceOpened: race_opened,
    e.FirstPlayerDrawn: first_player_drawn,
    e.LanesDrawn: lanes_drawn,
    e.RaceChosen: race_chosen,
    e.HandsDealt: hands_dealt,
    e.PredictionMade: prediction_made,
    e.MovesOpened: moves_opened,
    e.CardPlayed: card_played,
    e.CardDiscarded: card_discarded,
    e.PhotoFinishDrawn: photo_finish_drawn,
    e.RaceScored: race_scored,
}
