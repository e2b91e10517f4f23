"""How we measure: cases interleaved in one run, medians, ratios to a floor of the same run."""

import os
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from statistics import median
from typing import Any

from msgspec import Struct

SPREAD_MOST = 2.0
"""A floor that varies more than so is no floor; the run is repeated."""
TRIES = 3
WARM_SECONDS = 0.3

OK, MISS, UNSTEADY, TOLD = "ok", "MISS", "unsteady", "told"
"""Verdicts: reached, missed, no verdict since the floor does not hold still, or none wanted."""

Case = Callable[[float], float | Mapping[str, float]]
"""Seconds -> what was done a second, or several figures by name."""

Prepared = tuple[Mapping[str, Case], Sequence["Goal"], Sequence[Any]]
"""Cases, goals, and what must be closed."""

Prepare = Callable[[], Prepared]


class Goal(Struct, frozen=True, kw_only=True):
    """A pass line for a ratio, and what we aim at.

    Args:
        row: what is compared with what.
        ours, floor: names of cases; of one with several figures `figure(case, name)`.
        line, stretch: the ratio ours / floor must be at least (or, with `most`, at most) so.
        judged: false where the ratio is only told.
    """

    row: str
    ours: str
    floor: str
    line: float
    stretch: float
    most: bool = False
    judged: bool = True


class Result(Struct, frozen=True, kw_only=True):
    """A goal as measured: medians, their ratio, and how it stands."""

    row: str
    ours: float
    floor: float
    ratio: float
    line: float
    stretch: float
    most: bool
    verdict: str
    spread: float
    """The floor's largest over its smallest."""


def figure(case: str, name: str) -> str:
    """How a figure of a case is called in goals."""
    return f"{case}: {name}"


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
        assert self.process.stdout is not None
        self.process.stdout.close()


def interleave(cases: Mapping[str, Case], seconds: float, reps: int) -> dict[str, list[float]]:
    """Measure A B C A B C …; each case is warmed first."""
    for case in cases.values():
        case(min(seconds, WARM_SECONDS))
    found: dict[str, list[float]] = {}
    for _ in range(reps):
        for name, case in cases.items():
            told = case(seconds)
            if isinstance(told, Mapping):
                for what, value in told.items():
                    found.setdefault(figure(name, what), []).append(value)
            else:
                found.setdefault(name, []).append(told)
    return found


def judge(
    goals: Sequence[Goal],
    cases: Mapping[str, Case],
    seconds: float,
    reps: int,
    tries: int = TRIES,
) -> list[Result]:
    """Measure until the floors hold still, and hold the goals against them.

    Of several tries the steadiest counts; what varies too much even there is not judged.
    """
    floors = {goal.floor for goal in goals if goal.judged}
    all_found = []
    for _ in range(tries):
        found = interleave(cases, seconds, reps)
        worst = max((spread(found[name]) for name in floors), default=1.0)
        all_found.append((worst, found))
        if worst <= SPREAD_MOST:
            break
        print(
            f"a floor varied {worst:.1f}-fold (load {os.getloadavg()[0]:.1f})",
            file=sys.stderr,
            flush=True,
        )
    _, found = min(all_found, key=lambda each: each[0])
    return [result(goal, found) for goal in goals]


def spread(values: Sequence[float]) -> float:
    """The largest over the smallest."""
    return max(values) / min(values)


def result(goal: Goal, found: Mapping[str, Sequence[float]]) -> Result:
    """One goal, judged."""
    ours, floor = median(found[goal.ours]), median(found[goal.floor])
    ratio = ours / floor
    reached = ratio <= goal.line if goal.most else ratio >= goal.line
    verdict = OK if reached else MISS
    if not goal.judged:
        verdict = TOLD
    elif spread(found[goal.floor]) > SPREAD_MOST:
        verdict = UNSTEADY
    return Result(
        row=goal.row,
        ours=ours,
        floor=floor,
        ratio=ratio,
        line=goal.line,
        stretch=goal.stretch,
        most=goal.most,
        verdict=verdict,
        spread=spread(found[goal.floor]),
    )


def machine() -> dict[str, Any]:
    """What a reader must know of the run."""
    return {"cores": os.cpu_count(), "load": os.getloadavg()}
