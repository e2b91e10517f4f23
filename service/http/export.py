"""The full log: open to everybody once the meeting is over."""

from collections.abc import AsyncIterator

import msgspec

from domain.kernel.lines import canonical, join, split
from domain.kernel.message import SERVER
from domain.racing.meeting import ABANDONED, FINISHED, OPEN, PUBLIC_VIEW, Meeting
from service.http import params
from service.http import problems as p
from service.http.accepting import best
from service.http.call import Answer, Call
from service.http.meetings import find_fresh
from service.http.operation import Form, Operation
from service.http.views import NDJSON, TAG, headers_for
from service.players import ORGANISER

TEXT = "text/plain"
CHUNK_BYTES = 65_536


async def log(call: Call) -> Answer:
    """The full log: to everybody once it is over, before to an organiser without a seat."""
    chosen = best(call.headers.get("accept"), (NDJSON, TEXT))
    if chosen is None:
        raise p.Refusal(p.NOT_ACCEPTABLE)
    full = call.meeting.full
    lines = call.deps.meetings.lines(full.id)
    if full.status not in (FINISHED, ABANDONED):
        _may_read_early(call, full)
        lines = _without_secrets(lines, dealt=full.status != OPEN)
    return Answer(
        media=(NDJSON, f"{TEXT}; charset=utf-8")[chosen],
        headers=headers_for(PUBLIC_VIEW if call.login is None else 1),
        parts=_chunks(lines),
    )


def _may_read_early(call: Call, full: Meeting) -> None:
    """Let an organiser who holds no seat see a log before its end, and write down who did."""
    player = call.caller_id
    seated = any(place.player == player for place in full.seats)
    if not call.caller_has(ORGANISER) or seated or player is None:
        raise p.Refusal(p.LOG_CLOSED)
    call.deps.audit.note("log_read_before_end", meeting=full.id, player=player)


async def _without_secrets(lines: AsyncIterator[bytes], *, dealt: bool) -> AsyncIterator[bytes]:
    """Lines without what nobody may see before the end; before the start without any secret.

    Their form stays that of the log, so a line without secrets is the line that will stand there.
    """
    async for line in lines:
        body, digest = split(line)
        form = msgspec.json.decode(body)
        private = form.pop("private", {})
        private.pop(SERVER, None)
        if private and dealt:
            form["private"] = private
        yield join(canonical(form), digest)


async def _chunks(lines: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    """Lines with their ends, in parts of a good size."""
    part = bytearray()
    async for line in lines:
        part += line
        part += b"\n"
        if len(part) > CHUNK_BYTES:
            yield bytes(part)
            part.clear()
    yield bytes(part)


OPERATIONS: tuple[Operation, ...] = (
    Operation(
        id="ExportLog",
        method="GET",
        path="/v1/meetings/{meeting}/log",
        tag=TAG,
        summary="The full log, one event a line",
        meaning="Open to all once the meeting is over. Before that an organiser who holds no seat "
        "in it gets it without `private.server`, and the access is written down.",
        handle=log,
        subject=find_fresh,
        path_parameters=(params.MEETING,),
        answers={
            200: Form(
                schema={"type": "string", "description": "Lines of JSON, LF after each."},
                media=(NDJSON, TEXT),
            )
        },
        answer_headers={200: params.TOLD_PRIVATE},
        refusals=(p.MEETING_NOT_FOUND, p.NOT_ACCEPTABLE, p.LOG_CLOSED),
    ),
)
