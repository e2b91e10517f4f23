"""Where commands print: a window, or a file or pipe, whose lines are nobody's to break."""

import os

from rich.console import Console

UNBROKEN = 1_000
"""Columns of what is no window: programs read its lines, and may search them."""


def sheet() -> Console:
    """Standard output. Text is printed as it is: no markup, no colour for numbers."""
    console = Console(highlight=False, markup=False)
    if not console.is_terminal and "COLUMNS" not in os.environ:
        console.width = UNBROKEN
    return console
