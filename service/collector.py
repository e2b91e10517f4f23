"""How the collector of cycles behaves in our processes: meetings have none."""

import gc

COLLECT_AFTER = 20_000
"""New objects after which the collector of cycles looks at the youngest."""


def calm_collector() -> None:
    """Let the collector of cycles look less often, and never at what was there from the start.

    A process keeps thousands of meetings, of many small objects each and without cycles: going
    through them over and over took a tenth of the time of a command.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(COLLECT_AFTER, 20, 20)
