"""What a seat may do now, as commands ready to post; and what the server plays on expiry.

The lists are always complete: at most 120 bets, at most as many tips as are in hand.
"""

from collections.abc import Iterator
from functools import cache
from itertools import combinations, permutations, product

from domain.games.tuyaux import commands as c
from domain.games.tuyaux.board import PROGRAMMES, TIP_NAMES
from domain.games.tuyaux.phases import owes
from domain.games.tuyaux.state import BETTING, Table
from domain.kernel.game import Listing
from domain.kernel.message import Command
from domain.racing.meeting import RUNNING, Meeting

PLAY = {card: c.PlayTip(card=card) for card in TIP_NAMES}


@cache
def all_bets(option: str, card: str) -> tuple[c.Bet, ...]:
    """Every bet on the starters of a race card, by the first horse named, then the next.

    Args:
        option: which bets are asked.
        card: the race card that names the starters.
    """
    return tuple(_bets(option, card))


def _bets(option: str, card: str) -> Iterator[c.Bet]:
    starters = tuple(PROGRAMMES[card])
    match option:
        case "win":
            for horse in starters:
                yield c.Bet(win=[horse])
        case "two_wins":
            for pair in combinations(starters, 2):
                yield c.Bet(win=list(pair))
        case "win_and_place":
            for win, place in product(starters, repeat=2):
                yield c.Bet(win=[win], place=place)
        case _:
            for three in permutations(starters, 3):
                yield c.Bet(tierce=list(three))


def actions(m: Meeting, seat: int) -> Listing:
    """The seat's bets, or the tips of its hand, each name once (TU-B3, TU-T1)."""
    listed: list[Command] = []
    if m.status == RUNNING and owes(m, seat):
        listed = choices(m.table, seat)
    return Listing(actions=listed, complete=True)


def choices(t: Table, seat: int) -> list[Command]:
    """What a seat that owes a decision may do, in table order."""
    if t.phase == BETTING:
        return list(all_bets(t.bets, t.drawn.card))
    hand = t.hands[seat - 1] or ()  # a hand is in table order
    return [PLAY[card] for card in dict.fromkeys(hand)]


def default(m: Meeting, seat: int) -> Command | None:
    """What the server plays for a seat that owes a decision: the first that it may (sheet)."""
    if m.status != RUNNING or not owes(m, seat):
        return None
    return choices(m.table, seat)[0]
