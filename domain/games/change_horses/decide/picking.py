"""The cards that are picked from the hand before a round (CH-R1, CH-R4, CH-2B)."""

from domain.games.change_horses import commands as c
from domain.games.change_horses import events as e
from domain.games.change_horses import reasons as r
from domain.games.change_horses.state import Table
from domain.kernel.rejection import ALREADY_DONE, Reason, Rejected
from domain.racing.draft import Draft


def pick_reasons(t: Table) -> tuple[Reason, Reason]:
    """Why a pick is refused now: a wrong number of cards, a card that is not there."""
    if t.seats == 2:
        return r.PICK_COUNT_TWO, r.PICK_HELD_TWO
    if t.round == 1:
        return r.PICK_COUNT_FIRST, r.PICK_HELD_FIRST
    return r.PICK_COUNT_LATER, r.PICK_HELD_LATER


def select_cards(draft: Draft, seat: int, command: c.SelectCards) -> None:
    """A seat picks in secret; when all have, the picks are shown together."""
    t: Table = draft.table
    if t.picked[seat - 1]:
        raise Rejected(ALREADY_DONE)
    wrong_count, not_held = pick_reasons(t)
    cards = sorted(command.cards)
    if len(cards) != t.select:
        raise Rejected(wrong_count, f"Pick exactly {t.select} cards.")
    hand = t.hands[seat - 1]
    if len(set(cards)) < len(cards) or any(card not in hand for card in cards):
        raise Rejected(not_held)
    draft.carry(c.SelectCards(cards=cards), seat)
    draft.record(e.CardsSelected, seat=seat, private={seat: {"cards": cards}}, secret_command=True)
    if all(t.picked):
        draft.record(
            e.CardsShown, cards={str(s): list(picked or ()) for s, picked in enumerate(t.picks, 1)}
        )
