"""From round to round: the turn order is set anew, and the cards to pick (CH-R3, CH-R4, CH-T1)."""

from domain.games.change_horses import events as e
from domain.games.change_horses import offers
from domain.games.change_horses.board import empties, picks
from domain.games.change_horses.state import Auction, Table
from domain.racing.draft import Draft


def first_round(draft: Draft) -> None:
    """The Position cards as dealt, in the Derby too; with two seats who begins (CH-S4, CH-2A)."""
    t: Table = draft.table
    label = f"race-{t.race}/positions"
    drawn = draft.draw(label, list(range(1, t.seats + 1)))
    if t.seats == 2:
        record_round(draft, 1, starts=drawn[0], draws={label: drawn[:1]})
    else:
        positions = {str(seat): number for seat, number in enumerate(drawn, 1)}
        record_round(draft, 1, positions=positions, draws={label: drawn})


def next_round(draft: Draft) -> None:
    """After a round that did not end the race."""
    t: Table = draft.table
    number = t.round + 1
    if t.seats == 2:
        last = t.order[-1]
        if empties(t.round):
            draft.record(e.BoardEmptied)
            record_round(draft, number, starts=last)  # CH-2A
        else:
            record_round(draft, number, starts=t.starts)  # CH-2B
        return
    if empties(t.round):
        draft.record(e.BoardEmptied)
    if t.derby:
        open_auction(draft, number)
    else:
        deal_positions(draft, number)


def record_round(
    draft: Draft,
    number: int,
    *,
    positions: dict[str, int] | None = None,
    starts: int | None = None,
    draws: dict[str, list[int]] | None = None,
) -> None:
    """A round opens in this order."""
    draft.record(
        e.RoundOpened,
        round=number,
        select=picks(draft.table.seats, number),
        positions=positions,
        starts=starts,
        draws=draws,
    )


def deal_positions(draft: Draft, number: int) -> None:
    """Who held the highest card gets 1, the others are dealt the rest (CH-T1)."""
    t: Table = draft.table
    label = f"race-{t.race}/positions-{number}"
    drawn = draft.draw(label, list(range(2, t.seats + 1)))
    highest = t.order[-1]
    positions = {str(highest): 1}
    others = [seat for seat in range(1, t.seats + 1) if seat != highest]
    for seat, position in zip(others, drawn, strict=True):
        positions[str(seat)] = position
    record_round(draft, number, positions=positions, draws={label: drawn})


def open_auction(draft: Draft, number: int) -> None:
    """Bidding goes in the order of the Position cards held (CH-D1)."""
    t: Table = draft.table
    draft.record(e.AuctionOpened, round=number, to_bid=caller(t, Auction()))
    go_on(draft)


def caller(t: Table, auction: Auction) -> int | None:
    """The seat that is waited for in this state of an auction; None where the next one fails."""
    seat = offers.next_bidder(t.order, auction.bids, auction.out, auction.last)
    if seat is None or offers.fails(t.carrots[seat - 1], auction.bids, seat):
        return None
    return seat


def go_on(draft: Draft) -> None:
    """Let fail who can make no bid, until somebody is waited for or the auction is over (CH-D5)."""
    t: Table = draft.table
    auction = t.auction
    assert auction is not None, "an auction is under way"
    while auction.to_bid is None:
        seat = offers.next_bidder(t.order, auction.bids, auction.out, auction.last)
        if seat is None:
            close_auction(draft, auction)
            return
        then = Auction(bids=auction.bids, out=[*auction.out, seat], last=auction.last)
        draft.record(e.BidFailed, seat=seat, carrots=t.carrots[seat - 1], to_bid=caller(t, then))


def close_auction(draft: Draft, auction: Auction) -> None:
    """The bids are paid and give the Position cards (CH-D4)."""
    number = draft.table.round
    positions = offers.positions(auction.bids, auction.failed)
    draft.record(
        e.AuctionClosed, paid={str(seat): bid for seat, bid in sorted(auction.bids.items())}
    )
    record_round(draft, number, positions={str(seat): n for seat, n in sorted(positions.items())})
