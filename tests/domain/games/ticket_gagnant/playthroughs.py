"""Whole meetings worth keeping: each race kind, each option, each way a race or a meeting can end.

`python -m tests.domain.games.ticket_gagnant.playthroughs` writes them anew: the log, and the public
board at its end. They lock the stored format and the rules: a difference is read before it is kept.
"""

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any

from domain.kernel.message import Command, body_of
from domain.racing import lifecycle
from tests.domain.games.ticket_gagnant.turf import (
    CUSTOM,
    GAME,
    HORSES,
    MOAT,
    STUCK,
    choose,
    discard,
    opened,
    pair,
    predict,
    river_of,
    single,
    wild,
)
from tests.kit.meetings import Played, by_bots, seated
from tests.kit.recordings import Recordings

SHORT = {"lanes": 7, "last": 7, "start": 0, "line": 5, "hedges": [1, 2]}
"""A course that is crossed in five spaces."""


def plainly(played: Played, seat: int) -> Command:
    """The first listed action that is simplest: flat and short, one horse, a card as it comes."""
    actions = played.game.actions(played.view(seat), seat).actions
    if played.full.table.phase == "predict":
        return predict(HORSES[seat - 1])
    return actions[0]


def scripted(played: Played, script: Sequence[tuple[int, Command]]) -> Played:
    """Give these commands, then play plainly to the end."""
    for seat, command in script:
        played.give(seat, command)
    return played.play(plainly)


def predicted(seats: int) -> list[tuple[int, Command]]:
    """Each seat predicts the horse of its own number first."""
    return [(seat, predict(HORSES[seat - 1])) for seat in range(1, seats + 1)]


def hands_empty(
    kind: str, river: tuple[int, str] | None = None, **options: Any
) -> Callable[[], Played]:
    """Race 1 is of this kind and ends when the last card is played."""

    def play() -> Played:
        hands = {1: ["red-1", "blue-2", "green-3"], 2: ["orange-1", "purple-2", "yellow-3"]}
        played = opened(2, deal=3, hands=hands, nonces=("one", None), **options)
        ways: list[tuple[int, Command]] = [
            (seat, single(hands[seat][number], "forward")) for number in range(3) for seat in (1, 2)
        ]
        return scripted(played, [(1, choose(kind, 3, False, river)), *predicted(2), *ways])

    return play


def crossed_by(how: str) -> Callable[[], Played]:
    """The line is crossed in race 1, and so it ends, cards still in hands."""

    def play() -> Played:
        hands = {
            1: ["red-3", "wild", "red-1", "blue+red"],
            2: ["blue-3", "blue-1", "red-2", "blue-2"],
        }
        played = opened(2, deal=4, hands=hands, course={**SHORT, "hoofprints": []})
        script: list[tuple[int, Command]] = [(1, choose("flat", 4)), *predicted(2)]
        script += [(1, single("red-3", "forward")), (2, single("blue-3", "forward"))]
        if how == "a move":
            return scripted(played, [*script, (1, wild("red", "forward", 2))])
        script += [(1, single("red-1", "forward")), (2, single("blue-1", "forward"))]
        return scripted(played, [*script, (1, pair("blue+red", "red", "front"))])

    return play


def displaced_over_the_line() -> Played:
    """Blue lands on red on the last space before the line, and red is put past it."""
    hands = {1: ["red-3", "red-1", "green-1"], 2: ["wild", "blue-3", "blue-1"]}
    played = opened(2, deal=4, hands=hands, course={**SHORT, "hoofprints": []})
    script: list[tuple[int, Command]] = [(1, choose("flat", 4)), *predicted(2)]
    for red, blue in (("red-3", "blue-3"), ("red-1", "blue-1")):
        script += [(1, single(red, "forward")), (2, single(blue, "forward"))]
    script += [(1, single("green-1", "forward")), (2, wild("blue", "right", 1, (6, 5)))]
    return scripted(played, script)


def last_card_discarded() -> Played:
    """Nobody can play anything behind the river: all cards of race 1 are discarded."""
    others = ["black+blue", "black+green", "purple+red"]
    played = opened(2, deal=3, hands={1: STUCK, 2: others}, course=MOAT)
    discards = [
        (seat, discard(card))
        for pair_ in zip(STUCK, others, strict=True)
        for seat, card in enumerate(pair_, 1)
    ]
    first = (1, choose("steeplechase", 3, True, (1, "front")))
    return scripted(played, [first, *predicted(2), *discards])


def all_disqualified() -> Played:
    """A harness race on a course where every space near the start is a hoofprint."""
    prints = [{"lane": lane, "space": space} for lane in range(1, 8) for space in range(1, 8)]
    hands = {
        1: ["orange-1", "purple-1", "green-1", "blue-1"],
        2: ["red-1", "yellow-1", "black-1", "orange-2"],
    }
    played = opened(2, deal=4, hands=hands, course={**SHORT, "hoofprints": prints})
    order = [
        (1, "orange-1"),
        (2, "red-1"),
        (1, "purple-1"),
        (2, "yellow-1"),
        (1, "green-1"),
        (2, "black-1"),
        (1, "blue-1"),
        (2, "orange-2"),
    ]
    script: list[tuple[int, Command]] = [(1, choose("harness", 4)), *predicted(2)]
    script += [(seat, single(card, "forward")) for seat, card in order]
    return scripted(played, script)


