"""Positions of Change Horses, reached by commands from arranged draws; and its commands in short.

Unless a case says otherwise the horses stand A to F in lanes 1 to 6, seat 1 owns yellow, seat 2
orange and so on, and the Position cards are those of the seats' numbers.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import UNSET

from domain.games.change_horses import commands as c
from domain.games.change_horses.state import Table
from domain.kernel.message import Command
from tests.kit.meetings import Played, seated

HORSES = ("yellow", "orange", "red", "green", "blue", "purple")
PACK = [
    "blue+green",
    "blue+orange",
    "blue+purple",
    "blue+red",
    "blue+yellow",
    "green+orange",
    "green+purple",
    "green+red",
    "green+yellow",
    "orange+purple",
    "orange+red",
    "orange+yellow",
    "purple+red",
    "purple+yellow",
    "red+yellow",
]
"""The 15 movement cards as the sheet has them."""

STAND = c.Stand()
FAST = c.PlayWild(option="fast")
CHANGE = c.PlayWild(option="change")


def pick(*cards: str) -> c.SelectCards:
    """Pick these cards."""
    return c.SelectCards(cards=list(cards))


def card(name: str) -> c.PlayCard:
    """Play this card."""
    return c.PlayCard(card=name)


def bid(carrots: int) -> c.Bid:
    """Bid so many carrots."""
    return c.Bid(carrots=carrots)


def stumble(name: str) -> c.PlayWild:
    """Cover this card."""
    return c.PlayWild(option="stumble", card=name)


def slippery(*moves: tuple[Any, Any]) -> c.PlayWild:
    """Move these horses to these sides."""
    return c.PlayWild(option="slippery", moves=[c.Sidestep(horse=h, side=s) for h, s in moves])


def change(horse: Any) -> c.PlayWild:
    """Change this certificate, with two seats."""
    return c.PlayWild(option="change", certificate=horse)


def race(
    seats: int = 4,
    *,
    lanes: Sequence[str] = HORSES,
    certificates: Sequence[str] = HORSES,
    positions: Sequence[int] | None = None,
    draws: Mapping[str, Sequence[Any]] | None = None,
    **options: Any,
) -> Played:
    """A meeting begun; race 1 drawn as told, other races as race 1, further `draws` as they are."""
    arranged: dict[str, list[Any]] = {}
    for number in range(1, options.get("races", 1) + 1):
        arranged[f"race-{number}/lanes"] = list(lanes)
        arranged[f"race-{number}/certificates"] = list(certificates)
        arranged[f"race-{number}/positions"] = list(positions or range(1, seats + 1))
    arranged |= {label: list(items) for label, items in (draws or {}).items()}
    return seated(Played("change-horses", seats=seats, options=options, draws=arranged))


def table(played: Played) -> Table:
    """The full state of the game."""
    found: Table = played.full.table
    return found


def give(played: Played, *commands: tuple[int, Command]) -> Played:
    """These commands, one after the other."""
    for seat, command in commands:
        played.give(seat, command)
    return played


def pick_all(played: Played, picks: Mapping[int, Sequence[str]] | None = None) -> Played:
    """Every seat picks: as told, or else the first of its hand."""
    t = table(played)
    for seat in range(1, t.seats + 1):
        told = (picks or {}).get(seat)
        played.give(seat, pick(*(told or t.hands[seat - 1][: t.select])))
    return played


def at_turns(
    seats: int = 4, picks: Mapping[int, Sequence[str]] | None = None, **told: Any
) -> Played:
    """A meeting in which the first turn has come; see `race` and `pick_all`."""
    return pick_all(race(seats, **told), picks)


def play_cards(played: Played, *cards: str) -> Played:
    """These cards, each by the seat in turn."""
    for name in cards:
        played.give(in_turn(played), card(name))
    return played


def play_round(played: Played) -> Played:
    """Every turn of the round that is under way with the first shown card."""
    number, race_number = table(played).round, table(played).race
    while table(played).phase == "turn" and (table(played).round, table(played).race) == (
        number,
        race_number,
    ):
        seat = in_turn(played)
        played.give(seat, card(table(played).shown[seat - 1][0]))
    return played


def in_turn(played: Played) -> int:
    """The seat whose turn it is."""
    (seat,) = played.game.waiting(played.full)
    return seat


def stand(played: Played, **places: tuple[int, int]) -> Played:
    """Put horses on (lane, space) by hand, in the full state alone: boards don't know of it."""
    t = table(played)
    for horse, (lane, space) in places.items():
        t.lanes[HORSES.index(horse)] = lane
        t.spaces[HORSES.index(horse)] = space
    return played


def line_up(played: Played, *spaces: int) -> Played:
    """Put the horses A to F on these spaces, each in its own lane 1 to 6."""
    places = {h: (lane, s) for lane, (h, s) in enumerate(zip(HORSES, spaces, strict=True), 1)}
    return stand(played, **places)


def places(played: Played) -> dict[str, tuple[int, int]]:
    """Where each horse stands: (lane, space)."""
    t = table(played)
    return {horse: (t.lanes[i], t.spaces[i]) for i, horse in enumerate(HORSES)}


def spaces(played: Played) -> list[int]:
    """The spaces of A to F."""
    return list(table(played).spaces)


def legal(played: Played, seat: int, kind: type[Command] = Command) -> list[Command]:
    """The listed commands of this type, from the full state."""
    return [a for a in played.game.actions(played.full, seat).actions if isinstance(a, kind)]


def wilds(played: Played, seat: int, option: str) -> list[c.PlayWild]:
    """The listed Wild Horses of this option."""
    found = legal(played, seat, c.PlayWild)
    return [a for a in found if isinstance(a, c.PlayWild) and a.option == option]


def moves_of(command: c.PlayWild) -> list[tuple[str, str]]:
    """The sidesteps of a command."""
    assert command.moves is not UNSET
    return [(move.horse, move.side) for move in command.moves]
