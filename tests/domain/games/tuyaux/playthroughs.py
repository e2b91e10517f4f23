"""Whole meetings worth keeping: each option, each programme, each way a meeting can end.

`python -m tests.domain.games.tuyaux.playthroughs` writes them anew: the log, and the public board
at its end. They lock the stored format and the rules: a difference is read before it is kept.
"""

from collections.abc import Callable
from random import Random
from typing import Any

from domain.kernel.message import Command
from domain.racing import lifecycle
from tests.domain.games.tuyaux.paddock import both, dead_heat, deal, play, printed, tierce, win
from tests.kit.meetings import Played, as_default, by_bots, seated
from tests.kit.recordings import Recordings

NOBODY: dict[str, Any] = {"card": "noiro-2", "deck": ["cocotte-0", "caramel-1", "perle-1"]}
"""By defaults cocotte falls back in such a race, whoever deals."""


def bots(seats: int, seed: int, *names: str, **options: Any) -> Callable[[], Played]:
    """Built-in bots around the table."""

    def run() -> Played:
        played = Played("tuyaux", seats=seats, options=options, seed=bytes([seed]) * 32)
        for seat in range(1, seats + 1):
            played.sit_bot(seat, names[(seat - 1) % len(names)])
        return played.begin().play(by_bots(Random(seed), names))

    return run


def last_listed(played: Played, seat: int) -> Command:
    """The last of the actions: bets on the last horses, whips first."""
    return played.game.actions(played.view(seat), seat).actions[-1]


def people(seats: int, seed: int, **options: Any) -> Callable[[], Played]:
    """People, some with nonces: those on even seats take the last action, the others the first."""

    def choose(played: Played, seat: int) -> Command:
        return last_listed(played, seat) if seat % 2 == 0 else as_default(played, seat)

    def run() -> Played:
        played = Played("tuyaux", seats=seats, options=options, seed=bytes([seed]) * 32)
        return seated(played, ("a b", None, "~")).play(choose)

    return run


def dead_heat_of(option: str, *bets: Command) -> Callable[[], Played]:
    """Vertige and perle win together, and end the meeting."""
    return lambda: play(dead_heat(*bets, bets=option, target=1), "noiro-0")


def second_line_shared() -> Played:
    """Noiro wins alone, the two that never moved are placed behind it."""
    played = dead_heat(
        both("noiro", "vertige"),
        both("grisou", "perle"),
        bets="win_and_place",
        target=3,
        hands={
            2: ["cocotte-0", "cocotte-0", "cocotte-1", "vertige-0", "perle-0"],
            1: ["grisou-0", "noiro-0", "grisou-0", "noiro-0", "noiro-1"],
        },
        tips=(
            *("cocotte-0", "grisou-0", "cocotte-0", "noiro-1"),
            *("cocotte-1", "grisou-0", "vertige-0", "noiro-0", "perle-0"),
        ),
    )
    return play(played, "noiro-0")


def to_the_bound() -> Played:
    """A hundred races in which nobody wins anything, but seat 1 in the first; too long to keep."""
    draws: dict[str, Any] = {"dealer": [1]}
    for race in range(1, 101):
        draws |= deal(2, race=race, dealer=2 - race % 2, **NOBODY)

    def choose(played: Played, seat: int) -> Command:
        if played.full.table.phase == "bet":
            first = played.full.race == seat == 1
            return win("perle" if first else "cocotte")
        return as_default(played, seat)

    return seated(Played("tuyaux", seats=2, options={"target": 5}, draws=draws)).play(choose)


def all_programmes() -> Played:
    """Each of the 14 race cards, one after the other; then the host has had enough."""
    draws = {f"race-{race}/programme": [card] for race, card in enumerate(printed(), 1)}
    played = seated(Played("tuyaux", seats=3, options={"target": 30}, draws=draws))
    return played.play(as_default, until=lambda p: p.full.race == 15).abandon()


def abandoned_in_play() -> Played:
    """Two of three ask for it in mid-race, then the host ends it."""
    played = seated(Played("tuyaux", seats=3, options={"bets": "tierce"}, draws={"dealer": [3]}))
    played.play(as_default, until=lambda p: p.full.race == 2 and p.full.table.turn == 2)
    return played.ask_abandon(1).ask_abandon(3).abandon()


def abandoned_in_the_bets() -> Played:
    """One bet is in, and stays hidden."""
    played = seated(Played("tuyaux", seats=2, seed=b"\x07" * 32))
    seat = played.game.waiting(played.full)[1]
    return played.give(seat, as_default(played, seat)).abandon("admin")


def abandoned_before_the_start() -> Played:
    """A seat is kept, taken, left, taken again; and nobody starts."""
    played = Played("tuyaux", seats=3, name=None, start="when_full")
    played.act(lambda d: lifecycle.reserve_seat(d, 3, "p-cleo", "Cleo"))
    played.sit(1, "Ann", "first").sit(3, "Cleo", "second")
    played.act(lambda d: lifecycle.leave_seat(d, 1))
    return played.sit(1, "Eve").abandon("not_started")


MEETINGS: dict[str, Callable[[], Played]] = {
    "win__target_reached": bots(2, 2, "steady", "random"),
    "win__seven_seats": bots(7, 7, "random", "steady"),
    "win__four_seats_by_people": people(4, 4),
    "win__all_programmes": all_programmes,
    "win__dead_heat": dead_heat_of("win", win("vertige"), win("perle")),
    "win__abandoned_in_the_bets": abandoned_in_the_bets,
    "open_bets__target_reached": bots(3, 3, "steady", open_bets=True),
    "two_wins__target_reached": people(3, 5, bets="two_wins", whip="first_whip"),
    "two_wins__dead_heat": dead_heat_of("two_wins", win("perle", "vertige"), win("noiro", "perle")),
    "win_and_place__target_reached": people(5, 8, bets="win_and_place", open_bets=True),
    "win_and_place__dead_heat": dead_heat_of(
        "win_and_place", both("vertige", "perle"), both("noiro", "vertige")
    ),
    "win_and_place__second_line_shared": second_line_shared,
    "tierce__target_reached": people(6, 9, bets="tierce", whip="first_whip", target=2),
    "tierce__dead_heat": dead_heat_of(
        "tierce", tierce("perle", "vertige", "noiro"), tierce("noiro", "perle", "vertige")
    ),
    "tierce__abandoned_in_play": abandoned_in_play,
    "open__abandoned_before_the_start": abandoned_before_the_start,
}
"""By name: which bets, and what is special."""

BY_BOTS = frozenset({"win__target_reached", "win__seven_seats", "open_bets__target_reached"})
"""Those in which built-in bots choose: they change when a bot is taught better."""


if __name__ == "__main__":
    Recordings("tuyaux").write(MEETINGS)
