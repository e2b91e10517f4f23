"""Meetings: open, look at, start; and how a call finds the one that its path names."""

import re
from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from domain.kernel.lines import redact
from domain.kernel.message import Drawn
from domain.kernel.rejection import Malformed, Rejected
from domain.kernel.words import known
from domain.racing import lifecycle
from domain.racing.draft import Draft
from domain.racing.folding import fold
from domain.racing.meeting import PUBLIC_VIEW, Meeting
from projections import lobby
from projections.lobby import SeatLine
from service.handling import MeetingUnknown, Outcome, game_named
from service.http import params
from service.http import problems as p
from service.http.bodies import Name, Nothing, check_name, take
from service.http.call import Answer, Call, as_json
from service.http.operation import WRITES, Form, Operation
from service.http.summaries import MeetingSummary, shown, with_verdicts
from service.keeping import Kept
from service.players import ORGANISER

TAG = "meetings"

_SEED = re.compile("[0-9a-fA-F]{64}")
Start = Annotated[Literal["manual", "when_full"], known("Start", "manual", "when_full")]
Seed = Annotated[str, Meta(extra_json_schema={"maxLength": 64, "pattern": f"^{_SEED.pattern}$"})]
"""`read_open` sees to its form, in words; msgspec would tell the expression."""


class Arranged(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What chance would decide: the master seed in hex, or the first items of draws by label."""

    seed: Seed | UnsetType = UNSET
    draws: dict[str, list[Drawn]] | UnsetType = UNSET


class OpenMeeting(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A table of a game for so many seats; options left out have their defaults.

    `when_full` starts it by itself. An arranged meeting is marked so everywhere and never rated.
    """

    game: str
    seats: int
    options: dict[str, Any] | UnsetType = UNSET
    name: Name | UnsetType = UNSET
    arranged: Arranged | UnsetType = UNSET
    start: Start | UnsetType = UNSET


async def find_meeting(call: Call) -> None:
    """The meeting that the path names, as kept: good enough to act on."""
    call.kept = await call.deps.meetings.known(_meeting_id(call))


async def find_fresh(call: Call) -> None:
    """The meeting that the path names, as its log is now: good enough to show."""
    call.kept = await call.deps.meetings.fresh(_meeting_id(call))


def _meeting_id(call: Call) -> str:
    meeting = call.path("meeting")
    if not params.MEETING_ID.fullmatch(meeting):
        raise MeetingUnknown(meeting)
    return meeting


def summary_of(view: Meeting) -> MeetingSummary:
    """A meeting as the public view knows it."""
    seats = [SeatLine(seat=s.seat, player=s.player, name=s.name, kind=s.kind) for s in view.seats]
    summary = lobby.Summary(
        id=view.id,
        name=view.name,
        game=view.game,
        options=view.options,
        status=view.status,
        arranged=view.arranged,
        host=view.host,
        seats=seats,
        race=view.race,
        version=view.version,
        commitment=view.commitment,
        ranking=view.ranking,
    )
    return shown(summary)


def is_host(call: Call, kept: Kept) -> bool:
    """Whether the caller opened this meeting."""
    return call.caller_id == kept.full.host


def runs(call: Call, kept: Kept) -> bool:
    """Whether the caller may run this meeting: its host, or an organiser."""
    return is_host(call, kept) or call.caller_has(ORGANISER)


def read_open(_call: Call, body: object) -> OpenMeeting:
    """A body of `open_meeting` that could be a meeting of its game."""
    form = take(body, OpenMeeting)
    game = game_named(form.game)
    fewest, most = game.seats
    if not fewest <= form.seats <= most:
        raise Malformed(f"{game.title} has {fewest} to {most} seats.", "/seats")
    if form.name is not UNSET:
        check_name(form.name)
    seed = UNSET if form.arranged is UNSET else form.arranged.seed
    if seed is not UNSET and not _SEED.fullmatch(seed):
        raise Malformed("A seed is 64 hexadecimal digits.", "/arranged/seed")
    return form


async def open_meeting(call: Call) -> Answer:
    """Open a table; the caller is its host."""
    form: OpenMeeting = call.input
    game = game_named(form.game)
    options = game.read_options({} if form.options is UNSET else form.options, form.seats)
    arranged = Arranged() if form.arranged is UNSET else form.arranged
    draws = {} if arranged.draws is UNSET else arranged.draws
    game.check_arranged(options, form.seats, draws)
    outcome = await call.deps.meetings.open(
        game,
        options=options,
        seats=form.seats,
        host=call.caller.id,
        name=None if form.name is UNSET else form.name,
        start="manual" if form.start is UNSET else form.start,
        arranged=form.arranged is not UNSET,
        seed=None if arranged.seed is UNSET else bytes.fromhex(arranged.seed),
        draws=draws,
        key=call.key,
    )
    public = (redact(event, PUBLIC_VIEW) for event in outcome.events)
    view = fold((event for event in public if event is not None), game, PUBLIC_VIEW)
    return as_json(summary_of(view), 201, {"Location": f"/v1/meetings/{outcome.meeting}"})


async def show(call: Call) -> Answer:
    """The public summary."""
    summary = summary_of(call.meeting.view(PUBLIC_VIEW))
    (told,) = await with_verdicts(call.deps, [summary])
    return as_json(told, headers={"Cache-Control": "no-cache"})


async def start(call: Call) -> Answer:
    """Begin play."""

    def work(draft: Draft, kept: Kept) -> None:
        if not runs(call, kept):
            raise Rejected(p.NOT_HOST)
        lifecycle.start_meeting(draft)

    return await told(call, await call.deps.meetings.act(call.meeting.full.id, work, call.key))


async def told(call: Call, outcome: Outcome) -> Answer:
    """The summary as it was when the call was done."""
    answer = await call.deps.meetings.answer(outcome, PUBLIC_VIEW)
    return as_json(summary_of(answer.view))


def change(id_: str, what: str, **rest: Any) -> Operation:
    """A call that changes a meeting and answers with its summary."""
    return Operation(
        id=id_,
        method="POST",
        path=f"/v1/meetings/{{meeting}}/{what}",
        tag=TAG,
        token="required",
        rate=WRITES,
        subject=find_meeting,
        path_parameters=(params.MEETING,),
        bodies=(Nothing,),
        body_needed=False,
        keyed=True,
        answers={200: Form(kind=MeetingSummary)},
        **rest,
    )


OPERATIONS: tuple[Operation, ...] = (
    Operation(
        id="OpenMeeting",
        method="POST",
        path="/v1/meetings",
        tag=TAG,
        summary="Open a meeting",
        meaning="The caller is its host, and doesn't sit by that alone. A meeting that has not "
        "started within 24 hours is abandoned.",
        handle=open_meeting,
        token="required",
        rate=WRITES,
        bodies=(OpenMeeting,),
        takes=read_open,
        keyed=True,
        answers={201: Form(kind=MeetingSummary)},
        answer_headers={201: {"Location": "The meeting."}},
    ),
    Operation(
        id="ShowMeeting",
        method="GET",
        path="/v1/meetings/{meeting}",
        tag=TAG,
        summary="A meeting's public summary",
        handle=show,
        subject=find_fresh,
        path_parameters=(params.MEETING,),
        answers={200: Form(kind=MeetingSummary)},
        refusals=(p.MEETING_NOT_FOUND,),
    ),
    change(
        "StartMeeting",
        "start",
        summary="Start a meeting (host, organiser)",
        meaning="Every seat must be taken.",
        handle=start,
        refusals=(
            p.MEETING_NOT_FOUND,
            p.NOT_HOST,
            lifecycle.MEETING_NOT_OPEN,
            lifecycle.SEATS_OPEN,
        ),
    ),
)
