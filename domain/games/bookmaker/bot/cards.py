"""`steady` with its cards: the exchange, jokers, the Brocco."""

from domain.games.bookmaker import commands as c
from domain.games.bookmaker.board import CARD_HORSE, FINISH, HORSES, JOKER, by_card
from domain.games.bookmaker.chances import unseen_cards, win_chances
from domain.games.bookmaker.state import Table, horses_in
from domain.games.bookmaker.worth import expected, gains, tolerance
from domain.kernel.message import Command


def give_cards(t: Table, seat: int) -> Command:
    """Two cards of different horses, which tell the other bookmaker least; a joker is kept."""
    first, *others = by_card(t.hands[seat - 1] or [])
    other = next(
        (card for card in others if card != JOKER and CARD_HORSE[card] != CARD_HORSE[first]),
        others[0],
    )
    return c.ExchangeCards(cards=by_card([first, other]))


def answer_joker(t: Table, seat: int) -> Command:
    """Play a joker where a step now is worth more than a step for any horse later (BM-J2).

    A joker counts as a step at the very end, when it decides; so it is kept until it wins the race,
    or until it saves a horse from a token.
    """
    horse = t.moved_now
    assert horse is not None, "the race waits only after a horse moved"
    jokers = (t.hands[seat - 1] or []).count(JOKER)
    if t.spaces[horse] + jokers < FINISH and not t.tokens:
        return c.KeepJoker()
    now = best_outlook(t, seat, {**t.spaces, horse: t.spaces[horse] + 1}, jokers - 1)
    later = best_outlook(t, seat, t.spaces, jokers)
    return c.PlayJoker() if now > later + 1e-9 else c.KeepJoker()


def best_outlook(t: Table, seat: int, spaces: dict[str, int], jokers: int) -> float:
    """What the race is worth with the horses here and so many jokers kept for the best of them."""
    by_winner, bearable = gains(t, seat), tolerance(t, seat)
    for horse in HORSES:
        if spaces[horse] >= FINISH:
            return expected({h: float(h == horse) for h in HORSES}, by_winner, bearable)
    unseen = unseen_cards(t, seat)
    return max(
        expected(win_chances(spaces, t.out, unseen, t.tokens, {horse: jokers}), by_winner, bearable)
        for horse in horses_in(t)
    )


def name_brocco(t: Table, seat: int) -> Command:
    """The colour of which the last race showed the fewest cards: the one aside cannot be seen."""
    unseen = unseen_cards(t, seat)
    counts = {h: sum(CARD_HORSE[card] == h for card in unseen) for h in HORSES}
    return c.NameBrocco(horse=max(HORSES, key=counts.__getitem__))
