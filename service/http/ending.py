"""Abandoning a meeting, or asking for it."""

from datetime import datetime, timedelta

from domain.kernel.rejection import Rejected
from domain.racing import lifecycle
from domain.racing.draft import Draft
from domain.racing.meeting import OPEN, RUNNING, Meeting
from service.http import problems as p
from service.http.call import Answer, Call
from service.http.meetings import change, is_host, told
from service.http.operation import Operation
from service.keeping import Kept
from service.players import ORGANISER

ASK_HOURS = 24


async def abandon(call: Call) -> Answer:
    """End without a result, or ask for it.

    Before the start the host may. After it an organiser, or the host once every seated human who
    acted in the last 24 hours has asked; a seated human asks by this call.
    """

    def work(draft: Draft, kept: Kept) -> None:
        m = draft.meeting
        host, organiser = is_host(call, kept), call.caller_has(ORGANISER)
        seats = m.seat_of(call.caller.id)
        if not host and (m.status == OPEN or not (organiser or seats)):
            raise Rejected(p.NOT_HOST)
        if m.status not in (OPEN, RUNNING):
            raise Rejected(lifecycle.MEETING_OVER)
        if m.status == OPEN or organiser:
            lifecycle.abandon(draft, "host" if host else "organiser")
            return
        agreed = all_asked(m, {*m.asked, *seats}, draft.at)
        if host and not seats and not agreed:
            raise Rejected(p.NOT_ALL_ASKED)
        for seat in seats:
            lifecycle.ask_abandon(draft, seat)
        if host and agreed:
            lifecycle.abandon(draft, "host")

    return await told(call, await call.deps.meetings.act(call.meeting.full.id, work, call.key))


def all_asked(m: Meeting, asked: set[int], now: str) -> bool:
    """Whether every seated human who acted in the last 24 hours is among these seats."""
    since = datetime.fromisoformat(now) - timedelta(hours=ASK_HOURS)
    return all(
        place.seat in asked
        for place in m.seats
        if place.kind == "human"
        and place.acted_at is not None
        and datetime.fromisoformat(place.acted_at) >= since
    )


OPERATIONS: tuple[Operation, ...] = (
    change(
        "AbandonMeeting",
        "abandon",
        summary="Abandon a meeting, or ask for it",
        meaning="Before the start: the host. After it: an organiser, or the host once every "
        "seated human who acted in the last 24 hours has asked for it by this call.",
        handle=abandon,
        refusals=(
            p.MEETING_NOT_FOUND,
            p.NOT_HOST,
            p.NOT_ALL_ASKED,
            lifecycle.MEETING_OVER,
        ),
    ),
)
