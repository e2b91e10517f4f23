"""From a call to its answer, whatever happens: counted, timed, with the headers of all answers."""

import logging
from time import perf_counter

from service.http import problems as p
from service.http import rates
from service.http.bodies import Gone
from service.http.call import Answer, Call
from service.http.refusing import answer_to
from service.http.running import run
from service.logs import bound, get_logger

GONE = 499
"""The status that metrics show where the caller went away."""

EXPOSED = (
    "Allow, ETag, Idempotency-Key, Location, RateLimit, RateLimit-Policy, Retry-After, "
    "WWW-Authenticate"
)

ALWAYS = (
    (b"access-control-allow-origin", b"*"),
    (b"access-control-expose-headers", EXPOSED.encode()),
    (b"x-content-type-options", b"nosniff"),
)
"""Headers of every answer: any origin may read it, without cookies."""

_log = get_logger("http")
_debugging = logging.getLogger("http").isEnabledFor


async def answer(call: Call) -> Answer:
    """The answer to a call, refusals too."""
    metrics = call.deps.metrics
    metrics.began()
    begin = perf_counter()
    status = GONE
    try:
        with bound(call.about):
            try:
                found = await run(call)
            except Gone:  # nobody is there to read it
                return answer_to(p.Refusal(p.MALFORMED, "The body did not come whole."))
            except Exception as error:  # the one place where everything becomes an answer
                found = answer_to(error)
            status = found.status
            seconds = perf_counter() - begin
            if _debugging(logging.DEBUG):  # asked first: a line that is dropped costs as well
                _log.debug(
                    "call_answered",
                    operation=call.operation.id,
                    status=status,
                    ms=round(seconds * 1000, 1),
                    player=call.caller_id,
                )
    finally:
        metrics.ended(call.operation.id, status, perf_counter() - begin)
    if call.verdict is not None:
        for name, value in rates.headers(*call.verdict).items():
            found.headers.setdefault(name, value)
    if status >= 400:
        found.headers.setdefault("Cache-Control", "no-store")
    return found
