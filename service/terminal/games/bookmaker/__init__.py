"""How Bookmaker is drawn and played in a terminal."""

from service.terminal.games.bookmaker.drawing import board, checks
from service.terminal.games.bookmaker.reading import forms, shorthand
from service.terminal.games.bookmaker.telling import redraws, seconds, told

__all__ = ["board", "checks", "forms", "redraws", "seconds", "shorthand", "told"]
