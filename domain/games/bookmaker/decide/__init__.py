"""What each command leads to: guards in the order of reasons.py, then facts."""

from typing import Any

from domain.games.bookmaker import commands as c
from domain.games.bookmaker.decide.betting import (
    answer_bet,
    borrow,
    change_odds,
    done,
    place_bet,
)
from domain.games.bookmaker.decide.prepare import begin, exchange_cards, set_odds
from domain.games.bookmaker.decide.running import keep_joker, play_joker, show_odds, turn_card
from domain.games.bookmaker.decide.settling import name_brocco, settle_meeting, settle_race
from domain.kernel.message import Command

DECIDE: dict[type[Command], Any] = {
    c.ExchangeCards: exchange_cards,
    c.SetOdds: set_odds,
    c.PlaceBet: place_bet,
    c.AnswerBet: answer_bet,
    c.ChangeOdds: change_odds,
    c.Done: done,
    c.Borrow: borrow,
    c.PlayJoker: play_joker,
    c.KeepJoker: keep_joker,
    c.TurnCard: turn_card,
    c.ShowOdds: show_odds,
    c.NameBrocco: name_brocco,
    c.SettleRace: settle_race,
    c.SettleMeeting: settle_meeting,
}

__all__ = ["DECIDE", "begin"]
