"""Whole meetings of Change Horses worth keeping: each option, seat count and way to end.

`python -m tests.domain.games.change_horses.playthroughs` writes them anew: the log, and the public
board at its end. They lock the stored format and the rules: a difference is read before it is kept.
"""

from collections.abc import Callable
from random import Random
from typing import Any

from domain.games.change_horses import commands as c
from domain.kernel.message import Command
from domain.racing import lifecycle
from tests.kit.meetings import Choose, Played, as_default, at_random, by_bots, seated
from tests.kit.recordings import Recordings

HORSES = ["yellow", "orange", "red", "green", "blue", "purple"]
FAST = c.PlayWild(option="fast")


def step_aside(*moves: tuple[Any, Any]) -> Command:
    """A slippery track."""
    return c.PlayWild(option="slippery", moves=[c.Sidestep(horse=h, side=s) for h, s in moves])


def begun(seats: int, nonces: tuple[str | None, ...] = (), **options: Any) -> Played:
    """A meeting with the horses A to F in lanes 1 to 6 and with the seats in their order."""
    draws: dict[str, list[Any]] = {"race-1/lanes": HORSES, "race-1/certificates": HORSES}
    draws["race-1/positions"] = list(range(1, seats + 1))
    return seated(Played("change-horses", seats=seats, options=options, draws=draws), nonces)


def drawn(seats: int, seed: int, nonces: tuple[str | None, ...] = (), **options: Any) -> Played:
    """A meeting of this seed."""
    played = Played("change-horses", seats=seats, options=options, seed=bytes([seed]) * 32)
    return seated(played, nonces)


def playing(turns: dict[tuple[int, int], Command]) -> Choose:
    """Defaults, but first this Wild Horse in a turn of (round, seat), if it may be played."""

    def choose(played: Played, seat: int) -> Command:
        t = played.full.table
        wild = turns.get((t.round, seat)) if t.phase == "turn" and not t.wild_played else None
        if wild is not None and wild in played.game.actions(played.view(seat), seat).actions:
            return wild
        return as_default(played, seat)

    return choose


def bidding(wanted: dict[int, int]) -> Choose:
    """Defaults, but a seat bids and raises by one up to its number."""

    def choose(played: Played, seat: int) -> Command:
        t = played.full.table
        if t.phase == "auction":
            legal = [
                action.carrots
                for action in played.game.actions(played.view(seat), seat).actions
                if isinstance(action, c.Bid)
            ]
            highest = max(t.auction.bids.values(), default=0)
            above = [n for n in legal if highest < n <= wanted.get(seat, 0)]
            if above:
                return c.Bid(carrots=above[0])
        return as_default(played, seat)

    return choose


def all_wild_horses() -> Played:
    """Four seats: every option of a Wild Horse, slippery in the order that alone is possible."""
    turns: dict[tuple[int, int], Command] = {
        (1, 2): c.PlayWild(option="stumble", card="blue+green"),
        (1, 3): c.PlayWild(option="change"),
        (2, 4): FAST,
        (3, 1): step_aside(("blue", "inside"), ("green", "inside")),
        (3, 3): c.PlayWild(option="change"),
    }
    played = begun(4, ("one", None, "three"), finish=16)
    choose = playing(turns)

    def slippery_when_it_comes(played: Played, seat: int) -> Command:
        t = played.full.table
        if t.phase == "turn" and t.round >= 3 and t.wild_left[seat - 1] == 2:
            for action in played.game.actions(played.view(seat), seat).actions:
                if isinstance(action, c.PlayWild) and action.option == "slippery":
                    return action
        return choose(played, seat)

    return played.play(slippery_when_it_comes)


def crossed_by_fast() -> Played:
    """Three seats play fast in every turn: the last one leaves no card to play."""
    turns = {(number, seat): FAST for number in (1, 2) for seat in (1, 2, 3)}
    return begun(3).play(playing(turns))


def all_rounds(seats: int, **options: Any) -> Callable[[], Played]:
    """The far finish: the cards run out; picks that move little."""

    def choose(played: Played, seat: int) -> Command:
        t = played.full.table
        if t.phase == "turn":
            return min(
                (c.PlayCard(card=name) for name in t.shown[seat - 1]),
                key=lambda command: steps_after(t, command.card),
            )
        return as_default(played, seat)

    return lambda: begun(seats, finish=24, **options).play(choose)


