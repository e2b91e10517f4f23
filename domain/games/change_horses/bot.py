"""The built-in bots of Change Horses: they see what their seat's own folded state holds."""

from domain.games.change_horses.actions import actions
from domain.kernel.game import Bot, Chooser
from domain.kernel.message import Command
from domain.racing.meeting import Meeting


def play_random(m: Meeting, seat: int, chooser: Chooser) -> Command:
    """Uniform over the listed actions."""
    command: Command = chooser.choice(actions(m, seat).actions)
    return command


BOTS = {
    "random": Bot(name="random", rating=0.0, decide=play_random),
}
