"""Commands of play: read, decided by the core, answered with the caller's own view of it."""

from collections.abc import Callable, Mapping
from typing import Any

from msgspec import UNSET, Struct, UnsetType

from domain.kernel.faults import choice
from domain.kernel.message import Command, type_of
from domain.kernel.rejection import Malformed, Rejected
from domain.registry import seat_commands
from service.handling import STALE_DECISION
from service.http import params
from service.http import problems as p
from service.http.bodies import take
from service.http.call import Answer, Call, as_json
from service.http.meetings import find_meeting
from service.http.operation import Form, Operation
from service.idempotency import giver_of
from service.keeping import Kept

TAG = "play"
STALE_EVENTS_MAX = 1_000
"""Most events that a stale decision is told; further ones are on the feed's pages."""

ENVELOPE = ("seat", "decision")


class Envelope(Struct, frozen=True, kw_only=True):
    """What every command may carry beside its own fields.

    Args:
        type: which command.
        seat: for whom, where the caller holds several seats.
        decision: the number of the decision that it answers; any but the current one is refused.
    """

    type: str
    seat: int | UnsetType = UNSET
    decision: int | UnsetType = UNSET


class CommandAnswer(Struct, frozen=True, kw_only=True):
    """The caller's own view of what happened."""

    version: int
    events: list[dict[str, Any]]
    board: Struct


class Given(Struct, frozen=True, kw_only=True):
    """A command of a seat, read."""

    command: Command
    seat: int | None
    decision: int | None


def read_command(call: Call, body: Any) -> Given:
    """A body as a command of the meeting's game."""
    envelope = take(body, Envelope)
    kind = seat_commands().get(envelope.type)
    if kind is None:
        known = map(type_of, call.meeting.game.commands)
        raise Malformed(choice("command", envelope.type, known), "/type")
    own = {name: value for name, value in body.items() if name not in ENVELOPE}
    take(own, kind.form_of(own), ENVELOPE)
    return Given(
        command=take(own, kind, ENVELOPE),
        seat=None if envelope.seat is UNSET else envelope.seat,
        decision=None if envelope.decision is UNSET else envelope.decision,
    )


def seat_chooser(player: str, asked: int | None) -> Callable[[Kept], int]:
    """Finds the seat of a player in a meeting: the one asked for, or the only one."""

    def choose(kept: Kept) -> int:
        seats = kept.full.seat_of(player)
        if not seats or (asked is not None and asked not in seats):
            raise Rejected(p.NOT_YOUR_SEAT)
        if asked is None and len(seats) > 1:
            raise Rejected(p.SEAT_REQUIRED)
        return seats[0] if asked is None else asked

    return choose


async def give(call: Call) -> Answer:
    """Give a command."""
    meetings = call.deps.meetings
    meeting = call.meeting.full.id
    given: Given = call.input
    choose = seat_chooser(call.caller.id, given.seat)
    try:
        outcome = await meetings.command(meeting, choose, given.command, given.decision, call.key)
    except Rejected as refused:
        if refused.reason is STALE_DECISION:
            raise await _stale(call, refused.extra) from None
        raise
    seat = giver_of(outcome.events) if outcome.duplicate else outcome.result
    answer = await meetings.answer(outcome, seat)
    board = call.meeting.game.view(answer.view)
    told = CommandAnswer(version=answer.version, events=answer.events, board=board)
    return as_json(told, headers=params.PRIVATE)


async def _stale(call: Call, extra: Mapping[str, Any]) -> p.Refusal:
    """The refusal of a command for another decision, with what its seat has missed."""
    after = min(max(extra["sent"], 0), extra["version"])
    events, version = await call.deps.meetings.events(
        call.meeting.full.id, extra["seat"], after, STALE_EVENTS_MAX
    )
    return p.Refusal(STALE_DECISION, headers=params.PRIVATE, version=version, events=events)


OPERATIONS: tuple[Operation, ...] = (
    Operation(
        id="GiveCommand",
        method="POST",
        path="/v1/meetings/{meeting}/commands",
        tag=TAG,
        summary="Give a command",
        meaning="Answers with the caller's own view of what happened. A refused command changes "
        "nothing and takes no version.",
        handle=give,
        token="required",
        hot=True,
        rate=None,
        subject=find_meeting,
        path_parameters=(params.MEETING,),
        bodies=(Envelope,),
        takes=read_command,
        keyed=True,
        answers={200: Form(schema={"$ref": "#/components/schemas/CommandAnswer"})},
        answer_headers={200: params.TOLD_PRIVATE},
        refusals=(p.MEETING_NOT_FOUND, p.NOT_YOUR_SEAT, p.SEAT_REQUIRED),
        play=True,
    ),
)
