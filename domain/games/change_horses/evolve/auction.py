"""Bids and carrots."""

from domain.games.change_horses import events as e
from domain.games.change_horses.state import BETWEEN, Auction, Table
from domain.racing.meeting import Meeting


def running(m: Meeting) -> Auction:
    """The auction under way."""
    auction: Auction | None = m.table.auction
    assert auction is not None, "bids stand in an auction"
    return auction


def auction_opened(m: Meeting, event: e.AuctionOpened) -> None:
    """A new round is prepared by bidding."""
    t: Table = m.table
    t.round = event.round
    t.auction = Auction(to_bid=event.to_bid)
    t.phase = "auction"


def bid_made(m: Meeting, event: e.BidMade) -> None:
    """The bid stands, the old number is free again."""
    auction = running(m)
    assert event.seat
    auction.bids[event.seat] = event.carrots
    if event.locked:
        auction.out.append(event.seat)
    auction.last, auction.to_bid = event.seat, event.to_bid


def bidder_stood(m: Meeting, event: e.BidderStood) -> None:
    """The bid is final."""
    auction = running(m)
    assert event.seat
    auction.out.append(event.seat)
    auction.last, auction.to_bid = event.seat, event.to_bid


def bid_failed(m: Meeting, event: e.BidFailed) -> None:
    """The carrots go at once."""
    auction = running(m)
    assert event.seat
    m.table.carrots[event.seat - 1] -= event.carrots
    auction.out.append(event.seat)
    auction.failed.append(event.seat)
    auction.to_bid = event.to_bid


def auction_closed(m: Meeting, event: e.AuctionClosed) -> None:
    """The bids are paid; the round that they were for opens next."""
    t: Table = m.table
    for seat, carrots in event.paid.items():
        t.carrots[int(seat) - 1] -= carrots
    t.auction = None
    t.phase = BETWEEN
