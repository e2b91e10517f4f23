"""The built-in bots of Ticket Gagnant, and the default, which is what the steady one would do.

Steady predicts the horses that its own cards bring furthest, and then plays whatever makes its
prediction worth most as the horses stand.
"""

from collections.abc import Sequence

from domain.games.ticket_gagnant import commands as c
from domain.games.ticket_gagnant.actions import actions, command_of
from domain.games.ticket_gagnant.board import (
    DEFAULT_DEAL,
    HORSE_INDEX,
    HORSES,
    PAIR_OF,
    PLACES,
    SINGLE_OF,
    space_of,
)
from domain.games.ticket_gagnant.events import Prediction
from domain.games.ticket_gagnant.phases import owes
from domain.games.ticket_gagnant.settle import net
from domain.games.ticket_gagnant.state import CHOOSE, PREDICT, Table, ground
from domain.games.ticket_gagnant.track import Ground, Play, legal_plays, ranking
from domain.kernel.game import Bot, Chooser
from domain.kernel.message import Command
from domain.racing.meeting import RUNNING, Meeting

LEAD_WORTH = 0.15
"""What a space that a horse is ahead of where it must be is worth, in points."""


def play_random(m: Meeting, seat: int, chooser: Chooser) -> Command:
    """Uniform over the listed actions."""
    command: Command = chooser.choice(actions(m, seat).actions)
    return command


def play_steady(m: Meeting, seat: int, chooser: Chooser) -> Command:
    """What the server would play for the seat: it knows the game."""
    command = default(m, seat)
    assert command is not None, "a bot is asked for a decision that its seat owes"
    return command


def default(m: Meeting, seat: int) -> Command | None:
    """What the server plays for a seat that owes a decision (sheet, Defaults)."""
    t: Table = m.table
    if m.status != RUNNING or not owes(m, seat):
        return None
    if t.phase == CHOOSE:
        return c.ChooseRace(kind="flat", deal=DEFAULT_DEAL, hidden=False)
    if t.phase == PREDICT:
        return steady_prediction(t, seat)
    hand = t.hands[seat - 1] or []
    return steady_play(t, seat, hand) or c.DiscardCard(card=hand[0])


def strengths(hand: Sequence[str]) -> list[float]:
    """How far the cards of a hand can bring each horse, by horse."""
    far = [0.0] * len(HORSES)
    for card in hand:
        if card in SINGLE_OF:
            horse, length = SINGLE_OF[card]
            far[horse] += length
        elif card in PAIR_OF:
            for horse in PAIR_OF[card]:
                far[horse] += 1.0
    return far


def steady_prediction(t: Table, seat: int) -> Command:
    """The three horses that the own cards bring furthest, the furthest first (TG-B1)."""
    far = strengths(t.hands[seat - 1] or [])
    best = sorted(range(len(HORSES)), key=lambda h: (-far[h], h))[: len(PLACES)]
    return c.Predict(**{place: HORSES[h] for place, h in zip(PLACES, best, strict=True)})


def steady_play(t: Table, seat: int, hand: list[str]) -> Command | None:
    """The play after which the own prediction is worth most; None without a legal play."""
    prediction = t.predictions[seat - 1]
    assert prediction is not None, "the seat has predicted"
    field = ground(t)
    best: tuple[float, Play, int | None] | None = None
    for play in legal_plays(field, t.places, hand):
        for to in play.options or (None,):
            places = list(t.places)
            places[play.horse] = play.end
            if to is not None:
                places[play.displaced] = to
            value = worth(t, field, places, prediction)
            if best is None or value > best[0]:
                best = (value, play, to)
    return None if best is None else command_of(best[1], best[2])


def worth(t: Table, field: Ground, places: Sequence[int], prediction: Prediction) -> float:
    """What the prediction earns as the horses stand, and how safe that is."""
    ranked = ranking(field, places, None)
    names = [HORSES[h] for h in ranked]
    out = [horse for horse in HORSES if horse not in names]
    value = float(net(prediction.named, names, out, t.last_place))
    podium = [space_of(places[h]) for h in ranked[: len(PLACES)]]
    edge = podium[-1] if podium else 0
    for horse in prediction.named:
        if horse is not None:
            value += LEAD_WORTH * (space_of(places[HORSE_INDEX[horse]]) - edge)
    return value


BOTS = {
    "random": Bot(name="random", rating=0.0, decide=play_random),
    "steady": Bot(name="steady", rating=15.0, decide=play_steady),
}
