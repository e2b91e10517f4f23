"""A turn: the card that keeps the own horse back, or first a Wild Horse that gains enough."""

from domain.games.change_horses import commands as c
from domain.games.change_horses.bot.scene import Scene, futures
from domain.games.change_horses.bot.wild import best_wild
from domain.games.change_horses.state import Table, visible
from domain.games.change_horses.track import count
from domain.kernel.game import Chooser
from domain.kernel.message import Command

DISCRETION = 0.1
"""Cards that are worth as much but for this are one as good as the other: it plays any of them, so
that its choice does not tell which horse it keeps back."""


def play(t: Table, seat: int, chooser: Chooser) -> Command:
    """A Wild Horse that gains enough, else a card."""
    scene = Scene(t, seat, futures(t, seat, chooser))
    counts = count(visible(t))
    values = {card: scene.card(card, counts, t.lanes, t.spaces) for card in scene.shown}
    best = max(values.values())
    if t.wild_left[seat - 1] and not t.wild_played:
        wild = best_wild(t, scene, counts, best, chooser)
        if wild is not None:
            return wild
    good = [card for card, value in values.items() if value >= best - DISCRETION]
    return c.PlayCard(card=chooser.choice(good))
