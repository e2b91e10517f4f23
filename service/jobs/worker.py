"""A worker process: RQ's worker for one queue, which runs draining jobs and nothing else.

One queue a worker, because a worker of several can lose a job that it has popped. RQ forks a
process for each job, so a job that hangs or dies takes no worker with it.
"""

import contextlib
import logging
import os
import signal
import sys
import threading
from collections.abc import Callable
from types import FrameType
from typing import Any
from uuid import uuid4

from rq import Queue, Worker
from rq.exceptions import StopRequested
from rq.job import Job

from service.jobs.draining import JOB_NAME, drain, rq_queue, serve, start_drain
from service.jobs.site import Site
from service.logs import get_logger
from service.redis.waiting import AWAY

MAINTENANCE_SECONDS = 45
WORKER_TTL_SECONDS = 60
PAUSE_SECONDS = 1.0
RQ_TIDYING = "rq.registry"
"""The logger of what RQ clears away."""

RQ_WORKER = "rq.worker"
"""That of its worker."""

log = get_logger("jobs.worker")


class ForeignJob(Exception):
    """Somebody enqueued another function than the draining job."""


class DrainingJob(Job):
    """A job whose function is the draining job, whatever the queue says."""

    @property
    def func(self) -> Callable[..., Any]:
        """The draining job.

        Raises:
            ForeignJob: the job names another function; who may write to the queue may not run code.
        """
        if self.func_name != JOB_NAME:
            raise ForeignJob
        return drain


class DrainingWorker(Worker):
    """RQ's forking worker; SIGTERM reaches the job too, which then ends after the turn in hand."""

    job_class = DrainingJob
    ended: threading.Event
    """Set once the process was asked to end."""

    def request_stop(self, signum: int, frame: FrameType | None) -> None:
        """End after the job in hand."""
        self.ended.set()
        super().request_stop(signum, frame)  # type: ignore[no-untyped-call] # RQ's own

    def fork_work_horse(self, job: Job, queue: Queue) -> None:
        """Fork with SIGTERM held back in both, so that none falls between two handlers."""
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM})
        try:
            super().fork_work_horse(job, queue)
            if self._stop_requested:
                self._end_job()
        finally:
            signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGTERM})

    def handle_warm_shutdown_request(self) -> None:
        """Pass SIGTERM (and Ctrl-C) on to the job."""
        super().handle_warm_shutdown_request()  # type: ignore[no-untyped-call] # RQ's own
        self._end_job()

    def _end_job(self) -> None:
        if self.horse_pid:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.horse_pid, signal.SIGTERM)


def calm(record: logging.LogRecord) -> bool:
    """Make a warning in one line of what RQ says of a Redis that is away: it is waited for."""
    away = sys.exc_info()[1]  # RQ says so where it handles it
    if isinstance(away, AWAY) and record.levelno >= logging.ERROR:
        record.levelno, record.levelname = logging.WARNING, "WARNING"
        record.msg, record.args = f"{record.getMessage()} ({away})", ()
        record.exc_info = None
    return True


def work(queue: str, site: Site) -> None:
    """Work on one queue until SIGTERM or SIGINT; while its Redis is away, wait for it."""
    serve(site)
    # Minutes after a kill RQ finds the job of the dead worker, and would warn of it: nothing was
    # lost, another drains since, and no operator has anything to do.
    logging.getLogger(RQ_TIDYING).setLevel(logging.ERROR)
    logging.getLogger(RQ_WORKER).addFilter(calm)
    ended = threading.Event()
    while not ended.is_set():
        try:
            _work(rq_queue(queue, site.queue_url), ended)
            ended.wait(PAUSE_SECONDS)
        except AWAY as away:
            log.warning("queue_unavailable", queue=queue, detail=str(away))
            ended.wait(PAUSE_SECONDS)
        except StopRequested:  # RQ's word when it was asked to end while it had no job
            return


def _work(queue: Queue, ended: threading.Event) -> None:
    worker = DrainingWorker(
        [queue],
        name=f"{queue.name}-{os.getpid()}-{uuid4().hex[:6]}",
        connection=queue.connection,
        serializer="json",
        maintenance_interval=MAINTENANCE_SECONDS,
        worker_ttl=WORKER_TTL_SECONDS,
        log_job_description=False,
    )
    worker.ended = ended
    if queue.count == 0:
        start_drain(queue)
    worker.work(logging_level="WARNING")
