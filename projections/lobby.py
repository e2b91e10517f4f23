"""The lobby: the public summary of every meeting, as `GET /v1/meetings/{id}` shows it."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec
from msgspec import Struct, field

from domain.kernel.message import Event
from domain.racing import events as e
from domain.racing.meeting import ABANDONED, FINISHED, OPEN, RUNNING, Status
from projections.facts import Fact, is_public
from projections.projection import (
    Changes,
    Fetch,
    Form,
    Projection,
    Steps,
    changes_of,
    fold_meetings,
)

ALL = "all"


def of_game(game: str) -> str:
    """The index of a game's meetings."""
    return f"game:{game}"


def in_status(status: str) -> str:
    """The index of the meetings in a status."""
    return f"status:{status}"


def of_game_in_status(game: str, status: str) -> str:
    """The index of a game's meetings in a status."""
    return f"game:{game}:status:{status}"


def of_player(player: str) -> str:
    """The index of the meetings in which a player has, or is kept, a seat."""
    return f"player:{player}"


def to_play(player: str) -> str:
    """The index of the same that are not over."""
    return f"playing:{player}"


class SeatLine(Struct, kw_only=True):
    """One seat of the summary; all but its number is null while it is free."""

    seat: int
    player: str | None = None
    name: str | None = None
    kind: e.PlayerKind | None = None


class Summary(Struct, kw_only=True):
    """A meeting as everybody may know it (contract, `GET /v1/meetings/{id}`).

    Args:
        race: 0 before the first.
        version: the number of its last public event in the public feed.
        ranking: null until the meeting is finished, and if it was abandoned.
    """

    id: str
    name: str | None = None
    game: str = ""
    options: e.OptionsInFull = field(default_factory=dict)
    status: Status = OPEN
    arranged: bool = False
    host: str = ""
    seats: list[SeatLine] = field(default_factory=list)
    race: int = 0
    version: int = 0
    commitment: str = ""
    ranking: list[e.Rank] | None = None


class Listed(Struct, kw_only=True):
    """What the view keeps of a meeting.

    Args:
        summary: what is shown.
        opened_at: what the lobby is sorted by, newest first.
        reserved: the seats that wait for their player.
    """

    summary: Summary
    opened_at: str = ""
    reserved: list[int] = field(default_factory=list)

    def seats_of(self, player: str) -> list[int]:
        """The seats that this player has taken, ascending."""
        return [
            line.seat
            for line in self.summary.seats
            if line.player == player and line.seat not in self.reserved
        ]


def _opened(listed: Listed, event: e.MeetingOpened) -> None:
    s = listed.summary
    s.name, s.game, s.options, s.host = event.name, event.game, event.options, event.host
    s.arranged, s.commitment = event.arranged, event.commitment
    s.seats = [SeatLine(seat=number + 1) for number in range(event.seats)]
    listed.opened_at = event.at


def _reserved(listed: Listed, event: e.SeatReserved) -> None:
    line = _line(listed, event)
    line.player, line.name, line.kind = event.player, event.name, "human"
    listed.reserved.append(line.seat)


def _taken(listed: Listed, event: e.SeatTaken) -> None:
    line = _line(listed, event)
    line.player, line.name, line.kind = event.player, event.name, event.kind
    _unreserve(listed, line.seat)


def _left(listed: Listed, event: e.SeatLeft) -> None:
    line = _line(listed, event)
    line.player = line.name = line.kind = None
    _unreserve(listed, line.seat)


def _started(listed: Listed, _: e.MeetingStarted) -> None:
    listed.summary.status = RUNNING


def _race_opened(listed: Listed, event: e.RaceOpened) -> None:
    listed.summary.race = event.race


def _finished(listed: Listed, event: e.MeetingFinished) -> None:
    listed.summary.status, listed.summary.ranking = FINISHED, event.ranking


def _abandoned(listed: Listed, _: e.MeetingAbandoned) -> None:
    listed.summary.status = ABANDONED


def _line(listed: Listed, event: Event) -> SeatLine:
    assert event.seat, "a seat event names its seat"
    return listed.summary.seats[event.seat - 1]


def _unreserve(listed: Listed, seat: int) -> None:
    listed.reserved = [kept for kept in listed.reserved if kept != seat]


_EVOLVE: Mapping[type, Callable[[Listed, Any], None]] = {
    e.MeetingOpened: _opened,
    e.SeatReserved: _reserved,
    e.SeatTaken: _taken,
    e.SeatLeft: _left,
    e.MeetingStarted: _started,
    e.RaceOpened: _race_opened,
    e.MeetingFinished: _finished,
    e.MeetingAbandoned: _abandoned,
}


def initial(meeting: str) -> Listed:
    """A meeting of which nothing is known."""
    return Listed(summary=Summary(id=meeting))


def evolve(listed: Listed, fact: Fact) -> None:
    """Fold one fact; every public event counts in the version, the games' own too."""
    if is_public(fact):
        listed.summary.version += 1
    own = _EVOLVE.get(type(fact))
    if own is not None:
        own(listed, fact)


def places(listed: Listed) -> Mapping[str, str]:
    """Where the meeting is listed, by the time it was opened."""
    s = listed.summary
    indexes = [ALL, of_game(s.game), in_status(s.status), of_game_in_status(s.game, s.status)]
    players = {line.player for line in s.seats if line.player is not None}
    indexes += [of_player(player) for player in players]
    if s.status in (OPEN, RUNNING):
        indexes += [to_play(player) for player in players]
    return dict.fromkeys(indexes, listed.opened_at)


FORM: Form[Listed] = Form(
    prefix="",
    decode=msgspec.json.Decoder(Listed).decode,
    encode=msgspec.json.Encoder().encode,
    places=places,
)


def fold(facts: Sequence[Fact]) -> Steps:
    """The changes that these facts make in the lobby."""
    old, documents = yield from fold_meetings(FORM, initial, evolve, facts)
    return Changes(changes_of(FORM, old, documents))


def foresee(meetings: Sequence[str]) -> Fetch:
    """Every event is looked at, so each meeting's document is asked for."""
    return Fetch(tuple(FORM.prefix + meeting for meeting in meetings))


LOBBY = Projection(
    name="lobby",
    version="1",
    handles=frozenset(e.SHARED_EVENTS),
    passing=True,
    initial=initial,
    evolve=evolve,
    fold=fold,
    foresee=foresee,
)
