"""What operators and authors of clients ask: health, metrics, problems, limits."""

import asyncio
from typing import Any

from msgspec import Struct

from domain.registry import GAMES
from service.archive import AWAY, DAMAGED
from service.http import metrics
from service.http import problems as p
from service.http.call import Answer, Call, as_json, page
from service.http.deps import Probe
from service.http.operation import Form, Operation
from service.http.rates import policies
from service.limits import Policy
from service.players import ADMIN
from service.ports import KEY_SECONDS
from service.reading import INVALID, STALLED

DEGRADED = (STALLED, INVALID, AWAY, DAMAGED)
"""States of parts without which all else works."""

TAG = "operations"
PROBE_SECONDS = 2.0
TEXT = "text/plain"


class Alive(Struct, frozen=True, kw_only=True):
    """The process answers."""

    status: str


class Ready(Struct, frozen=True, kw_only=True):
    """Every part that the server needs, with what it tells of itself; `ok` is in each.

    `status` is `degraded` where a view stands still or is made anew, or the archive of old logs is
    away or damaged: all else works.
    """

    status: str
    parts: dict[str, dict[str, Any]]


class PageSize(Struct, frozen=True, kw_only=True):
    """Items of a page: by default, and at most."""

    default: int
    max: int


class LimitsTold(Struct, frozen=True, kw_only=True):
    """What a call may cost.

    Args:
        body_bytes_max: largest body.
        pages, events_pages: sizes of pages.
        rates: quota calls in so many seconds by one caller; commands of play touch none.
        rates_enforced: whether they are.
        idempotency_seconds: how long an Idempotency-Key is known.
    """

    body_bytes_max: int
    pages: PageSize
    events_pages: PageSize
    rates: list[Policy]
    rates_enforced: bool
    idempotency_seconds: int


async def live(_call: Call) -> Answer:
    """The process answers."""
    return as_json(Alive(status="live"))


async def ready(call: Call) -> Answer:
    """Every part that the server needs."""
    probes = call.deps.probes
    looks = await asyncio.gather(*(_look(probe) for probe in probes.values()))
    parts = dict(zip(probes, looks, strict=True))
    failing = [part for part in parts.values() if not part["ok"]]
    if any(part.get("state") not in DEGRADED for part in failing):
        raise p.Refusal(p.NOT_READY, parts=parts)
    told = Ready(status="degraded" if failing else "ready", parts=parts)
    return as_json(told, headers={"Cache-Control": "no-store"})


async def _look(probe: Probe) -> dict[str, Any]:
    try:
        async with asyncio.timeout(PROBE_SECONDS):
            return await probe()
    except Exception as error:  # whatever it is, the part is not ready
        return {"ok": False, "reason": type(error).__name__}


async def show_metrics(call: Call) -> Answer:
    """What this process counted, and how log, queues and views stand."""
    if not call.caller_has(ADMIN):
        raise p.Refusal(p.NOT_ALLOWED)
    await call.deps.look()
    return Answer(
        body=call.deps.metrics.text(), media=metrics.MEDIA, headers={"Cache-Control": "no-store"}
    )


async def list_problems(_call: Call) -> Answer:
    """Every code."""
    return page(list(p.table(tuple(GAMES)).values()))


async def show_limits(call: Call) -> Answer:
    """Sizes and rates."""
    settings = call.deps.settings
    told = LimitsTold(
        body_bytes_max=settings.body_bytes_max,
        pages=PageSize(default=settings.page_items, max=settings.page_items_max),
        events_pages=PageSize(
            default=settings.events_page_items, max=settings.events_page_items_max
        ),
        rates=list(policies(settings).values()),
        rates_enforced=settings.rate_limit,
        idempotency_seconds=KEY_SECONDS,
    )
    return as_json(told)


def _public(id_: str, path: str, summary: str, handle: Any, form: Form, **rest: Any) -> Operation:
    return Operation(
        id=id_,
        method="GET",
        path=path,
        tag=TAG,
        summary=summary,
        handle=handle,
        answers={200: form},
        **{"token": "none", "rate": None, **rest},
    )


OPERATIONS: tuple[Operation, ...] = (
    _public("IsLive", "/health/live", "Is the process alive", live, Form(kind=Alive)),
    _public(
        "IsReady",
        "/health/ready",
        "Is every part ready",
        ready,
        Form(kind=Ready),
        meaning="Names the event log with its fsync policy, the queue, and each projection's "
        "lag in whole seconds; the same `parts` stand in the problem where one is not. A view's "
        "`state` is `ok`, `stalled` (it stands still at an event; the others go on), `invalid` "
        "(made from a log that is lost; it is made anew) or `missing` (not built yet). The "
        "archive's is `ok`, `off` (old logs stay where they are), `away` (this process can't read "
        "it) or `damaged` (a file in it was not believed). Where views alone are stalled or "
        "invalid, or the archive is away or damaged, the answer is 200 with `status` `degraded`: "
        "the rest works. Operators see where with `homestretch views`, and try again with "
        "`homestretch retry`.",
        refusals=(p.NOT_READY,),
    ),
    _public(
        "ShowMetrics",
        "/metrics",
        "Metrics for Prometheus (admin)",
        show_metrics,
        Form(schema={"type": "string"}, media=(TEXT,)),
        token="required",
        refusals=(p.NOT_ALLOWED,),
    ),
    _public(
        "ListProblems",
        "/v1/problems",
        "Every error code",
        list_problems,
        Form(kind=list[p.ProblemCode]),
        token="optional",
        rate="reads",
    ),
    _public(
        "ShowLimits",
        "/v1/limits",
        "Body size, page sizes, rates",
        show_limits,
        Form(kind=LimitsTold),
        token="optional",
        rate="reads",
    ),
)
