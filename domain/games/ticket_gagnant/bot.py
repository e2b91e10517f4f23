"""The built-in bots of Ticket Gagnant, and the default, which is what the steady one would do.

Steady predicts the horses that its own cards bring furthest, and then plays whatever makes its
prediction worth most as the horses stand.
"""

from collections.abc import Callable, Sequence
from math import inf

from domain.games.ticket_gagnant import commands as c
from domain.games.ticket_gagnant.actions import actions, command_of
from domain.games.ticket_gagnant.board import (
    BOXED,
    DEFAULT_DEAL,
    DISQUALIFIED,
    HORSE_INDEX,
    HORSES,
    NO_SHOW,
    PAIR_OF,
    PAYS_EXACT,
    PAYS_SHOWN,
    PLACES,
    ROW,
    SINGLE_OF,
    TRIFECTA,
    lane_of,
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
OUT = 1_000
"""The key of a disqualified horse: behind all others, whose keys are lane - 16 x space."""


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
    """The play after which the own prediction is worth most; None without a legal play.

    A play is weighed by its mover alone, which is quick; where it displaces a horse, all that may
    be done with that one is weighed in full.
    """
    prediction = t.predictions[seat - 1]
    assert prediction is not None, "the seat has predicted"
    field = ground(t)
    weigh = mover_scale(t, field, prediction)
    best: Play | None = None
    most = -inf
    for play in legal_plays(field, t.places, hand):
        value = weigh(play.horse, play.end)
        if value > most:
            best, most = play, value
    if best is None:
        return None
    if not best.options:
        return command_of(best, None)
    places = list(t.places)
    places[best.horse] = best.end
    values = []
    for to in best.options:
        places[best.displaced] = to
        values.append((worth(t, field, places, prediction), -to))
    return command_of(best, -max(values)[1])


def mover_scale(t: Table, field: Ground, prediction: Prediction) -> Callable[[int, int], float]:
    """Weighs a move: (horse, place where it ends) -> what the prediction then earns, about.

    Ranks are counted from those before the move: a horse that passes another shifts it by one.
    """
    keys = [OUT if p in field.hoofprints else 2 * lane_of(p) - p for p in t.places]
    named = [(i, HORSE_INDEX[h]) for i, h in enumerate(prediction.named) if h is not None]
    ranks = [sum(other < key for other in keys) for key in keys]

    def weigh(horse: int, end: int) -> float:
        before = keys[horse]
        after = OUT if end in field.hoofprints else 2 * lane_of(end) - end
        value = 0.0
        exact = shown = 0
        for place, other in named:
            if other == horse:
                rank = sum(key < after for key in keys) - (before < after)
                key = after
            else:
                key = keys[other]
                rank = ranks[other] + (after < key) - (before < key)
            value -= LEAD_WORTH * key / ROW
            if key == OUT:
                value += DISQUALIFIED
            elif rank == place:
                value += PAYS_EXACT[place]
                exact += 1
            elif rank < len(PLACES):
                value += PAYS_SHOWN
                shown += 1
            else:
                value += NO_SHOW
        if exact + shown == len(PLACES):
            value += BOXED if shown else TRIFECTA
        return value

    return weigh


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
