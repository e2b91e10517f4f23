"""Cards, Wild Horses, moves, and the end of a race."""

from domain.games.change_horses import events as e
from domain.games.change_horses.board import HORSE_INDEX
from domain.games.change_horses.state import BETWEEN, Placed, Table
from domain.racing.meeting import Meeting


def card_played(m: Meeting, event: e.CardPlayed) -> None:
    """The turn is over; after the last of a round nobody acts."""
    t: Table = m.table
    assert event.seat
    t.shown[event.seat - 1].remove(event.card)
    t.board.append(Placed(card=event.card, seat=event.seat))
    t.wild_played = False
    t.turn += 1
    if t.turn == len(t.order):
        t.phase = BETWEEN


def wild_used(t: Table, seat: int) -> None:
    """One Wild Horse less, and none more in this turn."""
    t.wild_left[seat - 1] -= 1
    t.wild_played = True


def stumble_played(m: Meeting, event: e.StumblePlayed) -> None:
    """The card counts no more."""
    t: Table = m.table
    assert event.seat
    wild_used(t, event.seat)
    t.board[event.number - 1].covered = True


def slippery_played(m: Meeting, event: e.SlipperyPlayed) -> None:
    """Two horses in other lanes."""
    t: Table = m.table
    assert event.seat
    wild_used(t, event.seat)
    for move in event.moves:
        t.lanes[HORSE_INDEX[move.horse]] = move.lane


def fast_played(m: Meeting, event: e.FastPlayed) -> None:
    """The rear goes forward."""
    t: Table = m.table
    assert event.seat
    wild_used(t, event.seat)
    for move in event.moves:
        t.spaces[HORSE_INDEX[move.horse]] = move.space


def change_played(m: Meeting, event: e.ChangePlayed) -> None:
    """That it changed is public; its certificates are the seat's, the pile is the server's."""
    t: Table = m.table
    assert event.seat
    wild_used(t, event.seat)
    t.changed[event.seat - 1] = True
    secret = event.secret(event.seat)
    own = t.certificates[event.seat - 1]
    if secret and own is not None:
        kept = [horse for horse in own if horse != secret["gave"]]
        if t.pile is not None:
            t.pile.append(secret["gave"])
            t.pile.remove(secret["took"])
        t.certificates[event.seat - 1] = sorted([*kept, secret["took"]])


def horses_moved(m: Meeting, event: e.HorsesMoved) -> None:
    """The horses stand where the event says."""
    spaces = m.table.spaces
    for move in event.moves:
        spaces[HORSE_INDEX[move.horse]] = move.space


def board_emptied(m: Meeting, event: e.BoardEmptied) -> None:
    """An empty board."""
    m.table.board = []


def race_ended(m: Meeting, event: e.RaceEnded) -> None:
    """The certificates are known to all, the match points are counted."""
    t: Table = m.table
    t.certificates = [list(event.certificates[str(seat)]) for seat in range(1, t.seats + 1)]
    t.points = [had + got for had, got in zip(t.points, event.points, strict=True)]
    t.results.append(
        {
            "race": t.race,
            "ranking": [
                {"horse": place.horse, "rank": place.rank, "seat": place.seat}
                for place in event.ranking
            ],
            "points": list(event.points),
        }
    )
    t.wild_played = False
    t.phase = BETWEEN
