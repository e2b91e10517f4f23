"""Decisions about the meeting itself: open, sit, start, abandon, and the way of a game command.

Who may ask (host, organiser) is the service's question; what may happen is decided here.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from domain.kernel.chance import commitment, nonce_hash
from domain.kernel.game import Game
from domain.kernel.message import SERVER, Command, type_of
from domain.kernel.rejection import MEETING_NOT_RUNNING, WRONG_PHASE, Malformed, Reason, Rejected
from domain.racing import events as e
from domain.racing.draft import Draft, chance_of
from domain.racing.meeting import OPEN, RUNNING, Meeting, Place

SEAT_TAKEN = Reason(code="seat_taken", status=409, detail="The seat is taken.")
SEATS_OPEN = Reason(code="seats_open", status=409, detail="Every seat must be taken first.")
MEETING_NOT_OPEN = Reason(
    code="meeting_not_open", status=409, detail="The meeting has begun or is over."
)
MEETING_OVER = Reason(code="meeting_over", status=409, detail="The meeting is over.")
SEAT_FREE = Reason(code="seat_free", status=409, detail="Nobody has this seat.")

REASONS: tuple[Reason, ...] = (
    MEETING_NOT_RUNNING,
    MEETING_NOT_OPEN,
    MEETING_OVER,
    SEAT_TAKEN,
    SEAT_FREE,
    SEATS_OPEN,
)
"""Every refusal of this file but that of the phase."""


def open_meeting(
    draft: Draft,
    *,
    meeting: str,
    seed: bytes,
    options: Mapping[str, Any],
    seats: int,
    host: str,
    name: str | None,
    start: str,
    arranged: bool,
    draws: Mapping[str, Sequence[Any]] | None,
) -> None:
    """The first line of a log; options in full, the seed committed to."""
    secret: dict[str, Any] = {"seed": seed.hex()}
    if draws:
        secret["arranged"] = {label: list(items) for label, items in draws.items()}
    draft.record(
        e.MeetingOpened,
        id=meeting,
        game=draft.game.id,
        rules=draft.game.rules,
        name=name,
        options=dict(options),
        seats=seats,
        host=host,
        start=start,
        arranged=arranged,
        commitment=commitment(seed),
        private={SERVER: secret},
    )


def require_open(m: Meeting) -> None:
    """Refuse once the meeting has begun."""
    if m.status != OPEN:
        raise Rejected(MEETING_NOT_OPEN)


def free_seat(m: Meeting, seat: int | None, player: str | None = None) -> Place:
    """The seat asked for if it is free (or reserved for this player), else the lowest such.

    Raises:
        Rejected: it is taken, or none is free.
    """
    if seat is not None:
        place = m.seats[seat - 1]
        if place.player is not None and not (place.reserved and place.player == player):
            raise Rejected(SEAT_TAKEN)
        return place
    if player is not None:
        for place in m.seats:
            if place.reserved and place.player == player:
                return place
    for place in m.seats:
        if place.player is None:
            return place
    raise Rejected(SEAT_TAKEN, "No seat is free.")


def reserve_seat(draft: Draft, seat: int | None, player: str, name: str) -> int:
    """Keep a seat for a player; the number of the seat."""
    require_open(draft.meeting)
    place = free_seat(draft.meeting, seat)
    draft.record(e.SeatReserved, seat=place.seat, player=player, name=name)
    return place.seat


def take_seat(
    draft: Draft,
    seat: int | None,
    *,
    player: str,
    name: str,
    kind: str = "human",
    bot: str | None = None,
    nonce: str | None = None,
) -> int:
    """Sit a player (or a built-in bot) down, and start when that was agreed; the seat's number."""
    m = draft.meeting
    require_open(m)
    place = free_seat(m, seat, player)
    draft.record(
        e.SeatTaken,
        seat=place.seat,
        player=player,
        name=name,
        kind=kind,
        bot=bot,
        nonce_hash=None if nonce is None else nonce_hash(nonce),
        private=None if nonce is None else {place.seat: {"nonce": nonce}},
    )
    if m.start == "when_full" and all(p.taken for p in m.seats):
        start_meeting(draft)
    return place.seat


def leave_seat(draft: Draft, seat: int) -> None:
    """Free a seat before the start."""
    require_open(draft.meeting)
    place = draft.meeting.seats[seat - 1]
    if place.player is None:
        raise Rejected(SEAT_FREE)
    draft.record(e.SeatLeft, seat=seat, player=place.player)


def start_meeting(draft: Draft) -> None:
    """Begin play: the nonces are shown, the key of chance is fixed, the game opens race 1."""
    m = draft.meeting
    require_open(m)
    if not all(p.taken for p in m.seats):
        raise Rejected(SEATS_OPEN)
    draft.record(e.MeetingStarted, nonces=[p.nonce for p in m.seats])
    if draft.chance is None:
        draft.chance = chance_of(m)
    draft.game.begin(draft)


def go_over(draft: Draft) -> bool:
    """Go over to the rules of this release, before anything else is decided; whether it was due."""
    m = draft.meeting
    if m.rules == draft.game.rules or m.status not in (OPEN, RUNNING):
        return False
    draft.record(e.RulesChanged, rules=draft.game.rules)
    return True


def ask_abandon(draft: Draft, seat: int) -> None:
    """Note that a seat wants the meeting abandoned; asking again changes nothing."""
    if draft.meeting.status != RUNNING:
        raise Rejected(MEETING_NOT_RUNNING)
    if seat not in draft.meeting.asked:
        draft.record(e.AbandonAsked, seat=seat)


def abandon(draft: Draft, reason: str) -> None:
    """End the meeting without a result."""
    m = draft.meeting
    if m.status not in (OPEN, RUNNING):
        raise Rejected(MEETING_OVER)
    assert m.seed is not None, "only the full meeting decides"
    draft.record(e.MeetingAbandoned, reason=reason, seed=m.seed)


def decide(draft: Draft, seat: int, command: Command) -> None:
    """Check the status and the phase of a game command, then let its game decide.

    Args:
        draft: where its events are recorded.
        seat: who asks; 0 for a command of the system.
        command: what is asked.

    Raises:
        Malformed: a seat gives a command of the system, or the system one of a seat.
        Rejected: nothing was recorded.
    """
    m = draft.meeting
    kind = type(command)
    if (kind in draft.game.system_commands) == bool(seat):
        raise Malformed("The server's own commands are given by the server alone.")
    if m.status != RUNNING:
        raise Rejected(MEETING_NOT_RUNNING)
    allowed = draft.game.phases.get(m.table.phase)
    if allowed is None or kind not in allowed:
        raise Rejected(WRONG_PHASE, _other_phase(draft.game, kind, m.table.phase))
    draft.carry(command, seat)
    draft.game.decide[kind](draft, seat, command)


def _other_phase(game: Game, command: type[Command], phase: str) -> str:
    """Which phase it is, which everybody may know, and in which this command goes."""
    others = [f"`{name}`" for name, kinds in game.phases.items() if command in kinds]
    now = f"It is the phase `{phase}` now; " if phase in game.phases else ""
    *most, last = others
    goes = f"{', '.join(most)} and {last}" if most else last
    return f"{now}`{type_of(command)}` goes in {goes}."
