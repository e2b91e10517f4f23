"""The parts of a server, each run until SIGTERM or SIGINT; what is returned is the exit code.

`serve`, `project`, `react` and `work` are the four; a site may run any number of each. A Redis that
is away or still loading is waited for; one that must not hold the log ends the part with REFUSED,
since starting it again could not help.
"""

import asyncio
import contextlib
import signal
import socket
from collections.abc import Awaitable, Callable

import uvicorn
import uvloop
from prometheus_client import start_http_server

from service import bootstrap
from service.collector import calm_collector
from service.first_start import ensure_admin
from service.http.app import create_app
from service.http.deps import Deps
from service.http.protocol import Protocol
from service.jobs.reactor import react as run_reactor
from service.jobs.site import Site
from service.jobs.worker import work as run_worker
from service.logs import get_logger
from service.projecting import Projector
from service.redis.gate import GateRefused
from service.redis.mux import open_calls
from service.settings import Settings
from service.supervisor import REFUSED

PAUSE_SECONDS = 1.0
"""Between two looks at a Redis that is away."""

ANSWER_SECONDS = 10
"""How long calls in hand may take when the API is asked to stop."""


LOOK_SECONDS = 5.0
"""How old what the metrics port tells of views, log and queues may be."""

Body = Callable[[asyncio.Event], Awaitable[None]]
"""What a part does; the event is set when it was asked to stop."""

_log = get_logger("parts")


def serve(settings: Settings, listener: socket.socket, *, index: int = 1) -> int:
    """The API on a listening socket; `index` is 1, 2 … among those that share the socket."""
    settings.data.mkdir(parents=True, exist_ok=True)
    return _run(lambda stopping: _serve(settings, listener, index, stopping))


def project(settings: Settings) -> int:
    """The projector: keeps the read models up to date."""
    return _run(lambda stopping: _project(settings, stopping))


def react(settings: Settings) -> int:
    """The reactor: sees to it that what the log is owed gets done."""
    return _run(lambda stopping: _react(settings, stopping))


def work(settings: Settings, queue: str) -> int:
    """A worker on one queue."""
    sites: list[Site] = []

    async def look(_stopping: asyncio.Event) -> None:
        sites.append(await bootstrap.site_of(settings))

    code = _run(look)
    for site in sites:
        _log.info("worker_started", queue=queue)
        run_worker(queue, site)
    return code


async def _serve(
    settings: Settings, listener: socket.socket, index: int, stopping: asyncio.Event
) -> None:
    queue = open_calls(bootstrap.queue_url(settings))
    try:
        async with bootstrap.open_store(settings, anchoring=True) as store:
            deps = bootstrap.deps_of(settings, store, queue)
            made = await ensure_admin(deps.players, settings.admin_token, settings.data)
            if made is not None:
                _log.info("admin_made", file=made)
            if settings.metrics_port:
                port = settings.metrics_port + index - 1
                start_http_server(port, "127.0.0.1", deps.metrics.registry)
            config = uvicorn.Config(
                create_app(deps),
                http=Protocol,
                ws="none",  # else what is installed beside would decide
                log_config=None,
                access_log=False,
                proxy_headers=False,  # the app reads them itself, from trusted proxies alone
                server_header=False,
                timeout_graceful_shutdown=min(ANSWER_SECONDS, settings.grace_seconds),
            )
            watching = asyncio.create_task(_watch(settings, deps))
            try:
                if not stopping.is_set():
                    await uvicorn.Server(config).serve(sockets=[listener])
            finally:
                watching.cancel()
    finally:
        await queue.close()


async def _watch(settings: Settings, deps: Deps) -> None:
    """Keep up what the port of its own tells; for who asks by HTTP it is looked up then."""
    while settings.metrics_port:
        try:
            await deps.look()
        except Exception:  # the next look may do; without one all would be told as it was
            _log.exception("metrics_look_failed")
        await asyncio.sleep(LOOK_SECONDS)


async def _project(settings: Settings, stopping: asyncio.Event) -> None:
    async with bootstrap.open_store(settings) as store:
        projector = Projector(store.log, store.views, bootstrap.projections())
        _log.info("projector_started")
        working = asyncio.ensure_future(projector.run())
        ending = asyncio.ensure_future(stopping.wait())
        await asyncio.wait((working, ending), return_when=asyncio.FIRST_COMPLETED)
        ending.cancel()
        working.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await working


async def _react(settings: Settings, stopping: asyncio.Event) -> None:
    site = await bootstrap.site_of(settings)
    _log.info("reactor_started")
    await run_reactor(site, stopping)


def _run(body: Body) -> int:
    """Run a part until a signal; its exit code."""

    calm_collector()

    async def main() -> None:
        stopping = asyncio.Event()
        for number in (signal.SIGINT, signal.SIGTERM):
            asyncio.get_running_loop().add_signal_handler(number, stopping.set)
        await _until_passed(body, stopping)

    try:
        with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            runner.run(main())
    except GateRefused as refused:
        _log.error("redis_refused", setting=refused.setting, reason=refused.detail)
        return REFUSED
    return 0


async def _until_passed(body: Body, stopping: asyncio.Event) -> None:
    """Run it, and again while Redis is away or still loading.

    Raises:
        GateRefused: Redis must not hold the log.
    """
    while not stopping.is_set():
        try:
            await body(stopping)
            return
        except GateRefused as refused:
            if not refused.passing:
                raise
            _log.warning("redis_awaited", reason=refused.detail)
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(stopping.wait(), PAUSE_SECONDS)
