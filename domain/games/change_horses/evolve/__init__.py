"""One function for each fact: it puts what the event says into the state, and decides nothing.

No event takes an action from a seat that may act: picks are each seat's own, and bids and turns are
one seat's at a time. So no function returns seats for a new decision number.
"""

from typing import Any

from domain.games.change_horses import events as e
from domain.games.change_horses.evolve import auction, prepare, turns
from domain.kernel.message import Event
from domain.racing.events import RaceOpened

EVOLVE: dict[type[Event], Any] = {
    RaceOpened: prepare.race_opened,
    e.HorsesPlaced: prepare.horses_placed,
    e.CertificatesDealt: prepare.certificates_dealt,
    e.RoundOpened: prepare.round_opened,
    e.CardsSelected: prepare.cards_selected,
    e.CardsShown: prepare.cards_shown,
    e.CardPlayed: turns.card_played,
    e.StumblePlayed: turns.stumble_played,
    e.SlipperyPlayed: turns.slippery_played,
    e.FastPlayed: turns.fast_played,
    e.ChangePlayed: turns.change_played,
    e.HorsesMoved: turns.horses_moved,
    e.BoardEmptied: turns.board_emptied,
    e.AuctionOpened: auction.auction_opened,
    e.BidMade: auction.bid_made,
    e.BidderStood: auction.bidder_stood,
    e.BidFailed: auction.bid_failed,
    e.AuctionClosed: auction.auction_closed,
    e.RaceEnded: turns.race_ended,
}
