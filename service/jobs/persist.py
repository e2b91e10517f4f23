"""Work that goes on for as long as its process, whatever Redis does meanwhile."""

import asyncio
from collections.abc import Awaitable, Callable

from service.jobs.faults import fault
from service.logs import get_logger
from service.ports import Diverged, LogUnavailable
from service.redis.client import Refused, Unreachable

AGAIN_SECONDS = 1.0
LOST_SECONDS = 15.0
"""How often a reader that is ahead of the log says so; only a person can help it."""

log = get_logger("jobs.persist")


async def persist(
    work: str, step: Callable[[], Awaitable[None]], seconds: float, *, once: bool = False
) -> None:
    """Do a step again and again, with this pause between; with `once` until it succeeds.

    What fails is tried again soon; what is away is told when it goes and when it is back.
    """
    away = False
    while True:
        pause = AGAIN_SECONDS
        try:
            await step()
        except (LogUnavailable, Refused, Unreachable) as error:
            if not away:
                log.warning("redis_unavailable", work=work, detail=str(error))
            away = True
        except Diverged as lost:
            log.critical("log_diverged", work=work, detail=str(lost))
            pause = LOST_SECONDS
        except Exception as error:  # one fault must not end all that the process does
            log.error("step_failed", work=work, **fault(error))
        else:
            if away:
                log.info("redis_back", work=work)
            if once:
                return
            away, pause = False, seconds
        await asyncio.sleep(pause)
