"""The built-in bots of Tuyaux: they see what their seat's own folded state holds."""

from collections.abc import Sequence

from domain.games.tuyaux.actions import PLAY, all_bets, choices
from domain.games.tuyaux.chances import BIT, Ends, Outlook, draw_future, outlook, run
from domain.games.tuyaux.commands import Bet
from domain.games.tuyaux.events import BetForm
from domain.games.tuyaux.state import BETTING, Table
from domain.kernel.game import Bot, Chooser
from domain.kernel.message import Command
from domain.racing.meeting import Meeting

BET_WORK = 3_000
TIP_WORK = 1_000
"""How much is simulated for a bet, and for a tip: tips and race cards, about."""
FUTURES_LEAST = 4

RIVAL = -0.5
"""How much a horse that the seat has not bet on is wished ahead."""
PLACED = 0.5
TIERCE = (1.0, 0.6, 0.3)
OTHERS = 0.5
"""A coin for another seat costs so much of an own one, where bets are open (TU-B2)."""


def play_random(m: Meeting, seat: int, chooser: Chooser) -> Command:
    """Uniform over the listed actions."""
    command: Command = chooser.choice(choices(m.table, seat))
    return command


def play_steady(m: Meeting, seat: int, chooser: Chooser) -> Command:
    """Bets and tips by what they are worth in races that fit what the seat knows."""
    t: Table = m.table
    if t.phase == BETTING:
        return choose_bet(t, seat, chooser)
    hand = t.hands[seat - 1] or []
    if len(set(hand)) == 1:
        return PLAY[hand[0]]
    return choose_tip(t, seat, chooser)


def choose_bet(t: Table, seat: int, chooser: Chooser) -> Bet:
    """The bet that is worth most if the seat then plays for its first horse.

    Of two horses bet to win either may be the one that it plays for.
    """
    known = outlook(t, seat)
    values = t.drawn.values
    count = futures_for(known, BET_WORK, len(values))
    futures = [draw_future(known, chooser) for _ in range(count)]
    ends = {}
    for horse in values:
        wishes = wishes_for(known, BetForm(win=[horse], place=None, tierce=None))
        ends[horse] = Ends((run(known, future, wishes) for future in futures), values)

    def worth(bet: Bet) -> float:
        form = BetForm.of(bet)
        leaders = form.win or (form.tierce or [])[:1]
        return sum(ends[horse].worth(form) for horse in leaders) / len(leaders)

    return max(all_bets(t.bets, t.drawn.card), key=worth)


def choose_tip(t: Table, seat: int, chooser: Chooser) -> Command:
    """The tip after which the own bet pays most; where bets are open, the others' less."""
    known = outlook(t, seat)
    hand, own = t.hands[seat - 1], t.made[seat - 1]
    assert hand is not None, "a bot knows its own hand"
    assert own is not None, "a bot knows its own bet"
    rivals = [bet for s, bet in enumerate(t.made, 1) if bet is not None and s != seat]
    wishes = wishes_for(known, own)
    tips = list(dict.fromkeys(hand))
    count = futures_for(known, TIP_WORK, len(tips))
    futures = [draw_future(known, chooser) for _ in range(count)]

    def worth(tip: str) -> float:
        at = hand.index(tip)
        ends = Ends((run(known, future, wishes, at) for future in futures), t.drawn.values)
        return ends.worth(own) - OTHERS * sum(ends.worth(bet) for bet in rivals)

    return PLAY[max(tips, key=worth)]


def futures_for(known: Outlook, work: int, choices: int) -> int:
    """How many futures to look at for so many choices: fewer where more is still to be played."""
    players = known.before + known.after + 1
    length = (players + 2) * len(known.deck) + known.after + 1
    return max(work // (length * choices), FUTURES_LEAST)


def wishes_for(known: Outlook, bet: BetForm) -> Sequence[float]:
    """By tip of the hand, how much the seat wants its horse ahead."""
    wish: dict[int, float] = {}
    if bet.place is not None:
        wish[BIT[bet.place]] = PLACED
    for horse in bet.win or ():
        wish[BIT[horse]] = 1.0
    for horse, share in zip(bet.tierce or (), TIERCE, strict=False):
        wish[BIT[horse]] = share
    return [wish.get(bit, RIVAL) for bit, _ in known.hand]


BOTS = {
    "random": Bot(name="random", rating=0.0, decide=play_random),
    "steady": Bot(name="steady", rating=15.0, decide=play_steady),
}
