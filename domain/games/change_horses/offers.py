"""Bids for the Position cards: whose it is, which are legal, what they bring (CH-D). No state."""

from collections.abc import Collection, Mapping, Sequence


def legal_bids(held: int, bids: Mapping[int, int], seat: int) -> list[int]:
    """The numbers that a seat may bid, ascending (CH-D2, CH-D3).

    Args:
        held: its carrots.
        bids: the present bids by seat, its own among them if it has one.
    """
    taken = {number for other, number in bids.items() if other != seat}
    return [n for n in range(bids.get(seat, 0) + 1, held + 1) if n not in taken]


def fails(held: int, bids: Mapping[int, int], seat: int) -> bool:
    """Whether a seat without a bid can make none: all that it could pay is taken (CH-D5)."""
    return seat not in bids and sum(number <= held for number in bids.values()) >= held


def locks(number: int, bids: Mapping[int, int], seat: int) -> bool:
    """Whether a bid is below the highest, and shuts its seat out (CH-D2)."""
    return any(other != seat and other_bid > number for other, other_bid in bids.items())


def next_bidder(
    order: Sequence[int], bids: Mapping[int, int], out: Collection[int], last: int | None
) -> int | None:
    """The seat whose turn to bid it is, None when the auction is over (CH-D3).

    Args:
        order: the seats by their Position cards.
        bids: the present bids.
        out: the seats that are locked, have stood or failed.
        last: the seat that bid or stood last.
    """
    for seat in order:  # every seat first makes one bid, or fails
        if seat not in bids and seat not in out:
            return seat
    still_in = [seat for seat in order if seat not in out]
    if len(still_in) <= 1:
        return None
    after = order.index(last) + 1 if last is not None else 0
    return next(seat for seat in (*order[after:], *order[:after]) if seat not in out)


def positions(bids: Mapping[int, int], failed: Sequence[int]) -> dict[int, int]:
    """The Position cards after the auction: those that failed first, then by bid (CH-D4, CH-D5)."""
    ranked = [*failed, *sorted(bids, key=bids.__getitem__)]
    return {seat: number for number, seat in enumerate(ranked, 1)}
