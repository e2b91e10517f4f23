"""A card on the betting board, and the moves after the last of a round (CH-R2, CH-R3, CH-M)."""

from domain.games.change_horses import commands as c
from domain.games.change_horses import events as e
from domain.games.change_horses import reasons as r
from domain.games.change_horses.board import HORSES, rounds
from domain.games.change_horses.decide.ending import end_race
from domain.games.change_horses.decide.rounds import next_round
from domain.games.change_horses.state import BETWEEN, Table, crossed, visible
from domain.games.change_horses.track import board_steps, count, march
from domain.kernel.rejection import NOT_YOUR_TURN, Rejected
from domain.racing.draft import Draft


def play_card(draft: Draft, seat: int, command: c.PlayCard) -> None:
    """A shown card is played; after the last of the round the horses move."""
    t: Table = draft.table
    if t.order[t.turn] != seat:
        raise Rejected(NOT_YOUR_TURN)
    if command.card not in t.shown[seat - 1]:
        raise Rejected(r.CARD_SHOWN_TWO if t.seats == 2 else r.CARD_SHOWN)
    draft.record(e.CardPlayed, seat=seat, card=command.card)
    if t.phase == BETWEEN:
        finish_round(draft)


def finish_round(draft: Draft) -> None:
    """Move, then the end of the race or the next round (CH-R3, CH-R4, CH-E1)."""
    t: Table = draft.table
    counts = count(visible(t))
    moves = march(t.lanes, t.spaces, board_steps(counts))
    draft.record(
        e.HorsesMoved,
        moves=[
            e.HorseMove(horse=HORSES[horse], count=counts[horse], space=space)
            for horse, space in moves
        ],
    )
    if crossed(t):
        end_race(draft, "crossed")
    elif t.round == rounds(t.seats):
        end_race(draft, "rounds")
    else:
        next_round(draft)
