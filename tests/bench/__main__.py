"""`python -m tests.bench`: every benchmark, one table, the same as JSON.

What is fast is said as a ratio to a floor measured in the same run; rates of two runs are never
compared. Redis writes to disk once a second (everysec) on both sides of every ratio that is judged;
rows named `always` are told beside it.
"""

import argparse
import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path

import msgspec
from rich.console import Console
from rich.table import Table

from service.logs import configure
from tests.bench import (
    boards,
    bots,
    cold,
    commands,
    feeds,
    growth,
    listing,
    memory,
    moves,
    rates,
    replay,
    turns,
    wakes,
)
from tests.bench.measuring import MISS, TRIES, UNSTEADY, Prepare, Result, judge, machine
from tests.kit.programs import ROOT

PARTS: dict[str, tuple[Prepare, ...]] = {
    "row1": (commands.prepare,),
    "row3": (growth.prepare,),
    "row4": (cold.prepare,),
    "row5": (replay.prepare,),
    "row6": (moves.prepare,),
    "row7": (turns.prepare,),
    "row8": (bots.prepare, wakes.prepare),
    "row9": (boards.prepare,),
    "row10": (feeds.prepare,),
    "row12": (memory.prepare,),
    "listing": (listing.prepare,),
    "rates": (rates.prepare,),
}
OUT = ROOT / "build" / "bench.json"


def table(results: list[Result]) -> Table:
    """Ours, the floor, and how it stands."""
    shown = Table()
    for name in ("row", "ours", "floor", "ratio", "pass", "stretch", ""):
        shown.add_column(name, justify="left" if name in ("row", "") else "right")
    for r in results:
        sign = "≤" if r.most else "≥"
        shown.add_row(
            r.row,
            number(r.ours),
            number(r.floor),
            f"{r.ratio:.2f}",
            f"{sign}{r.line:g}",
            f"{sign}{r.stretch:g}",
            r.verdict,
        )
    return shown


def number(value: float) -> str:
    """Three digits that tell something."""
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def measure(prepare: Prepare, seconds: float, reps: int, tries: int = TRIES) -> list[Result]:
    """Prepare, measure, judge and close one part."""
    cases, goals, open_things = prepare()
    try:
        return judge(goals, cases, seconds, reps, tries)
    finally:
        for thing in open_things:
            thing.close()


def main(told: Sequence[str] | None = None) -> int:
    """Measure and print; 1 if a goal is missed, 2 if one could not be judged."""
    parser = argparse.ArgumentParser(prog="bench", description=__doc__)
    parser.add_argument("--seconds", type=float, default=1.0, help="of each case, each time")
    parser.add_argument("--reps", type=int, default=5)
    parser.add_argument("--tries", type=int, default=TRIES, help="until all floors hold still")
    parser.add_argument("--only", default=",".join(PARTS), help="some of %(default)s")
    parser.add_argument("--out", type=Path, default=OUT, help="results as JSON; %(default)s")
    args = parser.parse_args(told)
    configure("console", "error")
    before = machine()
    results: list[Result] = []
    for name in args.only.split(","):
        for prepare in PARTS[name]:
            print(f"{name} (load {os.getloadavg()[0]:.1f})", file=sys.stderr, flush=True)
            results += measure(prepare, args.seconds, args.reps, args.tries)
    Console(width=None if sys.stdout.isatty() else 140).print(table(results))
    document = {
        "machine": {"before": before, "after": machine()},
        "seconds": args.seconds,
        "reps": args.reps,
        "results": msgspec.to_builtins(results),
    }
    args.out.parent.mkdir(parents=True, exist_ok=True)
    args.out.write_text(json.dumps(document, indent=1) + "\n")
    verdicts = {result.verdict for result in results}
    return 1 if MISS in verdicts else 2 * (UNSTEADY in verdicts)


if __name__ == "__main__":
    raise SystemExit(main())
