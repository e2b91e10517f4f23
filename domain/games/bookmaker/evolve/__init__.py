"""One function for each fact: it puts what the event says into the state, and decides nothing.

A function returns the seats that lose an action by its event, or whose odds it changes; they get a
new decision number (contract, Versions). Money moves only as the event says.
"""

from typing import Any

from domain.games.bookmaker import events as e
from domain.games.bookmaker.evolve import betting, prepare, running, settling
from domain.kernel.message import Event
from domain.racing.events import RaceOpened

EVOLVE: dict[type[Event], Any] = {
    RaceOpened: prepare.race_opened,
    e.RolesDrawn: prepare.roles_drawn,
    e.BroccoSetAside: prepare.brocco_set_aside,
    e.CardsOpened: prepare.cards_opened,
    e.HandsDealt: prepare.hands_dealt,
    e.ExchangeChosen: prepare.exchange_chosen,
    e.CardsExchanged: prepare.cards_exchanged,
    e.TokensPlaced: prepare.tokens_placed,
    e.OddsOpened: prepare.odds_opened,
    e.OddsSet: prepare.odds_set,
    e.OddsShown: prepare.odds_shown,
    e.BetOffered: betting.bet_offered,
    e.BetPlaced: betting.bet_placed,
    e.BetAccepted: betting.bet_accepted,
    e.BetRefused: betting.bet_refused,
    e.BetsLapsed: betting.bets_lapsed,
    e.OddsChanged: betting.odds_changed,
    e.LimitsSet: betting.limits_set,
    e.DoneDeclared: betting.done_declared,
    e.LoanTaken: betting.loan_taken,
    e.RaceStarted: running.race_started,
    e.CardTurned: running.card_turned,
    e.DeckReshuffled: running.deck_reshuffled,
    e.JokersAwaited: running.jokers_awaited,
    e.JokerPlayed: running.joker_played,
    e.JokerKept: running.joker_kept,
    e.RaceResumed: running.race_resumed,
    e.RunningOddsShown: running.running_odds_shown,
    e.RaceEnded: running.race_ended,
    e.RaceSettled: settling.race_settled,
    e.BroccoOpened: settling.brocco_opened,
    e.BroccoNamed: settling.brocco_named,
    e.SettlementOpened: settling.settlement_opened,
    e.BroccoShared: settling.brocco_shared,
    e.LoansRepaid: settling.loans_repaid,
}
