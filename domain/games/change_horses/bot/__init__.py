"""The built-in bots of Change Horses: they see what their seat's own folded state holds."""

from domain.games.change_horses import commands as c
from domain.games.change_horses.actions import actions
from domain.games.change_horses.bot.preparing import bid, pick
from domain.games.change_horses.bot.turns import play
from domain.games.change_horses.state import Table
from domain.kernel.game import Bot, Chooser
from domain.kernel.message import Command
from domain.racing.meeting import Meeting


def play_random(m: Meeting, seat: int, chooser: Chooser) -> Command:
    """Uniform over all actions; picks are drawn card by card, as there are many sets of them."""
    t: Table = m.table
    if t.phase == "select":
        hand = list(t.hands[seat - 1])
        cards: list[str] = []
        for _ in range(t.select):
            card = chooser.choice(hand)
            hand.remove(card)
            cards.append(card)
        return c.SelectCards(cards=sorted(cards))
    command: Command = chooser.choice(actions(m, seat).actions)
    return command


def play_steady(m: Meeting, seat: int, chooser: Chooser) -> Command:
    """Keeps its horse back by parity, spends Wild Horses late, bids what a late turn is worth."""
    t: Table = m.table
    match t.phase:
        case "select":
            return pick(t, seat, chooser)
        case "auction":
            return bid(t, seat)
    return play(t, seat, chooser)


BOTS = {
    "random": Bot(name="random", rating=17.0, decide=play_random),
    "steady": Bot(name="steady", rating=33.0, decide=play_steady),
}