def steps_after(t: Any, name: str) -> int:
    """How far all horses would go if the round ended with this card."""
    seen = [h for placed in t.board if not placed.covered for h in placed.card.split("+")]
    seen += name.split("+")
    return sum(seen.count(horse) for horse in HORSES if seen.count(horse) % 2)


def auctions(seats: int, wanted: dict[int, int]) -> Callable[[], Played]:
    """The Derby League: bids as high as these, until the carrots are gone and seats fail."""
    return lambda: begun(seats, ("a", "b"), turn_order="derby").play(bidding(wanted))


def several_races() -> Played:
    """Three short races; match points are summed."""
    return drawn(3, 5, (None, "x"), races=3, finish=8).play(as_default)


def two_seats_wild() -> Played:
    """Two seats: both change the horse that they name, and one plays fast."""
    turns: dict[tuple[int, int], Command] = {
        (1, 1): c.PlayWild(option="change", certificate="orange"),
        (2, 2): c.PlayWild(option="change", certificate="green"),
        (3, 1): FAST,
    }
    return begun(2, ("left", "right")).play(playing(turns))


def random_play(seats: int, seed: int, **options: Any) -> Callable[[], Played]:
    """Any listed command, by a seeded source."""
    return lambda: drawn(seats, seed, **options).play(at_random(Random(seed)))


def bots() -> Played:
    """A careful bot and a wild one beside a person that plays defaults."""
    played = Played("change-horses", seats=4, seed=b"\x07" * 32, name=None)
    played.sit_bot(1, "steady").sit(2, "Ben", "seven horses").sit_bot(3, "random")
    return played.sit_bot(4, "steady").begin().play(by_bots(Random(7), ("steady", "random")))


def abandoned_in_play() -> Played:
    """Somebody has picked, the others not yet."""
    played = begun(3, races=2).play(
        as_default, until=lambda p: p.full.table.round == 3 and p.full.table.picked[0]
    )
    return played.ask_abandon(1).ask_abandon(2).abandon()


def abandoned_before_the_start() -> Played:
    """A seat is kept, another taken and left, and nobody starts."""
    played = Played("change-horses", seats=5, options={"turn_order": "derby"}, start="when_full")
    played.act(lambda draft: lifecycle.reserve_seat(draft, 5, "p-cleo", "Cleo"))
    played.sit(2, "Ben", "a nonce")
    played.act(lambda draft: lifecycle.leave_seat(draft, 2))
    return played.abandon("not_started")


MEETINGS: dict[str, Callable[[], Played]] = {
    "three_seats__crossed_by_fast": crossed_by_fast,
    "four_seats__all_wild_horses": all_wild_horses,
    "three_seats__crossed_by_cards": lambda: drawn(3, 1, ("a", None, "~")).play(as_default),
    "four_seats__random": random_play(4, 6),
    "five_seats__all_rounds": all_rounds(5),
    "two_seats__all_rounds": all_rounds(2),
    "two_seats__changed": two_seats_wild,
    "two_seats__random": random_play(2, 3, finish=9),
    "derby_three_seats__bids": auctions(3, {1: 6, 2: 5, 3: 4}),
    "derby_five_seats__seats_fail": auctions(5, {1: 55, 2: 54, 3: 20, 4: 3}),
    "derby_four_seats__all_rounds": all_rounds(4, turn_order="derby"),
    "derby_four_seats__random": random_play(4, 8, turn_order="derby", races=2),
    "several_races__summed": several_races,
    "five_seats__random": random_play(5, 2, finish=20),
    "bots__beside_a_person": bots,
    "four_seats__abandoned_in_play": abandoned_in_play,
    "open__abandoned_before_the_start": abandoned_before_the_start,
}
"""By name: what is played, and how it ends."""

BY_BOTS = frozenset({"bots__beside_a_person"})
"""Those in which a careful bot chooses: they change when it is taught better."""


if __name__ == "__main__":
    Recordings("change-horses").write(MEETINGS)
