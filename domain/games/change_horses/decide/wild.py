"""Wild Horse cards (CH-W)."""

from msgspec import UNSET

from domain.games.change_horses import commands as c
from domain.games.change_horses import events as e
from domain.games.change_horses import reasons as r
from domain.games.change_horses.board import HORSE_INDEX, HORSES, SIDE_STEP, SLIPPERY_MOVES
from domain.games.change_horses.decide.ending import end_race
from domain.games.change_horses.state import Table, crossed
from domain.games.change_horses.track import Move, fast_steps, in_order, march, slip
from domain.kernel.rejection import ALREADY_DONE, NOT_YOUR_TURN, Rejected
from domain.racing.draft import Draft


def play_wild(draft: Draft, seat: int, command: c.PlayWild) -> None:
    """At most one in a turn, and before its card (CH-R2)."""
    t: Table = draft.table
    command.check(t)
    if t.order[t.turn] != seat:
        raise Rejected(NOT_YOUR_TURN)
    if t.wild_played:
        raise Rejected(ALREADY_DONE)
    if not t.wild_left[seat - 1]:
        raise Rejected(r.WILD_NONE)
    match command.option:
        case "stumble":
            stumble(draft, seat, command)
        case "slippery":
            slippery(draft, seat, command)
        case "fast":
            fast(draft, seat)
        case "change":
            change(draft, seat, command)


def stumble(draft: Draft, seat: int, command: c.PlayWild) -> None:
    """Cover a card, of several alike the one played first (CH-W1)."""
    t: Table = draft.table
    for number, placed in enumerate(t.board, 1):
        if placed.card == command.card and not placed.covered:
            draft.record(e.StumblePlayed, seat=seat, card=placed.card, number=number)
            return
    raise Rejected(r.STUMBLE_CARD)


def slippery(draft: Draft, seat: int, command: c.PlayWild) -> None:
    """Two horses step aside; what may be in either order is written in the listed one (CH-W2)."""
    t: Table = draft.table
    assert command.moves is not UNSET, "checked"
    moves: list[Move] = [(HORSE_INDEX[m.horse], SIDE_STEP[m.side]) for m in command.moves]
    if len(moves) != SLIPPERY_MOVES or moves[0][0] == moves[1][0]:
        raise Rejected(r.SLIPPERY_COUNT)
    after = slip(t.lanes, t.spaces, moves)
    if after is None:
        raise Rejected(r.SLIPPERY_WAY)
    ordered = in_order(t.lanes, t.spaces, moves)
    if ordered != moves:
        draft.carry(c.PlayWild(option="slippery", moves=command.moves[::-1]), seat)
    draft.record(
        e.SlipperyPlayed,
        seat=seat,
        moves=[e.HorseLane(horse=HORSES[horse], lane=after[horse]) for horse, _ in ordered],
    )


def fast(draft: Draft, seat: int) -> None:
    """The rear goes two forward; a horse that crosses ends the race at once (CH-W3)."""
    t: Table = draft.table
    moves = march(t.lanes, t.spaces, fast_steps(t.spaces))
    draft.record(
        e.FastPlayed,
        seat=seat,
        moves=[e.HorseSpace(horse=HORSES[horse], space=space) for horse, space in moves],
    )
    if crossed(t):
        end_race(draft, "crossed")


def change(draft: Draft, seat: int, command: c.PlayWild) -> None:
    """The seat's certificate goes under the pile, the top one is taken (CH-W4)."""
    t: Table = draft.table
    own, pile = t.certificates[seat - 1], t.pile
    assert own is not None, "the seat knows its certificates"
    if command.certificate is not UNSET and command.certificate not in own:
        raise Rejected(r.CHANGE_OWN)
    assert pile is not None, "the full meeting knows the pile"
    gave = own[0] if command.certificate is UNSET else command.certificate
    draft.record(
        e.ChangePlayed,
        seat=seat,
        private={seat: {"gave": gave, "took": pile[0]}},
        secret_command=command.certificate is not UNSET,
    )
