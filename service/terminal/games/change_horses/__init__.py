"""How Change Horses is drawn and played in a terminal."""

from service.terminal.games.change_horses.drawing import board, checks
from service.terminal.games.change_horses.reading import forms, shorthand
from service.terminal.games.change_horses.telling import redraws, seconds, told

__all__ = ["board", "checks", "forms", "redraws", "seconds", "shorthand", "told"]
