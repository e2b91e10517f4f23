"""How we measure: cases interleaved in one run, medians, ratios to a floor of the same run."""

import os
import subprocess
from collections.abc import Callable, Sequence
from statistics import median
from typing import Any

from msgspec import Struct

SPREAD_MOST = 2.0
"""A floor that varies more than so is no floor; the run is repeated."""
TRIES = 3

Case = Callable[[float], float]
"""Seconds -> what was done a second."""


class Goal(Struct, frozen=True, kw_only=True):
    """A pass line for a ratio, and what we aim at.

    Args:
        row: what is compared with what.
        ours, floor: names of cases.
        line, stretch: the ratio ours / floor must be at least (or, with `most`, at most) so.
    """

    row: str
    ours: str
    floor: str
    line: float
    stretch: float
    most: bool = False


class Result(Struct, frozen=True, kw_only=True):
    """A goal as measured: medians, their ratio, and how it stands."""

    row: str
    ours: float
    floor: float
    ratio: float
    line: float
    stretch: float
    verdict: str


class Process:
    """A peer that measures itself: so many seconds in, a rate out, a line each."""

    def __init__(self, command: Sequence[str], cwd: str | None = None) -> None:
        self.process = subprocess.Popen(
            command, cwd=cwd, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def rate(self, seconds: float) -> float:
        """What it did a second."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(f"{seconds}\n")
        self.process.stdin.flush()
        return float(self.process.stdout.readline())

    def close(self) -> None:
        """End it."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait(10)


def interleave(cases: dict[str, Case], seconds: float, reps: int) -> dict[str, list[float]]:
    """Measure A B C A B C …; each case is warmed first."""
    for case in cases.values():
        case(min(seconds, 0.3))
    found: dict[str, list[float]] = {name: [] for name in cases}
    for _ in range(reps):
        for name, case in cases.items():
            found[name].append(case(seconds))
    return found


def judge(goals: Sequence[Goal], cases: dict[str, Case], seconds: float, reps: int) -> list[Result]:
    """Measure until the floors hold still, and hold the goals against them.

    Raises:
        RuntimeError: a floor varied too much in every try: nothing can be said.
    """
    floors = {goal.floor for goal in goals}
    for _ in range(TRIES):
        found = interleave(cases, seconds, reps)
        if all(max(found[name]) <= SPREAD_MOST * min(found[name]) for name in floors):
            return [result(goal, found) for goal in goals]
    raise RuntimeError(f"the floors vary too much here (load {os.getloadavg()[0]:.1f})")


def result(goal: Goal, found: dict[str, list[float]]) -> Result:
    """One goal, judged."""
    ours, floor = median(found[goal.ours]), median(found[goal.floor])
    ratio = ours / floor
    reached = ratio <= goal.line if goal.most else ratio >= goal.line
    return Result(
        row=goal.row,
        ours=ours,
        floor=floor,
        ratio=ratio,
        line=goal.line,
        stretch=goal.stretch,
        verdict="ok" if reached else "MISS",
    )


def machine() -> dict[str, Any]:
    """What a reader must know of the run."""
    return {"cores": os.cpu_count(), "load": os.getloadavg()}
