"""What a finished race and a finished meeting pay: integers in, integers out."""

from collections.abc import Mapping, Sequence

from msgspec import Struct

from domain.betting.money import interest, share_floor, shortfall
from domain.betting.odds import returns


class Stake(Struct, frozen=True):
    """An accepted bet, as settlement needs it; odds in tenths."""

    bet: int
    seat: int
    bookmaker: int
    horse: str
    stake: int
    tenths: int


class Settled(Struct, frozen=True):
    """What a race pays: (bet, status, amount) for each paid bet, lost bets, nets by seat, loans."""

    payments: list[tuple[int, str, int]]
    lost: list[int]
    nets: list[int]
    loans: list[tuple[int, int]]


def settle_race(
    stakes: Sequence[Stake],
    winner: str | None,
    how: str,
    out: Sequence[str],
    cash: Sequence[int],
) -> Settled:
    """Pay the bets of a race, netted for each seat (BM-P1).

    Args:
        stakes: the accepted bets, by number.
        winner: the horse that won, or None.
        how: as `track.ending`; on `no_progress` stakes on horses still in go back (BM-R2).
        out: horses that are out.
        cash: what each seat has before.
    """
    payments: list[tuple[int, str, int]] = []
    lost: list[int] = []
    nets = [0] * len(cash)
    for s in stakes:
        if winner is not None and s.horse == winner:
            status, amount = "won", returns(s.stake, s.tenths)
        elif how == "no_progress" and s.horse not in out:
            status, amount = "returned", s.stake
        else:
            lost.append(s.bet)
            continue
        payments.append((s.bet, status, amount))
        nets[s.bookmaker - 1] -= amount
        nets[s.seat - 1] += amount
    loans = []
    for i, net in enumerate(nets):
        short = shortfall(cash[i] + net)
        if short:
            loans.append((i + 1, short))
    return Settled(payments, lost, nets, loans)


def share_pot(pot: int, named: Mapping[int, str], colour: str) -> dict[int, int]:
    """Who gets what of the Brocco pot; the remainder, or all of it, stays with the bank (BM-K1)."""
    right = sorted(seat for seat, horse in named.items() if horse == colour)
    if not right:
        return {}
    each, _ = share_floor(pot, len(right))
    return dict.fromkeys(right, each)


def repayments(loans: Sequence[int]) -> list[tuple[int, int, int]]:
    """(seat, loan, its tenth) for every seat that owes (BM-P2)."""
    return [(i + 1, loan, interest(loan)) for i, loan in enumerate(loans) if loan]


def ranking(cash: Sequence[int]) -> list[tuple[int, int, int]]:
    """(seat, rank, money), by rank, then seat; equal sums share: 1, 2, 2, 4 (BM-P2)."""
    rows = [
        (i + 1, 1 + sum(other > money for other in cash), money) for i, money in enumerate(cash)
    ]
    return sorted(rows, key=lambda row: (row[1], row[0]))
