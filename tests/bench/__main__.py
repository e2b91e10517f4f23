"""`python -m tests.bench`: every benchmark, one table, the same as JSON.

What is fast is said as a ratio to a floor measured in the same run; rates of two runs are never
compared.
"""

import argparse
import json
from pathlib import Path

import msgspec
from rich.console import Console
from rich.table import Table

from tests.bench import listing, moves, rates
from tests.bench.measuring import Result, judge, machine


def table(results: list[Result]) -> Table:
    """Ours, the floor, and how it stands."""
    shown = Table()
    for name in ("row", "ours", "floor", "ratio", "pass", "stretch", ""):
        shown.add_column(name, justify="left" if name in ("row", "") else "right")
    for r in results:
        shown.add_row(
            r.row,
            f"{r.ours:,.0f}",
            f"{r.floor:,.0f}",
            f"{r.ratio:.2f}",
            f"{r.line:g}",
            f"{r.stretch:g}",
            r.verdict,
        )
    return shown


def main() -> int:
    """Measure and print; 1 if a goal is missed."""
    parser = argparse.ArgumentParser(prog="bench", description=__doc__)
    parser.add_argument("--seconds", type=float, default=1.0, help="of each case, each time")
    parser.add_argument("--reps", type=int, default=5)
    parser.add_argument("--out", type=Path, help="write the results as JSON here too")
    args = parser.parse_args()
    before = machine()
    results: list[Result] = []
    for part in (moves, listing, rates):
        cases, goals, open_things = part.prepare()
        try:
            results += judge(goals, cases, args.seconds, args.reps)
        finally:
            for thing in open_things:
                thing.close()
    Console().print(table(results))
    if args.out:
        told = {"machine": before, "results": msgspec.to_builtins(results)}
        args.out.write_text(json.dumps(told, indent=1) + "\n")
    return int(any(r.verdict != "ok" for r in results))


if __name__ == "__main__":
    raise SystemExit(main())
