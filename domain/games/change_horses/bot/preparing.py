"""Before the turns: which cards to show, and what a late turn is worth in carrots."""

from domain.games.change_horses import commands as c
from domain.games.change_horses.board import CARD_HORSES, POINTS, empties, rounds
from domain.games.change_horses.bot.outlook import HALVES, best_worth, heat_of, worth
from domain.games.change_horses.bot.scene import own_horses
from domain.games.change_horses.offers import legal_bids
from domain.games.change_horses.state import Table
from domain.kernel.game import Chooser
from domain.kernel.message import Command

SPACES_A_ROUND = 1.2
"""About so far the leader goes in a round."""
HALF_BOARD, FULL_BOARD = 1.2, 2.4
"""What it bids at most, in its carrots' share for one auction."""


def pick(t: Table, seat: int, chooser: Chooser) -> Command:
    """One card with the own horse among those shown, the others such that push its rivals.

    With it an odd count can be made even; two would force its horse on.
    """
    own = own_horses(t, seat)
    wanted = len(own)
    pushed = gains(t, own)
    shown_own = sum(has(card, own) for card in t.shown[seat - 1])
    hand = sorted(
        t.hands[seat - 1],
        key=lambda card: -sum(pushed[h] for h in CARD_HORSES[card]) + 0.1 * chooser.random(),
    )
    with_own = [card for card in hand if has(card, own)]
    without = [card for card in hand if not has(card, own)]
    take = min(max(wanted - shown_own, 0), t.select, len(with_own))
    cards = with_own[:take] + without[: t.select - take]
    cards += with_own[take : take + t.select - len(cards)]
    return c.SelectCards(cards=sorted(cards))


def has(card: str, own: list[int]) -> bool:
    """Whether a card shows one of these horses."""
    return any(horse in own for horse in CARD_HORSES[card])


def gains(t: Table, own: list[int]) -> list[float]:
    """What a step of each other horse is worth to the own ones."""
    halves = [HALVES * space for space in t.spaces]
    heat = heat_of(t, t.spaces)
    now = sum(worth(halves, horse, heat) for horse in own)
    found = []
    for horse in range(len(halves)):
        if horse in own:
            found.append(0.0)
            continue
        halves[horse] += HALVES
        found.append(sum(worth(halves, h, heat) for h in own) - now)
        halves[horse] -= HALVES
    return found


def bid(t: Table, seat: int) -> Command:
    """Up to a share of the carrots, more when more is at stake; else the cheapest place."""
    auction = t.auction
    assert auction is not None, "a seat that owes a bid is in an auction"
    bids = auction.bids
    legal = legal_bids(t.carrots[seat - 1], bids, seat)
    highest = max((n for other, n in bids.items() if other != seat), default=0)
    winning = next((n for n in legal if n > highest), None)
    if winning is not None and winning <= value(t, seat):
        return c.Bid(carrots=winning)
    if seat in bids:
        return c.Stand()
    return c.Bid(carrots=legal[0])


def value(t: Table, seat: int) -> float:
    """What the last turn of this round is worth in carrots: it sees what all others have played.

    More on a full board, where the counts are higher, and while its horse may go either way.
    """
    to_run = heat_of(t, t.spaces)
    auctions = min(rounds(t.seats) - t.round + 1, 1 + to_run / SPACES_A_ROUND)
    points = best_worth([HALVES * space for space in t.spaces], own_horses(t, seat), to_run)
    open_yet = points * (POINTS[1] - points) / (POINTS[1] / 2) ** 2
    board = FULL_BOARD if empties(t.round) else HALF_BOARD
    return t.carrots[seat - 1] / auctions * board * (0.5 + open_yet)
