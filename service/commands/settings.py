"""`homestretch settings`: every setting, as it is in this environment; secrets are not shown."""

import argparse
import sys

import msgspec

from service.environment import as_text
from service.settings import TABLE, Settings


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """In which form."""
    parser.add_argument("--json", action="store_true", help="as JSON, one object a setting")


def run(args: argparse.Namespace, settings: Settings) -> int:
    """Print the table."""
    if args.json:
        _print_json(settings)
    else:
        _print_table(settings)
    return 0


def _print_json(settings: Settings) -> None:
    rows = [
        {
            "variable": row.variable,
            "value": row.shown(settings) or None,
            "default": as_text(row.default) or None,
            "form": row.form,
            "unit": row.unit or None,
            "meaning": row.meaning,
            "secret": row.secret,
        }
        for row in TABLE
    ]
    sys.stdout.write(msgspec.json.format(msgspec.json.encode(rows)).decode() + "\n")


def _print_table(settings: Settings) -> None:
    from rich.console import Console
    from rich.table import Table

    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("variable", no_wrap=True)
    table.add_column("value", overflow="fold")
    table.add_column("meaning")
    for row in TABLE:
        value = row.shown(settings)
        changed = getattr(settings, row.field) != row.default
        told = f"{value} {row.unit}".strip() if value else "none"
        table.add_row(
            row.variable,
            told,
            f"{row.meaning} ({row.form})"
            + (f" Default: {as_text(row.default) or 'none'}." if changed else ""),
            style="bold" if changed else None,
        )
    Console(highlight=False, markup=False).print(table)
