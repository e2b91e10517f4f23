"""The rules against the sheet written a second time (reference.py): plays, ends, finishes, sums."""

from collections.abc import Iterator
from itertools import product
from random import Random
from typing import Any

import pytest

from domain.games.ticket_gagnant import events as e
from domain.kernel.message import Event, body_of
from domain.racing.meeting import RUNNING
from tests.domain.games.ticket_gagnant.reference import Track, earns
from tests.domain.games.ticket_gagnant.turf import GAME, spots
from tests.kit.meetings import Played, as_default, at_random, seated
from tests.kit.spec import board

NARROW = {
    "lanes": 7,
    "last": 6,
    "start": 0,
    "line": 5,
    "hedges": [1, 2],
    "hoofprints": [{"lane": 1, "space": 1}, {"lane": 7, "space": 6}, {"lane": 4, "space": 3}],
}
"""Short, so that lines, hedges and crowds are met at every turn."""
WIDE = {
    "lanes": 12,
    "last": 40,
    "start": 20,
    "line": 24,
    "hedges": [21, 22],
    "hoofprints": [{"lane": lane, "space": 21} for lane in range(1, 13)],
}
RACES = [
    {"kind": "flat", "deal": 7},
    {"kind": "obstacle", "deal": 6, "hidden": True},
    *(
        {"kind": "steeplechase", "deal": 7, "river": {"hedge": hedge, "side": side}}
        for hedge in (1, 2)
        for side in ("front", "behind")
    ),
    {"kind": "harness", "deal": 5},
    {"kind": "harness", "deal": 3, "hidden": True},
]


def cases() -> Iterator[Any]:
    """Every course, with both readings of the line, both finishes, both kinds of wild cards."""
    lines, finishes, wilds = ("wins", "no_return"), ("draw", "rail"), ("free", "printed")
    for number, (course, line, finish, wild) in enumerate(
        product(("standard", NARROW, WIDE), lines, finishes, wilds)
    ):
        name = {0: "standard", 1: "narrow", 2: "wide"}[number // 8]
        yield pytest.param(course, line, finish, wild, id=f"{name}-{line}-{finish}-{wild}")


def texts(bodies: list[dict[str, Any]]) -> list[str]:
    """Bodies in one order, to be compared."""
    return sorted(str(sorted(body.items(), key=str)) for body in bodies)


class Checker:
    """Plays a meeting and holds every position and every end against the reference."""

    def __init__(self, played: Played, source: Random) -> None:
        self.played = played
        self.source = source
        self.full_lists = 0
        self.discards = 0

    def run(self) -> None:
        """Play to the end: defaults and random plays by turns."""
        played = self.played
        while played.full.status == RUNNING:
            seat = played.game.waiting(played.full)[0]
            if played.full.table.phase != "move":
                played.step(at_random(self.source))
                continue
            track = Track(board(played), played.full.options)
            assert not track.over()
            self.check_list(track, seat)
            choose = as_default if self.source.random() < 0.3 else at_random(self.source)
            known, left = len(played.events), sum(played.full.table.hand_counts)
            played.give(seat, choose(played, seat))
            self.check_play(track, played.events[known:], last=left == 1)

    def check_list(self, track: Track, seat: int) -> None:
        """What is listed is what is legal."""
        hand = self.played.view(seat).table.hands[seat - 1]
        listing = self.played.game.actions(self.played.view(seat), seat)
        found = [body_of(command) for command in listing.actions]
        kinds = {body.pop("type") for body in found}
        legal = track.legal(hand)
        if not legal:
            self.discards += 1
            assert kinds == {"ticket-gagnant.discard_card"}
            assert texts(found) == texts([{"card": card} for card in dict.fromkeys(hand)])
            return
        assert kinds == {"ticket-gagnant.play_card"}
        assert listing.complete
        assert listing.schema is None
        self.full_lists += 1
        assert texts(found) == texts(legal)

    def check_play(self, track: Track, events: list[Event], *, last: bool) -> None:
        """Horses stand where the reference has them, and a race ends where it says."""
        first = events[0]
        assert isinstance(first.command, dict)
        if isinstance(first, e.CardPlayed):
            after = track.after(first.command)
            assert after is not None
            track.horses = after
        ended = [event for event in events if isinstance(event, e.RaceScored)]
        assert len(ended) == (last or track.over())
        if not ended:
            assert track.horses == spots(self.played)
            return
        photo = [event.order for event in events if isinstance(event, e.PhotoFinishDrawn)]
        assert bool(photo) == (self.played.full.options["photo_finish"] == "draw")
        ranking, out = track.finish(photo[0] if photo else None)
        assert (ended[0].ranking, ended[0].disqualified) == (ranking, out)
        last_place = self.played.full.options["last_place"]
        told = [
            {"first": p.first, "second": p.second, "third": p.third} for p in ended[0].predictions
        ]
        assert ended[0].nets == [earns(p, ranking, out, last_place) for p in told]
        result = board(self.played)["results"][-1]
        assert {p["horse"]: (p["lane"], p["space"]) for p in result["positions"]} == track.horses


@pytest.mark.parametrize(("course", "line", "finish", "wild"), list(cases()))
def test_every_position_of_a_meeting_is_as_the_sheet_written_twice_has_it(
    course: Any, line: str, finish: str, wild: str
) -> None:
    """TG-M1 to TG-M11, TG-R1 to TG-R3, TG-P1 to TG-P6"""
    options = {
        "races": 8,
        "choice": RACES,
        "course": course,
        "dashed_line": line,
        "photo_finish": finish,
        "wild": wild,
        "last_place": -1 if finish == "rail" else -2,
    }
    source = Random(f"{course} {line} {finish} {wild}")
    checker = Checker(seated(Played(GAME, seats=4, options=options)), source)
    checker.run()
    assert checker.full_lists > 40


def test_a_crowd_that_can_not_move_is_met_too() -> None:
    """TG-M11: discards come up in narrow courses; the reference sees the same ones."""
    options = {
        "races": 8,
        "choice": [{**RACES[2], "deal": 7}] * 8,
        "course": {**NARROW, "start": 0, "last": 4, "line": 4, "hoofprints": []},
        "dashed_line": "no_return",
    }
    discards = 0
    for seed in range(6):
        checker = Checker(seated(Played(GAME, seats=4, options=options)), Random(seed))
        checker.run()
        discards += checker.discards
    assert discards > 0
