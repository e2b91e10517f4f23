"""Seats: sit down, sit a bot down, reserve one, free one."""

import re
from collections.abc import Callable
from typing import Annotated, Any, ClassVar

from msgspec import UNSET, Meta, Struct, UnsetType

from domain.kernel.fitting import any_of
from domain.kernel.rejection import Malformed, Rejected
from domain.kernel.words import known
from domain.racing import lifecycle
from domain.racing.draft import Draft
from domain.racing.meeting import PUBLIC_VIEW
from domain.registry import GAMES
from service.handling import Outcome
from service.http import params
from service.http import problems as p
from service.http.bodies import take
from service.http.call import Answer, Call, as_json
from service.http.meetings import find_meeting, runs
from service.http.operation import WRITES, Form, Operation
from service.keeping import Kept
from service.players import PlayerUnknown

TAG = "seats"
SeatNumber = Annotated[int, Meta(ge=1, le=max(game.seats[1] for game in GAMES.values()))]
BotName = Annotated[
    str,
    known("BotName", *{bot for game in GAMES.values() for bot in game.bots}),
]
_NONCE = re.compile(r"[ -{}~]{1,64}")
Nonce = Annotated[
    str,
    Meta(extra_json_schema={"minLength": 1, "maxLength": 64, "pattern": f"^{_NONCE.pattern}$"}),
]
"""`read_ask` sees to its form, in words; msgspec would tell the expression."""


