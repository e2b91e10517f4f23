"""What each command leads to: guards in the order of reasons.py, then facts."""

from typing import Any

from domain.games.ticket_gagnant import commands as c
from domain.games.ticket_gagnant.decide.prepare import begin, choose_race, predict
from domain.games.ticket_gagnant.decide.running import discard_card, play_card
from domain.kernel.message import Command

DECIDE: dict[type[Command], Any] = {
    c.ChooseRace: choose_race,
    c.Predict: predict,
    c.PlayCard: play_card,
    c.DiscardCard: discard_card,
}

__all__ = ["DECIDE", "begin"]
