"""Moves a second in one process, by the real engine, against boardgame.io and PettingZoo.

A move is one accepted command: decide, events, the full fold, the mover's fold and board. Whole
meetings of random players are recorded first and given again, so that choosing costs nothing; what
was decided must come out the same, event by event, or the benchmark stops.
"""

import shutil
import sys
import time
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from random import Random

from domain.kernel.game import Game
from domain.kernel.message import Command
from domain.racing.meeting import RUNNING
from domain.registry import GAMES
from service.collector import calm_collector
from service.simulation import LocalMeeting
from tests.bench.measuring import Case, Goal, Prepared, Process

PEERS = Path(__file__).parent / "peers"
SEATS = 4
MEETINGS = 6

Given = tuple[int, Command]


class Recorded:
    """A whole meeting of random players: its commands, and how many events they made."""

    def __init__(self, game: Game, number: int) -> None:
        self.game = game
        self.seats = min(max(SEATS, game.seats[0]), game.seats[1])
        self.seed = sha256(f"bench/{game.id}/{number}".encode()).digest()
        meeting = self.begin()
        chooser = Random(number)
        given: list[Given] = []
        while meeting.full.status == RUNNING:
            system = game.awaits(meeting.full)
            if system is not None:
                seat, command = 0, system
            else:
                seat = chooser.choice(game.waiting(meeting.full))
                command = game.bots["random"].decide(meeting.view(seat), seat, chooser)
            meeting.give(seat, command)
            given.append((seat, command))
        self.given = given
        self.events = len(meeting.events)

    def begin(self) -> LocalMeeting:
        """The meeting as it starts."""
        options = self.game.read_options({}, self.seats)
        meeting = LocalMeeting(self.game, options=options, seats=self.seats, seed=self.seed)
        for seat in range(1, self.seats + 1):
            meeting.sit(seat, f"seat {seat}")
        meeting.start()
        return meeting

    def again(self) -> tuple[int, float]:
        """Give the commands again; how many moves, and the seconds they took.

        Opening and seating are no moves; of the peers too the moves alone are measured.
        """
        meeting = self.begin()
        for seat in range(1, self.seats + 1):
            meeting.view(seat)
        view = self.game.view
        began = time.perf_counter()
        for seat, command in self.given:
            meeting.give(seat, command)
            if seat:
                view(meeting.view(seat))
        passed = time.perf_counter() - began
        assert len(meeting.events) == self.events, "the same commands, other events"
        return len(self.given), passed


def endless(meetings: list[Recorded]) -> Iterator[Recorded]:
    """The meetings over and over."""
    while True:
        yield from meetings


def ours(game: Game) -> Case:
    """Our moves a second in a game."""
    source = endless([Recorded(game, number) for number in range(MEETINGS)])

    def rate(seconds: float) -> float:
        moves, passed = 0, 0.0
        while passed < seconds:
            more, took = next(source).again()
            moves, passed = moves + more, passed + took
        return moves / passed

    return rate


def peers() -> dict[str, Process]:
    """boardgame.io and PettingZoo, as `run bench` has installed them.

    Raises:
        FileNotFoundError: they are not installed here.
    """
    node = shutil.which("node")
    python = Path(sys.prefix) / "peers" / "bin" / "python"
    if node is None or not (PEERS / "node_modules").exists() or not python.exists():
        raise FileNotFoundError("the peers are not installed: make bench does it (it needs Node)")
    return {
        "boardgame.io reducer": Process([node, "reducer.cjs"], cwd=str(PEERS)),
        "PettingZoo env()": Process([str(python), str(PEERS / "envs.py")]),
    }


def prepare() -> Prepared:
    """Cases, goals, and what must be closed; the collector behaves as in our own processes."""
    calm_collector()
    processes = peers()
    cases: dict[str, Case] = {name: process.rate for name, process in processes.items()}
    goals = []
    for game in GAMES.values():
        cases[game.id] = ours(game)
        for peer, line in (("boardgame.io reducer", 4.0), ("PettingZoo env()", 3.0)):
            goals.append(
                Goal(
                    row=f"6 {game.id}, moves/s, against {peer}",
                    ours=game.id,
                    floor=peer,
                    line=line,
                    stretch=2 * line,
                )
            )
    return cases, goals, list(processes.values())