class SitDown(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The caller sits: in this seat, else its own, else the lowest free.

    The nonce is the seat's own part of the key of chance: 1 to 64 characters of 0x20-0x7E but `|`.
    """

    seat: SeatNumber | UnsetType = UNSET
    nonce: Nonce | UnsetType = UNSET


class SitBot(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A built-in bot sits (host, organiser)."""

    bot: BotName
    seat: SeatNumber | UnsetType = UNSET


class Reserve(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A seat is kept for a player, and taken once that player sits down (host, organiser)."""

    player: str
    seat: SeatNumber | UnsetType = UNSET


class SeatAsk(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Who sits down, in this seat or else the lowest free.

    Without `bot` and `player` the caller itself, in the seat that it has already if it names none;
    its `nonce` is the seat's own part of the key of chance: 1 to 64 characters of 0x20-0x7E but
    `|`. With `bot` a built-in bot, with `player` a seat is kept for one (host, organiser).
    """

    unfit: ClassVar[dict[str, Any]] = any_of(
        {"properties": {name: {} for name in pair}, "required": pair}
        for pair in (["bot", "player"], ["bot", "nonce"], ["player", "nonce"])
    )

    seat: SeatNumber | UnsetType = UNSET
    nonce: Nonce | UnsetType = UNSET
    bot: BotName | UnsetType = UNSET
    player: str | UnsetType = UNSET


class SeatGiven(Struct, frozen=True, kw_only=True):
    """The seat's number."""

    seat: int


Ask = SitDown | SitBot | Reserve


def read_ask(call: Call, body: Any) -> Ask:
    """Which of the three is asked, and whether it could be of this meeting."""
    ask: Ask
    if isinstance(body, dict) and "bot" in body:
        ask = take(body, SitBot)
        if ask.bot not in call.meeting.game.bots:
            raise Malformed("This game has no built-in bot of this name.", "/bot")
    elif isinstance(body, dict) and "player" in body:
        ask = take(body, Reserve)
    else:
        ask = take(body, SitDown)
        if ask.nonce is not UNSET and not _NONCE.fullmatch(ask.nonce):
            raise Malformed("A nonce is 1 to 64 characters of 0x20-0x7E without `|`.", "/nonce")
    if ask.seat is not UNSET and ask.seat > len(call.meeting.full.seats):
        raise p.Refusal(p.SEAT_NOT_FOUND, pointer="/seat")
    return ask


async def sit(call: Call) -> Answer:
    """Take or reserve a seat."""
    work = await _work(call, call.input)
    outcome = await call.deps.meetings.act(call.meeting.full.id, work, call.key)
    seat = await _seat_of(call, outcome)
    return as_json(SeatGiven(seat=seat), 201 if outcome.events else 200)


async def _work(call: Call, ask: Ask) -> Callable[[Draft, Kept], int]:
    """What decides about the seat asked for."""
    number = None if ask.seat is UNSET else ask.seat
    if isinstance(ask, SitDown):
        return _sit_caller(call, number, None if ask.nonce is UNSET else ask.nonce)
    if isinstance(ask, SitBot):
        return _run_by_host(call, lambda draft: _sit_bot(draft, number, ask.bot))
    try:
        if not params.PLAYER_ID.fullmatch(ask.player):
            raise PlayerUnknown(ask.player)
        player = await call.deps.players.get(ask.player)
    except PlayerUnknown:
        raise p.Refusal(p.PLAYER_NOT_FOUND, pointer="/player") from None
    return _run_by_host(
        call, lambda draft: lifecycle.reserve_seat(draft, number, player.id, player.name)
    )


def _sit_caller(call: Call, number: int | None, nonce: str | None) -> Callable[[Draft, Kept], int]:
    player = call.caller

    def work(draft: Draft, _kept: Kept) -> int:
        own = draft.meeting.seat_of(player.id)
        if number is None and own:
            if nonce is not None and nonce != draft.meeting.seats[own[0] - 1].nonce:
                raise Rejected(lifecycle.SEAT_TAKEN, "You sit here already, with another nonce.")
            return own[0]
        return lifecycle.take_seat(draft, number, player=player.id, name=player.name, nonce=nonce)

    return work


def _run_by_host(call: Call, decide: Callable[[Draft], int]) -> Callable[[Draft, Kept], int]:
    def work(draft: Draft, kept: Kept) -> int:
        if not runs(call, kept):
            raise Rejected(p.NOT_HOST)
        return decide(draft)

    return work


def _sit_bot(draft: Draft, number: int | None, bot: str) -> int:
    """A built-in bot is a player whose id is its name."""
    return lifecycle.take_seat(draft, number, player=bot, name=bot, kind="bot", bot=bot)


async def _seat_of(call: Call, outcome: Outcome) -> int:
    """The seat that a call was given, also where it is repeated."""
    if not outcome.duplicate:
        number: int = outcome.result
        return number
    if outcome.events:
        given = outcome.caused[0].seat
        assert given, "a seat event names its seat"
        return given
    then = await call.deps.meetings.view_at(outcome.meeting, PUBLIC_VIEW, outcome.last)
    return then.seat_of(call.caller.id)[0]


async def find_seat(call: Call) -> None:
    """The seat that the path names."""
    await find_meeting(call)
    text = call.path("seat")
    if not re.fullmatch("[1-9][0-9]?", text) or int(text) > len(call.meeting.full.seats):
        raise p.Refusal(p.SEAT_NOT_FOUND)


async def free(call: Call) -> Answer:
    """Free a seat before the start."""
    number = int(call.path("seat"))

    def work(draft: Draft, kept: Kept) -> None:
        place = draft.meeting.seats[number - 1]
        if place.player != call.caller.id and not runs(call, kept):
            raise Rejected(p.NOT_YOUR_SEAT)
        lifecycle.leave_seat(draft, number)

    await call.deps.meetings.act(call.meeting.full.id, work)
    return Answer(status=204)


OPERATIONS: tuple[Operation, ...] = (
    Operation(
        id="TakeSeat",
        method="POST",
        path="/v1/meetings/{meeting}/seats",
        tag=TAG,
        summary="Sit down, sit a bot down, or reserve a seat",
        meaning="200 where the caller has its seat already.",
        handle=sit,
        token="required",
        rate=WRITES,
        subject=find_meeting,
        path_parameters=(params.MEETING,),
        bodies=(SeatAsk,),
        body_needed=False,
        takes=read_ask,
        keyed=True,
        answers={201: Form(kind=SeatGiven), 200: Form(kind=SeatGiven)},
        refusals=(
            p.MEETING_NOT_FOUND,
            p.SEAT_NOT_FOUND,
            p.PLAYER_NOT_FOUND,
            p.NOT_HOST,
            lifecycle.MEETING_NOT_OPEN,
            lifecycle.SEAT_TAKEN,
        ),
    ),
    Operation(
        id="FreeSeat",
        method="DELETE",
        path="/v1/meetings/{meeting}/seats/{seat}",
        tag=TAG,
        summary="Free a seat before the start (its player, the host, an organiser)",
        handle=free,
        token="required",
        rate=WRITES,
        subject=find_seat,
        path_parameters=(params.MEETING, params.SEAT_PART),
        answers={204: None},
        refusals=(
            p.MEETING_NOT_FOUND,
            p.SEAT_NOT_FOUND,
            p.NOT_YOUR_SEAT,
            lifecycle.MEETING_NOT_OPEN,
            lifecycle.SEAT_FREE,
        ),
    ),
)