def crossed_and_disqualified() -> Played:
    """Red crosses the line onto a hoofprint: the race ends, and it has no rank."""
    hands = {1: ["red-3", "red-2", "red-1"], 2: ["blue-3", "blue-1", "blue-2"]}
    course = {**SHORT, "hoofprints": [{"lane": 5, "space": 5}]}
    played = opened(2, deal=3, hands=hands, course=course)
    script: list[tuple[int, Command]] = [(1, choose("harness", 3)), *predicted(2)]
    script += [(1, single("red-3", "forward")), (2, single("blue-3", "forward"))]
    return scripted(played, [*script, (1, single("red-2", "forward"))])


def no_return() -> Played:
    """Horses go past the line and stay there; the rail settles ties; printed wild cards."""
    options = {"dashed_line": "no_return", "photo_finish": "rail", "wild": "printed"}
    course = {**SHORT, "hoofprints": []}
    played = seated(Played(GAME, seats=3, options={**options, "course": course}, seed=b"\x05" * 32))
    return played.play(varied(7))


def varied(seed: int) -> Callable[[Played, int], Command]:
    """Any listed action, by a source of its own; horses are mostly sent forward."""
    source = Random(seed)

    def choose_one(played: Played, seat: int) -> Command:
        actions = played.game.actions(played.view(seat), seat).actions
        forward = [a for a in actions if body_of(a).get("direction") == "forward"]
        pool = forward if forward and source.random() < 0.6 else actions
        picked: Command = source.choice(pool)
        return picked

    return choose_one


def programme() -> Played:
    """Six seats, six races as an organiser wants them, each river and kind, nonces on all seats."""
    races: list[Mapping[str, Any]] = [
        {"kind": "harness", "deal": 3},
        {"kind": "steeplechase", "deal": 7, "river": river_of((1, "front")), "hidden": True},
        {"kind": "steeplechase", "deal": 4, "river": river_of((1, "behind"))},
        {"kind": "obstacle", "deal": 5},
        {"kind": "steeplechase", "deal": 4, "river": river_of((2, "front"))},
        {"kind": "steeplechase", "deal": 4, "river": river_of((2, "behind")), "hidden": True},
    ]
    played = Played(GAME, seats=6, options={"choice": races, "last_place": -1}, seed=b"\x66" * 32)
    return seated(played, ["a", "b", "c", "d", "e", "f"]).play(varied(2))


def flat_only() -> Played:
    """Five seats on a course of their own; the first players choose how many cards."""
    options = {"choice": "flat_only", "course": {**CUSTOM, "lanes": 12}}
    return seated(Played(GAME, seats=5, options=options, seed=b"\x55" * 32)).play(varied(5))


def eight_races() -> Played:
    """Four seats, eight races, every choice at random."""
    played = Played(GAME, seats=4, options={"races": 8}, seed=b"\x44" * 32)
    return seated(played, [None, "~", None, "z z"]).play(varied(8))


def bots() -> Played:
    """Three bots of both sorts under the default options."""
    played = Played(GAME, seats=3, options={"races": 6}, seed=b"\x33" * 32)
    for seat, name in enumerate(("steady", "random", "steady"), 1):
        played.sit_bot(seat, name)
    return played.begin().play(by_bots(Random(3)))


def abandoned_in_play() -> Played:
    """Two of three ask for it while horses move, then the host ends it."""
    played = opened(3)
    played.give(1, choose("obstacle", 3, True))
    for seat, command in predicted(3):
        played.give(seat, command)
    played.give(1, plainly(played, 1))
    return played.ask_abandon(1).ask_abandon(3).abandon()


def abandoned_before_the_start() -> Played:
    """A seat is kept, taken, left, taken again; and nobody starts."""
    played = Played("ticket-gagnant", seats=3, name=None, start="when_full")
    played.act(lambda draft: lifecycle.reserve_seat(draft, 3, "p-cleo", "Cleo"))
    played.sit(1, "Ann", "first").sit(3, "Cleo", "second")
    played.act(lambda draft: lifecycle.leave_seat(draft, 1))
    return played.sit(1, "Eve").abandon("not_started")


MEETINGS: dict[str, Callable[[], Played]] = {
    "open__abandoned_before_the_start": abandoned_before_the_start,
    "flat__hands_empty": hands_empty("flat"),
    "obstacle__hands_empty": hands_empty("obstacle", photo_finish="rail"),
    "steeplechase_1_front__hands_empty": hands_empty("steeplechase", (1, "front")),
    "steeplechase_1_behind__hands_empty": hands_empty("steeplechase", (1, "behind")),
    "steeplechase_2_front__hands_empty": hands_empty("steeplechase", (2, "front")),
    "steeplechase_2_behind__hands_empty": hands_empty("steeplechase", (2, "behind")),
    "harness__hands_empty": hands_empty("harness", last_place=-1),
    "flat__line_crossed_by_a_move": crossed_by("a move"),
    "flat__line_crossed_by_a_pair": crossed_by("a pair"),
    "flat__line_crossed_by_a_displacement": displaced_over_the_line,
    "steeplechase__last_card_discarded": last_card_discarded,
    "harness__all_disqualified": all_disqualified,
    "harness__crossed_and_disqualified": crossed_and_disqualified,
    "no_return__rail_and_printed": no_return,
    "programme__six_seats": programme,
    "flat_only__five_seats": flat_only,
    "first_player__eight_races": eight_races,
    "bots__six_races": bots,
    "obstacle__abandoned_in_play": abandoned_in_play,
}
"""By name: what is played, and how it ends."""

BY_BOTS = frozenset({"bots__six_races"})
"""Those in which built-in bots choose: they change when a bot is taught better."""


if __name__ == "__main__":
    Recordings("ticket-gagnant").write(MEETINGS)
