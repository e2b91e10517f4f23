"""How horses move: from places and a play to places. No seats, no turns, no points."""

from domain.games.ticket_gagnant.track.ground import BACK, NOTHING, Ground, ground_of, ranking
from domain.games.ticket_gagnant.track.plays import (
    Play,
    beside_end,
    displacement,
    has_play,
    legal_plays,
)

__all__ = [
    "BACK",
    "NOTHING",
    "Ground",
    "Play",
    "beside_end",
    "displacement",
    "ground_of",
    "has_play",
    "legal_plays",
    "ranking",
]
