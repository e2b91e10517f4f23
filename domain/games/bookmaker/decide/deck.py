"""The draws of a race, each from the list that the sheet documents (sheet, Draws)."""

from domain.games.bookmaker.board import (
    CARDS,
    HAND,
    HAND_LONE_BOOKMAKER,
    JOKERS,
    OPEN_CARDS,
    TROT_KINDS,
)
from domain.games.bookmaker.state import Table
from domain.racing.draft import Draft


def all_cards(t: Table) -> list[str]:
    """The 80 cards in the sheet's order, without the one that lies aside (BM-K1)."""
    cards = list(CARDS)
    if t.brocco_card is not None:
        cards.remove(t.brocco_card)
    return cards


def gathered(draft: Draft) -> list[str]:
    """`race-N/deck`: the shuffled cards; the first four lie open (BM-D1)."""
    t: Table = draft.table
    return draft.draw(f"race-{t.race}/deck", all_cards(t))


def dealing(draft: Draft) -> tuple[str, int, list[str]]:
    """(label, offset, order): the order from which hands and then the race deck come (BM-D1)."""
    t: Table = draft.table
    deck = gathered(draft)
    if not t.jokers:
        return f"race-{t.race}/deck", OPEN_CARDS, deck[OPEN_CARDS:]
    label = f"race-{t.race}/joker-deck"
    return label, 0, draft.draw(label, [*deck[OPEN_CARDS:], *JOKERS])


def hand_sizes(t: Table) -> list[int]:
    """How many cards each seat is dealt (BM-D1)."""
    return [
        HAND_LONE_BOOKMAKER if t.lone and seat in t.bookmakers else HAND
        for seat in range(1, t.seats + 1)
    ]


def race_deck(draft: Draft) -> list[str]:
    """What the deal leaves, in its order."""
    _, _, order = dealing(draft)
    return order[draft.table.dealt :]


def token_cards(draft: Draft) -> tuple[str, list[str]]:
    """(label, order) from which the tokens are drawn (BM-D3)."""
    label = f"race-{draft.table.race}/trot"
    return label, draft.draw(label, race_deck(draft))


def next_card(draft: Draft) -> tuple[str, str]:
    """(label, card): the next card of this pass (BM-R1, BM-R2)."""
    t: Table = draft.table
    at = len(t.turned)
    if t.cards_pass > 1:
        label = f"race-{t.race}/turn-{t.cards_pass}"
        return label, draft.draw(label, t.pass_items)[at]
    if t.kind in TROT_KINDS:
        label = f"race-{t.race}/turn"
        return label, draft.draw(label, race_deck(draft))[at]
    label, _, order = dealing(draft)
    return label, order[t.dealt + at]
