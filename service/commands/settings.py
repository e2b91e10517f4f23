"""`homestretch settings`: every setting, as it is in this environment; secrets are not shown."""

import argparse
import sys

import msgspec

from service.environment import as_text
from service.settings import TABLE, Settings

ENV_HEAD = """\
# Every setting of Homestretch with its default, written by `homestretch settings --env`.
# Take away the # of a line to change it. systemd units read it as /etc/homestretch/env, Docker
# Compose as deploy/.env. It may hold secrets: mode 600.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """In which form."""
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="as JSON, one object a setting")
    form.add_argument(
        "--env", action="store_true", help="as a file of variables to begin with: defaults alone"
    )


def run(args: argparse.Namespace, settings: Settings) -> int:
    """Print the table."""
    if args.json:
        _print_json(settings)
    elif args.env:
        sys.stdout.write(env_file())
    else:
        _print_table(settings)
    return 0


def env_file() -> str:
    """deploy/env.example: every setting with its meaning, each default commented out."""
    told = [
        f"# {row.meaning}\n#   {row.form}{f' ({row.unit})' if row.unit else ''}\n"
        f"#{row.variable}={as_text(row.default)}\n"
        for row in TABLE
    ]
    return "\n".join([ENV_HEAD, *told])


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
    from rich.table import Table

    from service.terminal.sheet import sheet

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
    sheet().print(table)
