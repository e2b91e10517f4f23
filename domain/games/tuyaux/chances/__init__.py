"""What a race may come to, from what one seat knows: for bots alone."""

from domain.games.tuyaux.chances.ends import Ends, run
from domain.games.tuyaux.chances.outlook import BIT, Outlook, draw_future, outlook

__all__ = ["BIT", "Ends", "Outlook", "draw_future", "outlook", "run"]
