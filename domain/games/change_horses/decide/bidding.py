"""Derby: bids for the Position cards (CH-D)."""

from domain.games.change_horses import commands as c
from domain.games.change_horses import events as e
from domain.games.change_horses import offers
from domain.games.change_horses import reasons as r
from domain.games.change_horses.decide.rounds import caller, go_on
from domain.games.change_horses.state import Auction, Table
from domain.kernel.rejection import NOT_YOUR_TURN, Rejected
from domain.racing.draft import Draft


def require_to_bid(t: Table, seat: int) -> Auction:
    """The auction, in which this seat is waited for."""
    auction = t.auction
    if auction is None or auction.to_bid != seat:
        raise Rejected(NOT_YOUR_TURN)
    return auction


def bid(draft: Draft, seat: int, command: c.Bid) -> None:
    """A first bid or a raise; below the highest it is the seat's last (CH-D2, CH-D3)."""
    t: Table = draft.table
    auction = require_to_bid(t, seat)
    number, bids = command.carrots, auction.bids
    if not 1 <= number <= t.carrots[seat - 1]:
        raise Rejected(r.BID_RANGE)
    if any(other != seat and taken == number for other, taken in bids.items()):
        raise Rejected(r.BID_TAKEN)
    if number <= bids.get(seat, 0):
        raise Rejected(r.BID_LOW)
    locked = offers.locks(number, bids, seat)
    then = Auction(
        bids={**bids, seat: number},
        out=[*auction.out, seat] if locked else auction.out,
        last=seat,
    )
    draft.record(e.BidMade, seat=seat, carrots=number, locked=locked, to_bid=caller(t, then))
    go_on(draft)


def stand(draft: Draft, seat: int, command: c.Stand) -> None:
    """The seat keeps its bid (CH-D3)."""
    t: Table = draft.table
    auction = require_to_bid(t, seat)
    if seat not in auction.bids:
        raise Rejected(r.STAND_EARLY)
    then = Auction(bids=auction.bids, out=[*auction.out, seat], last=seat)
    draft.record(e.BidderStood, seat=seat, to_bid=caller(t, then))
    go_on(draft)
