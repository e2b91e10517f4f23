"""`homestretch views`: how the views stand, and where one stands still."""

import argparse

from service.commands.view_care import VIEWS, tend
from service.settings import Settings
from service.tending import Tending, told


def run(_args: argparse.Namespace, settings: Settings) -> int:
    """Print a line for each generation in use."""
    return tend(settings, _show)


async def _show(tending: Tending) -> None:
    for view in VIEWS:
        generations = await tending.look(view)
        if not generations:
            print(f"{view}: not built yet")
        for g in generations:
            use = "in use" if g.live else "being built"
            print(f"{view} {g.number}, version {g.version}, {use}: {g.applied} of {g.entries}")
            if g.stalled:
                print(f"  stands still: {told(g.stalled)}")
