"""What a viewer may see of a meeting: board, actions, events."""

from typing import Any

import msgspec
from msgspec import Struct

from domain.kernel.game import Listing
from domain.kernel.words import Instant
from domain.racing.meeting import PUBLIC_VIEW, RUNNING
from service.handling import VERSION_AHEAD
from service.http import params
from service.http import problems as p
from service.http.accepting import best, matches
from service.http.call import Answer, Call, as_json
from service.http.meetings import find_fresh
from service.http.operation import Form, Operation
from service.http.release import RELEASE
from service.settings import Settings

TAG = "views"
NDJSON, EVENT_STREAM = "application/x-ndjson", "text/event-stream"
ETAG = "Viewer, version and the server's release."
NOTHING_TO_DO = Listing(actions=[], complete=True)


def viewer_of(call: Call) -> int:
    """Whose view is asked for: a seat of the caller, or 0 for the public.

    Raises:
        Refusal: the seat is not the caller's, or it must say which of several.
    """
    asked = call.query.get("seat")
    if asked == params.PUBLIC:
        return PUBLIC_VIEW
    if asked is not None:
        if asked not in call.meeting.full.seat_of(call.caller.id):
            raise p.Refusal(p.NOT_YOUR_SEAT)
        return int(asked)
    seats = [] if call.login is None else call.meeting.full.seat_of(call.caller.id)
    if len(seats) > 1:
        raise p.Refusal(p.SEAT_REQUIRED)
    return seats[0] if seats else PUBLIC_VIEW


def headers_for(viewer: int) -> dict[str, str]:
    """Whether caches may keep what this viewer is answered."""
    return dict(params.PRIVATE if viewer else params.PUBLIC_FRESH)


# ---------------------------------------------------------------------- board and actions


async def board(call: Call) -> Answer:
    """The viewer's board, now or after one of its events."""
    viewer = viewer_of(call)
    kept = call.meeting
    version = kept.view(viewer).version
    at = call.query.get("at", version)
    if at > version:
        raise p.Refusal(VERSION_AHEAD, version=version)
    headers = {**headers_for(viewer), "ETag": f'"{RELEASE}.{viewer or "public"}.{at}"'}
    if matches(call.headers.get("if-none-match"), headers["ETag"]):
        return Answer(status=304, headers=headers)
    view = kept.view(viewer)
    if at != version:
        seq = kept.seq_of(viewer, at)
        view = await call.deps.meetings.view_at(kept.full.id, viewer, seq)
    return as_json(kept.game.view(view), headers=headers)


class ActionList(Struct, frozen=True, kw_only=True):
    """What a seat may do now.

    Args:
        decision: the number of the decision that it owes or may take.
        deadline: when its decision ends; null without a clock.
        default: what the server plays for it on expiry; null where it owes nothing.
        actions: bodies ready to post.
        complete: whether they are all there are.
        schema: where they are a sample, the JSON Schema of every legal command.
    """

    decision: int | None
    deadline: Instant | None
    default: dict[str, Any] | None
    actions: list[dict[str, Any]]
    complete: bool
    schema: dict[str, Any] | None


async def actions(call: Call) -> Answer:
    """What the caller's seat may do now."""
    viewer = viewer_of(call)
    if not viewer and "seat" not in call.query:
        _ = call.caller
        raise p.Refusal(p.NOT_YOUR_SEAT)
    game = call.meeting.game
    view = call.meeting.view(viewer)
    plays = bool(viewer) and view.status == RUNNING
    listing = game.actions(view, viewer) if plays else NOTHING_TO_DO
    default = game.default(view, viewer) if plays else None
    told = ActionList(
        decision=view.decision,
        deadline=None,
        default=default,  # type: ignore[arg-type] # is written as a body
        actions=listing.actions,  # type: ignore[arg-type] # likewise
        complete=listing.complete,
        schema=listing.schema,
    )
    if viewer and len(call.meeting.full.seat_of(call.caller.id)) > 1:
        return as_json(for_seat(told, viewer), headers=headers_for(viewer))
    return as_json(told, headers=headers_for(viewer))


