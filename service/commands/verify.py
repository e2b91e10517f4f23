"""`homestretch verify`: is this log honest? Offline, from its bytes alone.

Exit codes: 0 all was checked and nothing is wrong, 1 something is, 2 there is nothing to verify,
3 nothing was found wrong, but not all could be checked (a game or rules of another release).
"""

import argparse
import re
import sys
from typing import Any

import msgspec

from domain.verification import Report, verify
from service.commands.logfile import UNREADABLE, add_file, plain, read_log
from service.settings import Settings

IN_PART = 3
"""The exit code where rules were not checked: a forged ranking would not have been found."""

EXIT_CODES = (
    "exit codes: 0 all was checked and nothing is wrong, 1 something is, 2 there is nothing to "
    "verify, 3 nothing was found wrong but not all could be checked"
)

_HASH = re.compile(r"[0-9a-f]{64}")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Which log, and what to hold it against."""
    parser.epilog = EXIT_CODES
    add_file(parser)
    parser.add_argument(
        "--expect",
        type=_hash,
        metavar="HASH",
        help="a hash kept from before (of the last line, or of any): without one, a log rewritten "
        "as a whole shows no fault",
    )
    parser.add_argument("--json", action="store_true", help="the report as JSON")


def _hash(text: str) -> str:
    if not _HASH.fullmatch(text.lower()):
        raise argparse.ArgumentTypeError("a hash has 64 hexadecimal digits")
    return text.lower()


def run(args: argparse.Namespace, _settings: Settings) -> int:
    """Verify and say so."""
    lines = read_log(args.file)
    if lines is None:
        return UNREADABLE
    report = verify(lines, args.expect)
    if args.json:
        form = msgspec.json.encode({"ok": report.verified, **msgspec.to_builtins(report)})
        sys.stdout.write(msgspec.json.format(form).decode() + "\n")
    else:
        print_report(report)
    if report.verified:
        return 0
    return IN_PART if report.ok else 1


def print_report(report: Report, console: Any = None) -> None:
    """The report for people; `console` is a rich Console, by default one of standard output."""
    from rich.table import Table

    from service.terminal.sheet import sheet

    console = console or sheet()
    table = Table(box=None, show_header=False, pad_edge=False)
    table.add_column(style="bold", no_wrap=True)
    table.add_column(overflow="fold")
    for name, value in _facts(report):
        table.add_row(name, value)
    console.print(table)
    for note in report.notes:
        console.print(f"- {plain(note)}", soft_wrap=True)
    for problem in report.problems:
        where = "log" if problem.line is None else f"line {problem.line}"
        console.print(f"{where}: {plain(problem.what)}", style="red", soft_wrap=True)
    console.print(_verdict(report), style=_style(report))


def _facts(report: Report) -> list[tuple[str, str]]:
    facts = report.facts
    rows = [
        ("meeting", plain(facts.meeting)),
        ("game", f"{plain(facts.game)}, rules {plain(facts.rules)}{_later(report)}"),
        ("events", f"{facts.events}, races closed {facts.races}"),
        ("end", plain(facts.ending)),
        ("last hash", plain(facts.hash)),
        ("ranking", _ranking(facts.ranking)),
        ("draws", "checked" if report.draws_checked else "NOT checked"),
        ("rules", _rules(report)),
    ]
    if report.expected_line is not None:
        rows.append(("expected", f"the hash stands in line {report.expected_line}"))
    return rows


def _later(report: Report) -> str:
    changes = [f", {plain(s.rules)} from line {s.first}" for s in report.stretches[1:]]
    return "".join(changes)


def _rules(report: Report) -> str:
    if report.rules_checked:
        return "checked"
    decided = [f"{s.first} to {s.last}" for s in report.stretches if s.decided]
    return f"checked in lines {', '.join(decided)} alone" if decided else "NOT checked"


def _ranking(ranking: list[dict[str, Any]] | None) -> str:
    if ranking is None:
        return "-"
    return "; ".join(
        f"{plain(row.get('rank'))}. seat {plain(row.get('seat'))} ({plain(row.get('points'))})"
        for row in ranking
    )


def _verdict(report: Report) -> str:
    if report.verified:
        return "The log is in order."
    if report.ok:
        return "The log is NOT verified: as far as it was checked, it is in order."
    return "The log is NOT verified."


def _style(report: Report) -> str:
    if report.verified:
        return "bold green"
    return "bold yellow" if report.ok else "bold red"
