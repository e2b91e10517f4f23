"""The built-in bots of Ticket Gagnant, and the default, which is what the steady one would do.

`random` takes any listed action. `steady` predicts the horses that its own cards bring furthest;
then it plays whatever leaves its prediction worth most, with an eye on what it still holds and on
how much the others' cards may change (outlook.py).
"""

from collections.abc import Iterable, Sequence
from math import inf

from domain.games.ticket_gagnant import commands as c
from domain.games.ticket_gagnant.actions import actions, command_of
from domain.games.ticket_gagnant.board import (
    DEFAULT_DEAL,
    HORSES,
    PAIR_OF,
    PLACES,
    SINGLE_OF,
)
from domain.games.ticket_gagnant.bot.finish import Finish, finish_of
from domain.games.ticket_gagnant.bot.outlook import CLEARLY, Outlook
from domain.games.ticket_gagnant.phases import owes
from domain.games.ticket_gagnant.state import CHOOSE, MOVE, PREDICT, Table, ground
from domain.games.ticket_gagnant.track import Play, legal_plays
from domain.kernel.game import Bot, Chooser
from domain.kernel.message import Command
from domain.racing.meeting import RUNNING, Meeting

PAIR_WORTH = 0.9
"""What a pair in hand is worth to each of its horses when predicting, in spaces."""


def play_random(m: Meeting, seat: int, chooser: Chooser) -> Command:
    """Uniform over the listed actions; of plays only the one drawn is spelled out."""
    t: Table = m.table
    if t.phase == MOVE:
        plays = legal_plays(ground(t), t.places, t.hands[seat - 1] or [])
        ways = [(play, to) for play in plays for to in play.options or (None,)]
        if ways:
            return command_of(*chooser.choice(ways))
    command: Command = chooser.choice(actions(m, seat).actions)
    return command


def play_steady(m: Meeting, seat: int, chooser: Chooser) -> Command:
    """What the server would play for the seat: it knows the game."""
    command = default(m, seat)
    assert command is not None, "a bot is asked for a decision that its seat owes"
    return command


def default(m: Meeting, seat: int) -> Command | None:
    """What the server plays for a seat that owes a decision (sheet, Default on expiry)."""
    t: Table = m.table
    if m.status != RUNNING or not owes(m, seat):
        return None
    if t.phase == CHOOSE:
        return c.ChooseRace(kind="flat", deal=DEFAULT_DEAL, hidden=False)
    hand = t.hands[seat - 1]
    assert hand is not None, "a seat knows its own hand"
    if t.phase == PREDICT:
        return steady_prediction(hand)
    return steady_play(t, seat, hand) or c.DiscardCard(card=hand[0])


def strengths(hand: Sequence[str]) -> list[float]:
    """How far the cards of a hand bring each horse; a wild card brings all as far."""
    far = [0.0] * len(HORSES)
    for card in hand:
        if card in SINGLE_OF:
            horse, length = SINGLE_OF[card]
            far[horse] += length
        elif card in PAIR_OF:
            for horse in PAIR_OF[card]:
                far[horse] += PAIR_WORTH
    return far


def steady_prediction(hand: Sequence[str]) -> c.Predict:
    """The three horses that the own cards bring furthest, the furthest first (TG-B1).

    Three even with a weak hand: a horse taken blindly still earns more than it costs on average.
    """
    far = strengths(hand)
    best = sorted(range(len(HORSES)), key=lambda h: (-far[h], h))[: len(PLACES)]
    return c.Predict(first=HORSES[best[0]], second=HORSES[best[1]], third=HORSES[best[2]])


def steady_play(t: Table, seat: int, hand: Sequence[str]) -> Command | None:
    """The play that leaves the own prediction worth most; None without a legal play."""
    field = ground(t)
    plays = legal_plays(field, t.places, hand)
    finish = finish_of(t, field, seat)
    if sum(t.hand_counts) == 1:
        return at_last(t, finish, plays)
    outlook = Outlook(t, field, seat)
    best: Play | None = None
    most = -inf
    for play in plays:
        if field.wins and play.end >= field.line:
            worth = finish.worth(after(t.places, play, None))
        else:
            worth = outlook.worth(play)
        if worth > most + CLEARLY:
            best, most = play, worth
    if best is None:
        return None
    return command_of(best, outlook.place_for(best) if best.options else None)


def at_last(t: Table, finish: Finish, plays: Iterable[Play]) -> Command | None:
    """The play after which the race ends best: nobody moves any more."""
    best: tuple[float, Play, int | None] | None = None
    for play in plays:
        for to in play.options or (None,):
            worth = finish.worth(after(t.places, play, to))
            if best is None or worth > best[0] + CLEARLY:
                best = (worth, play, to)
    return None if best is None else command_of(best[1], best[2])


def after(places: Sequence[int], play: Play, to: int | None) -> list[int]:
    """Where horses stand after a play."""
    moved = list(places)
    moved[play.horse] = play.end
    if to is not None:
        moved[play.displaced] = to
    return moved


BOTS = {
    "random": Bot(name="random", rating=0.0, decide=play_random),
    "steady": Bot(name="steady", rating=15.0, decide=play_steady),
}