def for_seat(told: ActionList, seat: int) -> dict[str, Any]:
    """The same for a caller of several seats: each body says for which it is."""
    form: dict[str, Any] = msgspec.to_builtins(told)
    for body in (*form["actions"], *([] if form["default"] is None else [form["default"]])):
        body["seat"] = seat
    return form


# ---------------------------------------------------------------------- events


class EventPage(Struct, frozen=True, kw_only=True):
    """Events in the viewer's numbers; `next_cursor` is the `after` to send next."""

    items: list[dict[str, Any]]
    next_cursor: int | None
    version: int


async def events(call: Call) -> Answer:
    """A page of the viewer's events."""
    if best(call.headers.get("accept"), ("application/json", NDJSON, EVENT_STREAM)) != 0:
        raise p.Refusal(p.NOT_ACCEPTABLE)
    viewer = viewer_of(call)
    limit = call.query.get("limit", call.deps.settings.events_page_items)
    after = call.query.get("after", 0)
    items, version = await call.deps.meetings.events(call.meeting.full.id, viewer, after, limit)
    last = after + len(items)
    told = EventPage(items=items, next_cursor=last if last < version else None, version=version)
    return as_json(told, headers=headers_for(viewer))


def operations(settings: Settings) -> tuple[Operation, ...]:
    """The operations of this file; sizes of pages are settings."""
    common: dict[str, Any] = {
        "method": "GET",
        "tag": TAG,
        "subject": find_fresh,
        "path_parameters": (params.MEETING,),
    }
    return (
        Operation(
            id="ShowBoard",
            path="/v1/meetings/{meeting}/board",
            summary="The board as the caller may see it",
            meaning="Of the caller's seat, else public; now, or as it stood after its event `at`.",
            handle=board,
            hot=True,
            query=(params.AT, params.SEAT),
            headers=("If-None-Match",),
            answers={
                200: Form(schema={"$ref": "#/components/schemas/Board"}),
                304: None,
            },
            answer_headers={status: {"ETag": ETAG, **params.TOLD_PRIVATE} for status in (200, 304)},
            refusals=(p.MEETING_NOT_FOUND, p.NOT_YOUR_SEAT, p.SEAT_REQUIRED, VERSION_AHEAD),
            **common,
        ),
        Operation(
            id="ListActions",
            path="/v1/meetings/{meeting}/actions",
            summary="What the caller's seat may do now",
            meaning="`actions` are bodies ready to post, `default` is what a seat that owes a "
            "decision can always give. Without a token only `seat=public` is answered, which may "
            "do nothing.",
            handle=actions,
            hot=True,
            query=(params.SEAT,),
            answers={200: Form(kind=ActionList)},
            answer_headers={200: params.TOLD_PRIVATE},
            refusals=(p.MEETING_NOT_FOUND, p.NOT_YOUR_SEAT, p.SEAT_REQUIRED),
            **common,
        ),
        Operation(
            id="ListEvents",
            path="/v1/meetings/{meeting}/events",
            summary="A page of the caller's events",
            meaning="`next_cursor` is the `after` to send next, null at the end; `version` is the "
            "number of the viewer's last event.",
            handle=events,
            hot=True,
            query=(
                params.AFTER,
                params.limit(settings.events_page_items, settings.events_page_items_max),
                params.SEAT,
            ),
            answers={200: Form(schema={"$ref": "#/components/schemas/EventPage"})},
            answer_headers={200: params.TOLD_PRIVATE},
            refusals=(
                p.MEETING_NOT_FOUND,
                p.NOT_ACCEPTABLE,
                p.NOT_YOUR_SEAT,
                p.SEAT_REQUIRED,
                VERSION_AHEAD,
            ),
            **common,
        ),
    )
