"""While the horses move: cards played and discarded."""

from msgspec import UNSET

from domain.games.ticket_gagnant import commands as c
from domain.games.ticket_gagnant import events as e
from domain.games.ticket_gagnant import reasons as r
from domain.games.ticket_gagnant.board import (
    BESIDE_INDEX,
    DIRECTION_INDEX,
    HORSE_INDEX,
    HORSES,
    PAIR_OF,
    SINGLE_OF,
    WILD,
    WILD_LENGTHS,
    lane_of,
    space_of,
)
from domain.games.ticket_gagnant.decide.settling import end_race
from domain.games.ticket_gagnant.state import Table, ground
from domain.games.ticket_gagnant.track import BACK, Ground, beside_end, displacement, has_play
from domain.kernel.rejection import NOT_YOUR_TURN, Malformed, Rejected
from domain.racing.draft import Draft


def require_card(t: Table, seat: int, card: str) -> list[str]:
    """The hand of the seat in turn, which holds this card."""
    if seat != t.turn:
        raise Rejected(NOT_YOUR_TURN)
    hand = t.hands[seat - 1]
    assert hand is not None, "the full meeting knows all hands"
    if card not in hand:
        raise Rejected(r.CARD_NOT_IN_HAND)
    return hand


def play_card(draft: Draft, seat: int, command: c.PlayCard) -> None:
    """A card moves a horse, which may displace another (TG-M)."""
    field_name = c.misfit(command)
    if field_name is not None:
        raise Malformed(f"{command.card}: check {field_name}.", f"/{field_name}")
    t: Table = draft.table
    require_card(t, seat, command.card)
    field, places = ground(t), t.places
    if command.card in PAIR_OF:
        horse, end = pair_end(places, field, command)
    else:
        horse, end = straight_end(places, field, command)
    displaced, options = displacement(field, places, horse, end)
    to = check_displaced(command, displaced, options)

    crossed = field.wins and (end >= field.line or (to is not None and to >= field.line))
    ends = crossed or sum(t.hand_counts) == 1
    draft.record(
        e.CardPlayed,
        seat=seat,
        card=command.card,
        moved=None if end == places[horse] else moved(horse, end),
        displaced=None if to is None else moved(displaced, to),
        ends=ends,
    )
    if ends:
        end_race(draft, field)


def straight_end(places: list[int], field: Ground, command: c.PlayCard) -> tuple[int, int]:
    """(horse, place) of a single or a wild card (TG-M1 to TG-M4, TG-M10)."""
    if command.card in SINGLE_OF:
        horse, length = SINGLE_OF[command.card]
    else:
        assert command.horse is not UNSET, "the form of the card has it"
        horse = HORSE_INDEX[command.horse]
        length = WILD_LENGTHS[command.card][0]
        if command.card == WILD:
            assert command.spaces is not UNSET, "the form of the card has it"
            length = command.spaces
            if length not in WILD_LENGTHS[WILD]:
                raise Rejected(r.SPACES_RANGE)
    assert command.direction is not UNSET, "the form of the card has it"
    end = field.straight[places[horse]][3 * DIRECTION_INDEX[command.direction] + length - 1]
    if end < 0:
        raise Rejected(r.LINE_NO_RETURN if end == BACK else r.MOVE_NOTHING)
    return horse, end


def pair_end(places: list[int], field: Ground, command: c.PlayCard) -> tuple[int, int]:
    """(horse, place) of a pair (TG-M5, TG-M10)."""
    assert command.horse is not UNSET, "the form of the card has it"
    assert command.beside is not UNSET, "the form of the card has it"
    horse = HORSE_INDEX[command.horse]
    two = PAIR_OF[command.card]
    if horse not in two:
        raise Rejected(r.PAIR_HORSE)
    other = two[1] if horse == two[0] else two[0]
    end = beside_end(field, places[horse], places[other], BESIDE_INDEX[command.beside])
    if end < 0:
        raise Rejected(r.LINE_NO_RETURN if end == BACK else r.PAIR_SPACE)
    return horse, end


def check_displaced(command: c.PlayCard, displaced: int, options: tuple[int, ...]) -> int | None:
    """Where the displaced horse goes, or None if there is none (TG-M6)."""
    to = command.displaced_to
    if displaced < 0:
        if to is not UNSET:
            raise Rejected(r.DISPLACED_NONE)
        return None
    if not options:
        raise Rejected(r.DISPLACED_STUCK)
    if to is UNSET:
        raise Rejected(r.DISPLACED_MISSING)
    for option in options:  # not by place(): a lane too many is no space further on
        if lane_of(option) == to.lane and space_of(option) == to.space:
            return option
    raise Rejected(r.DISPLACED_SPACE)


def moved(horse: int, where: int) -> e.Moved:
    """A horse on a place, as events write it."""
    return e.Moved(horse=HORSES[horse], lane=lane_of(where), space=space_of(where))


def discard_card(draft: Draft, seat: int, command: c.DiscardCard) -> None:
    """A seat without a legal play discards (TG-M11)."""
    t: Table = draft.table
    hand = require_card(t, seat, command.card)
    field = ground(t)
    if has_play(field, t.places, hand):
        raise Rejected(r.DISCARD_PLAYABLE)
    ends = sum(t.hand_counts) == 1
    draft.record(e.CardDiscarded, seat=seat, card=command.card, ends=ends)
    if ends:
        end_race(draft, field)
