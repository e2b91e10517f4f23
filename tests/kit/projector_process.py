"""A projector as a process: `python -m tests.kit.projector_process <url> <partitions>`."""

import asyncio
import sys

from projections.leaderboards import leaderboards
from projections.lobby import LOBBY
from projections.results import results
from service.projecting import Projector
from service.redis.event_log import RedisEventLog
from service.redis.mux import open_calls, open_waiting
from service.redis.views import RedisViews
from tests.kit.histories import TERMS


async def main(url: str, partitions: int) -> None:
    """Project until killed."""
    calls, waiting = open_calls(url), open_waiting(url)
    log = RedisEventLog(calls, waiting, partitions)
    views = RedisViews(calls, partitions)
    projections = [LOBBY, results(TERMS), leaderboards(TERMS)]
    # Small batches, so that there are many moments to be killed at.
    await Projector(log, views, projections, batch_entries=1).run()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], int(sys.argv[2])))
