"""How Tuyaux is drawn and played in a terminal."""

from service.terminal.games.tuyaux.drawing import board, checks
from service.terminal.games.tuyaux.reading import forms, shorthand
from service.terminal.games.tuyaux.telling import redraws, seconds, told

__all__ = ["board", "checks", "forms", "redraws", "seconds", "shorthand", "told"]
