"""How Ticket Gagnant is drawn and played in a terminal."""

from service.terminal.games.ticket_gagnant.drawing import board, checks
from service.terminal.games.ticket_gagnant.reading import forms, shorthand
from service.terminal.games.ticket_gagnant.telling import redraws, seconds, told

__all__ = ["board", "checks", "forms", "redraws", "seconds", "shorthand", "told"]
