"""What seats may ask (sheet, Commands)."""

from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from domain.games.tuyaux.board import HorseName, TipName, horses_in_order
from domain.kernel.message import Command


class Bet(Command, frozen=True, kw_only=True, tag="tuyaux.bet"):
    """A seat bets in secret on starters, with exactly the fields that the option asks (TU-B3).

    `win`: one horse, or two with the option `two_wins`; `place`: a horse to be 1st or 2nd;
    `tierce`: the first three in order.
    """

    win: list[HorseName] | UnsetType = UNSET
    place: HorseName | UnsetType = UNSET
    tierce: list[HorseName] | UnsetType = UNSET


def in_order(bet: Bet) -> Bet:
    """The same bet: the order of horses bet to win means nothing, so they stand in table order."""
    return bet if bet.win is UNSET else replace(bet, win=horses_in_order(bet.win))


class PlayTip(Command, frozen=True, kw_only=True, tag="tuyaux.play_tip"):
    """The seat in turn plays a tip of its hand, which moves at once (TU-T1)."""

    card: TipName


COMMANDS: tuple[type[Command], ...] = (Bet, PlayTip)
SYSTEM_COMMANDS: tuple[type[Command], ...] = ()
