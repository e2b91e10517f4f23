"""What each command leads to: guards in the order of reasons.py, then facts."""

from typing import Any

from domain.games.change_horses import commands as c
from domain.games.change_horses.decide.bidding import bid, stand
from domain.games.change_horses.decide.ending import begin
from domain.games.change_horses.decide.picking import select_cards
from domain.games.change_horses.decide.turns import play_card
from domain.games.change_horses.decide.wild import play_wild
from domain.kernel.message import Command

DECIDE: dict[type[Command], Any] = {
    c.SelectCards: select_cards,
    c.Bid: bid,
    c.Stand: stand,
    c.PlayWild: play_wild,
    c.PlayCard: play_card,
}

__all__ = ["DECIDE", "begin"]
